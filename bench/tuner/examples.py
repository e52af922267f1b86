#!/usr/bin/env python3
"""Runs Kernel Tuner's own OpenCL examples with one line changed, the import.

examples.py CHECKOUT: runs each file of CHECKOUT/examples/opencl with `from specpi.kernel_tuner import tune_kernel` in
place of `from kernel_tuner import tune_kernel`. CHECKOUT is a checkout of github.com/KernelTuner/kernel_tuner. Each
call tries at most --most configurations, which a hash chooses.

A row has the numbers of calls, of configurations that were tried, and of valid ones. --compare also runs Kernel Tuner's
own OpenCL backend, which needs pyopencl, and compares outputs. --small makes the sizes in the files smaller, for a CPU.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

IMPORTS = [
    (r"^from kernel_tuner import (.*)$", r"from specpi.kernel_tuner import \1"),
    (r"^import kernel_tuner$", r"import specpi.kernel_tuner as kernel_tuner"),
]
SIZES = [("4096", "256"), ("2048", "128"), ("800000000", "1000000"), ("80000000", "100000"), ("10000000", "100000")]
PASSED = ("grid_div_x", "grid_div_y", "grid_div_z", "lang", "block_size_names", "defines", "compiler_options")
CHECKED = 3  # number of valid configurations of a call whose outputs are kept


def change_imports(text):
    for line, changed in IMPORTS:
        text = re.sub(line, changed, text, flags=re.M)
    return text


def make_small(text):
    for size, small in SIZES:
        text = re.sub(rf"\b{size}\b", small, text)
    return text


class Drawn:
    """A strategy that tries the first configurations in the order of their hashes.

    So both backends try mostly the same ones, although one of them allows larger work-groups.
    """

    def __init__(self, most):
        self.most = most

    def tune(self, searchspace, runner, tuning_options):
        listed = sorted(searchspace.list, key=lambda one: hashlib.sha1(repr(one).encode()).digest())
        return [one for one in runner.run(listed[: self.most], tuning_options) if one]


class Recorder:
    """Replaces a module's tune_kernel. Tries at most ``most`` configurations of each call, and records results."""

    def __init__(self, module, most):
        self.most, self.rows, self.outputs = most, [], {}
        self.tune, self.run = module.tune_kernel, module.run_kernel
        module.tune_kernel = self.tune_kernel

    def tune_kernel(self, name, source, size, arguments, tuned, **given):
        results, env = self.tune(name, source, size, arguments, tuned, strategy=Drawn(self.most), **given)
        valid = [one for one in results if "__error__" not in one]
        self.rows.append([len(results), len(valid)])
        same = {key: given[key] for key in PASSED if key in given}
        for one in valid[:CHECKED]:
            params = {key: one[key] for key in tuned}
            made = self.run(name, source, size, arguments, params, quiet=True, **same)
            self.outputs[f"{len(self.rows)} {params}"] = made[0]
        return results, env


def run_example(path, most, directory):
    """Runs an example and prints its rows. Must run in a process of its own, in the example's directory."""
    text = Path(path).read_text(encoding="utf-8")
    is_ours = "specpi.kernel_tuner" in text
    module = __import__("specpi.kernel_tuner" if is_ours else "kernel_tuner", fromlist=["tune_kernel"])
    recorder = Recorder(module, most)
    np.random.seed(1)  # the same data for both backends
    exec(compile(text, path, "exec"), {"__name__": "__main__", "__file__": path})
    np.savez(os.path.join(directory, "outputs.npz"), **recorder.outputs)
    print(json.dumps(recorder.rows))


def start_example(options, name, ours):
    """Runs an example with our backend or Kernel Tuner's. Returns its rows, its outputs and its printed text.

    After a failure, the rows are None and the text is the error.
    """
    with tempfile.TemporaryDirectory() as scratch:
        directory = os.path.join(scratch, "opencl")
        shutil.copytree(os.path.join(options.checkout, "examples", "opencl"), directory)
        for path in Path(directory).iterdir():
            if path.suffix in (".py", ".cl"):
                text = path.read_text(encoding="utf-8")
                text = make_small(text) if options.small else text
                path.write_text(change_imports(text) if ours and path.name == name else text, encoding="utf-8")
        command = [sys.executable, os.path.abspath(__file__), scratch, "--example", name, "--most", str(options.most)]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=options.timeout)
        if done.returncode != 0:
            said = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
            return None, {}, f"exit status {done.returncode}: {said}"
        with np.load(os.path.join(scratch, "outputs.npz")) as outputs:
            return json.loads(done.stdout.splitlines()[-1]), dict(outputs), done.stdout


def compare_outputs(ours, theirs):
    """Returns how many outputs both backends have, and how many of these are equal up to rounding."""
    both = ours.keys() & theirs.keys()
    same = sum(np.allclose(ours[key], theirs[key], rtol=1e-4, atol=1e-4) for key in both)
    return len(both), same


def print_row(options, name):
    rows, outputs, said = start_example(options, name, True)
    if rows is None:
        print(f"{name:28} {said}", flush=True)
        return False
    tried, valid = (sum(one[i] for one in rows) for i in (0, 1))
    line = f"{name:28} {len(rows):5} {tried:5} {valid:5}"
    if options.compare:
        other, theirs, why = start_example(options, name, False)
        count, same = compare_outputs(outputs, theirs)
        theirs_valid = sum(one[1] for one in other or [])
        line += f"  theirs {theirs_valid}, {same} of {count} outputs the same" if other else f"  theirs: {why}"
    print(line, flush=True)
    for one in dict.fromkeys(re.findall(r"^specpi: (.*)$", said, re.M)):
        print(f"{'':4}{one}", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", help="a checkout of Kernel Tuner")
    parser.add_argument("--most", type=int, default=8, help="configurations of a call (8)")
    parser.add_argument("--small", action="store_true", help="smaller sizes in place of those of the examples")
    parser.add_argument("--compare", action="store_true", help="run them with Kernel Tuner's own backend, too")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one example (600)")
    parser.add_argument("--only", help="the name of one example")
    parser.add_argument("--example", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.example:
        return run_example(options.example, options.most, options.checkout)
    names = sorted(path.name for path in Path(options.checkout, "examples", "opencl").glob("*.py"))
    names = [name for name in names if options.only in (None, name)]
    print(f"{'example':28} {'calls':>5} {'tried':>5} {'valid':>5}", flush=True)
    ran = sum(print_row(options, name) for name in names)
    print(f"{ran} of {len(names)} run")
    return None if ran == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
