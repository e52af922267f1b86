"""Kernels and their arguments."""

import array
import ctypes
import gc
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import specpi
from specpi import _library


def test_devices_have_what_selects_them():
    every = specpi.devices()
    assert every
    for one in every:
        assert specpi.devices(one.selector) == [one]
        assert one.name and one.platform and one.type in ("cpu", "gpu", "fpga", "unknown")
        assert one.selector.split(":")[0] == one.backend
        assert one.parent is None
        assert one.selector in repr(one)
    assert len(set(every)) == len(every)


def test_devices_have_what_specpi_ls_has():
    done = subprocess.run([sys.executable, "-m", "specpi", "ls", "--json"], capture_output=True, text=True, check=True)
    facts = ["name", "platform", "vendor", "version", "driver_version", "type", "backend", "compute_units",
             "max_work_group_size", "max_work_item_sizes", "sub_group_sizes", "local_memory_bytes", "memory_bytes",
             "max_allocation_bytes", "extensions"]
    for told in json.loads(done.stdout)["devices"]:
        assert set(told) - {"selector", "native_constants", "default", "parent"} == set(facts)
        (one,) = specpi.devices(told["selector"])
        for fact in facts:
            found = getattr(one, fact)
            assert (list(found) if isinstance(found, tuple) else found) == told[fact], fact
        assert told["default"] == (specpi.Queue().device == one)
        assert one.compute_units and one.local_memory_bytes and len(one.max_work_item_sizes) == 3


def test_a_fact_that_the_driver_does_not_have_is_none(monkeypatch):
    device = specpi.devices()[0]
    assert device.memory_bytes
    monkeypatch.setitem(_library.DEVICE_QUERIES, "GLOBAL_MEM_SIZE", 0x7FFFFFFF)
    assert device.memory_bytes is None
    monkeypatch.setitem(_library.DEVICE_QUERIES, "UUID", 0x7FFFFFFF)
    assert device.uuid is None


def test_devices_have_uuids_of_their_own():
    found = [one.uuid for one in specpi.devices() if one.backend != "opencl"]
    assert None not in found and len(set(found)) == len(found)


@pytest.mark.parametrize(
    "selector, error, part",
    [
        ("opencl", specpi.Error, "opencl"),
        ("nothing:0", specpi.Error, "nothing"),
        ("a\0b", ValueError, "NUL"),
        (3, TypeError, "str"),
    ],
)
def test_a_bad_selector_is_refused(selector, error, part):
    with pytest.raises(error, match=part):
        specpi.devices(selector)


def test_a_queue_of_no_device_is_refused():
    with pytest.raises(specpi.Error, match='"cuda:77" selects no device'):
        specpi.Queue("cuda:77")
    with pytest.raises(TypeError, match="float stands for no device"):
        specpi.Queue(1.0)


def test_arrays_are_copied_and_back(image, queue):
    data = np.arange(8, dtype=np.float32)
    event = image.kernel("scale", factor=3.0)(queue, 8, data, np.float32(0.5))
    assert data.tolist() == [0.5 + 3 * i for i in range(8)]
    assert event.state == "complete"
    assert event.times.started <= event.times.ended and event.seconds >= 0


def test_the_buffer_protocol_needs_no_numpy(image, queue):
    given, made = array.array("i", range(6)), bytearray(24)
    image.kernel("add", offset=7)(queue, 6, given, made)
    assert list(memoryview(made).cast("i")) == [i + 7 for i in range(6)]
    assert given.tolist() == list(range(6))


def test_read_only_arrays_are_inputs(image, queue):
    given, made = np.arange(6, dtype=np.int32), np.zeros(6, np.int32)
    given.flags.writeable = False
    kernel = image.kernel("add", offset=1)
    kernel(queue, 6, given, made)
    assert made.tolist() == [1, 2, 3, 4, 5, 6]
    kernel(queue, 6, bytes(given), made)
    assert made.tolist() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(ValueError, match='kernel "add": argument 1 is read-only, and the kernel writes to it'):
        kernel(queue, 6, made, given)
    assert given.tolist() == [0, 1, 2, 3, 4, 5]


