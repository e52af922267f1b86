"""Draws the best time so far over the seconds of tuning as an SVG: a panel for each kernel, a line for each backend."""

import math
import re
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 480, 300, 70, 40, 20, 50
# The backends' names in charts. chart.c has their colours.
NAMES = {
    "ahead": "set at run time, built ahead (default on a GPU)",
    "native": "set at run time, built one by one",
    "patch": "patched into finished PTX",
    "CUPY": "CuPy, by NVRTC",
    "NVCUDA": "Kernel Tuner's NVCUDA",
}
CHART_C = Path(__file__).resolve().parent.parent / "support" / "chart.c"
COLORS = dict(re.findall(r'^ *\{"([^"]+)", "(#[0-9A-F]{6})"', CHART_C.read_text(), re.MULTILINE))


def ticks_of(low, high, is_log):
    """Returns round numbers from ``low`` to ``high``."""
    if is_log:
        exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        found = [digit * 10.0**exponent for exponent in exponents for digit in (1, 2, 5)]
    else:
        step = 10.0 ** math.floor(math.log10(high / 2))
        step *= next(factor for factor in (1, 2, 5, 10) if high / (step * factor) <= 6)
        found = [step * number for number in range(int(high / step) + 1)]
    return [one for one in found if low <= one <= high]


def text_at(x, y, text, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{text}</text>'


def line_through(points, color, dashes=""):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.8"{dashes}/>'


def draw_axes(place_x, place_y, seconds, low, high, kernel):
    parts = []
    bottom, right = TOP + HEIGHT, LEFT + WIDTH
    for second in ticks_of(0, seconds, False):
        x = place_x(second)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#ddd"/>')
        parts.append(text_at(x, bottom + 16, f"{second:g}"))
    for time in ticks_of(low, high, True):
        y = place_y(time)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text_at(LEFT - 6, y + 4, f"{time:g}", "end"))
    parts.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>')
    parts.append(text_at(LEFT + WIDTH / 2, TOP - 14, kernel, more=' font-weight="bold"'))
    parts.append(text_at(LEFT + WIDTH / 2, bottom + 36, "seconds of tuning"))
    middle = TOP + HEIGHT / 2
    parts.append(text_at(18, middle, "best time so far, ms", more=f' transform="rotate(-90 18 {middle})"'))
    return parts


def draw_panel(kernel, rows):
    seconds = max(row["seconds"] for row in rows)
    times = [time for row in rows for _, time in row["progress"]]
    low, high = min(times) / 1.2, max(times) * 1.2

    def place_x(second):
        return LEFT + WIDTH * second / seconds

    def place_y(time):
        return TOP + HEIGHT * math.log(high / time) / math.log(high / low)

    parts = draw_axes(place_x, place_y, seconds, low, high, kernel)
    for number, row in enumerate(rows):
        name, points, last = NAMES[row["backend"]], [], None
        color = COLORS[name]
        for second, time in [*row["progress"], [row["seconds"], row["best"]]]:
            if last is not None:
                points.append((place_x(second), place_y(last)))
            points.append((place_x(second), place_y(time)))
            last = time
        parts.append(line_through(points, color))
        y = TOP + 16 + 16 * number
        parts.append(line_through([(LEFT + WIDTH - 24, y - 4), (LEFT + WIDTH - 6, y - 4)], color))
        text = f"{name}: {row['tried']} in {row['seconds']:.0f} s"
        parts.append(text_at(LEFT + WIDTH - 30, y, text, "end"))
    return parts


def draw_progress(rows):
    """Returns the SVG for rows of tuner.py's JSON. Each row must have a valid configuration."""
    kernels = list(dict.fromkeys(row["kernel"] for row in rows))
    width, height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * max(1, len(kernels))} {height}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, kernel in enumerate(kernels):
        parts.append(f'<g transform="translate({width * number} 0)">')
        parts += draw_panel(kernel, [row for row in rows if row["kernel"] == kernel])
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])
