"""floats.py [--pack DIRECTORY | --packed DIRECTORY] [FORM...]: checks the functions of half, float and double on cuda:*.

Runs each function of section 6.15.2 of OpenCL C, from SPIR-V and as PTX, with a libdevice and without. The arguments
are zeros, infinities, NaN, the limits of each format, and numbers near which a function changes, in all pairs.
truth.py computes the exact results; section 7.4 defines the allowed errors, also of denormal results, because the
device supports denormals. Each work-item has two results: one of a scalar, one of an element of a vector. Prints the
wrong results, and exits with 1 if there are any.

A form is a target and "-libdevice" or "-libclc". --pack writes the device images into a directory, and --packed reads
them from there, on a machine without a compiler.
"""
import array
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import specpi
import truth
from truth import INF, KINDS, NAN

# Allowed error in ulp: of float and double, and of half.
LIMITS = {
    "x:x": {"acos": (4, 2), "acosh": (4, 2), "acospi": (5, 2), "asin": (4, 2), "asinh": (4, 2), "asinpi": (5, 2),
            "atan": (5, 2), "atanh": (5, 2), "atanpi": (5, 2), "cbrt": (2, 2), "ceil": (0, 0), "cos": (4, 2),
            "cosh": (4, 2), "cospi": (4, 2), "erf": (16, 4), "erfc": (16, 4), "exp": (3, 2), "exp2": (3, 2),
            "exp10": (3, 2), "expm1": (3, 2), "fabs": (0, 0), "floor": (0, 0), "lgamma": (16, 16), "log": (3, 2),
            "log2": (3, 2), "log10": (3, 2), "log1p": (2, 2), "logb": (0, 0), "rint": (0, 0), "round": (0, 0),
            "rsqrt": (2, 1), "sign": (0, 0), "sin": (4, 2), "sinh": (4, 2), "sinpi": (4, 2), "sqrt": (0, 0),
            "tan": (5, 2), "tanh": (5, 2), "tanpi": (6, 2), "tgamma": (16, 4), "trunc": (0, 0), "degrees": (2, 2),
            "radians": (2, 2), "negative": (0, 0)},
    "x:xx": {"atan2": (6, 2), "atan2pi": (6, 2), "copysign": (0, 0), "fdim": (0, 0), "fmax": (0, 0), "fmin": (0, 0),
             "fmod": (0, 0), "hypot": (4, 2), "maxmag": (0, 0), "minmag": (0, 0), "nextafter": (0, 0), "pow": (16, 4),
             "powr": (16, 4), "remainder": (0, 0), "plus": (0, 0), "times": (0, 0), "divide": (0, 0)},
    "x:xxx": {"fma": (0, 0)},
    "x:xi": {"ldexp": (0, 0), "pown": (16, 4), "rootn": (16, 4)},
    "i:x": {"ilogb": (0, 0)},
    "x:xp": {"fract": (0, 0), "modf": (0, 0), "sincos": (4, 2)},
    "x:xq": {"frexp": (0, 0), "lgamma_r": (16, 16)},
    "x:xxq": {"remquo": (0, 0)},
}
OPERATORS = {"negative": "-{}", "plus": "{} + {}", "times": "{} * {}", "divide": "{} / {}"}
# The exact results. A function that is not here has a function of its own name in truth.py or in MPFR.
RIGHT = {
    "acospi": lambda x: truth.by_pi("acos", x), "asinpi": lambda x: truth.by_pi("asin", x),
    "atanpi": lambda x: truth.by_pi("atan", x), "atan2pi": lambda x, y: truth.by_pi("atan2", x, y),
    "tgamma": lambda x: truth.mpfr("gamma", x), "fabs": abs, "negative": lambda x: -x, "copysign": math.copysign,
    "pown": lambda x, n: truth.mpfr("pow_si", x, n), "plus": lambda x, y: truth.fma(x, 1.0, y),
    "times": lambda x, y: truth.fma(x, y, math.copysign(0.0, x) * math.copysign(1.0, y) if 0 in (x, y) else -0.0),
    **{name: truth.rounded(name) for name in ("ceil", "floor", "trunc", "rint", "round")},
}
WITH_KIND = {"fract", "nextafter", "modf", "frexp", "sincos", "lgamma_r", "remquo"}
POINTED = {form for form in LIMITS if form[-1] in "pq"}
INTS = [0, 1, -1, 2, -2, 3, -3, 5, -5, 14, -14, 25, -25, 31, 126, -126, 149, -149, 200, -200, 1022, -1022, 1074, -1074,
        1100, -1100, 2098, -2098, 16777217, 2**31 - 1, -(2**31)]
