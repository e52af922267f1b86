"""Writes the trailer of a PTX image (docs/internals/ptx.md) for a text, with ids of the tests' own.

usage: trailer.py INPUT OUTPUT

INPUT is an image of specpi-cc, or PTX written by hand in its form: `//specpi:ID` after each
immediate of a constant, and at the end, as an image has them, the lines head (its numbers do not
matter), constant, leaf, bytes and kernel; the others may be missing. The first leaf of a constant id_N gets the
id N and each further one the next. OUTPUT is the image with these ids, also in the text, and with
the places, counts, sizes and the hash that belong to it. Ids must ascend as docs/internals/ptx.md has it.
"""
import re
import sys

PADDING = 0xFFFFFFFF
MARK = "//!specpi "


def hash_of(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def renumber(lines):
    """The lines of constants with new ids, a table from old ids to new ones, and all sizes by id."""
    table, sizes, kept, last = {}, {}, [], -1
    for line in lines:
        kind, *words = line.split(" ")
        if kind == "constant":
            numbered = re.fullmatch("id_([0-9]+)", words[0])
            assert numbered, f"{words[0]} is not id_N"
            next_id = int(numbered[1])
        if kind == "leaf" and int(words[0]) != PADDING:
            assert last < next_id < PADDING, f"{next_id} comes after {last}"
            table[int(words[0])] = next_id
            sizes[next_id] = int(words[2])
            words[0], last, next_id = str(next_id), next_id, next_id + 1
        kept.append(" ".join([kind, *words]))
    return kept, table, sizes


def image(source):
    text, trailer = [], []
    for line in source.splitlines():
        (trailer if line.startswith(MARK) else text).append(line)
    trailer = [line[len(MARK) :] for line in trailer]
    of_kind = {kind: [line for line in trailer if line.startswith(kind + " ")]
               for kind in ("bytes", "kernel")}
    constants = [line for line in trailer if re.match("constant|leaf", line)]
    constants, table, sizes = renumber(constants)
    text = re.sub(r"//specpi:(\d+)", lambda match: f"//specpi:{table[int(match[1])]}",
                  "\n".join(text) + "\n")
    places = []
    for found in re.finditer(r"0x([0-9a-f]+); //specpi:(\d+)", text):
        identity = int(found[2])
        assert len(found[1]) == 2 * sizes[identity], f"the digits of {identity} are {found[1]}"
        places.append(f"place {identity} {found.start(1)} {sizes[identity]}")
    offsets = []
    if any(line.startswith("offsets") for line in trailer):
        name = re.search(r"\.entry (\w+_with_offset)\(", text)[1]
        offsets = [f"offsets {text.index(f'{chr(9)}// .globl{chr(9)}{name}')}"]
    mode = trailer[0].split(" ")[1]
    count = sum(line.startswith("constant") for line in constants)
    size = sum(len(line.split(" ")[1]) // 2 for line in of_kind["bytes"])
    head = (f"1 {mode} {count} {len(constants) - count} {size} {len(places)} "
            f"{len(of_kind['kernel'])}")
    lines = [head, *constants, *of_kind["bytes"], *places, *of_kind["kernel"], *offsets]
    body = "".join(MARK + line + "\n" for line in lines)
    result = f"{text}{body}{MARK}end {len(text):010} {len(body) + 53:010} "
    return f"{result}{hash_of(result.encode()):016x}\n"


def main(path, output):
    with open(path, encoding="ascii") as file:
        made = image(file.read())
    with open(output, "w", encoding="ascii", newline="\n") as file:
        file.write(made)


if __name__ == "__main__":
    main(*sys.argv[1:])
