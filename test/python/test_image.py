"""Images, constants and their values."""

import array
import ctypes
import os
import subprocess
import warnings

import numpy as np
import pytest

import specpi

from conftest import HERE


def scaled(image, queue, **values):
    data = np.arange(1, 4, dtype=np.float32)
    image.kernel("scale", **values)(queue, 3, data, np.float32(0))
    return data.tolist()


def shown(image, queue, value):
    out = np.zeros(3, np.float32)
    image.kernel("show_filter", filter=value)(queue, 1, out)
    return out.tolist()


def test_an_image_tells_its_constants(image):
    assert image.kernels == sorted("scale add show_filter take_pair sum_groups place is_null show_values".split())
    assert image.targets == ["spir64"]
    assert {name: one.type for name, one in image.constants.items()} == {
        "offset": "i32",
        "factor": "f32",
        "negate": image.constants["negate"].type,
        "filter": "{f32, i32, i32}",
    }
    assert image.constants["negate"].type in ("bool", "i8")
    assert image.constants["factor"].default == np.float32(2).tobytes()
    assert [one.offset for one in image.constants["filter"].scalars] == [0, 4, 8]


def test_scalars_take_values_that_fit(image, queue):
    assert scaled(image, queue) == [2, 4, 6]
    for value in (3, 3.0, np.float32(3), np.array([3], np.float32), np.float32(3).tobytes(), ctypes.c_float(3),
                  np.float64(3), np.float16(3), np.int64(3), np.uint8(3), np.longdouble(3), array.array("f", [3])):
        assert scaled(image, queue, factor=value) == [3, 6, 9]
    for value in np.arange(-2, 3):  # elements of int64, which is not the constant's type
        out = np.zeros(1, np.int32)
        image.kernel("add", offset=value)(queue, 1, np.zeros(1, np.int32), out)
        assert out[0] == value
    assert scaled(image, queue, negate=True) == [-2, -4, -6]
    assert scaled(image, queue, negate=np.bool_(False)) == [2, 4, 6]


def test_structures_take_tuples_lists_and_records(image, queue):
    kind = np.dtype([("gain", np.float32), ("taps", np.int32, 2)])
    assert shown(image, queue, (0.25, (3, 4))) == [0.25, 3, 4]
    assert shown(image, queue, [0.25, 5, 6]) == [0.25, 5, 6]
    assert shown(image, queue, np.array((0.75, (7, 8)), dtype=kind)) == [0.75, 7, 8]
    assert shown(image, queue, np.array([(0.5, (9, 1))], dtype=kind)) == [0.5, 9, 1]


@pytest.mark.parametrize(
    "name, value, error, part",
    [
        ("factor", np.float64(1e300), ValueError, "is f32, .*1e.?300.* does not fit"),
        ("factor", np.array(3.0), ValueError, "takes 4 bytes, 8 given"),
        ("factor", np.array([3], np.int32), TypeError, "is f32, int32 given"),
        ("factor", np.zeros(2, np.float32).view(np.int64), ValueError, "takes 4 bytes, 8 given"),
        ("factor", ctypes.c_int(3), TypeError, "is f32, elements of int32 given"),
        ("factor", array.array("i", [3]), TypeError, "is f32, elements of int32 given"),
        ("factor", ctypes.c_float.__ctype_be__(3), TypeError, "other byte order"),
        ("factor", np.ma.array([1], mask=[1], dtype=np.float32), TypeError, "a masked array"),
        ("factor", np.bool_(True), TypeError, "is f32, bool_? given"),
        ("factor", np.str_("3"), TypeError, "<U1 is no type"),
        ("offset", np.int64(1 << 32), ValueError, "does not fit"),
        ("offset", np.uint32(0xFFFFFFFF).astype(np.float32), TypeError, "is i32, float32 given"),
        ("offset", np.datetime64(3, "ns"), TypeError, "datetime64.ns. is no type of a constant"),
        ("factor", np.array([None]), TypeError, "object is no type of a constant: give numbers"),
        ("filter", np.array([None, 1.5]), TypeError, "object is no type of a constant: give numbers"),
        ("factor", "3", TypeError, "is f32, str given"),
        ("factor", True, TypeError, "is f32, bool given"),
        ("factor", [1, 2], ValueError, "is f32: it takes a number, 2 given"),
        ("factor", 1e300, ValueError, "does not fit"),
        ("factor", None, TypeError, "NoneType given"),
        ("factor", b"", ValueError, "takes 4 bytes, 0 given"),
        ("offset", 1.5, TypeError, "is i32, float given"),
        ("offset", 1 << 32, ValueError, "does not fit"),
        ("offset", np.float32(1), TypeError, "is i32, float32 given"),
        ("offset", np.array(1, ">i4"), TypeError, "no type of a constant"),
        ("negate", 300, ValueError, "does not fit"),
        ("filter", 1.0, ValueError, "takes 3 numbers, 1 given"),
        ("filter", np.zeros(3, np.int32), TypeError, "is {f32, i32, i32}, int32 given"),
        ("filter", np.zeros(3, "datetime64[s]"), TypeError, "datetime64.s. is no type of a constant"),
    ],
)
def test_a_bad_value_is_refused(image, name, value, error, part):
    with pytest.raises(error, match=part) as caught:
        image.kernel("scale", {name: value})
    assert f'constant "{name}"' in str(caught.value)


