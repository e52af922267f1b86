"""Compares Kernel Tuner over images with constants (specpi) and over CUDA sources with NVRTC (NVCUDA, CuPy).

All backends try the same list of configurations, which a seed draws.

usage: tuner.py DIRECTORY [--kernels product,convolution] [--backends NAME,...] [--count N] [--seed N] [--side N]
                       [--limit SECONDS] [--device SELECTOR] [--builds N] [--out DIRECTORY]
DIRECTORY has KERNEL.spv.so and KERNEL.ptx.so, which specpi-cc --emit=so makes for spir64 and nvptx64. Each row is
measured in a process of its own, and printed at once. --out writes tuner.json and tuner.svg.
"""

import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone

import numpy as np
from kernel_tuner.util import TuningBudget

HERE = os.path.dirname(os.path.abspath(__file__))
GROUPS = {"block_size_x": [8, 16, 32, 64, 128], "block_size_y": [1, 2, 4, 8, 16]}
TILES = {"rows": [1, 2, 4, 8], "columns": [1, 2, 4]}
IMAGES = {"native": ".spv.so", "ahead": ".spv.so", "patch": ".ptx.so"}  # of specpi's backends; the others are Kernel Tuner's
BACKENDS = [*IMAGES, "NVCUDA", "CUPY"]


def cuda_source(name):
    """Returns a source with the text of its header, because NVRTC gets no include directory."""
    with open(os.path.join(HERE, "tuned.clh"), encoding="utf-8") as file:
        header = file.read()
    with open(os.path.join(HERE, name + ".cl"), encoding="utf-8") as file:
        return file.read().replace('#include "tuned.clh"', header)


def product_case(side):
    numbers = np.random.default_rng(1)
    a, b = (numbers.random((side, side), np.float32) for _ in range(2))
    return {
        "arguments": [np.zeros((side, side), np.float32), a, b, np.int32(side)],
        "answer": [a @ b, None, None, None],
        "atol": 1e-3 * side,
        "smem_args": {
            "size": lambda p: 4
            * p["depth"]
            * (p["block_size_y"] * p["rows"] + p["block_size_x"] * p["columns"])
        },
    }


RADIUS = 3


def convolution_case(side):
    numbers = np.random.default_rng(1)
    width = 2 * RADIUS + 1
    image = numbers.random((side + 2 * RADIUS, side + 2 * RADIUS), np.float32)
    weights = numbers.random((width, width), np.float32)
    answer = np.zeros((side, side), np.float32)
    for v in range(width):
        for u in range(width):
            answer += weights[v, u] * image[v : v + side, u : u + side]
    return {
        "arguments": [np.zeros((side, side), np.float32), image, weights, np.int32(side)],
        "answer": [answer, None, None, None],
        "atol": 1e-3,
    }


CASES = {"product": product_case, "convolution": convolution_case}
TUNED = {
    "product": {**GROUPS, **TILES, "depth": [8, 16]},
    "convolution": {**GROUPS, **TILES, "radius": [RADIUS]},
}


def drawn_configurations(name, side, count, seed):
    """Returns the configurations that all backends try, in this order.

    They have groups of 32 to 1024 work-items, and tiles that divide the side.
    """
    tuned = TUNED[name]
    places = {key: place for place, key in enumerate(tuned)}
    fit = []
    for one in itertools.product(*tuned.values()):
        x, y, rows, columns = (one[places[key]] for key in ("block_size_x", "block_size_y", "rows", "columns"))
        if 32 <= x * y <= 1024 and side % (x * columns) == 0 and side % (y * rows) == 0:
            fit.append(one)
    return random.Random(seed).sample(fit, min(count, len(fit)))


class FixedList:
    """A strategy of Kernel Tuner that tries these configurations, as one list, until the time is over."""

    def __init__(self, configurations, seconds):
        self.configurations, self.end = configurations, time.perf_counter() + seconds

    def tune(self, searchspace, runner, tuning_options):
        tuning_options["budget"] = TuningBudget(max(self.end - time.perf_counter(), 1e-6))
        return [one for one in runner.run(self.configurations, tuning_options) if one]


class UncheckedList(FixedList):
    """A FixedList for NVCUDA, in which a failed verification does not end the tuning.

    Kernel Tuner 1.5.0's NVCUDA backend ignores the status of a launch. So the results of a launch that
    the driver refused fail the verification, and Kernel Tuner would end.
    """

    def tune(self, searchspace, runner, tuning_options):
        results = []
        for one in self.configurations:
            tuning_options["budget"] = TuningBudget(max(self.end - time.perf_counter(), 1e-6))
            try:
                results += [result for result in runner.run([one], tuning_options) if result]
            except RuntimeError as error:
                if "verification failed" not in str(error):
                    raise
                results.append({"__error__": str(error), "timestamp": datetime.now(timezone.utc).isoformat()})
        return results


def image_of(directory, backend, name):
    return os.path.join(directory, name + IMAGES[backend])


