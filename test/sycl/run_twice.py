"""Runs a SYCL program twice with libsycl's disk cache, which is empty before the first run.

Fails unless both runs succeed, the first one stores programs, and the second one uses them and
builds nothing.
"""

import argparse
import os
import subprocess
import sys
import tempfile


def run(command, directory):
    """Returns how many programs libsycl has stored in its cache, and how many it has used from there."""
    environment = dict(
        os.environ, SYCL_CACHE_PERSISTENT="1", SYCL_CACHE_DIR=directory, SYCL_CACHE_TRACE="1"
    )
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    print(done.stdout, end="", flush=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} exited with {done.returncode}")
    return (
        done.stdout.count("device binary has been cached"),
        done.stdout.count("using cached device binary"),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    command = parser.parse_args().command
    with tempfile.TemporaryDirectory(prefix="specpi-sycl-cache-") as directory:
        first = run(command, directory)
        second = run(command, directory)
    print(f"first run: {first[0]} stored, {first[1]} used")
    print(f"second run: {second[0]} stored, {second[1]} used")
    if first[0] == 0 or second != (0, first[0]):
        sys.exit("the second run did not take every program from the cache")


if __name__ == "__main__":
    main()
