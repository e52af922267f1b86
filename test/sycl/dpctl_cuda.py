"""Runs some of dpctl's own tests on the CUDA plugin, by "specpi run --cuda": tests of devices, memory, and
kernels in SPIR-V.

Every test must pass or be skipped, most must pass, and the plugin must be the given file. There is no
other plugin for the fake driver to compare with.
"""

import os
import sys
import tempfile

import dpctl_compare

FILES = ["test_sycl_device.py", "test_sycl_usm.py", "test_sycl_queue_memcpy.py",
         "elementwise/test_isnan.py", "elementwise/test_hypot.py",
         "test_usm_ndarray_utility_functions.py"]
# The least number of tests that must pass. The others need kinds of devices that do not exist here.
LEAST = 950


def main(specpi, runtime, plugin):
    tests = dpctl_compare.dpctl_tests()
    files = [os.path.join(tests, name) for name in FILES]
    command = [specpi, "run", "--cuda", "--sycl-rt", runtime, "--"]
    with tempfile.TemporaryDirectory(prefix="specpi-dpctl-") as directory:
        leg = dpctl_compare.run_leg("cuda", command, files, tests, directory)
        dpctl_compare.check_plugin(leg, plugin)
    bad = {test: outcome for test, (outcome, _) in leg.outcomes.items()
           if outcome not in ("passed", "skipped")}
    for test, outcome in bad.items():
        print(f"{outcome:<10} {test}")
    passed = sum(outcome == "passed" for outcome, _ in leg.outcomes.values())
    if passed < LEAST:
        print(f"{passed} tests passed, {LEAST} at least should")
    return 1 if bad or passed < LEAST or leg.status != 0 else 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except dpctl_compare.CannotCompare as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
