"""Arguments of launches: values, and the memory of arrays, of every type."""

import array
import ctypes
import gc
import mmap
import os
import subprocess
import sys
import weakref

import numpy as np
import pytest

import specpi

from conftest import HERE

# The scalars of OpenCL C: their names in SPIR-V, and the kinds and sizes of the same types in NumPy.
SCALARS = {
    "char": ("i8", "i", 1), "uchar": ("i8", "i", 1), "short": ("i16", "i", 2), "ushort": ("i16", "i", 2),
    "int": ("i32", "i", 4), "uint": ("i32", "i", 4), "long": ("i64", "i", 8), "ulong": ("i64", "i", 8),
    "float": ("f32", "f", 4), "double": ("f64", "f", 8),
}
DTYPES = [np.dtype(one) for one in "i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16 ?".split()]
KERNELS = "".join(
    f"kernel void copy_{name}{n}(global const {name}{n} *in, global {name}{n} *out)"
    " { out[get_global_id(0)] = in[get_global_id(0)]; }\n"
    f"kernel void value_{name}{n}(global {name}{n} *out, {name}{n} value) {{ *out = value; }}\n"
    for name in SCALARS for n in ("", 2, 3, 4, 8, 16)
) + """
typedef struct { float gain; int taps[2]; } filter_t;
typedef struct { char first; double second; short third; } padded_t;
kernel void copy_filter(global const filter_t *in, global filter_t *out) { *out = *in; }
kernel void copy_padded(global const padded_t *in, global padded_t *out) { *out = *in; }
kernel void copy_bytes(global const void *in, global void *out) {
  ((global char *)out)[get_global_id(0)] = ((global const char *)in)[get_global_id(0)];
}
kernel void copy_half(global const half *in, global half *out) {
  vstore_half(vload_half(get_global_id(0), in), get_global_id(0), out);
}
kernel void store_far(global const float *in, global float *out) { vstore4(vload4(0, in), 0, out); }
kernel void read_both(global const int *a, global const int *b, global int *out) {
  out[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];
}
kernel void from_constant(constant int *in, global int *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
kernel void add_one(global int *data) { data[get_global_id(0)]++; }
kernel void take_image(global int *out, read_only image2d_t image, sampler_t sampler) { *out = 1; }
kernel void take_local(global int *out, local int *scratch) { scratch[0] = 1; *out = scratch[0]; }
"""


@pytest.fixture(scope="module")
def arguments():
    return specpi.compile(source=KERNELS)


def is_same(dtype, name):
    _, kind, size = SCALARS[name]
    return dtype.itemsize == size and ({"u": "i"}.get(dtype.kind, dtype.kind) == kind or size == 1)


def numbers(dtype, count=16):
    """Returns an array of different bytes, so that a wrong conversion shows."""
    return (np.frombuffer(bytes(range(1, 1 + count * dtype.itemsize % 200)) * 200, np.uint8)[: count * dtype.itemsize]
            % 2 if dtype.kind == "b" else np.arange(count * dtype.itemsize, dtype=np.uint8)).view(dtype)


