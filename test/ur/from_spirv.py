"""from_spirv.py MODULE: runs a kernel of SPIR-V on the CUDA adapter with dpctl, which builds it by calling Level
Zero on the native handles of a queue's context and device."""
import sys

import dpctl
import dpctl.memory
import dpctl.program

COUNT = 64

queue = dpctl.SyclQueue("gpu")
assert queue.sycl_device.backend == dpctl.backend_type.level_zero, queue.sycl_device.backend
assert "CUDA" in queue.sycl_device.sycl_platform.name
with open(sys.argv[1], "rb") as file:
    program = dpctl.program.create_program_from_spirv(queue, file.read())
assert program.has_sycl_kernel("add") and not program.has_sycl_kernel("subtract")
kernel = program.get_sycl_kernel("add")
arrays = [dpctl.memory.MemoryUSMShared(4 * COUNT, queue=queue) for _ in range(3)]
views = [memoryview(array).cast("B").cast("i") for array in arrays]
for i in range(COUNT):
    views[0][i], views[1][i], views[2][i] = i, 1000 * i, -1
queue.submit(kernel, arrays, [COUNT])
queue.wait()
assert list(views[2]) == [1001 * i for i in range(COUNT)], list(views[2])
try:
    dpctl.program.create_program_from_spirv(queue, b"no SPIR-V at all")
except dpctl.program.SyclProgramCompilationError:
    print("works")
else:
    sys.exit("no SPIR-V has become a program")