def test_unknown_names_are_refused(image):
    with pytest.raises(specpi.Error) as caught:
        image.kernel("scale", factr=1)
    assert caught.value.name == "SPECPI_ERROR_UNKNOWN_CONSTANT" and caught.value.code == -6
    assert 'has no constant "factr"; it has factor, filter, ' in str(caught.value)
    assert str(caught.value).endswith("; did you mean factor?")
    with pytest.raises(TypeError, match="values is an int, and has to be a dict"):
        image.kernel("scale", 3)
    with pytest.raises(specpi.Error, match='has no kernel "scal"; it has add, ') as caught:
        image.kernel("scal")
    assert caught.value.name == "SPECPI_ERROR_UNKNOWN_KERNEL" and caught.value.code == -7


def test_same_values_are_built_once(image, queue):
    scaled(image, queue, factor=11.0)
    before = specpi.cache.statistics()
    assert scaled(image, queue, factor=11.0) == [11, 22, 33]
    after = specpi.cache.statistics()
    assert after["builds"] == before["builds"] and after["hits"] == before["hits"] + 1


def test_the_cache_writes_to_its_directory(image, queue, tmp_path):
    directory = tmp_path / "cache"
    specpi.cache.set_directory(directory)
    assert specpi.cache.directory() == str(directory)
    try:
        scaled(image, queue, factor=12.0)
        assert os.listdir(directory)
    finally:
        specpi.cache.set_directory(None)
    with pytest.raises(specpi.Error, match="absolute"):
        specpi.cache.set_directory("relative")
    assert specpi.cache.directory() is None
    specpi.cache.clear()
    assert specpi.cache.statistics()["programs"] == 0


def test_an_image_outlives_its_file(queue, tmp_path):
    compiler = specpi.program_path("specpi-cc")
    for kind in ("obj", "so"):
        made = tmp_path / f"made.{kind}"
        subprocess.run([compiler, f"--emit={kind}", "-o", made, os.path.join(HERE, "kernels.cl")], check=True)
        image = specpi.load(made)
        made.unlink()
        assert scaled(image, queue, factor=5.0) == [5, 10, 15]


def test_a_module_of_spirv_is_an_image(queue, tmp_path):
    compiler = specpi.program_path("specpi-cc")
    made = tmp_path / "made.spv"
    subprocess.run([compiler, "--emit=spirv", "-o", made, os.path.join(HERE, "kernels.cl")], check=True)
    image = specpi.load(made)
    assert "scale" in image.kernels
    assert image.targets == ["spir64"]
    number = next(name for name, one in image.constants.items() if one.type == "f32" and one.size == 4)
    assert number.isdigit()
    data = np.arange(1, 4, dtype=np.float32)
    image.kernel("scale")(queue, 3, data, np.float32(0))
    assert data.tolist() == [2, 4, 6]
    made.write_bytes(made.read_bytes()[:100])
    with pytest.raises(specpi.Error, match="made.spv: damaged SPIR-V module"):
        specpi.load(made)


