"""dpctl's own tests of platforms, devices, contexts, queues, events and USM, on the adapter of CUDA.

usage: dpctl_suite.py LEAST

Fails if a test fails, or if fewer than LEAST pass. Skipped tests are for missing backends and types of devices.
"""
import importlib.util
import sys

import pytest

MODULES = ("device", "device_factory", "platform", "context", "queue", "queue_manager", "queue_memcpy", "event",
           "usm")


class Count:
    def __init__(self):
        self.passed = 0

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed


def run_module(name, count):
    """Runs each by itself, because their fixtures share names. Cython would build an extension, which tests no
    adapter."""
    arguments = ["-q", "-p", "no:cacheprovider", "-k", "not cython", "--pyargs", name]
    return not importlib.util.find_spec(name) or pytest.main(arguments, plugins=[count]) == 0


def main():
    least = int(sys.argv[1])
    count = Count()
    results = [run_module(f"dpctl.tests.test_sycl_{module}", count) for module in MODULES]
    print(f"{count.passed} passed, at least {least} are expected")
    return not all(results) or count.passed < least


if __name__ == "__main__":
    sys.exit(main())
