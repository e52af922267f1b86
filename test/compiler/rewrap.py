"""Wraps the device images of a real library again: specpi inspect must find the same in the result.

Usage: rewrap.py SPECPI WRAP CC LIBRARY CONSTANTS

CONSTANTS is the number of the library's constants, so that a run without constants fails.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def encode(payload, bits=None):
    """Returns a value in the form of .prop files: length in bits and payload, both in base 64."""
    value = struct.pack("<Q", 8 * len(payload) if bits is None else bits) + payload
    number = int.from_bytes(value, "little")
    return "".join(DIGITS[number >> 6 * i & 63] for i in range((8 * len(value) + 5) // 6))


def properties(image):
    """The image's property sets as the text of a .prop file."""
    sets = {}
    if image["constants"]:
        records = sets.setdefault("SYCL/specialization constants", [])
        for constant in image["constants"]:
            words = [word for one in constant["descriptors"]
                     for word in (one["id"], one["offset"], one["size"])]
            records.append(f"{constant['name']}=2|{encode(struct.pack(f'<{len(words)}I', *words))}")
        blob = bytes.fromhex("".join(constant["default"] for constant in image["constants"]))
        sets["SYCL/specialization constants default values"] = [f"all=2|{encode(blob)}"]
    for one in image["properties"]:
        lines = sets.setdefault(one["set"], [])
        if one["type"] == "uint32":
            lines.append(f"{one['name']}=1|{one['value']}")
        else:
            assert one["type"] == "bytes", one
            payload = bytes.fromhex(one["value"])
            lines.append(f"{one['name']}=2|{encode(payload, one['bits'])}")
    return "".join(f"[{name}]\n" + "".join(line + "\n" for line in lines)
                   for name, lines in sets.items())


def inspect(tool, path, *options):
    output = subprocess.run([tool, "inspect", path, "--json", *options], check=True,
                            stdout=subprocess.PIPE).stdout
    return json.loads(output)["images"]


def main():
    tool, wrap, cc, library, expected = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        extracted = os.path.join(directory, "first")
        os.mkdir(extracted)
        images = inspect(tool, library, "--extract", extracted)
        for image in images:
            assert image["runtimes"] == ["libsycl.so.7 (PI)", "libsycl.so.8 (UR)", "libspecpi"], image
            # The wrapper also writes images of version 3, for libsycl.so.9.
            image["runtimes"].insert(2, "libsycl.so.9 (UR)")
        assert sum(len(image["constants"]) for image in images) == int(expected)
        object_file = os.path.join(directory, "images.o")
        command = [wrap, "--register", "-o", object_file]
        files = sorted(os.listdir(extracted))
        for index, (image, name) in enumerate(zip(images, files, strict=True)):
            prop = os.path.join(directory, f"{index}.prop")
            with open(prop, "w", encoding="utf-8") as file:
                file.write(properties(image))
            command += [os.path.join(extracted, name), f"--target={image['target']}",
                        f"--properties={prop}", f"--compile-options={image['compile_options']}",
                        f"--link-options={image['link_options']}"]
            command += [f"--kernel={kernel}" for kernel in image["kernels"]]
        subprocess.run(command, check=True)
        shared = os.path.join(directory, "images.so")
        subprocess.run([cc, "-shared", "-o", shared, object_file], check=True)
        for path in (object_file, shared):
            again = os.path.join(directory, "again" + os.path.basename(path))
            os.mkdir(again)
            assert inspect(tool, path, "--extract", again) == images, path
            for one, other in zip(files, sorted(os.listdir(again)), strict=True):
                with open(os.path.join(extracted, one), "rb") as first, \
                        open(os.path.join(again, other), "rb") as second:
                    assert first.read() == second.read(), other
        print(f"{len(images)} images")


main()
