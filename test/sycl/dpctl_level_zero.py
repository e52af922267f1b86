"""Runs dpctl's own tests on the Level Zero plugin, and compares with their run on OpenCL.

The reference is Intel's OpenCL plugin and its CPU device, in a file of dpctl_compare.py --save.
Our plugin runs on the driver in the environment, with each kind of command lists: together with our
OpenCL plugin, as on a machine with both, and alone. Expectations for each test:

- it passes if it passes on the reference. Exceptions are the tests in the file of tests that Level
  Zero does not support, which are skipped. In a run alone, tests that pass with OpenCL may be
  skipped, too, because they are about OpenCL;
- it may pass, or fail as dpctl says it should, if it is skipped on the reference;
- otherwise it has the same outcome.

One test, which asks for an OpenCL device by name and takes a third of a run, is left out, because
sycl.dpctl runs it on the same plugin.

Each run must have used the plugins that it claims, and alone at least as many tests must pass as
on the reference.
Exit status: 0 when all is as expected, 1 when not, 2 when nothing could be compared.
"""

import glob
import os
import sys
import tempfile

import dpctl_compare

LEVEL_ZERO = "libpi_level_zero.so"
OPENCL = "libpi_opencl.so"
OPENCL_ONLY = "test_sycl_kernel_submit.py::test_submit_async"
BOTH = ("both", "opencl:*;level_zero:*", "immediate", [LEVEL_ZERO, OPENCL])
ALONE = [
    ("alone-immediate", "level_zero:*", "immediate", [LEVEL_ZERO]),
    ("alone-batch", "level_zero:*", "batch", [LEVEL_ZERO]),
]


def read_tests(path):
    with open(path, encoding="utf-8") as lines:
        return {line.strip() for line in lines if line.strip() and not line.startswith("#")}


def outcomes(leg):
    return {test: outcome for test, (outcome, _) in leg.outcomes.items()}


def run(leg, command, files, tests, directory, plugins):
    name, selector, lists, used = leg
    os.environ["ONEAPI_DEVICE_SELECTOR"] = selector
    os.environ["SPECPI_LEVEL_ZERO_COMMAND_LISTS"] = lists
    os.environ["SPECPI_DPCTL_PLUGIN"] = " ".join(used)
    done = dpctl_compare.run_leg(name, command, files, tests, directory, [OPENCL_ONLY])
    dpctl_compare.check_plugins(done, [each for each in plugins if os.path.basename(each) in used])
    if done.status != 0:
        print(f"{name}: exit status {done.status}")
    return done.status != 0, outcomes(done)


def compare(name, reference, ours, may_be_skipped):
    """Prints the unexpected outcomes and returns their number."""
    wrong = 0
    for test in sorted({**reference, **ours}):
        expected, got = reference.get(test, "absent"), ours.get(test, "absent")
        fine = (
            expected == got
            or expected == "skipped" and got in ("passed", "xfailed")
            or expected == "passed" and got == "skipped" and test in may_be_skipped
        )
        if not fine:
            wrong += 1
            print(f"{name}: {expected} on OpenCL, {got} on ours: {test}")
    same = sum(reference.get(test) == outcome for test, outcome in ours.items())
    passed = sum(outcome == "passed" for outcome in ours.values())
    print(f"{name}: {passed} passed, {same} with the outcome on OpenCL, {wrong} not as expected")
    return wrong


def main(specpi, runtime, saved, file, *plugins):
    tests = dpctl_compare.dpctl_tests()
    files = sorted(glob.glob(os.path.join(tests, "test_sycl_*.py")))
    known = read_tests(file)
    command = [specpi, "run", "--sycl-rt", runtime, "--"]
    with tempfile.TemporaryDirectory(prefix="specpi-dpctl-") as directory:
        reference = outcomes(dpctl_compare.saved(saved))
        if reference.pop(OPENCL_ONLY, None) is None:
            raise dpctl_compare.CannotCompare(f"dpctl has no {OPENCL_ONLY}")
        failed, both = run(BOTH, command, files, tests, directory, plugins)
        wrong = failed + compare(BOTH[0], reference, both, known)
        for test in sorted(known):
            if both.get(test) != "skipped":
                print(f"both: {both.get(test, 'absent')}, though in the file: {test}")
                wrong += 1
        here = {test for test, outcome in both.items() if outcome == "passed"} | known
        most = sum(outcome == "passed" for outcome in reference.values())
        for leg in ALONE:
            failed, alone = run(leg, command, files, tests, directory, plugins)
            wrong += failed + compare(leg[0], reference, alone, here)
            if sum(outcome == "passed" for outcome in alone.values()) < most:
                print(f"{leg[0]}: fewer tests passed than the {most} on the reference")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except dpctl_compare.CannotCompare as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
