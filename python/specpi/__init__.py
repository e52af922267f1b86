"""Kernels with specialization constants on NVIDIA, OpenCL and Level Zero.

    import numpy, specpi

    image = specpi.compile("blur.cl")
    kernel = image.kernel("blur", radius=3, weights=[0.5, 0.25])
    kernel(specpi.Queue(), 1024, source, result)      # NumPy arrays

A build puts the constants' values into the kernel, which is then as fast as with the values typed into the source.
``devices()`` lists the devices; ``Queue``, ``Buffer`` and ``Memory`` keep data on a device. Failures of the library
raise ``specpi.Error`` with its message and code; wrong arguments in Python raise TypeError or ValueError.

Any thread may call any function. Other threads run while one builds a kernel or waits for one. A process that was
forked after the first call cannot use devices: start it with multiprocessing's "spawn".
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
