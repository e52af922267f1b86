"""dpctl_arrays.py BACKEND COUNT [unreached]: tests specpi's kernels with dpctl's queues, memory and arrays.

BACKEND is the backend of libspecpi, which has COUNT devices. "unreached" says that libspecpi does not
share dpctl's context."""
import sys

import dpctl
import dpctl.memory
import numpy as np

import specpi

try:
    import dpctl.tensor as tensor
except ImportError:
    tensor = None  # dpctl has none since 0.22

BACKEND, COUNT, IS_SHARED = sys.argv[1], int(sys.argv[2]), sys.argv[3:] != ["unreached"]
KINDS = {"device": dpctl.memory.MemoryUSMDevice, "host": dpctl.memory.MemoryUSMHost,
         "shared": dpctl.memory.MemoryUSMShared}
SOURCE = """
kernel void twice(global const float *in, global float *out) {
  out[get_global_id(0)] = 2 * in[get_global_id(0)];
}
kernel void work(global float *out, int turns) {
  float x = out[0];
  for (int i = 0; i < turns; i++)
    x = x * 1.5f - (float)i;
  out[1] = x;
  out[2] = 7;
}
"""
image = specpi.compile(source=SOURCE)
sycl = dpctl.SyclQueue("cpu" if BACKEND == "opencl" else "gpu", property="in_order")
queue = specpi.Queue(sycl)
twice, work = image.kernel("twice", device=sycl), image.kernel("work", device=sycl.sycl_device)


def allocate(kind, content, of=sycl):
    memory = KINDS[kind](content.nbytes, queue=of)
    memory.copy_from_host(content.view(np.uint8))
    return memory


def read(memory):
    return np.asarray(memory.copy_to_host()).view(np.float32)


def refused(error, call, *parts):
    try:
        call()
    except error as reason:
        assert all(part in str(reason) for part in parts), reason
    else:
        raise AssertionError(f"not refused: {parts}")


