"""Compares the machine code of bench-cuda's kernels: constants typed, patched, read from a buffer.

usage: sass.py DIRECTORY ARCHITECTURE

DIRECTORY has the images of bench-cuda; ARCHITECTURE is sm_90 and the like. Needs ptxas and nvdisasm of
a CUDA toolkit. The values are those that bench-cuda sets. Prints registers and instructions of each,
without the padding after the last branch, and the instructions that patched code has more or less of.
"""
import collections
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "compiler"))
import patch_ptx  # noqa: E402

MAP = struct.pack("<????fff", True, False, False, True, 0.75, 0.125, 1.5)
VALUES = {
    "product": {"block": struct.pack("<i", 16), "size": struct.pack("<i", 2048)},
    "filter": {"filter": struct.pack("<10f", 1, 0, -1, 2, 0, -2, 1, 0, -1, 0.125),
               "width": struct.pack("<i", 8192)},
    "map": {"map": MAP, "count": struct.pack("<i", 256)},
    "clamped": {"map": MAP, "count": struct.pack("<i", 256)},
}


def text_of(directory, kernel, variant):
    """Returns the driver's text: without the trailer, with the values at their places."""
    with open(f"{directory}/{kernel}.{variant}.ptx", "rb") as file:
        text, constants, leaves, places, _ = patch_ptx.read(file.read())
    chosen = {}
    for name in constants:
        for offset, identity in constants[name].items():
            size = leaves[identity][1]
            chosen[identity] = VALUES[kernel][name][offset : offset + size]
    text = patch_ptx.patch(text, places, chosen)
    begin = re.search(rb"\n\t// \.globl\t\w+_with_offset", text)
    return text[: begin.start() + 1] if begin else text


def assemble(text, architecture):
    """Registers and the operations of the kernel `run`."""
    with tempfile.TemporaryDirectory() as scratch:
        source, cubin = f"{scratch}/kernel.ptx", f"{scratch}/kernel.cubin"
        with open(source, "wb") as file:
            file.write(text)
        said = subprocess.run(["ptxas", "-v", f"-arch={architecture}", source, "-o", cubin],
                              check=True, capture_output=True, text=True).stderr
        code = subprocess.run(["nvdisasm", "-c", cubin], check=True, capture_output=True,
                              text=True).stdout
    registers = int(re.search(r"Used (\d+) registers", said)[1])
    operations = re.findall(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?\w+\s+)?([A-Z][\w.]*)", code, re.M)
    while operations and operations[-1] == "NOP":
        operations.pop()
    return registers, operations


def families(operations):
    """Counts each operation, without its modifiers."""
    return collections.Counter(operation.split(".")[0] for operation in operations)


def main(directory, architecture):
    print(f"  {'kernel':9} {'variant':9} {'registers':>9}  {'instructions':>12}")
    differences = []
    for kernel in VALUES:
        code = {}
        for variant in ("typed", "patch", "emulate"):
            registers, operations = assemble(text_of(directory, kernel, variant), architecture)
            code[variant] = families(operations)
            print(f"  {kernel:9} {variant:9} {registers:>9}  {len(operations):>12}")
        more, less = code["patch"] - code["typed"], code["typed"] - code["patch"]
        differences.append(f"  {kernel}: patched has more of "
                           + (", ".join(f"{n} {name}" for name, n in more.most_common()) or "nothing")
                           + "; less of "
                           + (", ".join(f"{n} {name}" for name, n in less.most_common()) or "nothing"))
    print("\n".join(differences))


if __name__ == "__main__":
    main(*sys.argv[1:])