@pytest.mark.parametrize("allocator", ["default", "debug", "malloc", "malloc_debug"])
def test_each_value_arrives_whatever_the_allocator_does_with_freed_memory(allocator):
    """Python's own allocator and glibc's reuse a freed block at once; the debug allocators overwrite it."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "values.py")], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "PYTHONMALLOC": allocator, "MALLOC_PERTURB_": "165"})
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", SCALARS)
def test_arrays_are_taken_as_they_are_or_refused(arguments, queue, name):
    kernel = arguments.kernel(f"copy_{name}", device=queue)
    for dtype in DTYPES:
        source = numbers(dtype)
        result = np.zeros_like(source)
        count = source.nbytes // SCALARS[name][2]
        if is_same(dtype, name):
            kernel(queue, count, source, result)
            assert result.tobytes() == source.tobytes(), dtype
            continue
        with pytest.raises(TypeError, match=f'kernel "copy_{name}": argument 0 is global {SCALARS[name][0]}\\*, elements '
                           f"of {dtype} given: convert them with array.astype"):
            kernel(queue, count, source, result)
        with pytest.raises(TypeError, match="argument 1 is global"):
            kernel(queue, count, bytes(source), result)
        assert not result.view(np.uint8).any()


@pytest.mark.parametrize("name", SCALARS)
@pytest.mark.parametrize("width", [2, 3, 4, 8, 16])
def test_vectors_take_arrays_of_their_scalars(arguments, queue, name, width):
    kernel = arguments.kernel(f"copy_{name}{width}", device=queue)
    size = SCALARS[name][2]
    places = 4 if width == 3 else width
    for dtype in DTYPES:
        source = numbers(dtype, 8 * places * size // dtype.itemsize)
        result = np.zeros_like(source)
        is_complex = dtype.kind == "c" and SCALARS[name][1] == "f" and dtype.itemsize == 2 * size
        if is_same(dtype, name) or is_complex:
            kernel(queue, 8, source, result)
            wanted = source.view(np.uint8).reshape(8, -1)[:, : width * size]
            assert (result.view(np.uint8).reshape(8, -1)[:, : width * size] == wanted).all(), dtype
        else:
            with pytest.raises(TypeError, match="argument 0 is global"):
                kernel(queue, 8, source, result)


def test_a_part_of_a_vector_is_refused(arguments, queue):
    kernel = arguments.kernel("copy_float3", device=queue)
    for shape in ((9,), (5, 3), (4, 3)):
        with pytest.raises(ValueError, match="argument 0 is global f32x3.*a vector of 3 takes the bytes of 4"):
            kernel(queue, 2, np.zeros(shape, np.float32), np.zeros((2, 4), np.float32))
    with pytest.raises(ValueError, match="10 bytes are no multiple of the 4 that it leads to"):
        arguments.kernel("copy_int", device=queue)(queue, 2, bytes(10), bytearray(12))


@pytest.mark.parametrize("name", SCALARS)
@pytest.mark.parametrize("make", [
    lambda dtype: dtype.newbyteorder(">"),
    lambda dtype: np.dtype([("a", dtype), ("b", dtype.newbyteorder(">"))]),
    lambda dtype: np.dtype((dtype.newbyteorder(">"), (2,))),
])
def test_the_other_byte_order_is_refused_everywhere(arguments, queue, name, make):
    dtype = make(np.dtype(f"{SCALARS[name][1]}{SCALARS[name][2]}"))
    if SCALARS[name][2] == 1:
        return
    swapped, right = np.zeros(8, dtype), np.zeros(16, np.uint8)
    for call in (
        lambda: arguments.kernel(f"copy_{name}", device=queue)(queue, 1, swapped, right.view(f"V{dtype.itemsize}")),
        lambda: arguments.kernel(f"copy_{name}", device=queue)(queue, 1, bytes(64), swapped),
        lambda: arguments.kernel("copy_bytes", device=queue)(queue, 1, memoryview(swapped), bytearray(64)),
        lambda: specpi.Buffer(swapped, queue),
        lambda: specpi.Buffer(64, queue).write(queue, swapped),
        lambda: specpi.Buffer(swapped.nbytes, queue).read(queue, swapped),
        lambda: specpi.Memory(1024, queue).write(queue, swapped),
        lambda: specpi.Memory(1024, queue).read(queue, swapped),
        lambda: arguments.kernel(f"value_{name}", device=queue)(queue, 1, bytearray(8), swapped.ravel()[:1].reshape(())),
    ):
        with pytest.raises(TypeError, match="numbers of the other byte order: give array.astype"):
            call()


class BigPair(ctypes.BigEndianStructure):
    _fields_ = [("left", ctypes.c_int), ("right", ctypes.c_float)]


@pytest.mark.parametrize("given, part", [
    (np.array(["ab", "cd"]), "it is text"),
    (np.array(["2020-01-01"], "M8[D]"), "it is a time"),
    (np.array([1], "m8[s]"), "it is a duration"),
    (np.array([None] * 4), "Python's objects"),
    (np.array([(1, "a")], [("n", "i4"), ("t", "U1")]), "it is text"),
    (np.array([(1, None)], [("n", "i4"), ("t", "O")]), "Python's objects"),
    (np.zeros(4, np.longdouble), "elements of float128, which no device has"),
    (np.zeros(4, np.clongdouble), "elements of complex256, which no device has"),
    (np.ma.array([1, 2], mask=[0, 1], dtype=np.int32), "masked array"),
    (np.ma.masked, "masked array"),
    (array.array("u", "abcd"), "it is text"),
    ((ctypes.c_wchar * 4)(), "it is text"),
    ((ctypes.py_object * 2)(1, 2), "Python's objects"),
    ((ctypes.c_longdouble * 2)(), "float128, which no device has"),
    ((ctypes.c_int.__ctype_be__ * 4)(), "other byte order"),
    ((BigPair * 4)(), "other byte order"),
    (memoryview(np.zeros(4, ">i4")), "other byte order"),
    (memoryview(np.array(["ab"])), "it is text"),
    ([1, 2, 3], "a list, which has neither"),
    ("abcd", "a str, which has neither"),
    ({}, "a dict, which has neither"),
])
def test_what_no_device_has_is_refused_even_as_bytes(arguments, queue, given, part):
    for kernel in "copy_bytes", "copy_int", "copy_filter":
        with pytest.raises(TypeError, match=f'kernel "{kernel}": argument 0 .*{part}'):
            arguments.kernel(kernel, device=queue)(queue, 1, given, bytearray(64))
    with pytest.raises(TypeError, match=part):
        specpi.Buffer(given, queue)


def test_arrays_without_numpy_have_types(arguments, queue):
    for code in "bBhHiIlLqQfd":
        given, dtype = array.array(code, range(1, 17)), np.dtype(code)
        for name, (scalar, _, size) in SCALARS.items():
            kernel = arguments.kernel(f"copy_{name}", device=queue)
            for source in (given, memoryview(given), (np.ctypeslib.as_ctypes_type(dtype) * 16)(*given)):
                result = array.array(code, bytes(len(given.tobytes())))
                if is_same(dtype, name):
                    kernel(queue, len(given.tobytes()) // size, source, result)
                    assert result == given, (code, name)
                else:
                    with pytest.raises(TypeError, match=f"argument 0 is global {scalar}.*{dtype} given"):
                        kernel(queue, 1, source, result)


def test_bytes_may_be_anything(arguments, queue, tmp_path):
    wanted = np.arange(1, 5, dtype=np.float32)
    with open(tmp_path / "file", "wb+") as file:
        file.write(wanted.tobytes())
        file.flush()
        with mmap.mmap(file.fileno(), 16) as mapped, memoryview(mapped) as view:
            for source in (wanted.tobytes(), bytearray(wanted), view, mapped, wanted.view("V4")):
                result = bytearray(16)
                arguments.kernel("copy_float", device=queue)(queue, 4, source, result)
                assert result == wanted.tobytes()
                result = np.zeros(4, np.float32)
                arguments.kernel("copy_bytes", device=queue)(queue, 16, source, result)
                assert result.tolist() == wanted.tolist()


def test_a_pointer_to_void_takes_every_array(arguments, queue):
    kernel = arguments.kernel("copy_bytes", device=queue)
    for dtype in (*DTYPES, np.dtype("S3"), np.dtype([("n", "i4"), ("x", "f8")])):
        source = numbers(dtype)
        result = np.zeros_like(source)
        kernel(queue, source.nbytes, source, result)
        assert result.tobytes() == source.tobytes(), dtype
    assert [one.may_be_void for one in kernel.parameters] == [True, True]
    assert not arguments.kernel("copy_uchar", device=queue).parameters[0].may_be_void


def test_bytes_take_texts_of_bytes_and_vectors_of_them_records(arguments, queue):
    given, result = np.array([b"ab", b"cde"]), np.zeros(2, "S3")
    arguments.kernel("copy_char", device=queue)(queue, 6, given, result)
    assert result.tolist() == given.tolist()
    pixel = np.dtype([(one, np.uint8) for one in "rgba"])
    given, result = np.array([(1, 2, 3, 4)], pixel), np.zeros(1, pixel)
    arguments.kernel("copy_uchar4", device=queue)(queue, 1, given, result)
    assert result == given


def test_halves_are_copied_and_checked(arguments, queue):
    kernel, given = arguments.kernel("copy_half", device=queue), np.array([1, -2, 65504, 2.0**-24], np.float16)
    result = np.zeros_like(given)
    kernel(queue, 4, given, result)
    assert result.tolist() == given.tolist()
    for other in np.zeros(8, "V2"), np.zeros(8, np.float16):  # NumPy reports other packages' bfloat16 as V2
        with pytest.raises(TypeError, match=r"is global f32\*, elements of (record of 2 bytes|float16) given"):
            arguments.kernel("copy_float", device=queue)(queue, 4, other, np.zeros(4, np.float32))
    with pytest.raises(TypeError, match=r"is global f16\*, elements of uint16 given.*array.view\(numpy.float16\)"):
        kernel(queue, 4, given.view(np.uint16), result)


def test_structures_take_records_of_their_size(arguments, queue):
    kind = np.dtype([("gain", np.float32), ("taps", np.int32, 2)])
    given, result = np.array([(0.5, (1, 2))], kind), np.zeros(1, kind)
    arguments.kernel("copy_filter", device=queue)(queue, 1, given, result)
    assert result == given
    packed = np.dtype([("first", "i1"), ("second", "f8"), ("third", "i2")])
    aligned = np.dtype([("first", "i1"), ("second", "f8"), ("third", "i2")], align=True)
    kernel = arguments.kernel("copy_padded", device=queue)
    for count in 1, 24:  # 24 elements of 11 bytes could be 11 of 24
        with pytest.raises((TypeError, ValueError), match="argument 0 is global struct padded_t.*11 bytes"):
            kernel(queue, 1, np.zeros(count, packed), np.zeros(1, aligned))
    given, result = np.array([(1, 0.5, -3)], aligned), np.zeros(1, aligned)
    kernel(queue, 1, given, result)
    assert result == given
    point = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "f4")])
    given, result = np.array([(1, 2, 3, 4)], point), np.zeros(1, point)
    arguments.kernel("copy_float4", device=queue)(queue, 1, given, result)
    assert result == given
    for other in "copy_float", "copy_int4", "copy_float8":
        with pytest.raises((TypeError, ValueError), match="argument 0 is global"):
            arguments.kernel(other, device=queue)(queue, 1, given, result)


def test_arrays_without_dimensions_are_arrays_of_one(arguments, queue):
    given, result = np.array(7, np.int32), np.array(0, np.int32)
    arguments.kernel("copy_int", device=queue)(queue, 1, given, result)
    assert result == 7
    result = ctypes.c_int(0)
    arguments.kernel("copy_int", device=queue)(queue, 1, given, result)
    assert result.value == 7
    buffer = specpi.Buffer(given, queue)
    assert buffer.size == 4 and bytes(buffer.read(queue)) == given.tobytes()
    arguments.kernel("value_int", device=queue)(queue, 1, result, np.array(9, np.int32))
    assert result.value == 9


@pytest.mark.parametrize("given", [np.int32(7), np.uint64(1 << 40), 7, 0, 1.5, True, np.void(b"1234"), 1j])
def test_a_scalar_for_a_pointer_is_refused(arguments, queue, given):
    with pytest.raises(TypeError, match=r"argument 0 is global i32\*, a pointer: give an array or memory"):
        arguments.kernel("copy_int", device=queue)(queue, 1, given, np.zeros(1, np.int32))


@pytest.mark.parametrize("name", SCALARS)
def test_numbers_are_passed_by_value_if_they_fit(arguments, queue, name):
    kernel, (_, kind, size) = arguments.kernel(f"value_{name}", device=queue), SCALARS[name]
    dtype = np.dtype(f"{kind}{size}")
    out = np.zeros(1, dtype)
    bits = 8 * size
    given = [0, 1, -1, np.int64(2), np.uint8(3), np.int8(-4)]
    refused = [2.0**200 if kind == "i" else "text", None, [1], 1j, np.complex64(1), np.datetime64(1, "ns")]
    if kind == "i":
        given += [(1 << bits) - 1, -(1 << (bits - 1)), np.int64(-(1 << (bits - 1)))]
        refused += [1 << bits, -(1 << (bits - 1)) - 1, 1.5, np.float32(1), 1.0]
        refused += [True, np.bool_(True)] if size != 1 else [300, np.int32(300)]
    else:
        given += [0.5, np.float32(0.25), np.float64(-0.125), np.float16(2), float("inf"), np.longdouble(4)]
        refused += [True, np.bool_(1), 10**400] + [1e300, np.float64(-1e300)] * (size == 4)
    for value in given:
        kernel(queue, 1, out, value)
        wanted = int(value) % (1 << bits) if kind == "i" else float(value)
        assert (out.view(f"u{size}")[0] if kind == "i" else out[0]) == wanted, value
    out[:] = 77
    for value in refused:
        with pytest.raises((TypeError, ValueError), match=f'kernel "value_{name}": argument 1 ') as caught:
            kernel(queue, 1, out, value)
        assert SCALARS[name][0] in str(caught.value) or "it is a time" in str(caught.value), value
    assert out[0] == 77


def test_values_are_not_reinterpreted(arguments, queue):
    out = np.zeros(1, np.float32)
    kernel = arguments.kernel("value_float", device=queue)
    for value in (np.zeros(1, np.int32), np.array(1, np.float64), ctypes.c_int(1), ctypes.c_double(1),
                  array.array("i", [1]), np.zeros(2, np.float32), bytes(3), specpi.Buffer(4, queue),
                  specpi.Memory(4, queue), specpi.Local(4)):
        with pytest.raises((TypeError, ValueError), match="argument 1 is f32"):
            kernel(queue, 1, out, value)
    for value in (np.array([3], np.float32), np.array(3, np.float32), ctypes.c_float(3), array.array("f", [3]),
                  np.float32(3).tobytes()):
        out[:] = 0
        kernel(queue, 1, out, value)
        assert out[0] == 3


@pytest.mark.parametrize("width", [2, 3, 4, 8, 16])
def test_vectors_are_passed_by_value(arguments, queue, width):
    out = np.zeros(4 if width == 3 else width, np.float32)
    kernel, wanted = arguments.kernel(f"value_float{width}", device=queue), np.arange(width, dtype=np.float32)
    fields = np.dtype([(f"s{i}", "f4") for i in range(width)])
    for value in (wanted, wanted.view(fields)[0], wanted.tobytes(), (ctypes.c_float * width)(*wanted)):
        out[:] = -1
        kernel(queue, 1, out, value)
        assert out[:width].tolist() == wanted.tolist()
    with pytest.raises(TypeError, match="float given, which has no size"):
        kernel(queue, 1, out, 1.0)
    with pytest.raises(TypeError, match=f"argument 1 is f32x{width}, elements of int32 given"):
        kernel(queue, 1, out, wanted.astype(np.int32))
    with pytest.raises(ValueError, match=f"argument 1 is f32x{width} of"):
        kernel(queue, 1, out, wanted[1:])


def test_overlapping_arrays_are_refused(arguments, queue):
    data = np.arange(8, dtype=np.int32)
    copy = arguments.kernel("copy_int", device=queue)
    for first, second in ((data[3:], data), (data, data[3:]), (data[:5], data[4:]), (data[:7], data[:8]),
                          (memoryview(data)[2:], data)):
        with pytest.raises(ValueError, match="argument 1 overlaps argument 0"):
            copy(queue, 3, first, second)
    assert data.tolist() == list(range(8))
    copy(queue, 4, data[:4], data[4:])
    assert data.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    out = np.zeros(4, np.int32)
    arguments.kernel("read_both", device=queue)(queue, 4, data[1:], data[:7], out)  # nothing writes to them
    assert out.tolist() == [1, 3, 5, 3]
    with pytest.raises(ValueError, match="argument 2 overlaps argument 0"):
        arguments.kernel("read_both", device=queue)(queue, 4, data[1:], data[:7], data[2:6])


def test_arrays_that_nothing_writes_are_not_copied_back(arguments, queue):
    """So another thread may use such arrays meanwhile, and two of them may overlap, read-only or not."""
    data, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    fixed = data.view()
    fixed.flags.writeable = False
    store = arguments.kernel("store_far", device=queue)  # its accesses are unknown
    with pytest.raises(ValueError, match="argument 1 overlaps argument 0"):
        store(queue, 1, data[2:], data[:4])
    with pytest.raises(ValueError, match="argument 1 is read-only, and the kernel wrote to it"):
        store(queue, 1, fixed[2:], fixed[:4])
    assert data.tolist() == list(range(8))
    arguments.kernel("copy_float", device=queue)(queue, 8, data, data)  # one buffer, which the kernel writes
    read_back = []
    buffer_read = specpi.Buffer.read_into
    try:
        specpi.Buffer.read_into = lambda self, *given: read_back.append(self) or buffer_read(self, *given)
        arguments.kernel("copy_float", device=queue)(queue, 8, data, out)
    finally:
        specpi.Buffer.read_into = buffer_read
    assert len(read_back) == 1 and out.tolist() == data.tolist()


def test_memory_of_others_is_kept_with_the_event(arguments, queue):
    if queue.device.backend != "cuda":
        pytest.skip("other backends take no memory of others in place")
    memory = specpi.Memory(16, queue, "device")
    memory.write(queue, np.arange(4, dtype=np.int32))

    class Temporary:
        """An object whose array interface holds the only reference to the memory's owner."""

        @property
        def __cuda_array_interface__(self):
            own = specpi.Memory(16, queue, "device")
            owned.append(weakref.ref(own))
            return {**own.__cuda_array_interface__, "typestr": "<i4", "shape": (4,), "owner": own}

    owned = []
    event = arguments.kernel("copy_int", device=queue)(queue, 4, memory, Temporary())
    gc.collect()
    assert owned[-1]() is not None
    assert bytes(owned[-1]().read(queue)) == bytes(np.arange(4, dtype=np.int32))
    del event
    gc.collect()
    assert owned[-1]() is None