# Numbers between two integers, and numbers near which results underflow, overflow, or come from another formula.
NUMBERS = [1e-3, 0.01, 0.0884, 0.4999999, 0.5000001, 0.75, 1.1, 1.25, 1.9, 3.5, 4.0, 4.05, 4.5, 5.0, 6.5, 7.0, 8.0,
           9.05, 9.5, 11.0, 13.1, 13.2, 16.5, 20.0, 26.5, 27.0, 34.5, 36.0, 64.0, 88.5, 88.8, 103.5, 104.5, 127.5,
           128.0, 149.5, 150.0, 170.5, 171.7, 180.0, 512.5, 709.5, 710.5, 745.0, 746.0, 1023.5, 1024.0, 1074.5,
           1075.0, 2047.5, 12345.678, 65504.0, 1e5, 2.0**31, 2.0**32 + 2.0**20, 2.0**63, 1e30]
GROUP = 32
MORE = int(os.environ.get("FLOATS_MORE", "1"))  # how many times as many random numbers


def numbers_of(kind, is_short):
    """Returns numbers of a format and their negatives; fewer if is_short, for pairs."""
    one, tiny, low = 1.0, math.ldexp(1.0, 3 - kind.highest), kind.float_of(1)
    up, down = kind.nearest(one + 2.0 ** (1 - kind.digits)), kind.below_one
    huge = math.ldexp(2 - 2.0 ** (1 - kind.digits), kind.highest - 1)
    some = [0.0, low, 3 * low, tiny - low, tiny, tiny * up, tiny * 2, 2.0**-kind.digits, 0.1, 0.25, 0.5, down, one, up,
            1.5, 2.0, 2.5, 3.0, math.pi, 10.25, 33.0, 2.0 ** (kind.digits - 1) + 1, 2.0**kind.digits + 2, huge / 2,
            huge, INF]
    chosen = random.Random(kind.name)
    if is_short:
        some += [abs(kind.float_of(chosen.getrandbits(kind.bits))) for _ in range(10 * (MORE - 1))]
    else:
        some += [2 * low, math.sqrt(tiny), tiny * 0.5, huge * 0.75, 1 / 3, math.log(2) * 0.5, math.e, 1e6 * math.pi,
                 *(k * math.pi / 4 for k in range(1, 9)), *NUMBERS]
        some += [abs(kind.float_of(chosen.getrandbits(kind.bits))) for _ in range(60 * MORE)]
        some += [chosen.uniform(0, 20) for _ in range(40 * MORE)]
    kept = sorted({number for number in map(kind.nearest, some) if not math.isnan(number)})
    return [*kept, *(-number for number in kept), NAN]


def inputs_of(form, kind):
    """Returns the arguments of the calls of a form."""
    taken = form[2:].rstrip("pq")
    alone, some = numbers_of(kind, False), numbers_of(kind, True)
    if taken == "x":
        return [(x,) for x in alone]
    if taken == "xx":
        return [(x, y) for x in some for y in some]
    if taken == "xi":
        return [(x, n) for x in alone for n in INTS]
    few = some[::3] + some[1::5] + [NAN, INF, -INF, 0.0, -0.0]
    return [(x, y, z) for x in few for y in few for z in few]


# ---- Kernels ----

HEAD = """#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL(name) kernel __attribute__((reqd_work_group_size({group}, 1, 1))) void name(global ulong *to, \\
    global uchar *room, global const {u} *x, global const {u} *y, global const {u} *z, global const int *n)
#define I get_global_id(0)
#define X as_{t}(x[I])
#define Y as_{t}(y[I])
#define Z as_{t}(z[I])
#define N n[I]
#define NUMBER(value) as_{u}(value)
#define INT(value) (uint)(value)
#define IS_SAME(made, a, b) (made(a) == made(b) || (a != a && b != b))
"""
WIDTHS = (2, 3, 4, 8, 16)


def call_of(function, form, width, pointer=""):
    """Returns lines that set the arguments, and a call. Vectors have the arguments as their last elements."""
    lines, given = [], []
    for letter, name in zip(form[2:].rstrip("pq"), "XYZ"):
        of, name = (f"int{width}", "N") if letter == "i" else (f"T{width}", name)
        given.append(f"given_{name}{width}")
        lines.append(f"{of} {given[-1]} = 1; {given[-1]}{last_of(width)} = {name};")
    if function in OPERATORS:
        return [*lines, f"({OPERATORS[function].format(*given)}){last_of(width)}"]
    return [*lines, f"{function}({', '.join([*given, pointer] if pointer else given)}){last_of(width)}"]


def last_of(width):
    return f".s{width - 1:x}" if width else ""


