"""Kernel Tuner over images with constants (specpi), and over CUDA sources by NVRTC (NVCUDA, CuPy).

usage: tuner.py FOLDER [--side N] [--backends specpi,NVCUDA,CUPY] [--kernels product,convolution] [--limit SECONDS]
FOLDER has product.spv.so and convolution.spv.so, of specpi-cc --emit=so. A row goes out as soon as it is known.
"""

import argparse
import os
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
GROUPS = {"block_size_x": [8, 16, 32], "block_size_y": [4, 8, 16]}
TILES = {"rows": [1, 2, 4, 8], "columns": [1, 2, 4]}


def cuda_source(name):
    """The source with its header inside: NVRTC is given no folder."""
    with open(os.path.join(HERE, "tuned.clh"), encoding="utf-8") as file:
        header = file.read()
    with open(os.path.join(HERE, name + ".cl"), encoding="utf-8") as file:
        return file.read().replace('#include "tuned.clh"', header)


def product_case(side):
    random = np.random.default_rng(1)
    a, b = (random.random((side, side), np.float32) for _ in range(2))
    return {
        "arguments": [np.zeros((side, side), np.float32), a, b, np.int32(side)],
        "answer": [a @ b, None, None, None],
        "atol": 1e-3 * side,
        "tune_params": {**GROUPS, **TILES, "depth": [8, 16]},
        "smem_args": {
            "size": lambda p: 4
            * p["depth"]
            * (p["block_size_y"] * p["rows"] + p["block_size_x"] * p["columns"])
        },
    }


def convolution_case(side, radius=3):
    random = np.random.default_rng(1)
    width = 2 * radius + 1
    image = random.random((side + 2 * radius, side + 2 * radius), np.float32)
    weights = random.random((width, width), np.float32)
    answer = np.zeros((side, side), np.float32)
    for v in range(width):
        for u in range(width):
            answer += weights[v, u] * image[v : v + side, u : u + side]
    return {
        "arguments": [np.zeros((side, side), np.float32), image, weights, np.int32(side)],
        "answer": [answer, None, None, None],
        "atol": 1e-3,
        "tune_params": {**GROUPS, **TILES, "radius": [radius]},
    }


CASES = {"product": product_case, "convolution": convolution_case}


def tune(backend, name, folder, case, side, evaluations, seconds):
    common = dict(
        kernel_name=name,
        problem_size=(side, side),
        grid_div_x=["block_size_x", "columns"],
        grid_div_y=["block_size_y", "rows"],
        quiet=True,
        iterations=7,
        strategy="random_sample",
        strategy_options={"max_fevals": evaluations, "time_limit": seconds},
        restrictions=["block_size_x * block_size_y >= 32"],
        seed=1,
        **case,
    )
    if backend == "specpi":
        from specpi.kernel_tuner import tune_kernel

        return tune_kernel(kernel_source=os.path.join(folder, name + ".spv.so"), device="cuda:0", **common)
    from kernel_tuner import tune_kernel

    # Kernel Tuner reads the tunables as macros, and looks for nothing else in a string of source.
    return tune_kernel(kernel_source=cuda_source(name), lang=backend, **common)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--side", type=int, default=1024)
    parser.add_argument("--evaluations", type=int, default=100)
    parser.add_argument("--backends", default="specpi,NVCUDA,CUPY")
    parser.add_argument("--kernels", default="product,convolution")
    parser.add_argument("--limit", type=float, default=80, help="seconds in all")
    options = parser.parse_args()
    begin = time.perf_counter()
    print(f"{'kernel':12} {'backend':8} {'tried':>5} {'valid':>5} {'seconds':>8} {'compile':>8} {'best ms':>9}  best")
    runs = [(name, backend) for name in options.kernels.split(",") for backend in options.backends.split(",")]
    failed = False
    for done, (name, backend) in enumerate(runs):
        case = CASES[name](options.side)
        left = (options.limit - (time.perf_counter() - begin)) / (len(runs) - done)
        start = time.perf_counter()
        try:
            results, env = tune(backend, name, options.folder, case, options.side, options.evaluations, left)
        except Exception as error:  # the other backends are still worth their rows
            failed = True
            print(f"{name:12} {backend:8} {type(error).__name__}: {error}", flush=True)
            continue
        took = time.perf_counter() - start
        valid = [one for one in results if one and "__error__" not in one]
        compiled = sum(one["compile_time"] for one in results if one) / 1e3
        best = min(valid, key=lambda one: one["time"])
        where = " ".join(f"{key}={best[key]}" for key in case["tune_params"])
        print(
            f"{name:12} {backend:8} {len(results):5} {len(valid):5} {took:8.2f} {compiled:8.2f} {best['time']:9.4f}  {where}",
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
