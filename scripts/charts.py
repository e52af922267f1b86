#!/usr/bin/env python3
"""charts.py BENCH_CHART OUT: draws the charts of docs/results into the directory OUT.

The numbers are read from the tables in docs/results, which programs printed. bench-chart draws the charts;
bench/support/chart.h describes their format. The script fails if a table lacks a row that a chart needs.

With --check, docs/results/README.md must show each chart and name each text of docs/results, and a name must have the
same colour in all legends. OUT must then be another directory than docs/results."""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
RESULTS = TREE / "docs" / "results"
sys.path.insert(0, str(TREE / "bench" / "tuner"))
import plot  # noqa: E402
NUMBER = r"-?\d+(?:\.\d+)?(?: (?:ns|ms))?"
LEGEND = re.compile(r"linecolor '(#[0-9A-F]{6})'[^']*title '((?:[^']|'')*)'")
ROW = re.compile(rf"\s*(\S.*?)\s\s+({NUMBER}(?:\s+{NUMBER})*)(?:\s\s.*)?$")


class Table:
    """The rows of a text after its headings, up to the first blank line after a row.

    A heading is the beginning of a line. Each heading is searched for after the one before it.
    """

    def __init__(self, text, *headings):
        self.name = f"{text}: {headings[-1]}"
        lines = iter((RESULTS / text).read_text().splitlines())
        for heading in headings:
            if not any(line.startswith(heading) for line in lines):
                sys.exit(f"charts.py: {text} has no line that begins with {heading!r}")
        self.rows = {}
        for line in lines:
            row = ROW.match(line)
            if row:
                self.rows[row[1]] = [float(number.split()[0]) for number in re.findall(NUMBER, row[2])]
            elif self.rows and not line.strip():
                break

    def number(self, row, column):
        """Returns the number in a row and a column; the first column is 0."""
        try:
            return self.rows[row][column]
        except (KeyError, IndexError):
            sys.exit(f"charts.py: {self.name}: there is no row {row!r} with {column + 1} numbers")


def bars(title, subtitle, label, categories, series, line=None, **axis):
    """Returns a chart of bars. ``series`` has lists of values by name; ``line`` is the name of the line at 1."""
    named = [{"name": name, "values": values} for name, values in series.items()]
    chart = {"kind": "bars", "title": title, "subtitle": subtitle, "axis": {"label": label, **axis}}
    chart |= {"categories": categories, "series": named}
    return chart | {"line": {"name": line, "at": 1}} if line else chart


H200_KERNELS = {
    "blocked matrix product": "blocked matrix product",
    "Sobel filter, 3 by 3": "3x3 Sobel",
    "iterated map with flags": "256 steps",
    "iterated map with flags, clamp()": "the same map",
    "register-tiled matrix product": "matrix product, 2048",
    "filter along columns, 17 taps": "filter along columns",
    "Fourier transforms of 16 points": "four Fourier",
    "shading, 3 of 8 features on": "shades",
    "polynomial of degree 15": "8 rounds",
    "sin, cos, exp, log, pow, sqrt, tanh": "4 rounds of sin",
}
BUFFER, PATCHED, SET = "read from a buffer", "patched into the PTX", "set, SPIR-V"
NVCC, TYPED = "typed in, nvcc -O3", "typed in, specpi-cc"
KEPT = "kept from an earlier build"


def ratios(text, first, kernels, ways):
    """Returns the kernels' names, and lists of their times' ratios for each of the ways.

    Each kernel has a table with the ratios in its fourth column. The kernels are sorted by the ratios
    of the last way, the greatest first.
    """
    rows = {name: [Table(text, first, heading).number(way, 3) for way in ways] for name, heading in kernels.items()}
    names = sorted(rows, key=lambda name: -rows[name][-1])
    return names, {way: [rows[name][i] for name in names] for i, way in enumerate(ways)}


def h200_constants():
    names, series = ratios("cuda-h200-spirv.txt", "== bench-cuda", H200_KERNELS, (SET, BUFFER))
    slowest = max(series[BUFFER])
    title = f"Constants set at run time are as fast as typed in; read from a buffer, up to {slowest:.0f} times slower"
    subtitle = (
        f"Ten kernels with the same constants, NVIDIA H200. Set at run time they take {min(series[SET]):.2f} to "
        f"{max(series[SET]):.2f} of nvcc's time."
    )
    label = "time of the kernel, nvcc -O3 with the values typed in = 1 (shorter is better)"
    return bars(title, subtitle, label, names, series, NVCC, to=5)


