"""Compares the time to compile sycl/sycl.hpp with that of the headers of the C++ library that it includes.

Arguments: the C++ compiler, the directory of the headers, a scratch directory. The two units are compiled in
turn. The shortest time of each counts, to exclude other load on the machine.
"""

import pathlib
import re
import resource
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
    least = {}
    for name, text in units.items():
        (scratch / f"headers_{name}.cpp").write_text(text + "int main() {}\n", encoding="utf-8")
    for _ in range(ROUNDS):
        for name in units:
            time = seconds([compiler, "-std=c++17", "-fsyntax-only", f"-I{include}", str(scratch / f"headers_{name}.cpp")])
            least[name] = min(time, least.get(name, time))
    ratio = least["sycl"] / least["library"]
    print(f"sycl/sycl.hpp {least['sycl']:.2f} s, its {len(library)} headers of C++ {least['library']:.2f} s: {ratio:.2f} times")
    return ratio > LIMIT


sys.exit(main())