def test_an_array_of_memory_that_is_passed_too_is_refused(arguments, queue):
    memory = specpi.Memory(32, queue)
    shown = np.asarray(memory).view(np.int32)
    copy = arguments.kernel("copy_int", device=queue)
    for given in ((memory, shown), (shown, memory), (shown[2:], memory)):
        with pytest.raises(ValueError, match="argument 1 overlaps argument 0"):
            copy(queue, 4, *given)
    copy(queue, 4, memory, memory).wait()


def test_results_of_read_only_arrays_are_not_lost_without_a_word(arguments, queue):
    given, fixed = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    fixed.flags.writeable = False
    for out in (fixed, bytes(16), memoryview(bytearray(16)).toreadonly()):
        with pytest.raises(ValueError, match="argument 1 is read-only, and the kernel writes to it"):
            arguments.kernel("copy_int", device=queue)(queue, 4, given, out)
    # The compiler does not know how vstore4 and vload4 access the memory of a pointer.
    source, out = bytes(np.arange(1, 5, dtype=np.float32)), np.zeros(4, np.float32)
    kernel = arguments.kernel("store_far", device=queue)
    kernel(queue, 1, source, out)
    assert out.tolist() == [1, 2, 3, 4]
    out = np.zeros(4, np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="argument 1 is read-only, and the kernel wrote to it"):
        kernel(queue, 1, source, out)
    assert not out.any()
    arguments.kernel("from_constant", device=queue)(queue, 4, bytes(given), made := np.zeros(4, np.int32))
    assert made.tolist() == given.tolist()
    with pytest.raises(ValueError, match="argument 0 is read-only"):
        arguments.kernel("add_one", device=queue)(queue, 4, bytes(16))