def h200_patched():
    names, series = ratios("cuda-h200-spirv.txt", "== bench-cuda", H200_KERNELS, (TYPED, PATCHED, BUFFER))
    near, slowest = sum(ratio < 1.1 for ratio in series[PATCHED]), max(series[PATCHED])
    title = f"Patched into PTX, {near} of {len(names)} kernels are as fast as typed in; "
    title += f"others, up to {slowest:.0f} times slower"
    subtitle = "The same constants, NVIDIA H200. A loop in finished PTX stays a loop, and its array stays in memory."
    label = "time of the kernel, nvcc -O3 with the values typed in = 1 (shorter is better)"
    return bars(title, subtitle, label, names, series, NVCC, to=5)


def cpu_constants():
    kernels = {"blocked matrix product": "  matrix product", "Sobel filter, 3 by 3": "  convolution"}
    ways = "set with PI", BUFFER
    names, series = ratios("opencl-cpu.txt", "The same kernel", kernels, ways)
    low, high = min(series[BUFFER]), max(series[BUFFER])
    title = f"On a CPU, too: set at run time as fast as typed in; in a buffer {low:.2f} to {high:.2f} times the time"
    subtitle = "Two kernels with the same constants, Intel's OpenCL runtime for CPUs"
    label = "time of the kernel, with the values typed into the source = 1 (shorter is better)"
    return bars(title, subtitle, label, names, series, "typed into the source")


def h100_ready():
    table = Table("cuda-h100-ready.txt", "== bench-cuda", "from new values")
    ways = {
        "all three, from SPIR-V": (SET, "set in SPIR-V, generated by a program that is up"),
        "one of the three, from SPIR-V": (SET, "one of the three kernels, the matrix product, alone"),
        "all three, from finished PTX": (PATCHED, "set in PTX that is there, built by the driver"),
        "all three, from CUDA C": ("compiled by NVRTC with -D", "compiled from source by NVRTC with -D, loaded"),
        "built before, in the cache's directory": (KEPT, "built by another program, from the folder"),
        "built before, still in memory": (KEPT, "built before, from memory"),
    }
    times = [table.number(row, 0) for _, row in ways.values()]
    things = dict.fromkeys(thing for thing, _ in ways.values())
    series = {
        thing: [time if thing == of else None for time, (of, _) in zip(times, ways.values())] for thing in things
    }
    title = f"Kernels that were built before are there in {times[4]:.2g} ms; a new one takes {times[1]:.0f} ms"
    subtitle = "From values to kernels that can be launched, three kernels of one module, NVIDIA H100"
    return bars(title, subtitle, "milliseconds (median of 101 rounds)", list(ways), series)


def h200_launches():
    table = Table("cuda-h200-ur-2026.txt", "== launches of one work-item")
    libraries = {
        "CUDA, cuLaunchKernel in a loop": "bare CUDA",
        "libsycl 2026.2.0": "libsycl 2026.2.0, UR",
        "libsycl 2025.0.5": "libsycl 2025.0.5, UR",
        "libsycl 2024.2": "libsycl 2024.2, PI",
    }
    runs = [sorted(table.number(row, column) for column in (0, 1)) for row in libraries.values()]
    series = {"CUDA's driver alone": [runs[0], None, None, None], "libsycl over specpi": [None, *runs[1:]]}
    title = f"A launch through libsycl takes {runs[1][0] / 1000:.1f} to {runs[3][1] / 1000:.1f} us, by CUDA alone"
    title += f" {runs[0][0] / 1000:.1f} to {runs[0][1] / 1000:.1f}"
    widest = max(high - low for low, high in runs)
    subtitle = f"Bar: the faster of two runs, line: the slower. They differ by up to {widest:.0f} ns, "
    subtitle += "as much as the releases do."
    label = "nanoseconds for a launch of one work-item, NVIDIA H200 (fastest of 20 rounds)"
    return bars(title, subtitle, label, list(libraries), series)


def h200_own_cost():
    releases = "2025.0", "2025.1", "2025.2", "2025.3", "2026.0", "2026.1", "2026.2"
    part = "== bench-cuda-ur, the last two parts"
    tables = [Table("cuda-h200-ur.txt", part, f"Unified Runtime {one}") for one in releases]
    launches = {
        "a launch": "launch",
        "a launch with an event": "launch with an event, released",
        "five arguments and a launch": "5 arguments set, launch",
    }
    series = {name: [table.number(row, 2) for table in tables] for name, row in launches.items()}
    driver = [table.number("launch", 1) for table in tables]
    least, most = (pick(map(pick, series.values())) for pick in (min, max))
    title = f"specpi adds {least:.0f} to {most:.0f} ns to a launch, for which the driver takes "
    title += f"{min(driver):.0f} or more"
    subtitle = "The CUDA adapter by the release of Unified Runtime, NVIDIA H200. Busier machines had higher numbers."
    label = "nanoseconds on top of the driver's own (median of 101 rounds)"
    return bars(title, subtitle, label, [f"Unified Runtime {one}" for one in releases], series)


