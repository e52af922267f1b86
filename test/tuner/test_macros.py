"""Sources as Kernel Tuner's users write them, with tunables as macros. specpi makes constants of some of them."""

import os
import pickle
import threading

import numpy as np
import pytest
from kernel_tuner import util

import specpi
from specpi import _tunables, kernel_tuner
from specpi._tunables import Source
from specpi.kernel_tuner import run_kernel, tune_kernel

SIZE = 32
PRODUCT = """
#ifndef rows
#define rows 1
#endif
__kernel void product(__global float *c, __global const float *a, __global const float *b, int size) {
  const int x = get_group_id(0) * block_size_x + get_local_id(0);
  const int y = (get_group_id(1) * block_size_y + get_local_id(1)) * rows;
  float sums[rows] = {0};
  __local float tile[block_size_y][block_size_x];
  tile[get_local_id(1)][get_local_id(0)] = scale;
  for (int k = 0; k < size; k++)
    for (int i = 0; i < rows; i++)
      sums[i] += a[(y + i) * size + k] * b[k * size + x];
  for (int i = 0; i < rows; i++)
    c[(y + i) * size + x] = sums[i] * tile[get_local_id(1)][get_local_id(0)] / scale;
}
"""
PRODUCT_TUNED = {"block_size_x": [8, 16], "block_size_y": [2, 4], "rows": [1, 2], "scale": [1, 2, 3]}


@pytest.fixture(autouse=True)
def own_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # Kernel Tuner leaves the source of an error there


@pytest.fixture
def compiled(monkeypatch):
    """Lists each compilation's outcome, "good" or "failed"."""
    made, lock, compile_image = [], threading.Lock(), _tunables.compile

    def watched(*given, **named):
        with lock:
            made.append("failed")
            place = len(made) - 1
        image = compile_image(*given, **named)
        made[place] = "good"
        return image

    monkeypatch.setattr(_tunables, "compile", watched)
    return made


def is_valid(result):
    return "__error__" not in result


def tune_product(source=PRODUCT, tuned=None, **given):
    a, b = np.random.default_rng(1).random((2, SIZE, SIZE), np.float32)
    return tune_kernel(
        "product",
        source,
        (SIZE, SIZE),
        [np.zeros_like(a), a, b, np.int32(SIZE)],
        PRODUCT_TUNED if tuned is None else tuned,
        grid_div_x=["block_size_x"],
        grid_div_y=["block_size_y", "rows"],
        **{"answer": [a @ b, None, None, None], "atol": 1e-4, "iterations": 1, **given},
    )


def tune_values(body, tuned, answers, before="", **given):
    """Tunes a kernel that writes one number, and compares the numbers of its configurations."""
    source = f"{before}\n__kernel void f(__global float *out) {{\n{body}\n}}\n"
    seen = []
    verify = lambda answer, result, atol: seen.append(float(result[0][0])) or True  # noqa: E731
    results, _ = tune_kernel(
        "f",
        source,
        1,
        [np.zeros(1, np.float32)],
        {"block_size_x": [1], **tuned},
        **{"verify": verify, "answer": [np.zeros(1, np.float32)], "iterations": 1, **given},
    )
    assert seen[1:] == pytest.approx(answers)  # the first one twice: Kernel Tuner warms up
    return results


def find_macros(text, names, options=(), **fixed):
    """Returns those of the names that become macros in a text. All of them have the value 4."""
    source = Source(None, text, options, (), names)
    source.find_image(text, {**{name: 4 for name in names}, **fixed}, {})
    return set(source._macros)


def test_sizes_of_arrays_are_macros_and_the_others_constants(compiled, capsys):
    results, _ = tune_product()
    assert len(results) == 24 and all(map(is_valid, results))
    # There are 8 sets of macros; finding them takes at most 8 more compilations.
    assert 8 <= compiled.count("good") <= 16 and len(compiled) <= 24
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("specpi: ")]
    assert said == [
        "specpi: constants: scale; "
        "macros (a compile for each set): block_size_x, block_size_y, rows"
    ]


