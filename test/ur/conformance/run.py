"""Unified Runtime's own conformance tests on an adapter: builds them, runs them, and compares what fails
with expected.txt.

    run.py SOURCE WORK SPECPI RUNTIMES [--driver DIRECTORY] [--only NAME...]

SOURCE is a checkout of the UR repository, or empty to clone into WORK the commit of the loader 2026.2.0: the tests
are of one release. WORK is a directory for all results, SPECPI the directory of a build, RUNTIMES that of
scripts/runtimes.sh, which must have 2026.2. --driver names the directory of the fake CUDA driver; without it the tests
use the machine's own driver. Tests that UR expects to fail with Intel's Level Zero adapter, whose backend this one
reports, run, too.

The kernels are SYCL C++, which DPC++ as a library compiles (docs/internals/kernel-compiler.md): a program passes their
source to libsycl, which leaves the SPIR-V in the working directory. It gives constants no ids, so two kernels are in
OpenCL C."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from gtest_suite import find_programs, find_source, read_expected, report_all, run, run_program

REPOSITORY = "https://github.com/oneapi-src/unified-runtime"
COMMIT = "eb58ab8d49cc733bf5081dce46265a0f8b885937"
HERE = pathlib.Path(__file__).resolve().parent
# DPC++ gives each kernel a second entry point for rounded-up ranges, which the tests' lists leave out.
WRAPPER = "19__pf_kernel_wrapper"
COMPILER = r"""
#include <fstream>
#include <iostream>
#include <sstream>
#include <sycl/sycl.hpp>
namespace experimental = sycl::ext::oneapi::experimental;
int main(int, char **argv) try {
  std::stringstream source;
  source << std::ifstream(argv[1]).rdbuf();
  sycl::queue queue;
  auto bundle = experimental::create_kernel_bundle_from_source(
      queue.get_context(), experimental::source_language::sycl, source.str());
  experimental::build(bundle, experimental::properties{experimental::build_options{"-O2"}});
} catch (const std::exception &error) {
  std::cerr << error.what() << "\n";
}
"""


class Suite:
    """The tests, their kernels, and the environment in which they run."""

    def __init__(self, options):
        self.work = pathlib.Path(options.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.specpi = pathlib.Path(options.specpi).resolve()
        self.runtimes = pathlib.Path(options.runtimes).resolve()
        self.source = find_source(options.source, self.work, REPOSITORY, COMMIT, "test/conformance")
        self.kernels = self.work / "kernels"
        self.build = self.work / "build"
        self.driver = options.driver and str(pathlib.Path(options.driver).resolve())
        self.environment = self.make_environment("2026.2", UR_CTS_ALSO_RUN_KNOWN_FAILURES="1")

    def make_environment(self, runtime, **more):
        """Returns the environment with this runtime's libraries and only this project's adapter."""
        libraries = ([self.driver] if self.driver else []) + [str(self.runtimes / runtime / "lib")]
        adapter = self.specpi / "lib/libur_adapter_cuda.so.0"
        return dict(os.environ, LD_LIBRARY_PATH=":".join(libraries), UR_ADAPTERS_FORCE_LOAD=str(adapter), **more)

    def make_compiler(self):
        """Builds the program that compiles a kernel's source."""
        runtime = self.runtimes / "2026.2"
        program = self.work / "compile_kernel"
        run(
            ["g++", "-std=c++17", "-x", "c++", "-", "-isystem", runtime / "include", f"-L{runtime / 'lib'}", "-lsycl"]
            + [f"-Wl,-rpath,{runtime / 'lib'}", "-o", program],
            input=COMPILER.encode(),
        )
        return program

    def make_kernels(self):
        """Makes NAME/spir64.bin.0 for each kernel, and the header with their names."""
        compiler = self.make_compiler()
        header = self.kernels / "kernel_entry_points.h"
        rows = []
        for source in sorted((self.source / "test/conformance/device_code").glob("*.cpp")):
            directory = self.kernels / source.stem
            module = directory / "spir64.bin.0"
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir(parents=True)
            ours = HERE / f"{source.stem}.cl"
            made = directory / "sycl_spir64.spv"
            if ours.exists():
                run([self.specpi / "bin/specpi-cc", "--emit=spirv", "-o", made, ours])
            else:
                # Some kernels must fail to build; the compiler has written the module by then.
                run(
                    [compiler, source],
                    cwd=directory,
                    env=self.make_environment("2026.2", SYCL_DUMP_IMAGES="1"),
                    stderr=subprocess.DEVNULL,
                )
            text = run([self.specpi / "bin/specpi", "inspect", made], capture_output=True, text=True).stdout
            names = [name for name in re.findall(r"^  kernel (\S+)", text, re.M) if WRAPPER not in name]
            made.rename(module)
            rows.append(f'{{"{source.stem}", {{{", ".join(f"{chr(34)}{name}{chr(34)}" for name in names)}}}}},')
        header.write_text(
            "#include <map>\n#include <string>\n#include <vector>\nnamespace uur::device_binaries {\n"
            "std::map<std::string, std::vector<std::string>> program_kernel_map = {\n" + "\n".join(rows) + "};\n}\n"
        )

    def make_tests(self):
        """Builds all programs."""
        run(
            ["cmake", "-S", HERE, "-B", self.build, "-G", "Ninja", "-DCMAKE_CXX_FLAGS=-O0 -w"]
            + [f"-DUR_SOURCE={self.source}", f"-DUR_KERNELS={self.kernels}"]
            + [f"-DUR_LOADER={self.runtimes / '2026.2/lib/libur_loader.so.0'}"],
            stdout=subprocess.DEVNULL,
        )
        run(["cmake", "--build", self.build], stdout=subprocess.DEVNULL)


def main():
    """Prints a row for each program, then the unexpected results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name in ("source", "work", "specpi", "runtimes"):
        parser.add_argument(name)
    parser.add_argument("--driver")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--built", action="store_true", help="run the programs of an earlier build")
    options = parser.parse_args()
    suite = Suite(options)
    if not options.built:
        suite.make_kernels()
        suite.make_tests()
    programs = [one for one in find_programs(suite.build) if not options.only or one.name in options.only]
    is_good = report_all(
        programs,
        lambda program: run_program(program, suite.work, suite.environment),
        read_expected(HERE / "expected.txt"),
    )
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
