"""Builds programs of another project, HeCBench's for SYCL, with their own Makefiles and specpi-cc as the compiler.

usage: collection.py [--run] [--seed=N] [--count=N] [--only=NAME,...] [--keep=DIRECTORY] CHECKOUT DIRECTORY COMPILER

Copies COUNT programs of a checkout of github.com/zjin-lcf/HeCBench, chosen by SEED, to DIRECTORY, compiles
each there with COMPILER for the host, and prints the outcome of each. With --run each compiled program runs,
by `make run`, for at most a minute, under the command in the variable LAUNCHER. VIRTUAL_ENV has the runtime.
The checkout is not changed.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

WRONG = re.compile(r"\bFAIL|mismatch|incorrect|\berror\b|not ok", re.IGNORECASE)
RIGHT = re.compile(r"\bPASS|\bok\b|success|correct", re.IGNORECASE)


def make(directory, compiler, words, seconds):
    """Returns the exit status, or "time", and what it printed."""
    command = ["make", "-C", directory, f"CC=specpi-cc --host-compiler={compiler}", "GPU=yes", "CUDA=no", *words]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as expired:
        return "time", (expired.stdout or b"").decode(errors="replace")
    return done.returncode, done.stdout.decode(errors="replace")


def first_error(text):
    lines = [line for line in text.splitlines() if re.search(r"error:|specpi-cc: ", line)]
    return lines[0].strip()[:160] if lines else text.strip().splitlines()[-1][:160]


def verdict(status, text):
    """Returns a run's own verdict."""
    if status == "time":
        return "too slow to say"
    if status != 0:
        return f"ended with {status}: {first_error(text)}"
    if WRONG.search(text):
        return f"says it is wrong: {WRONG.search(text).group()}"
    return "right, it says" if RIGHT.search(text) else "ended well, and says nothing of right or wrong"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--seed", type=int, default=20261125)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", help="a directory for the programs that were compiled")
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("compiler")
    given = parser.parse_args()
    programs = sorted(path.name[: -len("-sycl")] for path in (given.checkout / "src").glob("*-sycl"))
    random.seed(given.seed)
    chosen = given.only.split(",") if given.only else random.sample(programs, given.count)
    shutil.copytree(given.checkout / "src", given.directory / "src", symlinks=True, dirs_exist_ok=True)
    compiled = 0
    for name in chosen:
        directory = given.directory / "src" / f"{name}-sycl"
        if not (directory / "Makefile").exists():
            print(f"{name}: it has no Makefile", flush=True)
            continue
        make(directory, given.compiler, ["clean"], 60)
        status, text = make(directory, given.compiler, [], 600)
        if status != 0:
            print(f"{name}: not compiled: {first_error(text)}", flush=True)
            continue
        compiled += 1
        if given.keep and (directory / "main").exists():
            shutil.copy(directory / "main", pathlib.Path(given.keep) / name)
        if not given.run:
            print(f"{name}: compiled", flush=True)
            continue
        status, text = make(directory, given.compiler, [f"LAUNCHER={os.environ.get('LAUNCHER', '')}", "run"], 60)
        print(f"{name}: {verdict(status, text)}", flush=True)
    print(f"{compiled} of {len(chosen)} were compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