def plain_kernel(form, function):
    """Makes a kernel. Its second result is a vector's if that differs from the scalar's, and else the scalar's."""
    made, of = ("INT", "int") if form[0] == "i" else ("NUMBER", "T")
    lines = [f"KERNEL(test_{function}) {{"]
    for width in ("", *WIDTHS):
        lines += call_of(function, form, width)
        compare = f"if (!IS_SAME({made}, got{width}, got)) other = got{width};" if width else f"{of} other = got;"
        lines[-1] = f"const {of} got{width} = {lines[-1]}; {compare}"
    return "\n  ".join([*lines, f"to[4 * I] = {made}(got); to[4 * I + 1] = {made}(other); }}"])


def pointed_kernel(form, function, space):
    """Makes a kernel of a function that stores a second result in memory. The last two results are the stored ones."""
    stored, made = ("T", "NUMBER") if form[-1] == "p" else ("int", "INT")
    named = space + " " if space != "generic" else ""
    lines = [f"KERNEL(test_{function}_{space}) {{"]
    for width in ("", *WIDTHS):
        of = f"{stored}{width}"
        shared = f"shared{width} + get_local_id(0)"
        place = {"private": f"&own{width}", "local": shared,
                 "generic": f"I & 1 ? ({of} *)&own{width} : ({of} *)({shared})",
                 "global": f"(global {of} *)(room + {32 * (width or 1)} * get_global_size(0)) + I"}[space]
        lines.append(f"{of} own{width}; local {of} shared{width}[{GROUP}]; {named}{of} *at{width} = {place};")
        lines += call_of(function, form, width, f"at{width}")
        lines[-1] = f"const T got{width} = {lines[-1]}; const {stored} kept{width} = (*at{width}){last_of(width)};"
        lines.append(f"if (!IS_SAME(NUMBER, got{width}, got)) other = got{width}; "
                     f"if (!IS_SAME({made}, kept{width}, kept)) more = kept{width};" if width else
                     f"T other = got; {stored} more = kept;")
    return "\n  ".join([*lines, "to[4 * I] = NUMBER(got); to[4 * I + 1] = NUMBER(other);",
                        f"to[4 * I + 2] = {made}(kept); to[4 * I + 3] = {made}(more); }}"])


def source_of(kind, spaces):
    """Returns a kernel for each function; for a function that stores a result, one for each kind of memory."""
    lines = [HEAD.format(t=kind.name, u=kind.integer, group=GROUP)]
    lines += [f"typedef {kind.name}{width} T{width};" for width in ("", *WIDTHS)]
    for form, functions in LIMITS.items():
        for function in functions:
            if form in POINTED:
                lines += [pointed_kernel(form, function, space) for space in spaces]
            elif spaces == GENERIC:
                lines.append(plain_kernel(form, function))
    return "\n".join(lines)


# OpenCL C 2.0 has generic pointers; OpenCL C 1.2 overloads the functions for each address space.
GENERIC, NAMED = ("generic",), ("private", "local", "global")


# ---- Results ----


def right_of(function, form, kind, given):
    """Returns the exact values of a result and of the stored result (None if there is none)."""
    of = RIGHT.get(function) or getattr(truth, function, None) or (lambda *its: truth.mpfr(function, *its))
    value = of(*given, kind) if function in WITH_KIND else of(*given)
    return value if form in POINTED else (value, None)


def is_right(found, value, kind, limit, function, given):
    """Returns whether a number, given as bits, is within the limit of a value."""
    number = kind.float_of(found)
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return math.isnan(number) if math.isnan(value) else number == value
    if math.isnan(number):
        return False
    nearest = kind.nearest(value)
    if kind.bits_of(nearest) == found:
        return True
    if limit == 0 or truth.is_negative(number) != truth.is_negative(value):
        return False
    if function.startswith("lgamma") and abs(nearest) < 1 and given[0] < 0:
        # Near a zero of lgamma the limit is for the absolute error.
        return abs(number - nearest) < limit * math.ldexp(1.0, 1 - kind.digits)
    return kind.distance(number, value) <= limit


def is_stored_right(found, value, kind, limit, function, form):
    if form[-1] == "p":
        return is_right(found, value, kind, limit, function, ())
    found -= (found & 2**31) * 2
    if function == "remquo":  # at least seven bits, and the sign
        return abs(found) & 127 == abs(value) & 127 and (found == 0 or (found < 0) == (value < 0))
    return value is None or found == value


def check(function, form, kind, inputs, values, found):
    """Counts a function's wrong results."""
    limit = LIMITS[form][function][kind.name == "half"]
    wrong = 0
    for i, (given, (value, second)) in enumerate(zip(inputs, values)):
        scalar, vector, stored, stored_vector = found[4 * i : 4 * i + 4]
        if form[0] == "i":
            good = scalar - (scalar & 2**31) * 2 == value
        else:
            good = is_right(scalar, value, kind, limit, function, given)
        good = good and vector == scalar
        if form in POINTED:
            good = good and is_stored_right(stored, second, kind, limit, function, form) and stored_vector == stored
        if not good:
            wrong += 1
            if wrong < 5:
                show = (lambda number: number) if form[0] == "i" else kind.float_of
                wanted = value if isinstance(value, (float, int)) else kind.nearest(value)
                print(f"{function} of {kind.name} {given}: {show(scalar)}, vector {show(vector)}, not {wanted}; "
                      f"stored {stored:#x}, vector {stored_vector:#x}, {second}")
    return wrong


