"""Common parts of the scripts that run another project's GoogleTest programs: the checkout, the run of a program, and
the comparison with a list of expected failures."""

import os
import pathlib
import subprocess
import xml.etree.ElementTree as ElementTree

KINDS = ("passed", "skipped", "failed")


def run(command, **options):
    """Runs a command that must succeed."""
    return subprocess.run([str(word) for word in command], check=True, **options)


def find_source(given, work, repository, commit, part):
    """Returns the checkout, or a clone of the commit without the history, which would be large. part is a directory
    that a complete clone has."""
    if given:
        return pathlib.Path(given).resolve()
    source = work / "source"
    if not (source / part).is_dir():
        run(["git", "init", "-q", source])
        run(["git", "-C", source, "fetch", "-q", "--depth=1", repository, commit])
        run(["git", "-C", source, "checkout", "-q", "FETCH_HEAD"])
    return source


def run_program(program, work, environment, directory=None, left_out=()):
    """Returns the names of a program's tests by outcome, without the prefix and the number of a value-parameterized
    test. A program that dies counts as one failed test. Tests that are left out are not run."""
    report = work / f"{program.name}.xml"
    report.unlink(missing_ok=True)
    log = work / f"{program.name}.log"
    patterns = [f"{start}{name}{end}" for name in left_out for start in ("", "*/") for end in ("", "/*")]
    with log.open("wb") as output:
        code = subprocess.run(
            [program, f"--gtest_output=xml:{report}"] + (["--gtest_filter=-" + ":".join(patterns)] if patterns else []),
            env=environment,
            cwd=directory,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=1800,
        ).returncode
    outcomes = {kind: [] for kind in KINDS}
    if not report.exists():
        outcomes["failed"].append(f"{program.name} ended with {code} (see {log})")
        return outcomes
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname').split('/')[-1]}.{case.get('name').split('/')[0]}"
        kind = "failed" if case.find("failure") is not None else "passed"
        kind = "skipped" if case.find("skipped") is not None else kind
        outcomes[kind].append(name)
    return outcomes


def read_expected(file):
    """Returns the names in a list of expected failures, with their reasons."""
    lines = file.read_text().splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def find_programs(directory):
    """Returns the programs below a directory of a build, without CMake's own."""
    files = (file for file in sorted(directory.rglob("*")) if file.is_file() and os.access(file, os.X_OK))
    return [file for file in files if "CMakeFiles" not in file.parts and ".so" not in file.name]


def report_all(programs, run_one, expected):
    """Runs the programs, prints a row for each, then the expected and the unexpected failures. Returns whether all is
    as expected."""
    seen = {kind: set() for kind in KINDS}
    counts = dict.fromkeys(KINDS, 0)
    print(f"{'':36}{'passed':>8}{'skipped':>8}{'failed':>8}")
    for program in programs:
        outcomes = run_one(program)
        for kind, names in outcomes.items():
            seen[kind].update(names)
            counts[kind] += len(names)
        print(f"{program.name:36}" + "".join(f"{len(outcomes[kind]):8}" for kind in KINDS), flush=True)
    print(f"{'all':36}" + "".join(f"{counts[kind]:8}" for kind in KINDS))
    passes = sorted(seen["passed"] & expected.keys() - seen["failed"])
    wrong = [f"failed: {name}" for name in sorted(seen["failed"] - expected.keys())]
    wrong += [f"passes, and expected.txt says not: {name}" for name in passes]
    for name in sorted(seen["failed"] & expected.keys()):
        print(f"expected to fail: {name}: {expected[name]}")
    for line in wrong:
        print(line)
    return not wrong and counts["passed"] != 0