def test_a_quiet_call_says_nothing(capsys):
    tune_product(quiet=True)
    assert "specpi: " not in capsys.readouterr().out


def test_constants_alone_take_one_compile(compiled):
    values = {"a": [1, 2, 3], "b": [1.5, 2.5]}
    tune_values("out[0] = a * b;", values, [a * b for a in values["a"] for b in values["b"]])
    assert compiled == ["good"]


@pytest.mark.parametrize(
    "text",
    [
        "kernel void f(global int *x) { int a[n]; a[0] = *x; *x = a[0]; }",
        "kernel void f(global int *x) { local int a[n][2]; a[0][0] = *x; *x = a[0][0]; }",
        "#if n == 4\nkernel void f(global int *x) { *x = 1; }\n#endif",
        "#define N (2 * n)\nkernel void f(global int *x) { int a[N]; a[0] = *x; *x = a[0]; }",
        "__attribute__((reqd_work_group_size(n, 1, 1))) kernel void f(global int *x) { *x = 1; }",
        "kernel void f(global int *x) {\n#pragma unroll n\nfor (int i = 0; i < 8; i++) x[i] = i;\n}",
        "constant int k = n; kernel void f(global int *x) { *x = k; }",
        "enum { k = n }; kernel void f(global int *x) { *x = k; }",
        "kernel void f(global int *x) { switch (*x) { case n: *x = 1; } }",
        "#define JOIN(a, b) a##b\n#define TYPE(k) JOIN(float, k)\nkernel void f(global TYPE(n) *x) { *x = 1; }",
    ],
)
def test_what_has_to_be_known_to_the_compiler_is_a_macro(text):
    assert find_macros(text, ["n", "unused"]) == {"n"}


def test_more_macros_are_found_when_another_value_needs_them(compiled, capsys):
    body = "#if way == 1\n#if n == 2\nout[0] = 20;\n#else\nout[0] = 30;\n#endif\n#else\nout[0] = n;\n#endif"
    tune_values(body, {"way": [0, 1], "n": [2, 3]}, [2, 3, 20, 30])
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("specpi: ")]
    assert said == [
        "specpi: constants: n; macros (a compile for each set): way",
        "specpi: macros (a compile for each set): way, n",
    ]


def test_values_have_the_types_of_their_literals():
    # The constant's type is that of its values: ints, doubles (0.1 would differ as a float), and both in one list.
    tune_values("out[0] = 7 / n;", {"n": [2, 4.0]}, [3, 1.75])
    for kind in (float, np.float32):
        tune_values("out[0] = (n == 0.1) + 2 * (sizeof(n) == 8);", {"n": [kind(0.1), kind(0.2)]}, [3, 2])
    tune_values("out[0] = sizeof(n);", {"n": [0.5, 0.25]}, [4, 4], compiler_options=["-cl-single-precision-constant"])
    tune_values("out[0] = sizeof(n);", {"n": [1, 1 << 40, -(1 << 31)]}, [4, 8, 8])
    tune_values("out[0] = flag ? 5 : 6;", {"flag": [True, False]}, [5, 6])
    tune_values("\n#if flag\nout[0] = 5;\n#else\nout[0] = 6;\n#endif", {"flag": [True, False]}, [5, 6])
    tune_values("type x = 7; out[0] = x / 2;", {"type": ["int", "float"]}, [3, 3.5])


