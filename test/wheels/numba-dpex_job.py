"""numba-dpex_job.py DEVICE SCRATCH: runs kernels that numba-dpex compiles from Python functions to SPIR-V: plain ones,
some with work-groups, local memory and barriers, and some with atomic additions."""
import dpctl
import numba_dpex
import numpy
from numba_dpex import kernel_api

import dpnp
from checks import finish, right

COUNT, GROUP = 256, 32
assert "CUDA" in dpctl.SyclDevice("gpu").sycl_platform.name


@numba_dpex.kernel
def multiply_add(item: kernel_api.Item, a, b, c):
    i = item.get_id(0)
    c[i] = a[i] * b[i] + c[i]


@numba_dpex.kernel
def reverse_groups(item: kernel_api.NdItem, a, kept):
    i = item.get_global_id(0)
    own = item.get_local_id(0)
    kept[own] = a[i]
    kernel_api.group_barrier(item.get_group(), kernel_api.MemoryScope.WORK_GROUP)
    a[i] = kept[item.get_local_range(0) - 1 - own]


@numba_dpex.kernel
def count_all(item: kernel_api.Item, a, total):
    i = item.get_id(0)
    kernel_api.AtomicRef(total, index=0).fetch_add(a[i])


def on_gpu(values):
    # numba-dpex assigns local memory to the default queue, and refuses it together with arrays of another queue.
    return dpnp.asarray(values, device="gpu")


def run(kernel, shape, results, *arguments):
    numba_dpex.call_kernel(kernel, shape, *arguments)
    return dpnp.asnumpy(results)


random = numpy.random.default_rng(2)
for dtype, tolerance in (("f4", 1e-6), ("f8", 1e-15), ("i4", 0), ("i8", 0)):
    a, b, c = (random.integers(-99, 99, COUNT).astype(dtype) / (4 if dtype[0] == "f" else 1) for _ in range(3))
    a, b, c = (one.astype(dtype) for one in (a, b, c))
    arrays = [on_gpu(one) for one in (a, b, c)]
    right(
        f"a range, {dtype}",
        lambda: run(multiply_add, kernel_api.Range(COUNT), arrays[2], *arrays),
        a * b + c,
        tolerance,
    )

values = random.standard_normal(COUNT).astype("f4")
array = on_gpu(values)
right(
    "work-groups, local memory and a barrier",
    lambda: run(
        reverse_groups,
        kernel_api.NdRange((COUNT,), (GROUP,)),
        array,
        array,
        kernel_api.LocalAccessor(GROUP, dtype=array.dtype),
    ),
    values.reshape(-1, GROUP)[:, ::-1].ravel(),
)
whole = random.integers(0, 99, COUNT).astype("i4")
total = on_gpu(numpy.zeros(1, "i4"))
right(
    "atomic additions",
    lambda: run(count_all, kernel_api.Range(COUNT), total, on_gpu(whole), total),
    numpy.array([whole.sum()]),
)
finish("numba-dpex", "dpctl")
