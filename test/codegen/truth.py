"""truth.py: the value of each mathematical function of OpenCL C, exactly or to 192 bits.

Arguments are Python's floats, which hold every half, float and double. A result is a float if that is exact or
special, and else (m, e), which means m * 2 ** e. MPFR computes irrational results. Special values follow annex F of
C99, as in MPFR, and section 7.5.1 of OpenCL C where it differs.

>>> sinpi(-2.0), cospi(2.5), tanpi(1.5), tanpi(3.0), rootn(-0.0, -3), powr(1.0, INF)
(-0.0, 0.0, -inf, -0.0, -inf, nan)
>>> remquo(-5.0, 2.0), fract(-2.0**-30, KINDS["float"]), lgamma_r(-2.5, None)[1]
(((-1, 0), -2), (0.9999999403953552, -1.0), -1)
>>> KINDS["float"].nearest((3, -150)), KINDS["float"].distance(0.0, (3, -150)), KINDS["half"].distance(INF, (1, 16))
(2.802596928649634e-45, 1.5, 0.0)
>>> KINDS["double"].nearest(mpfr("exp", 1.0)) == math.e
True
"""
import ctypes
import doctest
import math
import struct
import sys
from fractions import Fraction

INF, NAN = math.inf, math.nan
INT_MIN, INT_MAX = -(2**31), 2**31 - 1
BITS = 192


class Number(ctypes.Structure):
    """mpfr_t"""

    _fields_ = [("bits", ctypes.c_long), ("sign", ctypes.c_int), ("exponent", ctypes.c_long),
                ("words", ctypes.c_void_p)]


_mpfr = ctypes.CDLL("libmpfr.so.6")
_mpfr.mpfr_set_d.argtypes = [ctypes.POINTER(Number), ctypes.c_double, ctypes.c_int]
_SPECIAL = {-(2**63) + 1: 0.0, -(2**63) + 2: NAN, -(2**63) + 3: INF}


def _number(value=0.0):
    made = Number()
    _mpfr.mpfr_init2(ctypes.byref(made), BITS)
    _mpfr.mpfr_set_d(ctypes.byref(made), value, 0)
    return made


_X, _Y, _RESULT, _PI = _number(), _number(), _number(), _number()
_mpfr.mpfr_const_pi(ctypes.byref(_PI), 0)


