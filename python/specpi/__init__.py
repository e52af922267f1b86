"""Kernels with specialization constants on NVIDIA, OpenCL and Level Zero.

    import numpy, specpi

    image = specpi.compile("blur.cl")
    kernel = image.kernel("blur", radius=3, weights=[0.5, 0.25])
    kernel(specpi.Queue(), 1024, source, result)      # NumPy arrays

A constant's value is put into a kernel when it is built, so that it is as fast as if the value had been typed into the
source. ``devices()`` lists the devices; ``Queue``, ``Buffer`` and ``Memory`` are for those who keep data on them.
Errors are ``specpi.Error`` with the library's message and code; mistakes in Python are TypeError and ValueError.

Any thread may call anything; other threads run while a kernel is built or waited for. Processes that fork after their
first call cannot use devices in the child: start them with multiprocessing's "spawn".
"""

from . import cache
from ._device import Device, Event, Queue, Times, devices, wait
from ._elements import Parameter
from ._image import Image, compile, load
from ._kernel import Kernel, KernelInfo
from ._library import BuildError, CompilerWarning, DeviceLostError, Error, library_path, program_path, version
from ._memory import Buffer, Local, Memory
from ._values import Constant, Scalar

__version__ = "0.1.0"

__all__ = [
    "Buffer",
    "BuildError",
    "CompilerWarning",
    "Constant",
    "Device",
    "DeviceLostError",
    "Error",
    "Event",
    "Image",
    "Kernel",
    "KernelInfo",
    "Local",
    "Memory",
    "Parameter",
    "Queue",
    "Scalar",
    "Times",
    "cache",
    "compile",
    "devices",
    "library_path",
    "load",
    "program_path",
    "version",
    "wait",
]

# Exceptions get this module's name, so that tracebacks and pickles name them as callers do. Other
# objects keep their own, because inspect.getsource() and typing.get_type_hints() need it.
for _error in (Error, BuildError, CompilerWarning, DeviceLostError):
    _error.__module__ = __name__