def test_one_array_twice_is_one_buffer(image, queue):
    data = np.arange(6, dtype=np.int32)
    image.kernel("add", offset=2)(queue, 6, data, data)
    assert data.tolist() == [2, 3, 4, 5, 6, 7]


def test_fortran_order_is_taken_as_it_lies(image, queue):
    data = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    image.kernel("scale", factor=2.0)(queue, 6, data, np.float32(0))
    assert data.tolist() == [[0, 2, 4], [6, 8, 10]]


def test_records_are_values(image, queue):
    kind = np.dtype([("left", np.int32), ("right", np.float32)])
    out = np.zeros(2, np.float32)
    kernel = image.kernel("take_pair")
    kernel(queue, 1, out, np.array((3, 0.25), dtype=kind))
    assert out.tolist() == [3, 0.25]
    kernel(queue, 1, out, np.array([(4, 0.5)], dtype=kind)[0])
    assert out.tolist() == [4, 0.5]

    class Pair(ctypes.Structure):
        _fields_ = [("left", ctypes.c_int), ("right", ctypes.c_float)]

    kernel(queue, 1, out, Pair(5, 0.75))
    assert out.tolist() == [5, 0.75]


def test_local_memory_and_sizes_of_groups_are_passed(image, queue):
    out = np.zeros(2, np.int32)
    image.kernel("sum_groups")(queue, 8, np.arange(8, dtype=np.int32), out, specpi.Local(16), local_size=4)
    assert out.tolist() == [6, 22]


def test_two_dimensions_and_an_offset_are_passed(image, queue):
    out = np.zeros((3, 4), np.int32)
    image.kernel("place")(queue, (4, 3), out, local_size=(4, 1))
    assert out.tolist() == [[10 * y + x for x in range(4)] for y in range(3)]
    data = np.zeros(4, np.float32)
    image.kernel("scale")(queue, 2, data, np.float32(1), offset=2)
    assert data.tolist() == [0, 0, 1, 1]


def test_none_is_a_null_pointer(image, queue):
    out = np.zeros(1, np.int32)
    image.kernel("is_null")(queue, 1, out, None)
    assert out[0] == 1


def test_buffers_stay_on_the_device(image, queue):
    data = specpi.Buffer(np.arange(4, dtype=np.float32), queue)
    kernel = image.kernel("scale", factor=2.0)
    first = kernel(queue, 4, data, np.float32(0))
    second = kernel(queue, 4, data, np.float32(1), after=[first])
    specpi.wait([first, second])
    assert data.read(queue, np.zeros(4, np.float32)).tolist() == [1, 5, 9, 13]
    assert bytes(data.read(queue, offset=12)) == np.float32(13).tobytes()
    data.write(queue, np.float32(7), offset=4)
    data.fill(queue, b"\0\0\x80\x3f")
    copy = specpi.Buffer(16, queue)
    data.copy_to(queue, copy)
    queue.finish()
    assert copy.read(queue, np.zeros(4, np.float32)).tolist() == [1, 1, 1, 1]
    assert repr(copy) == f"<specpi.Buffer of 16 bytes on {queue.device.selector}>"


@pytest.mark.parametrize("kind", ["host", "shared", "device"])
def test_kernels_use_unified_shared_memory(image, queue, kind):
    memory = specpi.Memory(16, queue, kind)
    memory.write(queue, np.arange(4, dtype=np.float32))
    image.kernel("scale", factor=4.0)(queue, 4, memory, np.float32(0)).wait()
    assert memory.read(queue, np.zeros(4, np.float32)).tolist() == [0, 4, 8, 12]
    if kind == "device":
        with pytest.raises(AttributeError):
            memory.__array_interface__
        return
    shown = np.asarray(memory).view(np.float32)
    del memory
    gc.collect()
    assert shown.tolist() == [0, 4, 8, 12]