def h200_tuner():
    heading = "kernel       backend"
    kernels = {"matrix product": ("product", [heading]), "convolution": ("convolution", [heading] * 2)}
    ahead, cupy = plot.NAMES["ahead"], plot.NAMES["CUPY"]
    backends = {plot.NAMES[word]: word for word in ("ahead", "native", "patch", "CUPY")}

    def row(kernel, backend):
        word, headings = kernels[kernel]
        table = Table("cuda-h200-tuner.txt", "== Kernel Tuner", *headings)
        name = f"{word:<11}  {backend}"
        return table.number(name, 0), table.number(name, 2)  # configurations tried, seconds

    rows = {name: [row(kernel, backend) for kernel in kernels] for name, backend in backends.items()}
    series = {name: [1000 * seconds / tried for tried, seconds in row] for name, row in rows.items()}
    (low, high), (cupy_low, cupy_high) = sorted(series[ahead]), sorted(series[cupy])
    title = (
        f"Kernel Tuner takes {low:.0f} to {high:.0f} ms for a configuration with specpi, {cupy_low:.0f} to "
        f"{cupy_high:.0f} with CuPy"
    )
    subtitle = "Up to 200 configurations, the same ones for all, built, checked and measured; NVIDIA H200, 16 cores"
    label = "milliseconds a configuration (mean, everything included; shorter is better)"
    tried = [f"{kernel}, CuPy: {rows[cupy][i][0]:.0f} of 200" for i, kernel in enumerate(kernels)]
    names = [name if tried[i].endswith(" 200 of 200") else tried[i] for i, name in enumerate(kernels)]
    return bars(title, subtitle, label, names, series)


def h200_arrays():
    table = Table("cuda-h200-arrays.txt", "operation")
    names = [name for name in table.rows if not name.startswith(("malloc", "wait"))]
    columns = {"dpctl.tensor over specpi": 2, "the same, without the pool": 0}
    series = {
        thing: [table.number(name, column) / table.number(name, 3) for name in names]
        for thing, column in columns.items()
    }
    pooled, alone = series.values()
    faster = sum(ratio < 1 for ratio in pooled)
    title = f"{faster} of {len(names)} array operations are faster than CuPy's; without the pool "
    title += f"{sum(ratio < 1 for ratio in alone)}"
    subtitle = f"2^24 elements, NVIDIA H200. The others take up to {max(pooled):.1f} times as long: "
    subtitle += "dpctl launches several kernels."
    return bars(title, subtitle, "time of the operation, CuPy = 1 (shorter is better)", names, series, "CuPy 14.2", to=5)


CHARTS = {
    "cuda-h200-arrays": h200_arrays,
    "cuda-h200-constants": h200_constants,
    "cuda-h200-patched": h200_patched,
    "cuda-h100-ready": h100_ready,
    "cuda-h200-launches": h200_launches,
    "cuda-h200-own-cost": h200_own_cost,
    "cuda-h200-tuner": h200_tuner,
    "opencl-cpu-constants": cpu_constants,
}


def check_page():
    page = (RESULTS / "README.md").read_text()
    shown, linked = set(re.findall(r"!\[[^]]*\]\((\S+)\)", page)), set(re.findall(r"\]\((\S+)\)", page))
    for missing in {f"{name}.png" for name in CHARTS} ^ shown:
        sys.exit(f"charts.py: {missing} is only on the page, or only among the charts")
    for text in {path.name for path in RESULTS.glob("*.txt")} - linked:
        sys.exit(f"charts.py: docs/results/README.md does not name {text}")


def check_colours(scripts):
    """Ends the program if a name has another colour in a gnuplot script than in the table of chart.c.

    Also ends it if that table lacks a backend of Kernel Tuner.
    """
    for chart, script in scripts.items():
        legend = LEGEND.findall(script)
        if not legend:
            sys.exit(f"charts.py: {chart} has no name with a colour")
        for colour, name in legend:
            if plot.COLORS.get(name.replace("''", "'")) != colour:
                sys.exit(f"charts.py: {name!r} is {colour} in {chart}, and the table has {plot.COLORS.get(name)}")
    for name in set(plot.NAMES.values()) - set(plot.COLORS):
        sys.exit(f"charts.py: {name!r} is not in the table of {plot.CHART_C}")


def draw(bench_chart, described, drawn):
    subprocess.run([bench_chart, described, drawn], check=True)
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench_chart")
    parser.add_argument("out", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(exist_ok=True)
    if options.check:
        check_page()
    scripts = {}
    for name, chart in CHARTS.items():
        described = options.out / f"{name}.json"
        described.write_text(json.dumps(chart()))
        draw(options.bench_chart, described, options.out / f"{name}.png")
        if options.check:
            scripts[name] = draw(options.bench_chart, described, options.out / f"{name}.gp").read_text()
        described.unlink()
    if options.check:
        check_colours(scripts)
    print(f"{len(CHARTS)} charts")


main()
