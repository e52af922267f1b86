"""Compares the images that specpi inspect finds in a library with those that the library registers.

Usage: inspect_compare.py SPECPI REGISTERED.so CONSTANTS FILE...

Loads each library in a new process with REGISTERED.so preloaded, which prints the images passed to
__sycl_register_lib. CONSTANTS is the expected number of constants in all files together.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

CONSTANTS = "SYCL/specialization constants"
DEFAULTS = "SYCL/specialization constants default values"
PADDING = 0xFFFFFFFF


def registered(preload, path):
    """Returns the images that the library gives to libsycl, as a list of images in inspect's form."""
    # Lazy binding, because some of the library's functions are missing here. _exit() skips its destructors.
    program = f"import ctypes, os; ctypes.CDLL({path!r}, os.RTLD_LAZY); os._exit(0)"
    environment = dict(os.environ, LD_PRELOAD=preload)
    process = subprocess.run([sys.executable, "-c", program], env=environment,
                             stdout=subprocess.PIPE)
    # 127: after the registration another constructor called a missing function.
    assert process.returncode in (0, 127), process.returncode
    output = process.stdout.decode()
    images = []
    for line in output.splitlines():
        kind, *words = line.split("\t")
        if kind == "image":
            target, size, checksum, compile_options, link_options = words
            images.append({"target": target, "size": int(size), "checksum": int(checksum),
                           "compile_options": compile_options, "link_options": link_options,
                           "kernels": [], "raw": []})
        elif kind == "kernel":
            images[-1]["kernels"].append(words[0])
        else:
            assert kind == "property", line
            images[-1]["raw"].append(words)
    for image in images:
        image.update(decode(image.pop("raw")))
    return images


def decode(raw):
    """Decodes properties and constants, independently of the C code under test."""
    properties, constants, blob = [], [], b""
    for set_name, name, kind, size, value in raw:
        value = bytes.fromhex(value)
        if kind == "1":
            one = {"type": "uint32", "value": int(size) & 0xFFFFFFFF}
        elif kind == "2":
            one = {"type": "bytes", "bits": int.from_bytes(value[:8], "little"),
                   "value": value[8:].hex()}
        else:
            assert kind == "3", kind
            one = {"type": "string", "value": value.split(b"\0")[0].decode()}
        if set_name == CONSTANTS:
            constants.append({"name": name, "descriptors": [
                dict(zip(("id", "offset", "size"), words))
                for words in struct.iter_unpack("<III", value[8:])]})
        elif set_name == DEFAULTS:
            blob = value[8:]
        else:
            properties.append({"set": set_name, "name": name, **one})
    place = 0
    for constant in constants:
        last = constant["descriptors"][-1]
        constant["size"] = last["offset"] + last["size"]
        constant["default"] = blob[place:place + constant["size"]].hex()
        place += constant["size"]
    assert place == len(blob)
    return {"properties": properties, "constants": constants}


def check_arguments(image):
    """Checks that the module has as many arguments as the compiler left of those in the source."""
    masks = {one["name"]: (one["bits"], int.from_bytes(bytes.fromhex(one["value"]), "little"))
             for one in image["properties"] if one["set"] == "SYCL/kernel param opt"}
    for kernel, arguments in zip(image["kernels"], image.pop("arguments"), strict=True):
        bits, removed = masks.get(kernel, (0, 0))
        if kernel in masks:
            left = [i for i in range(bits) if not removed >> i & 1]
            assert [one["index"] for one in arguments] == left, (kernel, arguments, left)


def inspected(tool, path):
    with tempfile.TemporaryDirectory() as directory:
        output = subprocess.run([tool, "inspect", path, "--json", "--extract", directory], check=True,
                                stdout=subprocess.PIPE).stdout
        images = json.loads(output)["images"]
        for image, name in zip(images, sorted(os.listdir(directory)), strict=True):
            assert image.pop("format") == "SPIR-V" and name.endswith(".spv"), name
            assert image.pop("code") is None and image.pop("member") is None
            assert "libsycl.so.7 (PI)" in image.pop("runtimes") and "opencl" in image.pop("backends")
            with open(os.path.join(directory, name), "rb") as file:
                image["checksum"] = zlib.adler32(file.read())
    for image in images:
        check_arguments(image)
        for constant in image["constants"]:
            # The type is not registered; inspect reads it from the module.
            assert constant.pop("type") is not None
    return images


def main():
    tool, preload, expected = sys.argv[1:4]
    total = 0
    for path in sys.argv[4:]:
        truth = registered(preload, path)
        found = inspected(tool, path)
        constants = sum(len(image["constants"]) for image in found)
        total += constants
        print(f"{os.path.basename(path)}: {len(found)} images, {constants} constants")
        assert truth, "the library registers nothing, so it shows nothing"
        assert len(found) == len(truth), f"it registers {len(truth)}"
        for index, (one, other) in enumerate(zip(found, truth)):
            assert one == other, f"image {index}: found {one}, registered {other}"
    assert total == int(expected), f"{total} constants, not {expected}"


main()