def tune(options, backend, name):
    """Returns Kernel Tuner's results, the seconds of the tuning, and the second at which each result was ready."""
    configurations = drawn_configurations(name, options.side, options.count, options.seed)
    common = dict(
        kernel_name=name,
        problem_size=(options.side, options.side),
        tune_params=TUNED[name],
        grid_div_x=["block_size_x", "columns"],
        grid_div_y=["block_size_y", "rows"],
        quiet=True,
        iterations=7,
        **CASES[name](options.side),
    )
    if backend in IMAGES:
        from specpi.kernel_tuner import tune_kernel

        # Passes integers of 4 bytes, because PTX has the constants' sizes but not their types.
        configurations = [tuple(map(np.int32, one)) for one in configurations]
        common.update(kernel_source=image_of(options.directory, backend, name), device=options.device)
        common["builds_ahead"] = options.builds if backend == "ahead" else 0
    else:
        from kernel_tuner import tune_kernel

        # Kernel Tuner passes the tunables to the source as macros.
        common.update(kernel_source=cuda_source(name), lang=backend)
    strategy = UncheckedList if backend == "NVCUDA" else FixedList
    begin, start = datetime.now(timezone.utc), time.perf_counter()
    results, _ = tune_kernel(strategy=strategy(configurations, options.limit), **common)
    took = time.perf_counter() - start
    return results, took, [(datetime.fromisoformat(one["timestamp"]) - begin).total_seconds() for one in results]


def make_row(options, backend, name):
    """Measures a backend, and returns its row of the JSON.

    ``progress`` has pairs of a second and the best time so far. ``times`` has each configuration's time.
    """
    results, took, moments = tune(options, backend, name)
    valid = [one for one in results if "__error__" not in one]
    row = {"kernel": name, "backend": backend, "tried": len(results), "valid": len(valid), "seconds": took}
    row["compile"] = sum(one.get("compile_time") or 0 for one in results) / 1e3
    row["times"] = [one.get("time") for one in results]
    row["progress"], best = [], None
    for one, moment in sorted(zip(results, moments), key=lambda pair: pair[1]):
        if "__error__" not in one and (best is None or one["time"] < best["time"]):
            best = one
            row["progress"].append([moment, one["time"]])
    row["best"] = best["time"] if best else None
    row["where"] = {key: int(best[key]) for key in TUNED[name]} if best else {}
    return row


def run_row(options, backend, name, seconds):
    """Measures a row in another process, so that a crash ends only one row, and each row starts without a context."""
    command = [sys.executable, os.path.abspath(__file__), os.path.abspath(options.directory), "--row", backend, name]
    for key in ("side", "count", "seed", "device", "builds"):
        if getattr(options, key) is not None:
            command += ["--" + key, str(getattr(options, key))]
    with tempfile.TemporaryDirectory() as scratch:  # Kernel Tuner leaves sources in the working directory
        # Turns all caches off, so that no run reuses another run's builds.
        environment = {**os.environ, "CUDA_CACHE_DISABLE": "1", "CUPY_CACHE_DIR": scratch, "SPECPI_CACHE_DIR": ""}
        done = subprocess.run(
            [*command, "--limit", str(seconds)], cwd=scratch, env=environment, capture_output=True, text=True
        )
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        said = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        return {"kernel": name, "backend": backend, "error": f"exit status {done.returncode}: {said}"}


def print_row(row):
    if "error" in row:
        print(f"{row['kernel']:12} {row['backend']:8} {row['error']}", flush=True)
        return
    where = " ".join(f"{key}={value}" for key, value in row["where"].items())
    best = "-" if row["best"] is None else f"{row['best']:.4f}"
    print(
        f"{row['kernel']:12} {row['backend']:8} {row['tried']:5} {row['valid']:5} {row['seconds']:8.2f} "
        f"{row['compile']:8.2f} {best:>9}  {where}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--side", type=int, default=1024)
    parser.add_argument("--count", type=int, default=200, help="configurations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backends", default=",".join(BACKENDS))
    parser.add_argument("--kernels", default="product,convolution")
    parser.add_argument("--device", default="cuda:0", help="specpi's; the others take CUDA's first")
    parser.add_argument("--builds", type=int, help="that run while a configuration is measured, in the row ahead")
    parser.add_argument("--limit", type=float, default=540, help="seconds in all; a row has its share of what is left")
    parser.add_argument("--out", help="a directory for tuner.json and tuner.svg")
    parser.add_argument("--row", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.row:
        print(json.dumps(make_row(options, *options.row)))
        return 0
    end = time.perf_counter() + options.limit
    print(f"{'kernel':12} {'backend':8} {'tried':>5} {'valid':>5} {'seconds':>8} {'compile':>8} {'best ms':>9}  best")
    runs = [(name, backend) for name in options.kernels.split(",") for backend in options.backends.split(",")]
    rows = []
    for done, (name, backend) in enumerate(runs):
        share = (end - time.perf_counter()) / (len(runs) - done)
        rows.append(run_row(options, backend, name, share))
        print_row(rows[-1])
    if options.out:
        from plot import draw_progress

        os.makedirs(options.out, exist_ok=True)
        with open(os.path.join(options.out, "tuner.json"), "w", encoding="utf-8") as file:
            given = {key: getattr(options, key) for key in ("side", "count", "seed")}
            json.dump({**given, "rows": rows}, file, indent=1)
        with open(os.path.join(options.out, "tuner.svg"), "w", encoding="utf-8") as file:
            file.write(draw_progress([row for row in rows if row.get("progress")]))
    return 1 if any("error" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
