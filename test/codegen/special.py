"""special.py: what the functions of OpenCL.std give for special values, on two devices.

Zeros, infinities, NaN, the smallest and the largest numbers, and some between them, all pairs of them, go through
each function on Intel's CPU runtime and on cuda:*. Numbers are to be as near to each other as OpenCL C allows
(section 7.4), special results the same. Prints what differs, and exits with 1 if anything does.

Where SPECPI_LIBDEVICE is empty the functions are libclc's, whose zeros may have the other sign, and whose gamma,
for small and large numbers, has fewer bits.
"""
import os
import sys

import numpy as np
import specpi

# How many ulp each of the two may be off, in float and double.
ULP = {
    "x:x": {"acos": 4, "acosh": 4, "acospi": 5, "asin": 4, "asinh": 4, "asinpi": 5, "atan": 5, "atanh": 5, "atanpi": 5,
            "cbrt": 2, "ceil": 0, "cos": 4, "cosh": 4, "cospi": 4, "erf": 16, "erfc": 16, "exp": 3, "exp2": 3,
            "exp10": 3, "expm1": 3, "fabs": 0, "floor": 0, "log": 3, "log2": 3, "log10": 3, "log1p": 2, "logb": 0,
            "rint": 0, "round": 0, "rsqrt": 2, "sign": 0, "sin": 4, "sinh": 4, "sinpi": 4, "sqrt": 3, "tan": 5,
            "tanh": 5, "tanpi": 6, "tgamma": 16, "trunc": 0},
    "x:xx": {"atan2": 6, "atan2pi": 6, "copysign": 0, "fdim": 0, "fmod": 0, "hypot": 4, "maxmag": 0, "minmag": 0,
             "nextafter": 0, "pow": 16, "powr": 16, "remainder": 0, "fmax": 0, "fmin": 0},
    "x:xi": {"ldexp": 0, "pown": 16, "rootn": 16},
    "i:x": {"ilogb": 0},
}
# What OpenCL C leaves open: the sign of a zero, and fmax and fmin of zeros.
LIBCLC = os.environ.get("SPECPI_LIBDEVICE") == ""
ANY_ZERO = {"fmax", "fmin", "maxmag", "minmag", "fdim"}
INTS = np.array([0, 1, -1, 2, -2, 3, 5, -5, 31, 200, -200, 1100, -1100, 2**31 - 1, -(2**31)], np.int32)


def values_of(kind):
    info = np.finfo(kind)
    some = [0.0, 1.0, 0.5, 1.5, 2.5, 2.0, 3.0, 0.1, 10.25, 33.0, 1e-5, 12345.678, info.max, info.tiny, np.inf]
    return np.array([*some, *(-one for one in some), np.nan], kind)


def source_of(kind):
    """Of each function a kernel, with two results for an item: the second one is an element of a vector's."""
    x, xs, n = "x[i]", "x[i / count], x[i % count]", "x[i / count], n[i % count]"
    arguments = {"x:x": x, "i:x": x, "x:xx": xs, "x:xi": n}
    lines = ["#pragma OPENCL EXTENSION cl_khr_fp64 : enable"]
    for form, functions in ULP.items():
        given = arguments[form].split(", ")
        both = ", ".join(f"({'int' if one[0] == 'n' else kind}2)({one})" for one in given)
        result = "int" if form[0] == "i" else kind
        for function in functions:
            lines.append(f"kernel void test_{function}(global {result} *to, global const {kind} *x, "
                         "global const int *n, int count) {\n  const size_t i = get_global_id(0);\n"
                         f"  to[2 * i] = {function}({arguments[form]});\n"
                         f"  to[2 * i + 1] = {function}({both}).s1;\n}}")
    return "\n".join(lines)


def distance(a, b, kind):
    """In ulp; 0 for what is the same, infinite where one of them is special."""
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(all="ignore"):
        apart = np.abs(a.astype(np.longdouble) - b.astype(np.longdouble)) / np.spacing(np.abs(b)).astype(np.longdouble)
    apart = np.where(np.isfinite(a) & np.isfinite(b), apart, np.inf)
    return np.where(same, 0, apart)


def compare(function, limit, inputs, found, wanted, kind):
    if found.dtype == np.int32:
        wrong = found != wanted
    else:
        # Results that are no normal numbers may be flushed to zero, in float.
        tiny = np.finfo(kind).tiny
        small = (np.abs(found) <= tiny) & (np.abs(wanted) <= tiny)
        # What is almost too large may be so for the other.
        large = np.finfo(kind).max * (1 - 2 * limit * np.finfo(kind).eps)
        huge = (np.abs(found) >= large) & (np.abs(wanted) >= large) & (np.sign(found) == np.sign(wanted)) & (limit > 0)
        wrong = (distance(found, wanted, kind) > 2 * limit) & ~small & ~huge
        if LIBCLC and function == "tgamma":
            wrong &= (np.abs(inputs[0]) < 20) & (np.abs(inputs[0]) > 0.05)
        if function not in ANY_ZERO and not LIBCLC:
            wrong |= (found == 0) & (wanted == 0) & (np.signbit(found) != np.signbit(wanted))
    for at in np.flatnonzero(wrong)[:4]:
        print(f"{function} of {np.dtype(kind).name} {[str(one[at]) for one in inputs]}: {found[at]!r}, and {wanted[at]!r} on the CPU")
    return int(wrong.sum())


def main():
    failed = 0
    queues = {name: specpi.Queue(name) for name in ("cuda:*", "opencl:cpu")}
    for kind, name in ((np.float32, "float"), (np.float64, "double")):
        image = specpi.compile(source=source_of(name))
        x = values_of(kind)
        for form, functions in ULP.items():
            seconds = {"x:xx": x, "x:xi": INTS}.get(form)
            count = len(seconds) if seconds is not None else 1
            inputs = [np.repeat(x, count), np.tile(seconds, len(x))] if seconds is not None else [x]
            inputs = [np.repeat(one, 2) for one in inputs]
            for function, limit in functions.items():
                results = []
                for queue in queues.values():
                    to = np.zeros(2 * len(x) * count, np.int32 if form[0] == "i" else kind)
                    image.kernel("test_" + function, device=queue)(queue, len(to) // 2, to, x, INTS, np.int32(count))
                    results.append(to)
                failed += compare(function, limit, inputs, *results, kind)
    print(f"{failed} results differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