def test_memory_is_filled(queue):
    memory = specpi.Memory(8, queue, "shared")
    memory.fill(queue, 5)
    queue.finish()
    assert bytes(memory.read(queue)) == b"\5" * 8
    with pytest.raises(ValueError, match="256 is not the value of a byte"):
        memory.fill(queue, 256)
    with pytest.raises(ValueError, match="9 bytes do not fit"):
        memory.write(queue, b"123456789")
    with pytest.raises(ValueError, match='no memory of kind "near"'):
        specpi.Memory(8, queue, "near")


def test_dlpack_of_the_host_is_taken(image, queue):
    class Tensor:
        """A tensor that has only DLPack."""

        def __init__(self, of):
            self.of = of

        def __dlpack__(self, stream=None):
            return self.of.__dlpack__()

        def __dlpack_device__(self):
            return self.of.__dlpack_device__()

    data = np.arange(4, dtype=np.float32)
    image.kernel("scale", factor=2.0)(queue, 4, Tensor(data), np.float32(1))
    assert data.tolist() == [1, 3, 5, 7]
    with pytest.raises(ValueError, match="argument 0 has strides"):
        image.kernel("scale")(queue, 2, Tensor(data[::2]), np.float32(1))


def test_memory_of_another_device_is_refused(image, queue):
    class Tensor:
        def __dlpack_device__(self):
            return (10, 3)  # ROCm

        def __dlpack__(self, stream=None):
            return np.zeros(4, np.float32).__dlpack__()

    with pytest.raises(ValueError, match="argument 0 lies in the memory"):
        image.kernel("scale")(queue, 4, Tensor(), np.float32(1))


def test_device_pointers_are_for_cuda_alone(image, queue):
    if queue.device.backend != "cuda":
        with pytest.raises(AttributeError):
            specpi.Memory(16, queue).__cuda_array_interface__
        return
    memory = specpi.Memory(16, queue, "device")
    memory.write(queue, np.arange(4, dtype=np.float32))

    class Array:
        __cuda_array_interface__ = {**memory.__cuda_array_interface__, "typestr": "<f4", "shape": (4,)}

    image.kernel("scale", factor=2.0)(queue, 4, Array(), np.float32(1)).wait()
    assert memory.read(queue, np.zeros(4, np.float32)).tolist() == [1, 3, 5, 7]


FLOATS = np.zeros(4, np.float32)


@pytest.mark.parametrize(
    "sizes, arguments, options, error, part",
    [
        (4, (FLOATS,), {}, specpi.Error, "argument"),
        (4, (FLOATS[::2], np.float32(1)), {}, ValueError, "argument 0 has strides"),
        (4, (memoryview(FLOATS)[::2], np.float32(1)), {}, ValueError, "argument 0 is not contiguous"),
        (4, (np.zeros(0, np.float32), np.float32(1)), {}, ValueError, "argument 0 has no bytes"),
        (4, (object(), np.float32(1)), {}, TypeError, "argument 0 is an object"),
        (0, (FLOATS, np.float32(1)), {}, specpi.Error, "global"),
        (-1, (FLOATS, np.float32(1)), {}, ValueError, "-1"),
        (4.0, (FLOATS, np.float32(1)), {}, TypeError, "the global size is 4.0"),
        ((), (FLOATS, np.float32(1)), {}, ValueError, "0 dimensions"),
        ((1, 1, 1, 1), (FLOATS, np.float32(1)), {}, ValueError, "4 dimensions"),
        ("4", (FLOATS, np.float32(1)), {}, TypeError, "is '4': give an int, or a list of one to three"),
        ((4, 1), (FLOATS, np.float32(1)), {"local_size": 2}, ValueError, "is 2: give as many numbers as the global size has, 2"),
        (4, (FLOATS, 1, 2), {}, specpi.Error, 'kernel "scale" takes 2 arguments, 3 given'),
        (4, (FLOATS, np.float32(1)), {"local_size": 1 << 40}, specpi.Error, "a work-group on .* has at most"),
        (4, (FLOATS, np.float32(1)), {"local_size": (2, 2)}, ValueError, "as the global size has, 1"),
        (4, (FLOATS, np.float32(1)), {"local_size": 3}, specpi.Error, "3"),
    ],
)
def test_a_bad_launch_is_refused(image, queue, sizes, arguments, options, error, part):
    kernel = image.kernel("scale")
    with pytest.raises(error, match=part):
        kernel(queue, sizes, *arguments, **options)


