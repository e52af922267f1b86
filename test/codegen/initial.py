"""Initial values of variables, byte by byte, in every form of code and mode of constants.

usage: initial.py make DIRECTORY SPECPI_CC [PTXAS]
       initial.py run DIRECTORY SPECPI

make generates OpenCL C programs with variables of every type in every address space and compiles them to images in
DIRECTORY. It computes the expected bytes of the variables itself and writes them to DIRECTORY/expected.json. With
PTXAS it checks the bytes in cubins, too. run launches the images on the device that ONEAPI_DEVICE_SELECTOR chooses,
and compares. It needs neither a compiler nor a package, so that it can run on another machine with a GPU. Exits with
1 if a byte differs.
"""
import json
import pathlib
import random
import struct
import subprocess
import sys

RANDOM_PROGRAMS = 3
KEY = 0x5A  # what the program's constant is set to: it is added to each byte by XOR
PLACES = ("constant", "global", "private")
IMAGES = [("spir64", "native", 0), ("spir64", "native", 2), ("spir64", "emulate", 2), ("spir64", "default", 2),
          ("nvptx64", "patch", 0), ("nvptx64", "patch", 2), ("nvptx64", "emulate", 2), ("nvptx64", "default", 2)]
FEW_IMAGES = [("spir64", "native", 2), ("nvptx64", "patch", 0)]

INTEGERS = dict(zip(("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"), "bBhHiIqQ"))
# struct formats of each type's bits and of its number.
FLOATS = {"half": ("H", "e"), "float": ("I", "f"), "double": ("Q", "d")}
# Bits of 1.5, -0, -infinity, NaN (for double a negative one with a payload), the smallest and the largest
# denormal, the largest number, and 1/3.
FLOAT_BITS = {"half": (0x3E00, 0x8000, 0xFC00, 0x7E00, 0x0001, 0x03FF, 0x7BFF, 0x3555),
              "float": (0x3FC00000, 0x80000000, 0xFF800000, 0x7FC00000, 1, 0x7FFFFF, 0x7F7FFFFF, 0x3EAAAAAB),
              "double": (0x3FF8 << 48, 1 << 63, 0xFFF << 52, 0xFFF8 << 48 | 0x12345, 1, (1 << 52) - 1,
                         (0x7FF << 52) - 1, 0x3FD5555555555555)}