def filled(values, code, count):
    return array.array(code, [*values, *values[:1] * (count - len(values))])


class Sweep:
    """The calls of all functions. Their exact values are computed once."""

    def __init__(self):
        self.calls = {}
        for kind in KINDS.values():
            for form, functions in LIMITS.items():
                inputs = inputs_of(form, kind)
                for function in functions:
                    rights = [right_of(function, form, kind, given) for given in inputs]
                    self.calls[kind.name, function] = inputs, rights

    def run(self, queue, images, name):
        failed = 0
        for (kind_name, spaces), image in images.items():
            kind = KINDS[kind_name]
            for form, functions in LIMITS.items():
                if form not in POINTED and spaces != GENERIC:
                    continue
                for function in functions:
                    for suffix in ["_" + space for space in spaces] if form in POINTED else [""]:
                        try:
                            wrong = self.run_function(queue, image, kind, form, function, suffix)
                        except specpi.Error as error:
                            print(f"{name}: {function}{suffix} of {kind.name}: {error}", flush=True)
                            failed += 1
                            continue
                        failed += wrong
                        if wrong:
                            print(f"{name}: {function}{suffix} of {kind.name}: {wrong} results are wrong", flush=True)
        return failed

    def run_function(self, queue, image, kind, form, function, suffix):
        inputs, values = self.calls[kind.name, function]
        count = -(-len(inputs) // GROUP) * GROUP
        code = {16: "H", 32: "I", 64: "Q"}[kind.bits]
        taken = {letter: [] for letter in "xyzn"}
        for given in inputs:
            for letter, value in zip("xn" if "i" in form[2:] else "xyz", given):
                taken[letter].append(value if letter == "n" else kind.bits_of(value))
        arrays = [filled(taken[letter] or [0], "i" if letter == "n" else code, count) for letter in "xyzn"]
        to, room = array.array("Q", bytes(32 * count)), bytearray(640 * count if form in POINTED else 1)
        # Asked for a build log, the CUDA plugin builds all kernels of a module at once.
        image.kernel("test_" + function + suffix, device=queue, options="-v")(queue, count, to, room, *arrays, local_size=GROUP)
        return check(function, form, kind, inputs, values, to)


FORMS = [f"{target}-{library}" for target in ("spir64", "nvptx64") for library in ("libdevice", "libclc")]


def image_files(directory, form):
    """Returns a form's image files, by kinds of numbers and pointers. Both libraries share the SPIR-V images."""
    name = "spir64" if form.startswith("spir64") else form
    return {(kind, spaces): directory / f"{kind}-{spaces[0]}-{name}{'.spv' if name == 'spir64' else '.ptx'}"
            for kind in KINDS for spaces in (GENERIC, NAMED)}


def compile_images(directory, form):
    target = form.split("-")[0]
    for (kind, spaces), path in image_files(directory, form).items():
        source = path.with_suffix(".cl")
        source.write_text(source_of(KINDS[kind], spaces), encoding="ascii")
        subprocess.run([specpi._library.program_path("specpi-cc"), f"--target={target}", "-o", path, source,
                        "-cl-std=CL2.0" if spaces == GENERIC else "-cl-std=CL1.2",
                        "--emit=spirv" if target == "spir64" else "--emit=ptx"], check=True)


def main():
    option = sys.argv[1][2:] if sys.argv[1:2] in (["--pack"], ["--packed"]) else ""
    forms = sys.argv[3 if option else 1:] or FORMS
    failed = 0
    libdevice = os.environ.get("SPECPI_LIBDEVICE") or "/usr/local/cuda/nvvm/libdevice/libdevice.10.bc"
    with tempfile.TemporaryDirectory(prefix="specpi-") as scratch:
        directory = pathlib.Path(sys.argv[2] if option else scratch)
        directory.mkdir(parents=True, exist_ok=True)
        sweep = Sweep() if option != "pack" else None
        for form in forms:
            os.environ["SPECPI_LIBDEVICE"] = "" if form.endswith("libclc") else libdevice
            if option != "packed":
                compile_images(directory, form)
            if sweep:
                images = {of: specpi.load(path) for of, path in image_files(directory, form).items()}
                failed += sweep.run(specpi.Queue("cuda:*"), images, form)
    print(f"{failed} results are wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