def test_macros_are_those_of_kernel_tuner():
    params = {"block_size_x": 8, "name": "a\\\nb", "items": np.int64(3), "part": np.float32(0.1), "small": 1e-7}
    blocks, threads, grid = ["block_size_x", "block_size_y", "block_size_z"], (8, 1, 1), (3, 2, 1)
    _, text = util.prepare_kernel_string("f", "", params, grid, threads, blocks, "OPENCL", None)
    options = kernel_tuner._Options([], Source(None, "", [], None, []), blocks, None, 0)
    seen = {}
    options.code.find_image = lambda text, defines, values: seen.update(defines)
    options.find_image(type("Instance", (), dict(grid=grid, threads=threads, params=params, kernel_string="")))
    assert options.code._write_prefix(seen, frozenset()).splitlines() == text.splitlines()[:-1]


def test_constants_of_the_source_stay_constants(compiled):
    before = "#include <specpi/device.h>\nSPECPI_CONSTANT(int, factor, 1);\n"
    body = "int a[n]; a[n - 1] = specpi_get(factor); out[0] = a[n - 1] * shift + n;"
    tuned = {"factor": [2, 3], "n": [1, 2], "shift": [5, 7]}
    tune_values(body, tuned, [f * s + n for f in (2, 3) for n in (1, 2) for s in (5, 7)], before=before)
    assert compiled.count("good") <= 5
    # A header of the user may declare the constants, too.
    with open("mine.h", "w") as file:
        file.write(before)
    tune_values(body, tuned, [f * s + n for f in (2, 3) for n in (1, 2) for s in (5, 7)], before='#include "mine.h"')


def test_cpp_for_opencl_has_macros_beside_its_constants(tmp_path):
    path = tmp_path / "f.clcpp"
    path.write_text(
        "#include <specpi/device.h>\nconstant specialization_id<int> factor{1};\n"
        "template <typename T> T twice(T x) { return 2 * x; }\n"
        "kernel void f(global float *out) { float a[n]; a[0] = get<factor>(); out[0] = twice(a[0]) * shift + n; }\n"
    )
    run = dict(kernel_name="f", problem_size=1, arguments=[np.zeros(1, np.float32)], quiet=True)
    assert run_kernel(kernel_source=path, params={"factor": 3, "shift": 5, "n": 4}, **run)[0] == [34]
    seen = []
    verify = lambda answer, result, atol: seen.append(float(result[0][0])) or True  # noqa: E731
    tuned = {"block_size_x": [1], "factor": [2, 3], "n": [1, 2], "shift": [5, 7]}
    answer = [np.zeros(1, np.float32)]
    tune_kernel(kernel_source=path, tune_params=tuned, verify=verify, answer=answer, iterations=1, **run)
    assert seen[1:] == [2 * f * s + n for f in (2, 3) for n in (1, 2) for s in (5, 7)]


def test_sizes_that_nobody_tunes_are_those_of_the_launch():
    body = "out[0] = grid_size_x * 1000 + block_size_x * 100 + block_size_y * 10 + kernel_tuner;"
    tune_values(body, {"n": [1, 2]}, [1111, 1111])
    tune_values("out[0] = side * 10 + block_size_y;", {"side": [1, 2]}, [11, 21], block_size_names=["side"])


def test_defines_take_the_place_of_the_tunables(compiled):
    defines = {"TWICE": lambda p: 2 * p["n"], "SUM": "(n + 1)", "FIXED": 9}
    body = "#ifdef n\n#error\n#endif\nint a[SUM]; a[0] = TWICE; out[0] = a[0] * 100 + SUM * 10 + FIXED;"
    tune_values(body, {"n": [1, 2]}, [229, 439], defines=defines)
    assert "failed" not in compiled
    with pytest.raises(specpi.BuildError, match="undeclared identifier 'n'"):
        tune_values("out[0] = n;", {"n": [1, 2]}, [], defines={})