def test_a_launch_needs_a_queue(image):
    with pytest.raises(TypeError, match="a specpi.Queue, str given"):
        image.kernel("scale")("cuda:0", 4, FLOATS, np.float32(1))


def test_what_is_closed_is_refused(image, queue):
    kernel = image.kernel("scale")
    closed = specpi.Queue(queue.device)
    closed.close()
    closed.close()
    assert closed.closed and "closed" in repr(closed)
    with pytest.raises(ValueError, match="this queue is closed"):
        kernel(closed, 4, FLOATS, np.float32(1))
    with pytest.raises(ValueError, match="this queue is closed"):
        closed.finish()
    buffer = specpi.Buffer(16, queue)
    buffer.close()
    with pytest.raises(ValueError, match="this buffer is closed"):
        kernel(queue, 4, buffer, np.float32(1))
    with kernel:
        pass
    with pytest.raises(ValueError, match="this kernel is closed"):
        kernel(queue, 4, FLOATS, np.float32(1))


def test_a_bad_buffer_is_refused(queue):
    with pytest.raises(specpi.Error, match="size"):
        specpi.Buffer(0, queue)
    with pytest.raises(ValueError, match="-4"):
        specpi.Buffer(-4, queue)
    with pytest.raises(TypeError, match="neither the buffer protocol"):
        specpi.Buffer(3.5, queue)
    buffer = specpi.Buffer(8, queue)
    with pytest.raises(ValueError, match="read-only"):
        buffer.read(queue, b"12345678")
    with pytest.raises(specpi.Error) as caught:
        buffer.write(queue, b"123456789")
    assert caught.value.name == "SPECPI_ERROR_INVALID_ARGUMENT" and caught.value.code == -1


def test_an_event_without_profiling_has_no_times(image):
    queue = specpi.Queue()
    event = image.kernel("scale")(queue, 4, specpi.Buffer(16, queue), np.float32(1)).wait()
    with pytest.raises(specpi.Error) as caught:
        event.times
    assert caught.value.name == "SPECPI_ERROR_NO_PROFILING"


def test_a_kernel_knows_its_arguments_and_group_size(image):
    kernel = image.kernel("sum_groups")
    assert kernel.info.argument_count == 3
    assert kernel.info.group_size > 0
    assert "sum_groups" in repr(kernel)


def test_the_largest_group_of_the_device_runs_whatever_registers_a_kernel_needs():
    queue = specpi.Queue()
    image, most = specpi.compile(os.path.join(os.path.dirname(__file__), "..", "support", "wide.cl")), queue.device.max_work_group_size
    kernel = image.kernel("wide", device=queue)
    assert kernel.info.group_size < most or queue.device.backend != "cuda"
    given = np.arange(136, dtype=np.uint32)
    out = np.zeros(most, np.uint32)
    kernel(queue, most, out, given, local_size=most).wait()
    total = 0
    for one in range(135, -1, -1):
        total = (total * 3 + one) % 2**32
    assert (out == (np.arange(most, dtype=np.uint64) + total) % 2**32).all()
    with pytest.raises(specpi.Error, match="in a group on|has at most"):
        kernel(queue, 2 * most, out, given, local_size=2 * most)
