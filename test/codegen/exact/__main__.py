"""exact [OPTION]... [MODULE]...: compares functions of integers, relations and conversions with exact results.

The arguments are limits and special values, in all pairs and triples, as numbers and as vectors. The exact results
come from Python's integers and fractions. Prints the differences, and exits with 1 if there are any. A machine
without a compiler can use images that --make wrote elsewhere.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import conversions
import integers
import sweep
import work_items

import specpi

SHOWN = 12  # of the calls of a module that are wrong
FORMS = {"spir64": "spirv", "nvptx64": "ptx"}


def arguments():
    parser = argparse.ArgumentParser(prog="exact")
    parser.add_argument("--device", default="cuda:*", help="a selector")
    parser.add_argument("--target", default="spir64", choices=FORMS)
    parser.add_argument("--every-width", action="store_true", help="of vectors; else one for each function, in turn")
    parser.add_argument("--compiler", default="specpi-cc")
    parser.add_argument("--images", type=pathlib.Path, metavar="DIRECTORY", help="of the images, else they are made")
    parser.add_argument("--make", action="store_true", help="only makes the images")
    parser.add_argument("modules", nargs="*")
    return parser.parse_args()


def make_image(given, path, text):
    source = path.with_suffix(".cl")
    source.write_text(text)
    subprocess.run([given.compiler, "--target=" + given.target, "--emit=" + FORMS[given.target], "-o", path, source],
                   check=True)


def run_kernel(given, image, queue, kernel):
    results = bytearray(kernel.size)
    # Asked for a build log, the CUDA plugin builds all kernels of a module at once.
    options = "-v" if given.device.startswith("cuda") else ""
    image.kernel(kernel.name, device=queue, options=options)(queue, kernel.items, results, *kernel.inputs, **kernel.launch)
    return [wrong for check in kernel.checks for wrong in sweep.differences(check, results)]


def run_module(given, directory, name, make):
    """Returns the number of results, and the wrong results."""
    text, kernels = make(given.every_width)
    path = directory / f"{name}.{FORMS[given.target]}"
    if given.make or not given.images:
        make_image(given, path, text)
    if given.make:
        return 0, []
    image, queue = specpi.load(path), specpi.Queue(given.device)
    wrong = [one for kernel in kernels for one in run_kernel(given, image, queue, kernel)]
    return sum(len(check[-1]) for kernel in kernels for check in kernel.checks), wrong


def run_modules(given, directory):
    modules = {**integers.modules(), **conversions.modules(), **work_items.modules()}
    chosen = given.modules or modules
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [(name, pool.submit(run_module, given, directory, name, modules[name])) for name in chosen]
        for name, one in running:
            count, wrong = one.result()
            print(f"{name}: {count} results, {len(wrong)} wrong", flush=True)
            for text, values in itertools.islice(dict(reversed(wrong)).items(), SHOWN):
                print(f"  {text} of {values}, and {sum(text == other for other, _ in wrong)} wrong in all")
            failed += len(wrong)
    return failed


def main():
    given = arguments()
    if given.images:
        given.images.mkdir(parents=True, exist_ok=True)
        return run_modules(given, given.images) > 0
    with tempfile.TemporaryDirectory() as directory:
        return run_modules(given, pathlib.Path(directory)) > 0


if __name__ == "__main__":
    sys.exit(main())
