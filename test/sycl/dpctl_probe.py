"""A pytest plugin: writes each test's outcome, and the PI plugins in use, to a file.

Those are the files named as a word of SPECPI_DPCTL_PLUGIN, or else libpi_opencl.so.

The file (SPECPI_DPCTL_REPORT) gets one JSON object per line, as soon as it is known, so that a
crash loses nothing but the test that crashed:
    {"test": node id, "outcome": ..., "reason": ...}   one per test
    {"started": node id}                                 before each test
    {"plugins": {path: SHA-256 of the file}}             once, at the end
"""

import hashlib
import json
import os

OUTPUT = open(os.environ["SPECPI_DPCTL_REPORT"], "w", encoding="utf-8")
PLUGINS = os.environ.get("SPECPI_DPCTL_PLUGIN", "libpi_opencl.so").split()
FINAL = {}


def write(entry):
    OUTPUT.write(json.dumps(entry) + "\n")
    OUTPUT.flush()


def reason_of(report):
    """Returns the reason why a test was skipped, without its source line."""
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    return ""


def pytest_runtest_logstart(nodeid, location):
    write({"started": nodeid})


def pytest_runtest_logreport(report):
    outcome = FINAL.get(report.nodeid)
    if report.failed:
        outcome = "failed" if report.when == "call" else "error"
    elif report.skipped:
        outcome = "xfailed" if hasattr(report, "wasxfail") else "skipped"
    elif report.when == "call":
        outcome = "xpassed" if hasattr(report, "wasxfail") else "passed"
    FINAL[report.nodeid] = outcome
    if report.skipped or report.when == "teardown":
        write({"test": report.nodeid, "outcome": outcome, "reason": reason_of(report)})


def pytest_collectreport(report):
    if report.failed:
        write({"test": report.nodeid, "outcome": "error", "reason": "collection failed"})


def pytest_sessionfinish(session, exitstatus):
    paths = set()
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            path = line[line.find("/") :].strip() if "/" in line else ""
            if os.path.basename(path) in PLUGINS:
                paths.add(path)
    digests = {}
    for path in sorted(paths):
        with open(path, "rb") as file:
            digests[path] = hashlib.sha256(file.read()).hexdigest()
    write({"plugins": digests})
