"""images.py SPECPI CODEGEN PTXAS LIBRARY SCRATCH COUNT: builds a sample of a library's device images.

Compiles modules that `specpi inspect --extract` writes to PTX, and the PTX with PTXAS ("" for none).
Prints the modules that fail, and exits with 1 if there are any.
"""
import pathlib
import random
import shutil
import subprocess
import sys


def build(codegen, ptxas, module):
    """Returns whether a module can be compiled to PTX, and the message if not."""
    ptx = module.with_suffix(".ptx")
    commands = [[codegen, "--gpu=sm_90", "--no-offset", "-o", ptx, module]]
    if ptxas:
        commands.append([ptxas, "-arch=sm_90", "-O0", ptx, "-o", "/dev/null"])
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return False, done.stderr.strip()
    return True, ""


def main():
    specpi, codegen, ptxas, library, scratch, count = sys.argv[1:]
    directory = pathlib.Path(scratch)
    shutil.rmtree(directory, ignore_errors=True)
    subprocess.run([specpi, "inspect", library, "--extract", directory], stdout=subprocess.DEVNULL, check=True)
    modules = sorted(directory.glob("*.spv"))
    failed = 0
    sample = random.Random(1).sample(modules, min(int(count), len(modules)))
    for module in sample:
        good, sentence = build(codegen, ptxas, module)
        if not good:
            print(f"{module.name}: {sentence}")
            failed += 1
    print(f"{len(sample) - failed} of {len(sample)} modules build, of {len(modules)}")
    shutil.rmtree(directory)
    sys.exit(failed > 0 or not sample)


main()
