"""onednn_job.py DEVICE SCRATCH: checks that oneDNN, whose kernels are machine code of Intel's GPUs, refuses other GPUs."""
import ctypes
import os
import sys

import dpctl
from checks import finish, holds

GPU, INVALID_ARGUMENTS = 2, 2
WORDS = "gpu devices queried but not found"
dnnl = ctypes.CDLL("libdnnl.so.3")
dnnl.dnnl_engine_get_count.restype = ctypes.c_size_t
device = dpctl.SyclDevice("gpu")
assert "CUDA" in device.sycl_platform.name, device


def said_while(call, *arguments):
    """Returns the status of a function of oneDNN, and its output."""
    sys.stdout.flush()
    path = os.path.join(sys.argv[2], "said")
    own = os.dup(1)
    with open(path, "w+b") as file:
        os.dup2(file.fileno(), 1)
        try:
            status = call(*arguments)
            ctypes.CDLL(None).fflush(None)
        finally:
            os.dup2(own, 1)
        file.seek(0)
        return status, file.read().decode()


def is_refused(name, call, *arguments):
    """Checks that oneDNN creates no engine, and says why."""
    engine = ctypes.c_void_p()
    status, said = said_while(call, ctypes.byref(engine), *arguments)
    last = said.strip().rpartition("\n")[2]
    holds("refused", name, status == INVALID_ARGUMENTS and WORDS in last and not engine, f"status {status}, {last}")


count = dnnl.dnnl_engine_get_count(GPU)
holds("refused", "engines", count == 0, f"{count} of a GPU")
is_refused("an engine of the first GPU", dnnl.dnnl_engine_create, GPU, ctypes.c_size_t(0))
# The same with SYCL objects, whose addresses dpctl returns.
queue = dpctl.SyclQueue(device)
objects = [ctypes.c_void_p(one.addressof_ref()) for one in (queue.sycl_device, queue.sycl_context)]
is_refused("an engine of SYCL's device", dnnl.dnnl_sycl_interop_engine_create, *objects)
finish("onednn")
