"""Runs dpctl's own tests on a reference plugin and, by "specpi run", on ours, and compares.

The outcome of every test, and the reason of every skip, must be the same in both runs, and each
run must have used the plugin that it claims. Run it with the Python that has dpctl and pytest.
With --save the reference is all that is run, and its outcomes are kept in a file, which takes the
place of that run with --saved: several comparisons need it once.
Exit status: 0 when all is the same, 1 when something differs, 2 when nothing could be compared.
"""

import argparse
import collections
import glob
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time

SETS = {
    "sycl": ["test_sycl_*.py"],
    "tensor": ["test_tensor_*.py", "test_usm_ndarray_*.py"],
    "elementwise": ["elementwise/test_*.py"],
}
SETS["all"] = [pattern for patterns in SETS.values() for pattern in patterns]

# A run takes half a minute, or some minutes on a busy machine. After this time a test that hangs prints its stack.
STILL_SECONDS = 150
LEG_SECONDS = 400

Leg = collections.namedtuple("Leg", "name outcomes plugins unfinished status")


class CannotCompare(Exception):
    """One of the two runs did not test the plugin that it should test."""


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog="FILE... are test files of dpctl, by default those of the chosen set.",
    )
    parser.add_argument("--specpi", help="the specpi tool")
    parser.add_argument("--sycl-rt", help="passed on to specpi run")
    reference = parser.add_mutually_exclusive_group(required=True)
    reference.add_argument("--reference", help="the plugin beside libsycl")
    reference.add_argument("--saved", metavar="FILE", help="the outcomes on it, of --save")
    parser.add_argument("--save", metavar="FILE", help="run the reference only")
    parser.add_argument("--plugin", help="the plugin that specpi run puts in place")
    parser.add_argument("--set", choices=sorted(SETS), default="sycl", help="default: sycl")
    parser.add_argument("--show", type=int, default=40, help="differences to print (default 40)")
    parser.add_argument("files", nargs="*", metavar="FILE")
    arguments = parser.parse_args()
    if arguments.save and not arguments.reference:
        parser.error("--save wants --reference")
    if not arguments.save and not (arguments.specpi and arguments.plugin):
        parser.error("--specpi and --plugin are wanted")
    return arguments


def dpctl_tests():
    # Importing the package would start a SYCL runtime in this process, so it is only located.
    spec = importlib.util.find_spec("dpctl")
    if spec is None:
        raise CannotCompare(f"{sys.executable} has no dpctl")
    return os.path.join(os.path.dirname(spec.origin), "tests")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def run_leg(name, prefix, files, tests, directory, left_out=()):
    here = os.path.dirname(os.path.abspath(__file__))
    report = os.path.join(directory, name + ".jsonl")
    log = os.path.join(directory, name + ".log")
    environment = dict(
        os.environ,
        SPECPI_DPCTL_REPORT=report,
        PYTHONPATH=here,
        PYTHONDONTWRITEBYTECODE="1",
        # For the test that compiles a C++ extension of 20,000 lines and calls it once.
        CFLAGS="-O0 -g0",
    )
    command = [*prefix, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "dpctl_probe", "-o", f"faulthandler_timeout={STILL_SECONDS}"]
    command += [f"--deselect={each}" for each in left_out]
    command += [f"--rootdir={tests}", *files]
    for each in left_out:
        print(f"{name}: not run here: {each}")
    print(f"{name}: {len(files)} files ...", end=" ", flush=True)
    start = time.monotonic()
    with open(log, "w", encoding="utf-8") as output:
        try:
            status = subprocess.run(
                command,
                cwd=directory,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=LEG_SECONDS,
            ).returncode
        except subprocess.TimeoutExpired:
            status = f"none after {LEG_SECONDS} s"
    seconds = time.monotonic() - start

    outcomes, plugins, unfinished = {}, None, None
    if os.path.exists(report):
        with open(report, encoding="utf-8") as lines:
            for entry in map(json.loads, lines):
                if "started" in entry:
                    unfinished = entry["started"]
                elif "plugins" in entry:
                    plugins, unfinished = entry["plugins"], None
                else:
                    outcomes[entry["test"]] = (entry["outcome"], entry["reason"])
    if unfinished is not None:
        outcomes[unfinished] = ("crashed", f"exit status {status}")
    print(f"{summary(outcomes)} in {seconds:.0f} s")
    if isinstance(status, str):
        print_end(log, 150)
    if not any(outcome == "passed" for outcome, _ in outcomes.values()):
        print_end(log, 30)
        raise CannotCompare(f"{name}: no test passed, exit status {status}")
    return Leg(name, outcomes, plugins, unfinished, status)