def test_buffers_keep_the_type_of_their_array(arguments, queue):
    kernel = arguments.kernel("copy_float", device=queue)
    floats = specpi.Buffer(np.arange(4, dtype=np.float32), queue)
    kernel(queue, 4, floats, specpi.Buffer(16, queue))
    for other in (np.zeros(4, np.float64), np.zeros(4, np.int32), array.array("i", [0] * 4)):
        with pytest.raises(TypeError, match=r"argument 1 is global f32\*, elements of (float64|int32) given"):
            kernel(queue, 4, floats, specpi.Buffer(other, queue))
    kernel(queue, 4, floats, specpi.Buffer(bytes(16), queue))
    kernel(queue, 4, floats, specpi.Buffer(specpi.Memory(16, queue), queue))
    queue.finish()


@pytest.mark.parametrize("kernel, given, part", [
    ("take_image", (bytearray(4), bytearray(4), None), "argument 1 is a read_only image2d, and this package"),
    ("take_local", (bytearray(4), bytearray(4)), r"argument 1 is local i32\*: give specpi.Local"),
    ("take_local", (bytearray(4), None), r"argument 1 is local i32\*: give specpi.Local"),
    ("take_local", (specpi.Local(4), specpi.Local(4)), r"argument 0 is global i32\*, local memory given"),
    ("value_int", (bytearray(4), None), "argument 1 is i32, a null pointer given"),
])
def test_other_kinds_of_parameters_are_not_mixed_up(arguments, queue, kernel, given, part):
    with pytest.raises(TypeError, match=part):
        arguments.kernel(kernel, device=queue)(queue, 1, *given)


