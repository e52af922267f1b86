"""Reads and checks the trailer of a PTX image, described in docs/internals/ptx.md, and writes values.

usage: patch_ptx.py IMAGE [NAME[+OFFSET]=HEX...]

HEX are the bytes of a leaf in the host's memory. Standard output is the text with the values and
without the trailer. Without values the text is not changed.
"""
import re
import sys

PADDING = 0xFFFFFFFF
NUMBER = r"(0|[1-9][0-9]*)"
NAME = r"((?:[!-$&-~]|%[0-9a-f]{2})+)"
LINES = {
    "head": rf"1 (patch|emulate|default) {NUMBER} {NUMBER} {NUMBER} {NUMBER} {NUMBER}",
    "constant": rf"constant {NAME} (scalar|composite) {NUMBER} {NUMBER} {NUMBER}",
    "leaf": rf"leaf {NUMBER} {NUMBER} {NUMBER}",
    "bytes": r"bytes ((?:[0-9a-f]{2}){1,32})",
    "place": rf"place {NUMBER} {NUMBER} {NUMBER}",
    "kernel": rf"kernel {NAME} (-|{NUMBER}) {NUMBER} {NUMBER} {NUMBER}",
    "offsets": rf"offsets {NUMBER}",
    "end": r"end ([0-9]{10}) ([0-9]{10}) ([0-9a-f]{16})",
}


class Reader:
    def __init__(self, trailer):
        self.lines = trailer.split("\n")
        assert self.lines.pop() == "", "the trailer ends with a line feed"
        self.at = 0

    def is_next(self, kind):
        return re.fullmatch("//!specpi " + LINES[kind], self.lines[self.at])

    def next(self, kind):
        line = self.lines[self.at]
        found = re.fullmatch("//!specpi " + LINES[kind], line)
        assert found, f"expected {kind}: {line}"
        self.at += 1
        return found.groups()


def hash_of(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def unescape(name):
    return re.sub("%(..)", lambda match: chr(int(match[1], 16)), name)


def digits_of(data):
    return data[::-1].hex().encode()


def read(image):
    image = image.rstrip(b"\0")
    end = Reader(image[-53:].decode()).next("end")
    text_size, trailer_size = int(end[0]), int(end[1])
    assert text_size + trailer_size == len(image), "the sizes add up"
    assert hash_of(image[:-17]) == int(end[2], 16), "the hash is right"
    text = image[:text_size]
    reader = Reader(image[text_size:].decode())
    mode, *counts = reader.next("head")
    constant_count, leaf_count, size, place_count, kernel_count = map(int, counts)
    leaves, constants, last_id, leaves_seen = {}, {}, -1, 0
    for _ in range(constant_count):
        name, _, *numbers = reader.next("constant")
        position, constant_size, count = map(int, numbers)
        assert position + constant_size <= size and count > 0
        constants[unescape(name)] = {}
        at = 0
        for _ in range(count):
            identity, offset, leaf_size = map(int, reader.next("leaf"))
            assert offset >= at
            at = offset + leaf_size
            leaves_seen += 1
            if identity == PADDING:
                continue
            assert identity > last_id and at <= constant_size
            assert mode != "patch" or leaf_size in (1, 2, 4, 8)
            last_id = identity
            leaves[identity] = (position + offset, leaf_size)
            constants[unescape(name)][offset] = identity
    assert leaves_seen == leaf_count
    defaults = b""
    while len(defaults) < size:
        defaults += bytes.fromhex(reader.next("bytes")[0])
    assert len(defaults) == size
    places, end_of_last = [], 0
    for _ in range(place_count):
        identity, offset, place_size = map(int, reader.next("place"))
        position, leaf_size = leaves[identity]
        assert place_size == leaf_size and offset >= end_of_last + 2
        end_of_last = offset + 2 * place_size
        assert text[offset - 2 : offset] == b"0x" and text[end_of_last : end_of_last + 1] == b";"
        assert text[offset:end_of_last] == digits_of(defaults[position : position + leaf_size])
        places.append((identity, offset, place_size))
    for _ in range(kernel_count):
        reader.next("kernel")
    if reader.is_next("offsets"):
        begin = int(reader.next("offsets")[0])
        assert 0 < begin < text_size and text[begin - 1 : begin] == b"\n"
        assert b"_with_offset(" not in text[:begin] and b".func" not in text[begin:]
    reader.next("end")
    assert reader.at == len(reader.lines)
    return text, constants, leaves, places, defaults


def patch(text, places, chosen):
    """Returns the text with the chosen bytes in place of the defaults, by id."""
    patched = bytearray(text)
    for identity, offset, size in places:
        if identity in chosen:
            patched[offset : offset + 2 * size] = digits_of(chosen[identity])
    assert len(patched) == len(text)
    return bytes(patched)


def main(path, *values):
    with open(path, "rb") as file:
        text, constants, leaves, places, _ = read(file.read())
    chosen = {}
    for value in values:
        target, data = value.split("=")
        name, _, offset = target.partition("+")
        identity, data = constants[name][int(offset or 0)], bytes.fromhex(data)
        assert len(data) == leaves[identity][1], "the value has the leaf's size"
        chosen[identity] = data
    sys.stdout.buffer.write(patch(text, places, chosen))


if __name__ == "__main__":
    main(*sys.argv[1:])