def test_sources_are_texts_files_lists_and_functions(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "near.h").write_text("#define NEAR 100\n")
    (tmp_path / "second.cl").write_text("float second(void) { float a[n]; a[0] = n; return a[0]; }\n")
    text = '#include "near.h"\n__kernel void f(__global float *out) { int a[n]; a[0] = n; out[0] = NEAR + a[0]; }\n'
    (tmp_path / "inside" / "first.cl").write_text(text)
    run = dict(kernel_name="f", problem_size=1, arguments=[np.zeros(1, np.float32)], quiet=True)
    params = {"block_size_x": 1, "n": 3}
    for path in ("inside/first.cl", tmp_path / "inside" / "first.cl"):
        assert run_kernel(kernel_source=path, params=params, **run)[0] == [103]
    assert run_kernel(kernel_source=text, params=params, compiler_options=["-Iinside"], **run)[0] == [103]
    several = ['#include "second.cl"\n__kernel void f(__global float *out) { out[0] = second(); }', "second.cl"]
    assert run_kernel(kernel_source=several, params=params, **run)[0] == [3]
    generate = lambda p: f"__kernel void f(__global float *out) {{ float a[n]; a[0] = {p['n']}; out[0] = a[0] + n; }}"  # noqa: E731
    assert run_kernel(kernel_source=generate, params=params, lang="OpenCL", **run)[0] == [6]
    named = dict(run, kernel_name="f_n")
    assert run_kernel(kernel_source=text.replace(" f(", " f_3(").replace("f_n", "f_3"), params={**params, "f_n": "f_3"},
                      compiler_options=["-Iinside"], **named)[0] == [103]  # fmt: skip
    with pytest.raises(FileNotFoundError, match="nowhere.cl"):
        run_kernel(kernel_source=[text, "nowhere.cl"], params=params, **run)
    with pytest.raises(ValueError, match=r"kernel_source\[1\] is no path: only the first source may be a text"):
        run_kernel(kernel_source=[text, text], params=params, **run)


def test_errors_name_the_users_file_and_line(tmp_path):
    (tmp_path / "wrong.cl").write_text("__kernel void f(__global float *out) {\n  int a[n];\n  out[0] = nothing;\n}\n")
    with pytest.raises(specpi.BuildError, match="wrong.cl:3:12: error: use of undeclared identifier 'nothing'"):
        run_kernel("f", "wrong.cl", 1, [np.zeros(1, np.float32)], {"n": 1}, quiet=True)
    with pytest.raises(specpi.BuildError, match="wrong.cl:3:12: error: use of undeclared identifier 'nothing'"):
        tune_kernel("f", "wrong.cl", 1, [np.zeros(1, np.float32)], {"block_size_x": [1], "n": [1, 2]}, quiet=True)


def test_a_configuration_that_does_not_compile_is_invalid(caplog):
    before = "#if n == 2\n#error two is refused\n#endif"
    results = tune_values("out[0] = n;", {"n": [1, 2, 3]}, [1, 3], before=before)
    assert [is_valid(one) for one in results] == [True, False, True]
    assert any("two is refused" in one.getMessage() for one in caplog.records)


def test_a_loop_unroll_factor_of_0_leaves_the_loop_to_the_compiler(tmp_path):
    body = "float sum = 0;\n  #pragma unroll loop_unroll_factor_1\nfor (int i = 0; i < 8; i++) sum += i;\nout[0] = sum;"
    tune_values(body, {"loop_unroll_factor_1": [0, 1, 4]}, [28, 28, 28])
    with open("loop.cl", "w") as file:
        file.write(f"__kernel void f(__global float *out) {{\n{body}\nout[0] += nothing; }}\n")
    with pytest.raises(specpi.BuildError, match="loop.cl:6:11: error: use of undeclared identifier 'nothing'"):
        run_kernel("f", "loop.cl", 1, [np.zeros(1, np.float32)], {"loop_unroll_factor_1": 0}, quiet=True)