def test_strides_and_nothing_are_refused(arguments, queue):
    kernel = arguments.kernel("copy_int", device=queue)
    data = np.zeros((4, 4), np.int32)
    for given in (data[::2], data[:, :2], data[::-1], np.broadcast_to(np.int32(1), 4)):
        with pytest.raises(ValueError, match="argument 0 has strides"):
            kernel(queue, 1, given, data)
    for given in (data[:0], b"", bytearray(), array.array("i"), (ctypes.c_int * 0)()):
        with pytest.raises(ValueError, match="argument 0 has no bytes: give None"):
            kernel(queue, 1, given, data)


class Interface:
    """An object that has only the array interface."""

    def __init__(self, **members):
        self.__array_interface__ = {"version": 3, **members}


def test_array_interfaces_may_have_an_object_of_the_bytes(arguments, queue):
    wanted, out = np.arange(1, 5, dtype=np.int32), np.zeros(4, np.int32)
    kernel = arguments.kernel("copy_int", device=queue)
    for given in (
        Interface(shape=(4,), typestr="<i4", data=wanted.tobytes()),
        Interface(shape=(4,), typestr="<i4", data=bytes(8) + wanted.tobytes(), offset=8),
        Interface(shape=(2, 2), typestr="<i4", data=(wanted.ctypes.data, True), strides=(8, 4)),
    ):
        out[:] = 0
        kernel(queue, 4, given, out)
        assert out.tolist() == [1, 2, 3, 4]
    with pytest.raises(TypeError, match="argument 0 has a mask"):
        kernel(queue, 4, Interface(shape=(4,), typestr="<i4", data=bytes(16), mask=bytes(4)), out)
    with pytest.raises(TypeError, match="elements of the type 'i4', which"):
        kernel(queue, 4, Interface(shape=(4,), typestr="i4", data=bytes(16)), out)


