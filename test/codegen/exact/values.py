"""The numbers of OpenCL C as exact values: integers are Python's int, other numbers are Python's float.

Python's float holds every half, float and double exactly. Rounding uses fractions.
"""
import fractions
import math
import struct
from typing import NamedTuple


class Type(NamedTuple):
    name: str
    bits: int
    signed: bool = False
    mantissa: int = 0  # bits of a float that are stored; 0 for an integer

    @property
    def low(self):
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def high(self):
        return (1 << self.bits - self.signed) - 1

    @property
    def emin(self):
        """The exponent of the smallest normal number."""
        return 2 - (1 << self.bits - self.mantissa - 2)

    @property
    def infinity(self):
        """The bits of infinity."""
        return (1 << self.bits - 1) - (1 << self.mantissa)

    @property
    def largest(self):
        return decode(self, self.infinity - 1)


SIGNED = [Type("char", 8, True), Type("short", 16, True), Type("int", 32, True), Type("long", 64, True)]
UNSIGNED = [Type("u" + one.name, one.bits) for one in SIGNED]
INTEGERS = [*SIGNED, *UNSIGNED]
HALF, FLOAT, DOUBLE = FLOATS = [Type("half", 16, True, 10), Type("float", 32, True, 23), Type("double", 64, True, 52)]
TYPES = {one.name: one for one in [*INTEGERS, *FLOATS]}
INT = TYPES["int"]
_FORMATS = {16: "<e", 32: "<f", 64: "<d"}
ARRAYS = {8: "B", 16: "H", 32: "I", 64: "Q"}


def of_size(bits, signed):
    return next(one for one in (SIGNED if signed else UNSIGNED) if one.bits == bits)


def decode(kind, bits):
    if kind.mantissa:
        return struct.unpack(_FORMATS[kind.bits], bits.to_bytes(kind.bits // 8, "little"))[0]
    return bits - (1 << kind.bits) if bits > kind.high else bits


def encode(kind, value):
    """Returns the bits of a value that the type can represent."""
    if kind.mantissa:
        return round_to(kind, value, "rte")
    return value & (1 << kind.bits) - 1


def is_nan(kind, bits):
    return kind.mantissa and bits & (1 << kind.bits - 1) - 1 > kind.infinity


def _whole(value, mode, negative):
    """Rounds a fraction's absolute value to an integer."""
    whole, rest = divmod(value.numerator, value.denominator)
    twice = 2 * rest - value.denominator
    if mode == "rte":
        return whole + (twice > 0 or (twice == 0 and whole % 2))
    return whole + (rest != 0 and mode == ("rtn" if negative else "rtp"))


def round_to(kind, value, mode):
    """Rounds any value to a float type; returns the bits."""
    if value != value:
        return kind.infinity | 1 << kind.mantissa - 1
    negative = math.copysign(1, value) < 0 if isinstance(value, float) else value < 0
    sign = negative << kind.bits - 1
    if value in (math.inf, -math.inf):
        return sign | kind.infinity
    exact = abs(fractions.Fraction(value))
    exponent = kind.emin
    if exact >= fractions.Fraction(2) ** kind.emin:
        exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
        exponent -= exact < fractions.Fraction(2) ** exponent
    count = _whole(exact / fractions.Fraction(2) ** (exponent - kind.mantissa), mode, negative)
    bits = (exponent - kind.emin << kind.mantissa) + count
    if bits >= kind.infinity:
        bits = kind.infinity - (mode == "rtz" or mode == ("rtp" if negative else "rtn"))
    return sign | bits


def to_integer(kind, value, mode, saturated):
    """Converts any value to an integer type; returns None where OpenCL C does not define the result."""
    if value != value:
        return 0 if saturated else None
    if value in (math.inf, -math.inf):
        whole = None
    elif isinstance(value, int):
        whole = value
    else:
        whole = _whole(abs(fractions.Fraction(value)), mode, value < 0) * (-1 if value < 0 else 1)
    if whole is not None and kind.low <= whole <= kind.high:
        return whole
    if saturated:
        return kind.high if value > 0 else kind.low
    return decode(kind, whole & (1 << kind.bits) - 1) if isinstance(value, int) else None


# ---- Inputs ----


def limits(kind):
    """Returns an integer type's limits, halves of them, powers of 2, and numbers of bits."""
    n = kind.bits
    root = math.isqrt(kind.high)
    some = [0, 1, 2, 3, -1, -2, -3, kind.low, kind.low + 1, kind.high, kind.high - 1, kind.high // 2,
            kind.high // 2 + 1, kind.low // 2, kind.low // 2 - 1, (1 << n // 2) - 1, 1 << n // 2,
            (1 << n // 2) + 1, -(1 << n // 2), root, root + 1, (1 << n) // 3, (1 << n) // 3 * 2, n - 1, n, n + 1, -n, 100]
    return sorted({decode(kind, one & (1 << n) - 1) for one in some})


def floats(kind):
    """Returns bits of zeros, infinities, NaN, and numbers near limits of all types and between two smaller floats."""
    points = {fractions.Fraction(0)}
    for one in INTEGERS:
        points |= {fractions.Fraction(2 * edge + step, 2) for edge in (0, -one.low, one.high) for step in range(-4, 5)}
    for one in FLOATS:
        least, unit = fractions.Fraction(2) ** (one.emin - one.mantissa), fractions.Fraction(1, 1 << one.mantissa)
        top = fractions.Fraction(one.largest)
        ulp = unit * fractions.Fraction(2) ** (1 - one.emin)
        points |= {least * step / 4 for step in (1, 2, 3, 4, 5, 6, 7, 10, 14)}
        points |= {least * (1 << one.mantissa) + least * step / 4 for step in range(-6, 7)}
        points |= {1 + unit * step / 4 for step in range(-4, 7)}
        points |= {top + ulp * step / 4 for step in range(-4, 6)}
        points |= {(1 << one.mantissa + 1) + fractions.Fraction(step, 2) for step in range(-4, 8)}
    found = {round_to(kind, abs(point), mode) for point in points for mode in ("rtp", "rtn")}
    found = {one + step for one in found for step in (-1, 0, 1) if 0 <= one + step <= kind.infinity}
    quiet = kind.infinity | 1 << kind.mantissa - 1
    found |= {quiet, quiet | 5, kind.infinity | 1, kind.infinity + (1 << kind.mantissa) - 1}
    return sorted(found | {one | 1 << kind.bits - 1 for one in found})


def special_floats(kind):
    """Returns the bits of some of these numbers, few enough to test all pairs."""
    some = [0.0, 1.0, 0.5, 1.5, 2.0, 3.25, kind.largest, 2.0 ** kind.emin, 2.0 ** (kind.emin - kind.mantissa), math.inf]
    found = [encode(kind, one) for one in some] + [kind.infinity | 1 << kind.mantissa - 1]
    return [*found, *(one | 1 << kind.bits - 1 for one in found)]


def corners(kind):
    """Returns the bits of the most important special numbers."""
    if kind.mantissa:
        return set(special_floats(kind))
    return {encode(kind, one) for one in (kind.low, -1, 0, 1, kind.high)}
