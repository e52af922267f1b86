"""functions.py CLANG LLVM_SPIRV CODEGEN SCRATCH: checks that PTX can be made for every function of OpenCL.std.

Makes a module for each type of numbers, with a kernel for each function and each number of elements, and compiles it
to PTX without a libdevice, as on a machine without a CUDA toolkit. test/differential checks the results. Prints the
missing functions, and exits with 1 if there are any.
"""
import pathlib
import subprocess
import sys

HEAD = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
INTEGERS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
FLOATS = {"half": "short", "float": "int", "double": "long"}
WIDTHS = ["", "2", "3", "4", "8", "16"]
ROUNDINGS = ["", "_rte", "_rtz", "_rtp", "_rtn"]

# Signatures as RESULT:PARAMETERS, a letter each: x is a number of the type, i an int, s and u are a signed and an
# unsigned integer of the type's size, p and q are pointers to the type and to int.
MATH = {
    "x:x": "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi degrees erf erfc exp exp2"
           " exp10 expm1 fabs floor lgamma log log2 log10 log1p logb radians rint round rsqrt sign sin sinh sinpi"
           " sqrt tan tanh tanpi tgamma trunc",
    "x:xx": "atan2 atan2pi copysign fdim fmax fmax_common fmin fmin_common fmod hypot max maxmag min minmag nextafter"
            " pow powr remainder step",
    "x:xxx": "bitselect clamp fma mad mix smoothstep",
    "x:xi": "ldexp pown rootn",
    "x:xp": "fract modf sincos",
    "x:xq": "frexp lgamma_r",
    "x:xxq": "remquo",
    "x:u": "nan",
    "i:x": "ilogb",
    "x:xxs": "select",
    "r:x": "isfinite isinf isnan isnormal signbit",
    "r:xx": "isequal isgreater isgreaterequal isless islessequal islessgreater isnotequal isordered isunordered",
}
NATIVE = {
    "x:x": " ".join(f"native_{function} half_{function}" for function in
                    "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan".split()),
    "x:xx": "native_divide native_powr half_divide half_powr",
}
INTEGER = {
    "x:x": "clz ctz popcount",
    "u:x": "abs",
    "u:xx": "abs_diff",
    "x:xx": "add_sat hadd max min mul_hi rhadd rotate sub_sat",
    "x:xxx": "bitselect clamp mad_hi mad_sat select",
}
GEOMETRY = {"1:x": "length", "1:xx": "distance dot", "x:x": "normalize"}
FAST = {"1:x": "fast_length", "1:xx": "fast_distance", "x:x": "fast_normalize"}


class Module:
    """OpenCL C source with numbered kernels. Their pointer p is cast to every type."""

    def __init__(self):
        self.text = HEAD
        self.count = 0

    def kernel(self, body):
        self.text += f"kernel void k{self.count}(global char *p, constant char *c) {{ {body} }}\n"
        self.count += 1


def at(of, index):
    return f"((global {of} *)p)[{index}]"


def add_calls(to, functions, number, signed, widths=tuple(WIDTHS)):
    """Adds a kernel for each function, each width and, if there are pointers, each kind of memory."""
    unsigned = signed if signed.startswith("u") else "u" + signed
    for form, names in functions.items():
        result, parameters = form.split(":")
        for name in names.split():
            for width in widths:
                kinds = {"x": number + width, "i": "int" + width, "s": signed + width, "u": unsigned + width,
                         "r": (signed if width else "int") + width, "1": number, "p": number + width,
                         "q": "int" + width}
                if name.endswith("_common"):
                    of = kinds["x"]
                    to.text += f"{of} __attribute__((overloadable)) {name}({of}, {of});\n"
                pointer = [letter for letter in parameters if letter in "pq"]
                for memory in ["private", "local", "global"] if pointer else [""]:
                    arguments = [f"({memory} {kinds[letter]} *)m" if letter in "pq" else at(kinds[letter], i + 1)
                                 for i, letter in enumerate(parameters)]
                    place = (f"{memory} char m[256];" if memory in ("private", "local") else
                             "global char *m = p + 4096;" if memory else "")
                    use = " p[1] = m[*p];" if memory else ""
                    to.kernel(f"{place} {at(kinds[result], 0)} = {name}({', '.join(arguments)});{use}")


def add_shuffles(to, number, mask):
    for width in ["2", "4", "8", "16"]:
        for given in ["2", "4", "8", "16"]:
            indices = at(mask + width, 3)
            to.kernel(f"{at(number + width, 0)} = shuffle({at(number + given, 1)}, {indices});"
                      f"{at(number + width, 1)} = shuffle2({at(number + given, 1)}, {at(number + given, 2)}, {indices});")