def _value(number):
    """Returns an MPFR number as a result of this module."""
    if number.exponent in _SPECIAL:
        return math.copysign(_SPECIAL[number.exponent], number.sign)
    words = int.from_bytes(ctypes.string_at(number.words, BITS // 8), "little")
    return number.sign * words, number.exponent - BITS


def mpfr(name, x, y=None):
    """Calls a function of MPFR; y is a number, an int, or None."""
    _mpfr.mpfr_set_d(ctypes.byref(_X), x, 0)
    more = []
    if isinstance(y, float):
        _mpfr.mpfr_set_d(ctypes.byref(_Y), y, 0)
        more = [ctypes.byref(_Y)]
    elif y is not None:
        more = [ctypes.c_long(y)]
    getattr(_mpfr, "mpfr_" + name)(ctypes.byref(_RESULT), ctypes.byref(_X), *more, 0)
    return _value(_RESULT)


def by_pi(name, value, *more):
    """Calls a function of MPFR and divides the result by pi."""
    mpfr(name, value, *more)
    _mpfr.mpfr_div(ctypes.byref(_RESULT), ctypes.byref(_RESULT), ctypes.byref(_PI), 0)
    return _value(_RESULT)


def exact(fraction, zero=0.0):
    """Returns a fraction with a power of 2 as denominator as a result; a zero gets the sign of the other argument."""
    if fraction == 0:
        return zero
    return fraction.numerator, 1 - fraction.denominator.bit_length()


def is_odd(x):
    return math.isfinite(x) and x == math.floor(x) and int(x) % 2 == 1


def is_whole(x):
    return math.isfinite(x) and x == math.floor(x)


# ---- Functions of pi * x ----


def of_pi(name, x):
    """Returns sin, cos or tan of pi * x, for irrational results."""
    _mpfr.mpfr_set_d(ctypes.byref(_X), math.fmod(x, 2.0), 0)
    _mpfr.mpfr_mul(ctypes.byref(_X), ctypes.byref(_X), ctypes.byref(_PI), 0)
    getattr(_mpfr, "mpfr_" + name)(ctypes.byref(_RESULT), ctypes.byref(_X), 0)
    return _value(_RESULT)


def sinpi(x):
    if not math.isfinite(x):
        return NAN
    return math.copysign(0.0, x) if is_whole(x) else of_pi("sin", x)


def cospi(x):
    if not math.isfinite(x):
        return NAN
    return 0.0 if is_whole(x - 0.5) and not is_whole(x) else of_pi("cos", x)


def tanpi(x):
    if not math.isfinite(x):
        return NAN
    if is_whole(x):
        return math.copysign(0.0, -x if is_odd(x) else x)
    if is_whole(2 * x):
        return -INF if is_odd(x - 0.5) else INF
    return of_pi("tan", x)


# ---- Whole numbers and parts ----


def rounded(name):
    def give(x):
        if not math.isfinite(x) or x == 0:
            return x
        ways = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "rint": round,
                "round": lambda number: math.copysign(math.floor(abs(Fraction(number)) + Fraction(1, 2)), number)}
        return math.copysign(float(ways[name](x)), x)
    return give


def logb(x):
    if x == 0 or not math.isfinite(x):
        return -INF if x == 0 else abs(x)
    return float(math.frexp(x)[1] - 1)


def ilogb(x):
    if math.isnan(x) or math.isinf(x):
        return INT_MAX
    return INT_MIN if x == 0 else math.frexp(x)[1] - 1


def fract(x, kind):
    """Returns the result of fract, and the number that fract stores."""
    if math.isnan(x):
        return x, x
    if math.isinf(x):
        return math.copysign(0.0, x), x
    if x == 0:
        return x, x
    return min(kind.nearest(exact(Fraction(x) - math.floor(x))), kind.below_one), math.copysign(float(math.floor(x)), x)


def modf(x, _):
    if math.isinf(x):
        return math.copysign(0.0, x), x
    return math.modf(x)


def frexp(x, _):
    return math.frexp(x) if math.isfinite(x) else (x, 0)


def sincos(x, _):
    return mpfr("sin", x), mpfr("cos", x)


def lgamma(x):
    _mpfr.mpfr_set_d(ctypes.byref(_X), x, 0)
    _mpfr.mpfr_lgamma(ctypes.byref(_RESULT), ctypes.byref(ctypes.c_int()), ctypes.byref(_X), 0)
    return _value(_RESULT)


def lgamma_r(x, _):
    if math.isnan(x) or x == 0 or (x < 0 and is_whole(x)):
        return lgamma(x), None if math.isnan(x) or x == -INF else 0
    return lgamma(x), None if x == -INF else -1 if x < 0 and math.floor(x) % 2 == 1 else 1


# ---- Functions of two numbers ----


def remquo(x, y, _=None):
    """Returns the remainder, and the quotient's last seven bits with its sign (None: any number is right)."""
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return NAN, 0
    if math.isinf(y) or x == 0:
        return x, 0
    quotient = round(Fraction(x) / Fraction(y))
    return exact(Fraction(x) - quotient * Fraction(y), math.copysign(0.0, x)), quotient


def remainder(x, y):
    return remquo(x, y)[0]


def fmod(x, y):
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return NAN
    return math.fmod(x, y)


def fdim(x, y):
    if math.isnan(x) or math.isnan(y):
        return NAN
    if x <= y:
        return 0.0
    return INF if math.isinf(x) or math.isinf(y) else exact(Fraction(x) - Fraction(y))


def fma(x, y, z):
    if not all(map(math.isfinite, (x, y, z))):
        # The exact product of finite numbers is finite, even if Python's would overflow; only its sign matters.
        product = math.copysign(1.0, x) * math.copysign(1.0, y) if math.isfinite(x) and math.isfinite(y) else x * y
        return product + z
    product = math.copysign(0.0, math.copysign(1.0, x) * math.copysign(1.0, y))
    sign = product + math.copysign(0.0, z) if x == 0 or y == 0 else 0.0
    return exact(Fraction(x) * Fraction(y) + Fraction(z), sign)


def divide(x, y):
    if math.isnan(x) or math.isnan(y) or (math.isinf(x) and math.isinf(y)) or (x == 0 and y == 0):
        return NAN
    sign = math.copysign(1.0, x) * math.copysign(1.0, y)
    if math.isinf(x) or y == 0:
        return sign * INF
    return sign * 0.0 if math.isinf(y) or x == 0 else mpfr("div", x, y)


def fmax(x, y):
    if math.isnan(x) or math.isnan(y):
        return y if math.isnan(x) else x
    return y if y > x or (x == y and math.copysign(1.0, y) > 0) else x


def fmin(x, y):
    if math.isnan(x) or math.isnan(y):
        return y if math.isnan(x) else x
    return y if y < x or (x == y and math.copysign(1.0, y) < 0) else x


def maxmag(x, y):
    return x if abs(x) > abs(y) else y if abs(y) > abs(x) else fmax(x, y)


def minmag(x, y):
    return x if abs(x) < abs(y) else y if abs(y) < abs(x) else fmin(x, y)


def nextafter(x, y, kind):
    if math.isnan(x) or math.isnan(y):
        return NAN
    if x == y:
        return y
    bits = kind.bits_of(x)
    if x == 0:
        return kind.float_of(1 | (kind.sign if y < 0 else 0))
    return kind.float_of(bits + 1 if (y > x) == (x > 0) else bits - 1)


# ---- Powers ----


def powr(x, y):
    if math.isnan(x) or math.isnan(y) or x < 0 or (x == 1 and math.isinf(y)) or (y == 0 and (x == 0 or math.isinf(x))):
        return NAN
    if x == 0:
        return INF if y < 0 else 0.0
    return mpfr("pow", x, y)


def rootn(x, n):
    if n == 0 or math.isnan(x) or (x < 0 and n % 2 == 0):
        return NAN
    sign = math.copysign(1.0, x) if n % 2 else 1.0
    if x == 0 or math.isinf(x):
        return sign * (INF if (x == 0) == (n < 0) else 0.0)
    mpfr("rootn_ui", x, abs(n))
    if n < 0:
        _mpfr.mpfr_ui_div(ctypes.byref(_RESULT), ctypes.c_ulong(1), ctypes.byref(_RESULT), 0)
    return _value(_RESULT)


def rsqrt(x):
    return math.copysign(INF, x) if x == 0 else mpfr("rec_sqrt", x)


def ldexp(x, n):
    if x == 0 or not math.isfinite(x):
        return x
    fraction = Fraction(x)
    # All bits of a double are within 1100 places of the binary point, so that a larger |n| changes nothing.
    return fraction.numerator, 1 - fraction.denominator.bit_length() + max(min(n, 10000), -10000)


def degrees(x):
    """x * 180 / pi"""
    if x == 0 or not math.isfinite(x):
        return x
    _mpfr.mpfr_set_d(ctypes.byref(_X), x, 0)
    _mpfr.mpfr_mul_ui(ctypes.byref(_X), ctypes.byref(_X), ctypes.c_ulong(180), 0)
    _mpfr.mpfr_div(ctypes.byref(_RESULT), ctypes.byref(_X), ctypes.byref(_PI), 0)
    return _value(_RESULT)


def radians(x):
    if x == 0 or not math.isfinite(x):
        return x
    _mpfr.mpfr_set_d(ctypes.byref(_X), x, 0)
    _mpfr.mpfr_div_ui(ctypes.byref(_X), ctypes.byref(_X), ctypes.c_ulong(180), 0)
    _mpfr.mpfr_mul(ctypes.byref(_RESULT), ctypes.byref(_X), ctypes.byref(_PI), 0)
    return _value(_RESULT)


def sign(x):
    return 0.0 if math.isnan(x) else x if x == 0 else math.copysign(1.0, x)


# ---- Formats ----


def is_negative(value):
    """Returns whether a value is negative, or a negative zero."""
    return value[0] < 0 if isinstance(value, tuple) else math.copysign(1.0, value) < 0


class Kind:
    """A floating-point format. digits is the number of bits of the significand."""

    def __init__(self, name, bits, digits, code, integer):
        self.name, self.bits, self.digits, self.code, self.integer = name, bits, digits, code, integer
        self.sign = 1 << (bits - 1)
        self.highest = 2 ** (bits - digits - 1)  # 2 ** highest is the first number that is too large
        self.lowest = 3 - self.highest - digits  # 2 ** lowest is the smallest number
        self.below_one = 1 - 2.0**-digits

    def bits_of(self, value):
        return int.from_bytes(struct.pack("<" + self.code, value), "little")

    def float_of(self, bits):
        return struct.unpack("<" + self.code, bits.to_bytes(self.bits // 8, "little"))[0]

    def spacing(self, value):
        """Returns the exponent of the ulp of (m, e)."""
        return max(abs(value[0]).bit_length() + value[1] - self.digits, self.lowest)

    def limited(self, value):
        """Returns a value as (m, e). Replaces values far outside of the format's range, to avoid huge exponents."""
        if isinstance(value, float):
            value = exact(Fraction(value), (0, self.lowest))
        top = abs(value[0]).bit_length() + value[1]
        one = 1 if value[0] > 0 else -1
        if top > self.highest:
            return one, self.highest
        return (one, self.lowest - 64) if top < self.lowest - 64 else value

    def nearest(self, value):
        """Rounds a value to the format, ties to even."""
        if isinstance(value, float) and (value == 0 or not math.isfinite(value)):
            return value
        whole, exponent = self.limited(value)
        unit = self.spacing((whole, exponent))
        if unit > exponent:
            whole, exponent = round(Fraction(whole, 1 << (unit - exponent))), unit
        if abs(whole).bit_length() + exponent > self.highest:
            return math.copysign(INF, whole)
        return math.copysign(math.ldexp(abs(whole), exponent), -1.0 if is_negative(value) else 1.0)

    def distance(self, found, value):
        """Returns a result's error in ulp of a finite value. Infinity counts as the number after the largest one."""
        value = self.limited(value)
        found = (int(math.copysign(1, found)), self.highest) if math.isinf(found) else self.limited(found)
        unit = min(self.spacing(value), self.highest - self.digits)
        least = min(unit, value[1], found[1])
        apart = abs((value[0] << (value[1] - least)) - (found[0] << (found[1] - least)))
        return float(Fraction(apart, 1 << (unit - least)))


KINDS = {"half": Kind("half", 16, 11, "e", "ushort"), "float": Kind("float", 32, 24, "f", "uint"),
         "double": Kind("double", 64, 53, "d", "ulong")}

if __name__ == "__main__":
    sys.exit(doctest.testmod().failed > 0)