def test_types_of_foreign_device_memory_are_compared(arguments, queue):
    class Tensor:
        def __init__(self, of):
            self.__dlpack__, self.__dlpack_device__ = lambda stream=None: of.__dlpack__(), of.__dlpack_device__

    kernel = arguments.kernel("copy_float", device=queue)
    out = np.zeros(4, np.float32)
    kernel(queue, 4, Tensor(np.arange(4, dtype=np.float32)), out)
    assert out.tolist() == [0, 1, 2, 3]
    with pytest.raises(TypeError, match="argument 0 is global f32.*float64 given"):
        kernel(queue, 4, Tensor(np.zeros(4)), out)
    if queue.device.backend != "cuda":
        return
    memory = specpi.Memory(16, queue, "device")
    for typestr, part in ((">f4", "other byte order"), ("<f8", "elements of float64"), ("<i4", "elements of int32")):
        class Array:
            __cuda_array_interface__ = {**memory.__cuda_array_interface__, "typestr": typestr, "shape": (2,)}

        with pytest.raises(TypeError, match=f"argument 0 .*{part}"):
            kernel(queue, 4, Array(), out)


def test_without_types_values_and_arrays_are_as_given(queue):
    if queue.device.backend != "cuda":
        pytest.skip("PTX is for CUDA alone")
    image = specpi.compile(source=KERNELS.replace("kernel void take_image", "void take_image"), targets=["nvptx64"])
    out = np.zeros(4, np.float32)
    image.kernel("copy_float")(queue, 4, np.arange(4, dtype=np.float32), out)
    assert out.tolist() == [0, 1, 2, 3]
    image.kernel("value_float")(queue, 1, out, np.float32(7))
    assert out[0] == 7
    with pytest.raises(TypeError, match="argument 1 is f32, float given, which has no size"):
        image.kernel("value_float")(queue, 1, out, 7.0)
    with pytest.raises(ValueError, match="argument 1 is f32 of 4 bytes, 8 given"):
        image.kernel("value_float")(queue, 1, out, np.float64(7))
    for given in np.int64(7), np.zeros(1, np.int32):
        with pytest.raises(ValueError, match="argument 1 is u32 of 4 bytes, 8 given"):
            image.kernel("value_int")(queue, 1, bytearray(4), given)
    with pytest.raises(TypeError, match="argument 1 is an array without dimensions, and nothing tells"):
        image.kernel("value_long")(queue, 1, bytearray(8), np.array(7))
    with pytest.raises(TypeError, match="argument 1 is an int, which has no size"):
        image.kernel("value_long")(queue, 1, bytearray(8), 7)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="argument 1 is read-only, and the kernel wrote to it"):
        image.kernel("copy_float")(queue, 4, bytes(16), out)
    both = specpi.compile(source=KERNELS.replace("kernel void take_image", "void take_image"),
                          targets=["spir64", "nvptx64"])
    with pytest.raises(TypeError, match="argument 0 is global f32.*float64 given"):
        both.kernel("copy_float")(queue, 4, np.zeros(4), np.zeros(4, np.float32))
