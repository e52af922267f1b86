"""Compares the time to compile sycl/sycl.hpp with that of the headers of the C++ library that it includes.

Arguments: the C++ compiler, the directory of the headers, a scratch directory. The two units are compiled in
turn, and the median of the ratios counts, because other load on the machine lengthens both.
"""

import pathlib
import re
import resource
import statistics
import subprocess
import sys

LIMIT = 1.9
ROUNDS = 11


def seconds(command: list[str]) -> float:
    """Returns the processor time of a command in user mode."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> int:
    """Prints both times and their ratio. Returns 1 if the ratio is above the limit."""
    compiler, include, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    library = set()
    for header in (include / "sycl").rglob("*.hpp"):
        library |= set(re.findall(r"^ *# *include <([a-z_]+)>", header.read_text(encoding="utf-8"), re.MULTILINE))
    units = {"sycl": "#include <sycl/sycl.hpp>\n", "library": "".join(f"#include <{name}>\n" for name in sorted(library))}
    for name, text in units.items():
        (scratch / f"headers_{name}.cpp").write_text(text + "int main() {}\n", encoding="utf-8")
    ratios = []
    for _ in range(ROUNDS):
        times = [
            seconds([compiler, "-std=c++17", "-fsyntax-only", f"-I{include}", str(scratch / f"headers_{name}.cpp")])
            for name in units
        ]
        ratios.append(times[0] / times[1])
    ratio = statistics.median(ratios)
    print(f"sycl/sycl.hpp takes {ratio:.2f} times as long as its {len(library)} headers of C++")
    return ratio > LIMIT


sys.exit(main())
