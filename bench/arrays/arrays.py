#!/usr/bin/env python3
"""Times operations on arrays: arrays.py [--elements N] [--json FILE] [--quick] dpctl | cupy

dpctl.tensor runs on the first GPU of SYCL, CuPy on the first one of CUDA. Each operation
is called in batches, whose length is such that a batch takes some milliseconds; a wait follows each batch.
The table has medians of the batches, in milliseconds for a call, and the time of the process's first call until its end.
Every result is compared with NumPy's.
"""
import argparse
import json
import statistics
import sys
import time

import numpy


def load_dpctl():
    import dpctl
    import dpctl.tensor as xp

    device = dpctl.SyclDevice("gpu")
    queue = dpctl.SyclQueue(device, property="in_order")
    return {
        "xp": xp,
        "asarray": lambda array: xp.asarray(array, sycl_queue=queue),
        "asnumpy": xp.asnumpy,
        "wait": queue.wait,
        "device": f"{device.name}, dpctl {dpctl.__version__}",
        "where": xp.where,
        "scan": xp.cumulative_sum,
        "astype": lambda array, dtype: xp.astype(array, dtype),
        "copy": lambda array: xp.copy(array, order="C"),
        "allocate": lambda size: dpctl.memory.MemoryUSMDevice(size, queue=queue),
    }


def load_cupy():
    import cupy as xp

    name = xp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return {
        "xp": xp,
        "asarray": xp.asarray,
        "asnumpy": xp.asnumpy,
        "wait": xp.cuda.get_current_stream().synchronize,
        "device": f"{name}, CuPy {xp.__version__}",
        "where": xp.where,
        "scan": xp.cumsum,
        "astype": lambda array, dtype: array.astype(dtype),
        "copy": lambda array: xp.ascontiguousarray(array),
        "allocate": xp.cuda.alloc,
    }


def operations(library, elements):
    """Rows of name, function on the device, function of NumPy."""
    random = numpy.random.default_rng(1)
    side = int(elements**0.5)
    host = {
        "a": random.random(elements, dtype=numpy.float32),
        "b": random.random(elements, dtype=numpy.float32),
        "m": random.random((side, side), dtype=numpy.float32),
        "i": random.integers(0, elements, elements),
        "c": random.random(elements) < 0.5,
    }
    on = {name: library["asarray"](array) for name, array in host.items()}
    out = library["asarray"](numpy.zeros(elements, dtype=numpy.float32))
    xp = library["xp"]
    return [
        ("add f4", lambda: on["a"] + on["b"], lambda: host["a"] + host["b"]),
        ("add f4, out=", lambda: xp.add(on["a"], on["b"], out=out), lambda: host["a"] + host["b"]),
        ("multiply by a scalar", lambda: on["a"] * 2.5, lambda: host["a"] * numpy.float32(2.5)),
        ("sin f4", lambda: xp.sin(on["a"]), lambda: numpy.sin(host["a"])),
        ("sum f4", lambda: xp.sum(on["a"]), lambda: numpy.sum(host["a"], dtype=numpy.float64)),
        ("cumulative sum", lambda: library["scan"](on["a"]), lambda: numpy.cumsum(host["a"], dtype=numpy.float64)),
        ("copy of a transpose", lambda: library["copy"](on["m"].T), lambda: host["m"].T),
        ("take", lambda: xp.take(on["a"], on["i"]), lambda: host["a"][host["i"]]),
        ("where", lambda: library["where"](on["c"], on["a"], on["b"]), lambda: numpy.where(host["c"], host["a"], host["b"])),
        ("boolean mask", lambda: on["a"][on["c"]], lambda: host["a"][host["c"]]),
        ("astype f4 to f8", lambda: library["astype"](on["a"], xp.float64), lambda: host["a"].astype(numpy.float64)),
    ]


def measure(call, wait, seconds):
    """The median of the times of a call, in milliseconds."""
    begin = time.perf_counter()
    for _ in range(5):
        call()
    wait()
    batch = max(1, int(0.01 / ((time.perf_counter() - begin) / 5)))
    times = []
    end = time.perf_counter() + seconds
    while len(times) < 7 or time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(batch):
            call()
        wait()
        times.append((time.perf_counter() - begin) / batch)
    return statistics.median(times) * 1000


def check(name, result, expected):
    """Exits where a result is not NumPy's, to the precision of a sum of float32 in any order."""
    if not numpy.allclose(result, expected, rtol=1e-4, atol=1e-5):
        sys.exit(f"{name}: the result is wrong, {result} for {expected}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("library", choices=["dpctl", "cupy"])
    options.add_argument("--elements", type=int, default=1 << 24)
    options.add_argument("--json")
    options.add_argument("--quick", action="store_true", help="check the results, and measure next to nothing")
    given = options.parse_args()
    library = load_dpctl() if given.library == "dpctl" else load_cupy()
    seconds = 0 if given.quick else 0.3
    rows, first = {}, {}
    for name, call, expect in operations(library, given.elements):
        library["wait"]()
        begin = time.perf_counter()
        result = call()
        library["wait"]()
        first[name] = (time.perf_counter() - begin) * 1000
        check(name, library["asnumpy"](result), expect())
        del result
        rows[name] = measure(call, library["wait"], seconds)
    for size in 4096, 64 << 20:
        rows[f"allocate and free {size} bytes"] = measure(lambda: library["allocate"](size), library["wait"], seconds)
    rows["wait for nothing"] = measure(library["wait"], library["wait"], seconds)
    print(f"{library['device']}, {given.elements} elements, milliseconds of a call and of the first call")
    for name, value in rows.items():
        print(f"{name:<28} {value:9.4f}" + (f" {first[name]:9.2f}" if name in first else ""))
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"device": library["device"], "elements": given.elements, "milliseconds": rows, "first": first}, file, indent=1)


if __name__ == "__main__":
    main()
