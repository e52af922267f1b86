"""SYCL in Python: queues and devices of dpctl, and arrays that have dpctl's array interface (dpctl, dpnp)."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, List, NamedTuple, Optional

from . import _library as lib
from ._device import Device, devices
from ._elements import RAW
from ._memory import HostMemory, read_interface

TO_HOST = "copy it to the host first, with dpctl.tensor.asnumpy(array) or memory.copy_to_host()"


def _is_of_dpctl(given: Any, name: str) -> bool:
    kind = getattr(sys.modules.get("dpctl"), name, None)
    return kind is not None and isinstance(given, kind)


def is_queue(given: Any) -> bool:
    """Returns whether an object is a queue of dpctl."""
    return _is_of_dpctl(given, "SyclQueue")


def is_device(given: Any) -> bool:
    """Returns whether an object is a device of dpctl."""
    return _is_of_dpctl(given, "SyclDevice")


def kind_of_memory(device: Device, address: int) -> Optional[str]:
    """Returns "host", "device" or "shared" for the memory at an address.

    None if the device's driver does not know the memory.
    """
    kind = ctypes.c_int()
    lib.call("specpiMemoryGetKind", device.handle, address, ctypes.byref(kind))
    return lib.MEMORY_KINDS[kind.value] if kind.value < len(lib.MEMORY_KINDS) else None


def _select_owner(alike: List[Device], other: Any) -> List[Device]:
    """Returns the CUDA GPU in whose context a device of dpctl allocates, in a list; empty if none is found.

    Asking a GPU creates a context on it, so the GPU with the same number is asked first.
    """
    from dpctl.memory import MemoryUSMDevice  # type: ignore[import-not-found, unused-ignore]

    memory = MemoryUSMDevice(1, queue=sys.modules["dpctl"].SyclQueue(other))
    address = memory.__sycl_usm_array_interface__["data"][0]
    number = other.filter_string.rsplit(":", 1)[-1]
    for one in sorted(alike, key=lambda device: device.selector != f"cuda:{number}"):
        if kind_of_memory(one, address):
            return [one]
    return []


def match_device(given: Any) -> Device:
    """Returns libspecpi's device for a device of dpctl, or for the device of a queue of dpctl."""
    other = given.sycl_device if is_queue(given) else given
    if other.parent_device is not None:
        raise lib.Error("a sub-device of dpctl is not found by itself: give its selector, such as opencl:0.1")
    # The platform of specpi's CUDA adapter reports another backend, so its name is checked. (The
    # platform of NVIDIA's OpenCL is called "NVIDIA CUDA".)
    is_cuda = other.sycl_platform.name.startswith("CUDA by specpi")
    backend = "cuda" if is_cuda else other.backend.name
    alike = [one for one in devices(f"{backend}:*") if one.name == other.name]
    if backend == "cuda":
        alike = _select_owner(alike, other)
    if len(alike) == 1:
        return alike[0]
    what = f"dpctl's {other.filter_string}, {other.name},"
    if not alike:
        raise lib.Error(f"{what} is no device that specpi has; specpi ls lists those")
    raise lib.Error(f"{what} may be any of {', '.join(one.selector for one in alike)}: give one of these selectors")


class Array(NamedTuple):
    """Unified shared memory of a SYCL runtime: an array of dpctl or dpnp, or dpctl's memory itself."""

    memory: HostMemory  # the host may be unable to access it
    kind: str  # "host", "device", "shared", or "" if the object does not report it
    device: Any  # dpctl's, or None

    @property
    def on_host(self) -> bool:
        """Returns whether the host can access the memory, too."""
        return self.kind in ("host", "shared") or bool(self.device is not None and self.device.is_cpu)

    def is_reached_by(self, device: Device) -> bool:
        """Returns whether kernels on a device can use the memory in place.

        They can if the device's driver knows the memory, because it shares dpctl's context. A CPU
        that can access any host memory needs no shared context for memory that the host can access.
        """
        if kind_of_memory(device, self.memory.address):
            return True
        return device.type == "cpu" and self.on_host and device.reaches_host_memory

    @property
    def where(self) -> str:
        return "the memory of " + ("a SYCL device" if self.device is None else f"dpctl's {self.device.filter_string}")


def read_array(given: Any, what: str) -> Array:
    """Reads the interface of an array, and waits for the commands of its queue."""
    interface = given.__sycl_usm_array_interface__
    is_memory = hasattr(given, "get_usm_type")  # dpctl.memory reports all its memory as read-only
    strides, item = interface.get("strides"), int(interface["typestr"].lstrip("|<>=")[1:])
    in_bytes = None if strides is None else tuple(item * one for one in strides)
    size, element = read_interface({**interface, "strides": in_bytes}, what)
    address, readonly = interface["data"]
    memory = HostMemory(
        (given, interface), address + item * interface.get("offset", 0), size, readonly and not is_memory,
        RAW if is_memory else element, interface["shape"],
    )
    owner = interface["syclobj"]
    if is_queue(owner):
        owner.wait()
    kind = given.get_usm_type() if is_memory else getattr(given, "usm_type", "")
    return Array(memory, kind, getattr(given, "sycl_device", None))