class OnlyDLPack:
    """A tensor like that of another SYCL library: it has DLPack only."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_a_queue_is_of_the_same_device():
    assert repr(queue) == f"<specpi.Queue of {BACKEND}:0>"
    assert specpi.Queue(sycl.sycl_device).device == queue.device
    others = [one for one in dpctl.get_devices() if one.device_type == sycl.sycl_device.device_type]
    assert len(others) == COUNT
    found = [specpi.Queue(dpctl.SyclQueue(one)).device.selector for one in others]
    assert found == [f"{BACKEND}:{number}" for number in range(COUNT)], found
    refused(TypeError, lambda: twice(sycl, 1), "SyclQueue given", "specpi.Queue(queue)")


def test_memory_is_used_where_it_is(kind):
    content = np.arange(16, dtype=np.float32)
    given, made = allocate(kind, content), allocate(kind, np.zeros(16, np.float32))
    assert twice(queue, 16, given, made).state == "complete"
    assert (read(made) == 2 * content).all()
    if not IS_SHARED:
        return
    event = twice(ordinary, 16, made, given)
    assert given in [one.owner[0] for one in event.kept]  # as long as the launch may run
    event.wait()
    assert (read(given) == 4 * content).all()
    if kind != "device":
        alike = np.asarray(given).view(np.float32)
        refused(ValueError, lambda: twice(queue, 16, given, alike), "overlaps argument 0")


def test_arrays_are_compared_with_parameters():
    given = tensor.arange(20, dtype="f4", sycl_queue=sycl)
    made = tensor.zeros((4, 4), dtype="f4", sycl_queue=sycl)
    twice(queue, 16, given[4:], tensor.permute_dims(made, (1, 0)))
    assert (tensor.asnumpy(made).ravel() == 2 * np.arange(4, 20)).all()
    refused(TypeError, lambda: twice(queue, 8, tensor.zeros(8, dtype="f8", usm_type="host"), made), "float64 given")
    refused(TypeError, lambda: twice(queue, 8, tensor.zeros(8, dtype="i4", sycl_queue=sycl), made), "int32 given")
    refused(ValueError, lambda: twice(queue, 8, given[::2], made), "has strides")
    made.flags["W"] = False
    refused(ValueError, lambda: twice(queue, 8, given, made), "argument 1 is read-only")


def test_dlpack_alone_is_taken_or_refused():
    given, made = tensor.arange(8, dtype="f4", sycl_queue=sycl), tensor.zeros(8, dtype="f4", sycl_queue=sycl)
    sycl.wait()
    if BACKEND == "cuda":
        twice(queue, 8, OnlyDLPack(given), OnlyDLPack(made))
        assert (tensor.asnumpy(made) == 2 * np.arange(8)).all()
    else:
        refused(ValueError, lambda: twice(queue, 8, OnlyDLPack(given), made), "lies in the memory of oneAPI")


def test_what_dpctl_was_given_before_is_complete():
    size, end = 1 << 24, (1 << 22) - 16
    given, made, out = (KINDS["shared"](size, queue=sycl) for _ in range(3))
    views = [np.asarray(memory).view(np.float32)[end:] for memory in (made, out)]  # nothing names the memory's owner
    for turn in range(1, 6):
        given.memset(turn)
        sycl.memcpy_async(made, given, size)
        if turn % 2 and IS_SHARED:
            twice(queue, 16, *views)
        else:
            twice(ordinary, 16, made, out, offset=end).wait()
        expected = 2 * np.frombuffer(bytes([turn] * 4), np.float32)
        assert (views[1] == expected).all(), turn


def test_what_dpctl_is_given_next_finds_the_results():
    made, copy = (allocate("shared", np.zeros(4, np.float32)) for _ in range(2))
    work(queue, 1, made, 100000)
    sycl.memcpy(copy, made, 16)
    assert read(copy)[2] == 7
    memory = specpi.Memory(1 << 24, queue)
    memory.fill(queue, 5)
    assert bytes(np.asarray(memory)[-4:]) == bytes([5] * 4)


def test_the_hosts_side_takes_what_the_host_reaches():
    content = np.arange(4, dtype=np.float32)
    shared, device = allocate("shared", content), allocate("device", content)
    buffer = specpi.Buffer(shared, queue)
    assert buffer.read(queue) == content.tobytes()
    buffer.write(queue, 2 * content)
    buffer.read(queue, shared)
    assert (read(shared) == 2 * content).all()
    if not sycl.sycl_device.is_cpu:
        refused(ValueError, lambda: specpi.Buffer(device, queue), "not in the host's", "copy_to_host()")


def test_memory_of_another_device_is_copied_or_refused():
    (other,) = specpi.devices(f"{BACKEND}:1")
    foreign, kernel = specpi.Queue(other), image.kernel("twice", device=other)
    content = np.arange(4, dtype=np.float32)
    made = np.zeros(4, np.float32)
    for kind in ("shared", "host"):
        given = allocate(kind, content)
        kernel(foreign, 4, given, made)
        assert (made == 2 * content).all()
        kernel(foreign, 4, content, given)
        assert (read(given) == 2 * content).all()
    given = allocate("device", content)
    refused(ValueError, lambda: kernel(foreign, 4, given, made), f"which {other.selector} does not reach",
            "launch on specpi.Queue(array.sycl_queue)", "copy_to_host()")


def test_memory_of_a_context_that_is_not_shared_is_copied_or_refused():
    content = np.arange(4, dtype=np.float32)
    for kind in ("shared", "host"):
        given, made = allocate(kind, content), allocate(kind, 0 * content)
        assert not twice(ordinary, 4, given, made).kept
        assert (read(made) == 2 * content).all()
    given = allocate("device", content)
    refused(ValueError, lambda: twice(queue, 4, given, np.zeros(4, np.float32)), "does not reach: copy it to the host")


def test_a_sub_device_is_refused():
    (part, *_) = sycl.sycl_device.create_sub_devices(partition=1)
    refused(specpi.Error, lambda: specpi.Queue(dpctl.SyclQueue(part)), "sub-device", "selector")


ordinary = specpi.Queue(queue.device)
test_a_queue_is_of_the_same_device()
for one in KINDS if IS_SHARED else ("host", "shared"):
    test_memory_is_used_where_it_is(one)
test_what_dpctl_was_given_before_is_complete()
test_what_dpctl_is_given_next_finds_the_results()
test_the_hosts_side_takes_what_the_host_reaches()
if COUNT > 1:
    test_memory_of_another_device_is_copied_or_refused()
if not IS_SHARED:
    test_memory_of_a_context_that_is_not_shared_is_copied_or_refused()
if BACKEND == "opencl":
    test_a_sub_device_is_refused()
if tensor and IS_SHARED:
    test_arrays_are_compared_with_parameters()
    test_dlpack_alone_is_taken_or_refused()
print("works")
