"""Compares patched PTX with PTX that has the same values as defaults, for random types.

usage: patch_random.py SPECPI_SPEC_CONSTANTS COUNT

Both must be the same byte by byte. Prints the seed of a failure.
"""
import random
import struct
import subprocess
import sys
import tempfile

import patch_ptx

SCALARS = ["i8", "i16", "i32", "i64", "half", "float", "double"]
GETTER = "_Z40__sycl_getComposite2020SpecConstantValueI{}ET_"


class Types:
    def __init__(self, source):
        self.source, self.named = source, []

    def make(self, depth):
        kind = self.source.choice(["scalar", "vector", "array", "struct"] if depth else ["scalar"])
        if kind == "scalar":
            return ("scalar", self.source.choice(SCALARS))
        if kind == "vector":
            return ("vector", self.source.choice([2, 3, 4]), ("scalar", self.source.choice(SCALARS)))
        if kind == "array":
            return ("array", self.source.randint(1, 4), self.make(depth - 1))
        return self.struct(depth)

    def struct(self, depth):
        members = [self.make(depth - 1) for _ in range(self.source.randint(1, 4))]
        packed = self.source.random() < 0.3
        name = f"%type{len(self.named)}"
        body = "{ " + ", ".join(text(member) for member in members) + " }"
        self.named.append(f"{name} = type " + (f"<{body}>" if packed else body))
        return ("struct", name, members, packed)


def text(of):
    if of[0] == "vector":
        return f"<{of[1]} x {text(of[2])}>"
    if of[0] == "array":
        return f"[{of[1]} x {text(of[2])}]"
    return of[1]


def value(of, source):
    if of[0] == "scalar":
        if of[1].startswith("i"):
            return str(source.getrandbits(int(of[1][1:])))
        if of[1] == "half":
            return f"0xH{source.randint(0, 0x7BFF):04X}"
        # LLVM assembly writes a float as a double of the same value.
        number = source.randint(-(2**20), 2**20) / 64
        return "0x" + struct.pack(">d", number).hex().upper()
    if of[0] == "struct":
        parts = ", ".join(f"{text(member)} {value(member, source)}" for member in of[2])
        return f"<{{ {parts} }}>" if of[3] else f"{{ {parts} }}"
    parts = ", ".join(f"{text(of[2])} {value(of[2], source)}" for _ in range(of[1]))
    return f"<{parts}>" if of[0] == "vector" else f"[{parts}]"


def module(types, constants, by_value, source):
    lines = ['target triple = "spir64-unknown-unknown"', *types.named]
    body = []
    for i, (of, stored) in enumerate(zip(constants, by_value)):
        lines += [
            f"%id{i} = type {{ {text(of)} }}",
            f'@name{i} = private addrspace(1) constant [9 x i8] c"constan{i}\\00"',
            f"@default{i} = internal addrspace(1) constant %id{i} {{ {text(of)} {value(of, source)} }}",
        ]
        pointers = "ptr addrspace(1)", "ptr addrspace(1)", "ptr addrspace(4)"
        given = f"ptr addrspace(1) @name{i}, ptr addrspace(1) @default{i}, ptr addrspace(4) null"
        name = GETTER.format(f"1{chr(65 + i)}")
        if stored:
            lines.append(f"declare {text(of)} @{name}({', '.join(pointers)})")
            body.append(f"  %v{i} = call {text(of)} @{name}({given})")
            body.append(f"  store volatile {text(of)} %v{i}, ptr addrspace(1) %out, align 1")
        else:
            sret = f"ptr addrspace(4) sret({text(of)})"
            lines.append(f"declare void @{name}({sret}, {', '.join(pointers)})")
            body.append(f"  %s{i} = alloca {text(of)}")
            body.append(f"  %g{i} = addrspacecast ptr %s{i} to ptr addrspace(4)")
            body.append(f"  call void @{name}({sret} %g{i}, {given})")
            body.append(f"  %v{i} = load {text(of)}, ptr %s{i}")
            body.append(f"  store {text(of)} %v{i}, ptr addrspace(1) %out, align 1")
    lines += ["define spir_kernel void @k(ptr addrspace(1) %out) {", *body, "  ret void", "}"]
    return "\n".join(lines)


def image(tool, source, level):
    with tempfile.NamedTemporaryFile("w", suffix=".ll") as file:
        file.write(source)
        file.flush()
        command = [tool, "--mode=patch", "--target=nvptx64", "--emit=ptx", "-O", level, file.name]
        return patch_ptx.read(subprocess.run(command, check=True, capture_output=True).stdout)


def check(tool, seed):
    source = random.Random(seed)
    types = Types(source)
    constants = [types.struct(3) for _ in range(source.randint(1, 3))]
    by_value = [source.random() < 0.5 for _ in constants]
    level = source.choice("02")
    first = image(tool, module(types, constants, by_value, source), level)
    other = image(tool, module(types, constants, by_value, source), level)
    chosen = {name: other[4][at : at + size] for name, (at, size) in first[2].items()}
    assert first[1:4] == other[1:4], "leaves and places do not depend on values"
    assert patch_ptx.patch(first[0], first[3], chosen) == other[0]
    return len(first[3]), first[4] != other[4]


def main(tool, count):
    places = 0
    for seed in range(int(count)):
        try:
            made, differ = check(tool, seed)
        except Exception:
            print("seed", seed)
            raise
        assert differ
        places += made
    assert places > int(count)


main(*sys.argv[1:])
