"""The checks of the jobs of make wheels: each prints a line, and the last line of a job is its result."""
import importlib.metadata
import sys
import time

# The fake driver runs the work-items of a sub-group one after another, each up to the next barrier.
IS_FAKE = sys.argv[1] == "fake"

_counts = {"right": 0, "refused": 0, "wrong": 0}


def _print(outcome, name, text, start):
    _counts[outcome] += 1
    print(f"{outcome:8}{name}: {text}, {time.monotonic() - start:.1f} s", flush=True)


def right(name, compute, expected, tolerance=0.0):
    """Compares the GPU's numbers with the CPU's."""
    import numpy

    start = time.monotonic()
    try:
        got = numpy.asarray(compute())
        want = numpy.asarray(expected)
        if got.shape != want.shape:
            _print("wrong", name, f"the shape is {got.shape}, not {want.shape}", start)
            return
        error = float(numpy.max(numpy.abs(got - want), initial=0))
        scale = max(1.0, float(numpy.max(numpy.abs(want), initial=0)))
        outcome = "right" if error <= tolerance * scale else "wrong"
        _print(outcome, name, f"largest difference {error:.2g}", start)
    except Exception as error:  # the error is the job's result
        _print("wrong", name, f"{type(error).__name__}: {_one_line(error)}", start)


def refused(name, compute, words):
    """Checks that a call is refused with these words, and neither hangs nor returns a number."""
    start = time.monotonic()
    try:
        compute()
        _print("wrong", name, "was not refused", start)
    except Exception as error:
        outcome = "refused" if words in str(error) else "wrong"
        _print(outcome, name, _one_line(error), start)


def holds(outcome, name, condition, text):
    """Checks a condition; the outcome is "right" or "refused"."""
    _print(outcome if condition else "wrong", name, text, time.monotonic())


def _one_line(error):
    return " ".join(str(error).split())[:200]


def finish(*packages):
    """Prints the result, and ends the job: with 0 if nothing was wrong."""
    versions = ", ".join(f"{one} {importlib.metadata.version(one)}" for one in packages)
    print(
        f"wheels: {versions} on the {'fake driver' if IS_FAKE else 'GPU'}: {_counts['right']} right, "
        f"{_counts['refused']} refused as known, {_counts['wrong']} wrong"
    )
    sys.exit(1 if _counts["wrong"] or not _counts["right"] + _counts["refused"] else 0)