class Scalar:
    """A scalar type. Its values are used in turn, beginning with the limits."""

    def __init__(self, name):
        self.name = name
        self.form = FLOATS[name][0] if name in FLOATS else INTEGERS.get(name, "?")
        self.size = self.align = struct.calcsize(self.form)
        self.turn = 0

    def value(self):
        """Returns the text of an initialiser, its bytes, and a mask of the bytes that it defines."""
        at, self.turn = self.turn, self.turn + 1
        if self.name in FLOATS:
            number = FLOAT_BITS[self.name][at % 8]
            text = self.float_text(number)
        elif self.name == "bool":
            number = at % 3 != 1
            text = "true" if number else "false"
        else:
            bits, signed = 8 * self.size, self.form.islower()
            low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
            number = (low, high, 1, high // 3, -1 if signed else high - 1, 0)[at % 6]
            text = f"({self.name}){number & (1 << bits) - 1:#x}{'ul' if bits == 64 else 'u'}"
        return text, struct.pack("<" + self.form, number), b"\1" * self.size

    def float_text(self, bits):
        number = struct.unpack("<" + FLOATS[self.name][1], struct.pack("<" + self.form, bits))[0]
        if number != number:
            text = f'__builtin_nan{"" if self.name == "double" else "f"}("")'
            text = f'-__builtin_nan("{bits & (1 << 51) - 1:#x}")' if self.name == "double" else text
        elif number in (float("inf"), float("-inf")):
            text = "INFINITY" if number > 0 else "-INFINITY"
        else:
            text = number.hex() + ("" if self.name == "double" else "f")
        return f"({self.name})({text})"


class Vector:
    def __init__(self, scalar, width):
        self.scalar, self.width = scalar, width
        self.name = f"{scalar.name}{width}"
        self.size = self.align = scalar.size * (4 if width == 3 else width)

    def value(self):
        parts = [self.scalar.value() for _ in range(self.width)]
        data, mask = (b"".join(part[i] for part in parts).ljust(self.size, b"\0") for i in (1, 2))
        return f"({self.name})({', '.join(part[0] for part in parts)})", data, mask


class Array:
    """An array, as a member of a structure."""

    def __init__(self, element, count):
        self.element, self.count = element, count
        self.name, self.size, self.align = element.name, element.size * count, element.align

    def value(self):
        parts = [self.element.value() for _ in range(self.count)]
        data, mask = (b"".join(part[i] for part in parts) for i in (1, 2))
        return "{" + ", ".join(part[0] for part in parts) + "}", data, mask


class Bits:
    """A structure of bit-fields that share one unsigned int."""

    def __init__(self, name, widths):
        self.name, self.widths = name, widths
        self.size, self.align = 4, 4
        fields = " ".join(f"uint f{i} : {width};" for i, width in enumerate(widths))
        self.definition = f"struct {name.split()[1]} {{ {fields} }};"
        self.turn = 0

    def value(self):
        numbers, data, at = [], 0, 0
        for width in self.widths:
            numbers.append(((1 << width) - 1, 1, 0x2AAAAAAA & ((1 << width) - 1))[self.turn % 3])
            self.turn += 1
            data |= numbers[-1] << at
            at += width
        mask = (b"\1" * ((at + 7) // 8)).ljust(4, b"\0")  # bytes of which a field has a part
        return "{" + ", ".join(map(str, numbers)) + "}", struct.pack("<I", data), mask


class Record:
    """A structure, packed or not, or a union. Each value of a union initialises another member."""

    def __init__(self, name, members, kind="struct", packed=False):
        self.name, self.members, self.kind = f"{kind} {name}", members, kind
        self.align = 1 if packed else max(member.align for member in members)
        self.offsets, at = [], 0
        for member in members:
            align = 1 if packed or kind == "union" else member.align
            at = 0 if kind == "union" else (at + align - 1) // align * align
            self.offsets.append(at)
            at += member.size
        end = max(offset + member.size for offset, member in zip(self.offsets, members))
        self.size = (end + self.align - 1) // self.align * self.align
        counts = [f"[{member.count}]" if isinstance(member, Array) else "" for member in members]
        text = " ".join(f"{member.name} m{i}{counts[i]};" for i, member in enumerate(members))
        self.definition = f"{kind} {'__attribute__((packed)) ' if packed else ''}{name} {{ {text} }};"
        self.turn = 0

    def value(self):
        data, mask, texts = bytearray(self.size), bytearray(self.size), []
        chosen = range(len(self.members)) if self.kind == "struct" else [self.turn % len(self.members)]
        self.turn += 1
        for i in chosen:
            text, part, part_mask = self.members[i].value()
            at = self.offsets[i]
            data[at:at + len(part)] = part
            mask[at:at + len(part)] = part_mask
            texts.append(text if self.kind == "struct" else f".m{i} = {text}")
        return "{" + ", ".join(texts) + "}", bytes(data), bytes(mask)


SCALARS = [Scalar(name) for name in [*INTEGERS, *FLOATS, "bool"]]
VECTORS = [Vector(scalar, width) for scalar in SCALARS if scalar.name != "bool" for width in (2, 3, 4, 8, 16)]


def systematic_types():
    """Returns each scalar and vector type, and structures with each of them, with and without padding around it."""
    types, definitions = [*SCALARS, *VECTORS], []
    char, by_name = SCALARS[0], {one.name: one for one in types}
    threes = [one for one in VECTORS if one.width == 3]
    records = [Record("padded", [char, by_name["double"], char, by_name["half3"], by_name["bool"], by_name["long"]]),
               Record("packed", [char, by_name["float3"], by_name["half"], by_name["ulong3"], char], packed=True),
               Record("either", [by_name["uint"], by_name["char3"], by_name["double3"], Array(char, 7)], "union"),
               Record("threes", threes), Record("halves", [by_name["half"], by_name["half2"], by_name["half"]])]
    records += [Record("nested", [char, Array(records[0], 2), records[2], Array(by_name["short3"], 3), records[1]]),
                Record("deep", [Array(records[2], 3), char, Array(records[1], 2), by_name["bool"]], packed=True)]
    definitions += [record.definition for record in records]
    return types + records, definitions


def bit_fields():
    """Returns types that LLVM represents by integers of odd widths, which llvm-spirv does not accept."""
    records = [Bits("struct bits20", (20,)), Bits("struct bits9", (3, 7)), Bits("struct bits32", (1, 7, 24))]
    records.append(Record("holder", [SCALARS[0], Array(records[0], 3), records[1], SCALARS[0]]))
    return records, [record.definition for record in records]


def random_types(seed):
    """Returns random nested structures."""
    lot, records = random.Random(seed), []
    for i in range(24):
        known = [*SCALARS, *VECTORS, *(record for record in records if record.size < 400)]
        members = [lot.choice(known) for _ in range(lot.randint(1, 6))]
        members = [Array(one, lot.randint(1, 4)) if lot.random() < 0.3 else one for one in members]
        records.append(Record(f"r{i}", members, lot.choice(("struct", "struct", "union")), lot.random() < 0.2))
    return records, [record.definition for record in records]


POINTERS = """
global int target[16] = {1};
constant int fixed[16] = {1};
struct links { char before; global int *g; constant int *c; int *p; local int *l; int *n; ulong number; float3 tail; };
struct __attribute__((packed)) tight {
  char before; global int *g; short between; constant int *c; int *p; char after;
};
union any { global int *g; ulong number; char bytes[11]; };
#define LINKS {-1, target + 3, &fixed[15], (int *)(target + 2), 0, (int *)(local int *)0, (ulong)7, (float3)(1, 2, 3)}
#define TIGHT {-1, target + 5, -1, fixed + 7, (int *)&target[15], -1}
#define ANY {target + 9}
"""
POINTER_KINDS = {"links": ["{v}.g == target + 3", "{v}.c == fixed + 15", "{v}.p == (int *)(target + 2)", "{v}.l == 0",
                           "{v}.n == 0", "{v}.before == -1", "{v}.number == 7", "{v}.tail.z == 3"],
                 "tight": ["{v}.g == target + 5", "{v}.c == fixed + 7", "{v}.p == (int *)(target + 15)",
                           "{v}.between == -1", "{v}.before == -1", "{v}.after == -1"],
                 "any": ["{v}.g == target + 9"]}


class Program:
    """A source, and the expected output of its kernel."""

    def __init__(self, types, definitions, images, pointers=False):
        self.images = images
        self.head = ["#include <specpi/device.h>", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
                     "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
                     "#pragma OPENCL EXTENSION __cl_clang_bitfields : enable", "SPECPI_CONSTANT(uchar, key, 0);"]
        for place in PLACES:
            self.head.append(f"static void copy_{place}(global uchar *o, const {place} uchar *p, uint n) {{\n"
                             "  for (uint i = get_global_id(0); i < n; i += get_global_size(0))\n"
                             "    o[i] = p[i] ^ specpi_get(key);\n}")
        self.head += definitions
        self.body, self.private = [], ["  volatile ulong address;"]
        self.regions, self.variables, self.size, self.count = [], [], 0, 0
        for one in types:
            for place in PLACES:
                self.add_variable(one, place)
        if pointers:
            self.add_pointers()
        for one in types:
            self.add_guard(one)

    def reserve(self, size, align, data, mask, keyed, what):
        at = (self.size + align - 1) // align * align
        self.size = at + size
        self.regions.append({"at": at, "bytes": data.hex(), "mask": mask.hex(), "keyed": keyed, "what": what})
        return at

    def add_check(self, expression, what):
        at = self.reserve(1, 1, b"\1", b"\1", False, f"{what}: {expression}")
        self.body.append(f"  o[{at}] = {expression};")

    def declare(self, place, text):
        to, word = (self.private, "  const") if place == "private" else (self.head, place)
        to.append(f"{word} {text}")

    def add_variable(self, one, place):
        name, count = f"v{self.count}_{place}", 1 + self.count % 3
        self.count += 1
        values = [one.value() for _ in range(count)]
        data, mask = (b"".join(value[i] for value in values) for i in (1, 2))
        # Every third variable is a scalar, the others are arrays.
        text = values[0][0] if count == 1 else "{" + ", ".join(value[0] for value in values) + "}"
        self.declare(place, f"{one.name} {name}{'' if count == 1 else f'[{count}]'} = {text};")
        what = f"{place} {one.name} {name}"
        if place != "private":
            self.variables.append({"name": name, "bytes": data.hex(), "mask": mask.hex()})
        at = self.reserve(len(data), 1, data, mask, True, what)
        self.body.append(f"  copy_{place}(o + {at}, (const {place} uchar *)&{name}, sizeof {name});")
        at = self.reserve(len(data), 128, data, mask, False, what + ", as its type")
        pointer = f"(const {place} {one.name} *)&{name}"
        self.body.append(f"  for (uint i = get_global_id(0); i < {count}; i += get_global_size(0)) "
                         f"((global {one.name} *)(o + {at}))[i] = ({pointer})[i];")
        self.body.append(f"  address = (ulong)&{name};")  # volatile, so that nothing is folded
        self.add_check(f"address % {one.align} == 0", what)
        self.add_check(f"sizeof {name} == {len(data)}", what)

    def add_pointers(self):
        self.head.append(POINTERS)
        for kind, checks in POINTER_KINDS.items():
            word = "union" if kind == "any" else "struct"
            for place in PLACES:
                name = f"{kind}_{place}"
                self.declare(place, f"{word} {kind} {name}[3] = {{{kind.upper()}, {kind.upper()}, {kind.upper()}}};")
                for check in checks:
                    # The index is unknown before the launch, so that the code has to read the variable.
                    self.add_check(check.format(v=f"{name}[get_global_id(0) + get_global_size(0)]"), name)

    def add_guard(self, one):
        """Adds a check that writing a local variable does not change the memory after it."""
        if isinstance(one, (Scalar, Bits)):
            return
        index = len(self.private)
        self.private.append(f"  local {one.name} local{index}; local volatile uchar guard{index};")
        self.body.append(f"  guard{index} = 1; *(volatile local {one.name} *)&local{index} = "
                         f"*(volatile global {one.name} *)o;")
        self.add_check(f"guard{index} + 0 * ((volatile local uchar *)&local{index})[0]", f"after a local {one.name}")

    def source(self):
        return "\n".join([*self.head, "kernel void all(global uchar *o) {", *self.private, *self.body, "}", ""])


def read_cubin(path):
    """Returns the bytes of each variable with an initial value in a cubin."""
    data = path.read_bytes()
    start, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + size * i) for i in range(count)]

    def text(section, offset):
        at = sections[section][4] + offset
        return data[at:data.index(b"\0", at)].decode()

    found = {}
    for section in sections:
        for i in range(section[5] // 24 if section[1] == 2 else 0):
            name, _, _, owner, value, length = struct.unpack_from("<IBBHQQ", data, section[4] + 24 * i)
            owned = text(names, sections[owner][0]) if 0 < owner < count else ""
            if owned.startswith((".nv.global", ".nv.constant")):
                empty = sections[owner][1] == 8  # it has no bytes, but zeros
                at = sections[owner][4] + value
                found[text(section[6], name)] = bytes(length) if empty else data[at:at + length]
    return found


def differences(got, expected, mask):
    return [i for i, defined in enumerate(mask) if defined and (i >= len(got) or got[i] != expected[i])]


def report(what, got, expected, wrong):
    at = wrong[0]
    found = got[at:at + 1].hex() or "missing"
    print(f"{what}: byte {at} is {found}, not {expected[at:at + 1].hex()}; {len(wrong)} differ")


def check_cubin(ptxas, image, variables):
    """Returns the number of variables with wrong bytes in ptxas's output, which may lack unused variables."""
    cubin = image.with_suffix(".cubin")
    if subprocess.run([ptxas, "-arch=sm_80", "-O0", image, "-o", cubin], check=False).returncode != 0:
        return 1
    found, failed = read_cubin(cubin), 0
    cubin.unlink()
    for one in variables:
        expected, mask = bytes.fromhex(one["bytes"]), bytes.fromhex(one["mask"])
        wrong = differences(found[one["name"]], expected, mask) if one["name"] in found else [0]
        if wrong:
            report(f"{image.name}: ptxas: {one['name']}", found.get(one["name"], b""), expected, wrong)
            failed += 1
    return failed


def make(directory, specpi_cc, ptxas=""):
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    programs = [Program(*systematic_types(), IMAGES, pointers=True),
                Program(*bit_fields(), [image for image in IMAGES if image[0] == "nvptx64"])]
    programs += [Program(*random_types(seed), FEW_IMAGES) for seed in range(RANDOM_PROGRAMS)]
    expected, failed = [], 0
    for number, program in enumerate(programs):
        source = directory / f"{number}.cl"
        source.write_text(program.source())
        images = []
        for target, mode, level in program.images:
            image = directory / f"{number}.{target}.{mode}.O{level}.so"
            command = [specpi_cc, f"--target={target}", f"--spec-const={mode}", f"-O{level}", source]
            subprocess.run([*command, "--emit=so", "-o", image], check=True)
            images.append({"name": image.name, "keyed": mode != "default"})
            if ptxas and (target, mode) == ("nvptx64", "patch"):
                ptx = image.with_suffix(".ptx")
                subprocess.run([*command, "--emit=ptx", "-o", ptx], check=True)
                failed += check_cubin(ptxas, ptx, program.variables)
        expected.append({"images": images, "size": program.size, "regions": program.regions})
    (directory / "expected.json").write_text(json.dumps(expected))
    variables = sum(len(one.variables) for one in programs)
    print(f"{len(programs)} programs, {variables} variables, {failed} of them wrong for ptxas")
    return failed


def run_image(directory, specpi, image, program):
    """Returns the number of wrong regions of the output."""
    output, failed = directory / "output", 0
    command = [specpi, "launch", directory / image["name"], "all", "--global", "1", "--arg", f"i8[{program['size']}]=zero"]
    command += ["--output", f"0={output}"] + (["--set", f"key=hex:{KEY:02x}"] if image["keyed"] else [])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{image['name']}: {done.stderr.strip()}")
        return 1
    data = output.read_bytes()
    output.unlink()
    for region in program["regions"]:
        expected, mask = bytes.fromhex(region["bytes"]), bytes.fromhex(region["mask"])
        key = KEY if region["keyed"] and image["keyed"] else 0
        got = bytes(byte ^ key for byte in data[region["at"]:region["at"] + len(expected)])
        wrong = differences(got, expected, mask)
        if wrong:
            report(f"{image['name']}: {region['what']}", got, expected, wrong)
            failed += 1
    return failed


def run(directory, specpi):
    directory = pathlib.Path(directory)
    programs = json.loads((directory / "expected.json").read_text())
    failed = sum(run_image(directory, specpi, image, program) for program in programs for image in program["images"])
    images, regions = (sum(len(one[key]) for one in programs) for key in ("images", "regions"))
    print(f"{images} images of {len(programs)} programs with {regions} values: {failed} differ")
    return failed


if __name__ == "__main__":
    sys.exit(1 if {"make": make, "run": run}[sys.argv[1]](*sys.argv[2:]) else 0)