def add_memory(to, number):
    for width in WIDTHS[1:]:
        to.kernel(f"local {number} l[64]; vstore{width}(vload{width}(3, (global {number} *)p), 4, (global {number} *)p);"
                  f"vstore{width}(vload{width}(1, l), 4, (global {number} *)p);"
                  f"vstore{width}(vload{width}(3, (constant {number} *)c), 2, l);")
    for width in WIDTHS:
        of = number + width
        to.kernel(f"local {of} l[64]; event_t e = async_work_group_copy(l, (global {of} *)p, 64, 0);"
                  f"e = async_work_group_strided_copy(l, (global {of} *)p, 16, 2, e);"
                  f"e = async_work_group_strided_copy((global {of} *)p, l, 16, 2, e);"
                  f"e = async_work_group_copy((global {of} *)p, l, 64, e);"
                  f"wait_group_events(1, &e); prefetch((global {of} *)p, 3);")


def add_conversions(to, number):
    """Adds conversions from every type. Only scalars and vectors of three get every rounding mode."""
    for given in INTEGERS + list(FLOATS):
        for width in WIDTHS:
            for rounding in ROUNDINGS if width in ("", "3") else [""]:
                for saturation in ["", "_sat"] if number in INTEGERS else [""]:
                    to.kernel(f"{at(number + width, 0)} = "
                              f"convert_{number}{width}{saturation}{rounding}({at(given + width, 1)});")


def add_half_memory(to, number):
    for width in WIDTHS:
        for rounding in ROUNDINGS:
            to.kernel(f"vstore_half{width}{rounding}({at(number + width, 1)}, 0, (global half *)p);")
            if width:
                to.kernel(f"vstorea_half{width}{rounding}({at(number + width, 1)}, 0, (global half *)p);")
        if number == "float":
            to.kernel(f"{at('float' + width, 0)} = vload_half{width}(5, (global half *)p);")
            if width:
                to.kernel(f"{at('float' + width, 0)} = vloada_half{width}(5, (global half *)p);")


def float_module(number, signed):
    module = Module()
    add_calls(module, MATH, number, signed)
    add_calls(module, GEOMETRY, number, signed, WIDTHS[:4])
    add_calls(module, {"x:xx": "cross"}, number, signed, ["3", "4"])
    if number == "float":
        add_calls(module, NATIVE, number, signed)
        add_calls(module, FAST, number, signed, WIDTHS[:4])
    if number != "half":
        add_half_memory(module, number)
    add_shuffles(module, number, "u" + signed)
    return module


def integer_module(number):
    module = Module()
    unsigned = number if number.startswith("u") else "u" + number
    add_calls(module, INTEGER, number, number)
    if number.endswith("int"):
        add_calls(module, {"x:xx": "mul24", "x:xxx": "mad24"}, number, number)
    if not number.endswith("long"):
        wider = {"char": "short", "short": "int", "int": "long"}[number.lstrip("u")]
        wider = "u" * number.startswith("u") + wider
        for width in WIDTHS:
            module.kernel(f"{at(wider + width, 0)} = upsample({at(number + width, 1)}, {at(unsigned + width, 2)});")
    if number != unsigned:
        add_calls(module, {"i:x": "any all"}, number, number, [""])
    add_shuffles(module, number, unsigned)
    return module


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stderr.strip() or f"exit status {done.returncode}")


def check(tools, directory, name, module):
    """Returns whether a module can be compiled to PTX."""
    clang, llvm_spirv, codegen = tools
    source, bitcode, words = (directory / f"{name}.{ending}" for ending in ("cl", "bc", "spv"))
    source.write_text(module.text)
    said = run([clang, "-x", "cl", "-cl-std=CL2.0", "-target", "spir64-unknown-unknown", "-Xclang",
                "-finclude-default-header", "-Xclang", "-no-opaque-pointers", "-O1", "-w", "-emit-llvm", "-c", source,
                "-o", bitcode])
    said = said or run([llvm_spirv, bitcode, "-o", words])
    said = said or run([codegen, "--no-offset", "-O", "0", "--libdevice=", "--time-limit=300", words, "-o",
                        directory / f"{name}.ptx"])
    print(f"{name}: {module.count} kernels{': ' + said if said else ''}", flush=True)
    return not said


def main():
    tools, scratch = sys.argv[1:4], sys.argv[4]
    directory = pathlib.Path(scratch)
    directory.mkdir(parents=True, exist_ok=True)
    modules = {number: integer_module(number) for number in INTEGERS}
    modules |= {number: float_module(number, signed) for number, signed in FLOATS.items()}
    for number in INTEGERS + list(FLOATS):
        add_memory(modules[number], number)
        add_conversions(modules[number], number)
    good = [check(tools, directory, name, module) for name, module in modules.items()]
    sys.exit(not all(good))


main()
