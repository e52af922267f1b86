"""Tests of bench/tuner on any device: the drawn configurations, the rows, the plot, and the examples."""

import argparse
import os
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest

import specpi

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "tuner"))
import plot  # noqa: E402
import tuner  # noqa: E402

SIDE = 64


@pytest.mark.parametrize("name", tuner.TUNED)
def test_configurations_are_a_seeds(name):
    drawn = tuner.drawn_configurations(name, 1024, 200, 1)
    assert len(drawn) == len(set(drawn)) == 200
    assert drawn == tuner.drawn_configurations(name, 1024, 200, 1)
    assert drawn != tuner.drawn_configurations(name, 1024, 200, 2)
    for one in drawn:
        values = dict(zip(tuner.TUNED[name], one))
        assert 32 <= values["block_size_x"] * values["block_size_y"] <= 1024
        assert 1024 % (values["block_size_x"] * values["columns"]) == 0
    assert len(tuner.drawn_configurations(name, 1024, 10**6, 1)) > 200


@pytest.mark.parametrize("backend, target", [("native", "spir64"), ("ahead", "spir64"), ("patch", "nvptx64")])
@pytest.mark.parametrize("name", tuner.TUNED)
def test_rows_try_the_list_in_its_order(backend, target, name, monkeypatch):
    if backend == "patch" and specpi.devices()[0].backend != "cuda":
        pytest.skip("only CUDA takes PTX")
    tried = []
    image = specpi.compile(os.path.join(os.path.dirname(tuner.__file__), name + ".cl"), targets=[target])
    monkeypatch.setattr(tuner, "image_of", lambda *_: image)
    monkeypatch.setattr(image, "kernel", watch(image.kernel, tried))
    options = argparse.Namespace(directory="", side=SIDE, count=3, seed=3, limit=1000, device=0, builds=2)
    row = tuner.make_row(options, backend, name)
    drawn = tuner.drawn_configurations(name, SIDE, 3, 3)
    if backend == "ahead":  # in two threads
        assert sorted(tried) == sorted(drawn)
    else:
        assert tried == [drawn[0], *drawn]  # Kernel Tuner runs the first one twice, to warm up
    assert row["tried"] == row["valid"] == len(row["times"]) == 3 and min(row["times"]) == row["best"]
    assert tuple(row["where"].values()) in drawn
    assert row["best"] == row["progress"][-1][1] > 0 and 0 < row["compile"] < row["seconds"]
    options.limit = -1
    late = tuner.make_row(options, backend, name)
    assert late["tried"] == 0 and late["best"] is None and late["progress"] == []


def watch(kernel, tried):
    def watched(name, values, **given):
        tried.append(tuple(values[key] for key in tuner.TUNED[name]))
        return kernel(name, values, **given)

    return watched


class RefusingRunner:
    """A runner that fails as with NVCUDA when the driver refuses a launch."""

    def __init__(self, reason):
        self.reason = reason

    def run(self, configurations, tuning_options):
        assert len(configurations) == 1 and not tuning_options["budget"].is_done()
        if configurations == ["large"]:
            raise RuntimeError(self.reason)
        return [{"time": 1.0}]


def test_a_launch_that_nvcuda_does_not_look_at_is_invalid():
    listed = tuner.UncheckedList(["small", "large", "small"], 1000)
    results = listed.tune(None, RefusingRunner("Kernel result verification failed for: large"), {})
    assert ["__error__" in one for one in results] == [False, True, False]
    assert "large" in results[1]["__error__"] and tuner.datetime.fromisoformat(results[1]["timestamp"]).tzinfo
    with pytest.raises(RuntimeError, match="illegal address"):
        listed.tune(None, RefusingRunner("CUDA_ERROR: illegal address"), {})


def test_a_row_that_crashes_says_so():
    options = argparse.Namespace(directory="/nowhere", side=SIDE, count=3, seed=1, device="", builds=None)
    row = tuner.run_row(options, "native", "product", 10)
    assert row["kernel"] == "product" and "/nowhere/product.spv.so" in row["error"]


def test_plots_have_a_line_for_each_row():
    rows = [
        {"kernel": kernel, "backend": backend, "tried": 3, "seconds": 9.5, "best": 0.5, "progress": [[1, 4], [5, 0.5]]}
        for kernel in ("product", "convolution")
        for backend in ("native", "NVCUDA")
    ]
    space = "{http://www.w3.org/2000/svg}"
    drawn = xml.fromstring(plot.draw_progress(rows))
    panels = drawn.findall(space + "g")
    assert len(panels) == 2
    named = [plot.COLORS[plot.NAMES[one]] for one in ("native", "NVCUDA")]
    for panel in panels:
        assert sorted(line.get("stroke") for line in panel.findall(space + "polyline")) == sorted(2 * named)
        assert len(panel.findall(space + "polyline")) == 4  # with those of the legend
        points = [tuple(map(float, one.split(","))) for one in panel.find(space + "polyline").get("points").split()]
        assert points == sorted(points) and points[-1][0] == plot.LEFT + plot.WIDTH
    assert any("NVCUDA: 3 in" in (text.text or "") for text in drawn.iter(space + "text"))


def test_examples_run_with_their_import_changed(tmp_path):
    directory = tmp_path / "examples" / "opencl"
    directory.mkdir(parents=True)
    text = """
import numpy
from kernel_tuner import tune_kernel
kernel = "__kernel void f(__global float *x) { float a[n]; a[0] = 1; x[get_global_id(0)] = a[0] + 4096; }"
x = numpy.zeros(4096, numpy.float32)
answer = [x + 1 + len(x)]
tune_kernel("f", kernel, len(x), [x], {"block_size_x": [8, 16], "n": [1, 2]}, answer=answer)
"""
    (directory / "one.py").write_text(text)
    (directory / "two.py").write_text(text.replace("= 1;", "= 2;"))
    command = [sys.executable, tuner.__file__.replace("tuner.py", "examples.py"), str(tmp_path), "--small", "--most", "3"]
    done = subprocess.run(command, capture_output=True, text=True)
    first, second = done.stdout.split("two.py")
    row, line = first.splitlines()[1:]
    assert row.split() == ["one.py", "1", "3", "3"]
    assert line.strip() == "macros (a compile for each set): n; not read: block_size_x"
    assert "exit status 1: RuntimeError: Kernel result verification failed" in second and "1 of 2 run" in second
    assert done.returncode == 1
