"""Level Zero's own conformance tests on the entries of ze/: builds them, runs them, and compares what fails with
expected.txt.

    run.py SOURCE WORK SPECPI [--driver DIRECTORY] [--include DIRECTORY] [--only NAME...] [--built]

SOURCE is a checkout of level-zero-tests, or empty to clone the pinned commit into WORK: it is of the time of Debian
12's header, Level Zero 1.4. WORK is a directory for all results, SPECPI the directory of a build. --driver names the
directory of the fake CUDA driver; without it the tests use the machine's own driver. The tests need Debian's packages
libgtest-dev, libgmock-dev, libpng-dev, and of Boost log, program-options, timer, chrono and system.

Only tests of functions that ze/ has are built. Those of not-run.txt end the process, wait for ever or test nothing. The
fake driver has one device, and two for test_p2p: with several, tests launch a module's kernel on another device."""

import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from gtest_suite import find_programs, find_source, read_expected, report_all, run, run_program

REPOSITORY = "https://github.com/oneapi-src/level-zero-tests"
COMMIT = "12aa34929976155b020eeaaa036a9b5541cbf29f"
HERE = pathlib.Path(__file__).resolve().parent
TESTS = (
    "barrier cmdlist cmdqueue context copy device driver event fence memory module multithread p2p residency usm"
).split()


def find_kernels(source, work, test):
    """Returns a directory with links to all kernels. Programs open them in the working directory. Where two directories
    of tests have one of the same name, the program gets its own."""
    directory = work / "kernels" / test
    directory.mkdir(parents=True, exist_ok=True)
    own = source / "conformance_tests/core" / test
    for file in sorted(source.glob("conformance_tests/core/*/kernels/*.spv"), key=lambda file: own in file.parents):
        link = directory / file.name
        link.unlink(missing_ok=True)
        link.symlink_to(file)
    return directory


def make_tests(options, source, build):
    """Builds all programs."""
    specpi = pathlib.Path(options.specpi).resolve()
    run(
        ["cmake", "-S", HERE, "-B", build, "-G", "Ninja", "-DCMAKE_CXX_FLAGS=-O0 -w", f"-DLZT_SOURCE={source}"]
        + [f"-DLZT_LOADER={specpi / 'libexec/specpi/ze/libze_loader.so.1'}"]
        + [f"-DLZT_ADAPTER={specpi / 'lib/libur_adapter_cuda.so.0'}", f"-DLZT_INCLUDE={options.include}"]
        + ["-DLZT_TESTS=" + ";".join(f"test_{name}" for name in TESTS)]
    )
    run(["cmake", "--build", build])


def main():
    """Prints a row for each program, then the unexpected results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name in ("source", "work", "specpi"):
        parser.add_argument(name)
    parser.add_argument("--driver")
    parser.add_argument("--include", default="/usr/include")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--built", action="store_true", help="run the programs of an earlier build")
    options = parser.parse_args()
    work = pathlib.Path(options.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    source = find_source(options.source, work, REPOSITORY, COMMIT, "conformance_tests/core")
    build = work / "build"
    if not options.built:
        make_tests(options, source, build)
    loader = pathlib.Path(options.specpi).resolve() / "libexec/specpi/ze"
    driver = [str(pathlib.Path(options.driver).resolve())] if options.driver else []
    left_out = read_expected(HERE / "not-run.txt")

    def run_one(program):
        test = program.parent.name
        environment = dict(
            os.environ,
            LD_LIBRARY_PATH=":".join([str(loader)] + driver),
            FAKE_CUDA_STRICT="1",
            FAKE_CUDA_DEVICES="2" if test == "test_p2p" else "1",
        )
        return run_program(program, work, environment, find_kernels(source, work, test), left_out)

    programs = [one for one in find_programs(build) if not one.name.endswith("_helper")]
    chosen = [one for one in programs if not options.only or one.name in options.only]
    sys.exit(not report_all(chosen, run_one, read_expected(HERE / "expected.txt")))


if __name__ == "__main__":
    main()
