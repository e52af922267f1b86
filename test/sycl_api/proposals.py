"""Checks that the tests named in docs/internals/proposals.md exist.

usage: proposals.py PROPOSALS.md SOURCE_DIRECTORY BUILD_DIRECTORY CTEST

Each row is | section | message | test | result |. Tests stand in backquotes: "sycl_api.NAME: CASE"
is a case that the program sycl-api-NAME lists; a path is a file of the sources; all else is a test
of ctest, or what the names of several begin with. A result is "holds", or says why not.
"""

import pathlib
import re
import subprocess
import sys


def registered(ctest, build):
    listing = subprocess.run([ctest, "--test-dir", build, "-N"], check=True, capture_output=True, text=True)
    return re.findall(r"Test +#\d+: (\S+)", listing.stdout)


def cases(build, name, known={}):
    if name not in known:
        program = pathlib.Path(build, "test", "bin", f"sycl-api-{name}")
        if not program.exists():
            return None
        listing = subprocess.run([program, "--list"], check=True, capture_output=True, text=True)
        known[name] = listing.stdout.splitlines()
    return known[name]


def wrong_with_test(test, source, build, names):
    found = re.fullmatch(r"sycl_api\.(\w+): (.+)", test)
    if found:
        listed = cases(build, found[1])
        if listed is None:
            return f"there is no program sycl-api-{found[1]}"
        return None if found[2] in listed else f"sycl-api-{found[1]} has no case {found[2]!r}"
    if "/" in test:
        return None if pathlib.Path(source, test).exists() else "there is no such file"
    return None if any(n == test or n.startswith(test + ".") for n in names) else "there is no such test"


def main(proposals, source, build, ctest):
    names = registered(ctest, build)
    rows = 0
    wrong = []
    for number, line in enumerate(pathlib.Path(proposals).read_text().splitlines(), 1):
        if not line.startswith("|") or line.startswith(("|---", "| section")):
            continue
        cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        rows += 1
        if len(cells) != 4 or not all(cells):
            wrong.append(f"{number}: a row has four cells, none of them empty: {line}")
            continue
        tests = re.findall(r"`([^`]+)`", cells[2])
        holds = cells[3].startswith("holds")
        if holds and not tests:
            wrong.append(f"{number}: what holds has a test that shows it: {cells[1]}")
        if not holds and len(cells[3].split()) < 3:
            wrong.append(f"{number}: what does not hold has its reason: {cells[1]}")
        for test in tests:
            reason = wrong_with_test(test, source, build, names)
            if reason:
                wrong.append(f"{number}: {test}: {reason}")
    print("\n".join(wrong))
    print(f"{rows} rows, {len(wrong)} wrong")
    return 1 if wrong or rows == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