def test_ptx_is_an_image_for_cuda(queue, tmp_path):
    compiler = specpi.program_path("specpi-cc")
    made = tmp_path / "made.ptx"
    subprocess.run([compiler, "--emit=ptx", "-o", made, os.path.join(HERE, "kernels.cl")], check=True)
    image = specpi.load(made)
    assert image.targets == ["nvptx64"]
    assert "scale" in image.kernels and image.constants["factor"].size == 4
    if queue.device.selector.startswith("cuda"):
        data = np.arange(1, 4, dtype=np.float32)
        image.kernel("scale", factor=np.float32(5))(queue, 3, data, np.float32(0))
        assert data.tolist() == [5, 10, 15]
    else:
        with pytest.raises(specpi.Error, match="spir64"):
            image.kernel("scale", device=queue)


def test_an_image_has_several_targets(queue):
    image = specpi.compile(os.path.join(HERE, "kernels.cl"), targets=["spir64", "nvptx64"])
    assert image.targets == ["spir64", "nvptx64"]
    assert scaled(image, queue, factor=6) == [6, 12, 18]


def test_constants_in_a_buffer_take_typed_values(queue):
    image = specpi.compile(os.path.join(HERE, "kernels.cl"), options=["--spec-const=emulate"])
    assert scaled(image, queue, factor=np.float32(6)) == [6, 12, 18]
    with pytest.raises(TypeError, match="does not tell the type"):
        image.kernel("scale", factor=6.0)


def test_a_text_is_compiled(queue):
    image = specpi.compile(source="kernel void one(global int *out) { out[get_global_id(0)] = SIZE; }",
                           options=["-DSIZE=7"])
    out = np.zeros(2, np.int32)
    image.kernel("one")(queue, 2, out)
    assert out.tolist() == [7, 7]


def test_a_mistake_in_a_source_is_reported():
    with pytest.raises(specpi.BuildError, match="the source does not compile: .*error.*unknown_name") as caught:
        specpi.compile(source="kernel void one(global int *out) { *out = unknown_name; }")
    # The compiler's complete output, with the name of the source.
    log = caught.value.log
    assert log.startswith("the source:1:43: error: ") and "\n" in log and str(caught.value).endswith("\n" + log)
    with pytest.raises(TypeError, match="a path or a source"):
        specpi.compile()
    with pytest.raises(FileNotFoundError, match="nowhere.cl"):
        specpi.compile("nowhere.cl")
    with pytest.raises(ValueError, match=r"compile\(source=text\)"):
        specpi.compile("kernel void one(global int *out) { *out = 1; }")


def test_warnings_are_told():
    source = "kernel void one(global int *out) { int unused; *out = 1; }"
    with pytest.warns(specpi.CompilerWarning, match="the source:1:40: warning: unused variable") as caught:
        assert specpi.compile(source=source, options=["-Wall"]).kernels == ["one"]
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        specpi.compile(source=source)


def test_files_that_are_no_images_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        specpi.load(tmp_path / "none")
    for content in (b"", b"text", b"\x7fELF" + bytes(100), b"\x03\x02\x23\x07"):
        path = tmp_path / "bad"
        path.write_bytes(content)
        with pytest.raises(specpi.Error):
            specpi.load(path).kernel("any")
    path.write_bytes(b"text")
    with pytest.raises(specpi.Error, match="it is neither an ELF file nor a module of SPIR-V or PTX") as caught:
        specpi.load(path)
    assert caught.value.name == "SPECPI_ERROR_INVALID_IMAGE" and str(path) in str(caught.value)
    with pytest.raises(ValueError, match="kernels.cl is a source, which specpi.compile takes"):
        specpi.load(os.path.join(HERE, "kernels.cl"))
    with pytest.raises(ValueError, match="compile.source=text."):
        specpi.compile("kernel void f(global float *x)")


def test_a_damaged_image_is_refused(tmp_path):
    compiler = specpi.program_path("specpi-cc")
    made = tmp_path / "made.o"
    subprocess.run([compiler, "--emit=obj", "-o", made, os.path.join(HERE, "kernels.cl")], check=True)
    content = made.read_bytes()
    for size in range(0, len(content), len(content) // 37):
        made.write_bytes(content[:size])
        with pytest.raises(specpi.Error):
            specpi.load(made)
