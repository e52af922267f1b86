"""Computes with dpctl, an existing SYCL application, and compares the results with numpy's.

dpctl's wheel has its kernels precompiled. libsycl loads them, and the plugin that it found runs
them. The program exits with 1 if a result is wrong.
"""

import sys
import time

import dpctl
import dpctl.tensor as dpt
import numpy as np

COUNT = 1_000_000
SIDE = 300


def plugins_in_use():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line[line.find("/") :].strip() for line in maps if "/" in line}
    return sorted(path for path in paths if path.endswith("/libpi_opencl.so"))


def normal_distribution(xp, x):
    """Returns the standard normal distribution function, by a logistic approximation."""
    return 1.0 / (1.0 + xp.exp(-x * (1.5976 + 0.070566 * x * x)))


def option_prices(xp, price, strike, years):
    """Returns Black-Scholes prices of call options. ``xp`` is numpy or dpctl.tensor."""
    rate, volatility = 0.03, 0.2
    spread = volatility * xp.sqrt(years)
    d1 = (xp.log(price / strike) + (rate + 0.5 * volatility**2) * years) / spread
    discounted = strike * xp.exp(-rate * years)
    return price * normal_distribution(xp, d1) - discounted * normal_distribution(xp, d1 - spread)


def main():
    random = np.random.default_rng(20240731)
    numbers = random.standard_normal(COUNT)
    market = [random.uniform(low, high, COUNT) for low, high in ((10, 50), (10, 50), (0.5, 2))]
    left, right = random.standard_normal((2, SIDE, SIDE))

    # Each case: name, computation with numpy or dpctl.tensor, inputs, tolerance.
    cases = [
        ("sum", lambda xp, x: xp.sum(x), [numbers], 1e-11),
        ("sum of squares", lambda xp, x: xp.sum(x * x), [numbers], 1e-11),
        ("sort", lambda xp, x: xp.sort(x), [numbers], 0.0),
        ("option prices", option_prices, market, 1e-11),
        ("matrix product", lambda xp, a, b: xp.matmul(a, b), [left, right], 1e-11),
    ]
    queue = dpctl.SyclQueue()
    dpt.asarray([0.0], sycl_queue=queue)
    print("dpctl, an existing SYCL application, on arrays in USM memory; numpy is the judge\n")
    print(f"  device  {queue.sycl_device.name}")
    for plugin in plugins_in_use():
        print(f"  plugin  {plugin}")
    print(f"\n  {'':<16}{'results':>10}{'first run':>12}   largest error")

    wrong = 0
    for name, compute, inputs, tolerance in cases:
        on_device = [dpt.asarray(each, sycl_queue=queue) for each in inputs]
        start = time.perf_counter()
        result = compute(dpt, *on_device)
        queue.wait()
        elapsed = 1e3 * (time.perf_counter() - start)
        expected = compute(np, *inputs)
        result = dpt.asnumpy(result)
        error = np.max(np.abs(result - expected)) / np.max(np.abs(expected))
        good = result.shape == np.shape(expected) and error <= tolerance
        wrong += not good
        print(
            f"  {name:<16}{np.size(expected):>10,}{elapsed:>9.1f} ms"
            f"   {error:.1e}   {'right' if good else 'WRONG'}"
        )
    if wrong:
        sys.exit(f"{wrong} of {len(cases)} results are wrong.")


if __name__ == "__main__":
    main()