def print_end(log, count):
    with open(log, encoding="utf-8", errors="replace") as output:
        print("".join(output.readlines()[-count:]))


def summary(outcomes):
    counts = collections.Counter(outcome for outcome, _ in outcomes.values())
    order = ["passed", "failed", "skipped", "error", "xfailed", "xpassed", "crashed"]
    always = {"passed", "failed", "skipped"}
    return ", ".join(f"{counts[each]} {each}" for each in order if counts[each] or each in always)


def check_plugins(leg, expected):
    """Checks that the run used these plugins, or copies of them, and no others."""
    if leg.plugins is None:
        raise CannotCompare(f"{leg.name}: pytest did not come to its end, {leg.unfinished}")
    if sorted(leg.plugins.values()) != sorted(map(digest, expected)):
        raise CannotCompare(f"{leg.name}: used {sorted(leg.plugins) or 'nothing'}, not {expected}")
    for path in leg.plugins:
        print(f"{leg.name}: plugin {path}")


def check_plugin(leg, expected):
    check_plugins(leg, [expected])


def save(leg, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"outcomes": leg.outcomes, "status": leg.status}, file)


def saved(path):
    """Returns the reference saved by an earlier run, which has checked its plugin."""
    with open(path, encoding="utf-8") as file:
        kept = json.load(file)
    outcomes = {test: tuple(outcome) for test, outcome in kept["outcomes"].items()}
    print(f"reference: {summary(outcomes)}, of {path}")
    return Leg("reference", outcomes, None, None, kept["status"])


def compare(reference, ours, show):
    absent = ("not run", "")
    differences = [
        (test, reference.outcomes.get(test, absent), ours.outcomes.get(test, absent))
        for test in {**reference.outcomes, **ours.outcomes}
    ]
    differences = [each for each in differences if each[1] != each[2]]
    if differences:
        print(f"\n{'reference':<10} {'ours':<10} test")
    for test, expected, got in differences[:show]:
        print(f"{expected[0]:<10} {got[0]:<10} {test}")
        if expected[0] == got[0] or "crashed" in (expected[0], got[0]):
            print(f"{'':<21} reference: {expected[1] or '-'}; ours: {got[1] or '-'}")
    if len(differences) > show:
        print(f"... and {len(differences) - show} more")
    return differences


def main():
    arguments = parse_arguments()
    tests = dpctl_tests()
    files = [os.path.abspath(each) for each in arguments.files]
    if not files:
        for pattern in SETS[arguments.set]:
            files += sorted(glob.glob(os.path.join(tests, pattern)))
    if arguments.save and os.path.exists(arguments.save):
        os.remove(arguments.save)
    run_ours = [arguments.specpi, "run"]
    if arguments.sycl_rt:
        run_ours += ["--sycl-rt", arguments.sycl_rt]
    with tempfile.TemporaryDirectory(prefix="specpi-dpctl-") as directory:
        if arguments.saved:
            reference = saved(arguments.saved)
        else:
            reference = run_leg("reference", [], files, tests, directory)
            check_plugin(reference, arguments.reference)
        if arguments.save:
            save(reference, arguments.save)
            return 0
        ours = run_leg("ours", [*run_ours, "--"], files, tests, directory)
        if ours.plugins is not None:  # else it crashed, which shows as a difference
            check_plugin(ours, arguments.plugin)
    differences = compare(reference, ours, arguments.show)
    same = len({**reference.outcomes, **ours.outcomes}) - len(differences)
    print(f"\n{same} tests with the same outcome, {len(differences)} different")
    print(f"ours: {summary(ours.outcomes)}")
    if ours.status != reference.status:
        print(f"pytest's exit status: {reference.status} on the reference, {ours.status} on ours")
    return 1 if differences or ours.status != reference.status else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CannotCompare as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