def test_cuda_c_is_refused(tmp_path):
    text = "__global__ void f(float *out) { out[threadIdx.x] = block_size_x; }"
    (tmp_path / "kernel.cu").write_text(text)
    run = ("f", 1, [np.zeros(1, np.float32)], {"block_size_x": 1})
    for source, lang, what in [
        (text, None, "the source is CUDA C"),
        ("kernel.cu", None, "kernel.cu is CUDA C"),
        (PRODUCT, "CUDA", "lang is 'CUDA'"),
        (lambda p: text, "cupy", "lang is 'cupy'"),
    ]:
        with pytest.raises(ValueError, match=f"^{what}, and specpi takes OpenCL C alone: .*threadIdx.x is get_local_id"):
            run_kernel(run[0], source, *run[1:], lang=lang)
    # A source for both languages is compiled if OpenCL C is named, or if it has a kernel of OpenCL C.
    both = "#ifdef __CUDACC__\n__global__\n#else\n__kernel\n#endif\n void f(__global float *out) { out[0] = 1; }"
    assert run_kernel(run[0], both, *run[1:], lang="OpenCL")[0] == [1]
    either = f"__kernel void f(__global float *out) {{ out[0] = 2; }}\n#ifdef __CUDACC__\n{text}\n#endif"
    assert run_kernel(run[0], either, *run[1:])[0] == [2]


@pytest.mark.parametrize("argument, word", [("cmem_args", "constant memory"), ("texmem_args", "textures")])
def test_memory_by_name_is_refused(argument, word):
    with pytest.raises(NotImplementedError, match=f"no {word} by name: pass {argument} as arguments of the kernel"):
        tune_values("out[0] = n;", {"n": [1]}, [], **{argument: {"a": np.zeros(1, np.float32)}})


def test_images_are_compiled_once_by_several_threads(compiled):
    results, _ = tune_product(builds_ahead=2)
    assert len(results) == 24 and all(map(is_valid, results))
    assert 8 <= compiled.count("good") <= 16 and len(compiled) <= 24


def test_a_source_is_pickled():
    source = Source(None, PRODUCT, ["-DX=1"], {"scale"}, [])
    values = {"block_size_x": 8, "block_size_y": 2, "rows": 1, "scale": 1}
    assert source.find_image(PRODUCT, values, values)[0].kernels == ["product"]
    other = pickle.loads(pickle.dumps(source))
    assert other._macros == source._macros == {"block_size_x", "block_size_y", "rows"}
    assert other.find_image(PRODUCT, values, values)[0].kernels == ["product"]


def test_a_device_that_fails_ends_the_tuning_at_its_configuration(monkeypatch):
    def fail(queue):
        raise specpi.Error("the command failed with PI_ERROR_OUT_OF_RESOURCES (-5)", -5, "PI_ERROR_OUT_OF_RESOURCES")

    run = kernel_tuner.Backend.run_kernel

    def run_and_break(backend, *given):
        run(backend, *given)
        if "far=2" in backend.running:
            monkeypatch.setattr(type(backend.queue), "finish", fail)

    monkeypatch.setattr(kernel_tuner.Backend, "run_kernel", run_and_break)
    with pytest.raises(RuntimeError, match="the device failed while it ran block_size_x=1, far=2, and the tuning ends"):
        tune_values("out[0] = far;", {"far": [1, 2, 3]}, [], builds_ahead=0)


def test_only_the_limits_of_the_device_make_a_group_invalid():
    """A kernel that needs many registers runs in large groups, too. The third dimension has its own limit."""
    out, given = np.zeros(1024, np.uint32), np.arange(136, dtype=np.uint32)
    tuned = {"block_size_x": [1024, 8], "block_size_z": [1, 128]}
    results, _ = tune_kernel(
        "wide",
        os.path.join(os.path.dirname(__file__), "..", "support", "wide.cl"),
        lambda params: (params["block_size_x"], 1, 1),  # one group
        [out, given],
        tuned,
        restrictions=["block_size_x * block_size_z == 1024"],
        quiet=True,
    )
    deepest = specpi.Queue().device.max_work_item_sizes[2]
    assert {one["block_size_z"]: is_valid(one) for one in results} == {1: True, 128: deepest >= 128}
