"""follow.py FILE COUNT: does what a document shows, in the working folder.

Indented blocks count: one that begins with "// NAME" or "# NAME" is the file NAME; a line that begins with
"$ " is a command, up to a line without a backslash at its end, and the lines after it are what it
prints, where "..." stands for anything, at
the end of a line too. COUNT commands must be there."""

import re
import subprocess
import sys

document, count = sys.argv[1], int(sys.argv[2])
blocks, block = [], []
for line in open(document, encoding="utf-8").read().split("\n") + ["end"]:
    if line.startswith("    "):
        block.append(line[4:])
    elif line == "" and block:
        block.append("")
    elif block:
        blocks.append(block)
        block = []


def pattern_of(lines):
    parts = []
    for line in lines:
        if line == "...":
            parts.append(r"(?:.*\n)*")
        elif line.endswith("..."):
            parts.append(re.escape(line[:-3]) + r".*\n")
        else:
            parts.append(re.escape(line) + r"\n")
    return "".join(parts)


ran = 0
for block in blocks:
    while block and block[-1] == "":
        block.pop()
    name = re.fullmatch(r"(?://|#) (\S+\.\S+|Makefile)", block[0])
    if name:
        with open(name.group(1), "w", encoding="utf-8") as file:
            file.write("\n".join(block) + "\n")
        continue
    if not block[0].startswith("$ "):
        continue
    starts = [i for i, line in enumerate(block) if line.startswith("$ ")] + [len(block)]
    for begin, end in zip(starts, starts[1:]):
        command = block[begin][2:]
        while command.endswith("\\"):
            begin += 1
            command += "\n" + block[begin]
        done = subprocess.run(
            command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        # Intel's OpenCL runtime says so on a machine whose processor it does not know.
        said = done.stdout.replace("SYCL CPU RT Warning: Unknown host CPU.\n", "")
        if not re.fullmatch(pattern_of(block[begin + 1 : end]), said):
            sys.exit(f"$ {command}\n{said}\nis not\n" + "\n".join(block[begin + 1 : end]))
        ran += 1
if ran != count:
    sys.exit(f"{ran} commands, not {count}")
