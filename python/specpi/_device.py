"""Devices, queues and events."""

from __future__ import annotations

import ctypes
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple
from uuid import UUID

from . import _library as lib


class Device:
    """A device or sub-device, as ``specpi ls`` shows it. Devices can be compared, and used as keys of dicts."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.handle == other.handle

    def __hash__(self) -> int:
        return hash(self.handle)

    def __reduce__(self) -> Any:
        return find_device, (self.selector,)  # in another process

    def __repr__(self) -> str:
        return f"<specpi.Device {self.selector}: {self.name}>"

    def _text(self, name: str) -> str:
        return lib.text(getattr(lib.library(), name)(self.handle))

    @property
    def selector(self) -> str:
        """The text that selects the device in ONEAPI_DEVICE_SELECTOR and :func:`devices`, e.g. "cuda:0"."""
        return self._text("specpiDeviceGetSelector")

    @property
    def name(self) -> str:
        """The driver's name of the device."""
        return self._text("specpiDeviceGetName")

    @property
    def vendor(self) -> str:
        """The device's vendor."""
        return self._text("specpiDeviceGetVendor")

    @property
    def version(self) -> str:
        """The version of the interface that the device supports, e.g. "OpenCL 3.0 (Build 0)"."""
        return self._text("specpiDeviceGetVersion")

    @property
    def driver_version(self) -> str:
        """The version of the driver."""
        return self._text("specpiDeviceGetDriverVersion")

    @property
    def type(self) -> str:
        """ "cpu", "gpu", "fpga" or "unknown"."""
        return self._text("specpiDeviceGetTypeName")

    @property
    def backend(self) -> str:
        """ "opencl", "level_zero" or "cuda"."""
        loaded = lib.library()
        return lib.text(loaded.specpiBackendGetName(loaded.specpiDeviceGetBackend(self.handle)))

    @property
    def platform(self) -> str:
        """The name of the device's platform."""
        loaded = lib.library()
        return lib.text(loaded.specpiPlatformGetName(loaded.specpiDeviceGetPlatform(self.handle)))

    @property
    def parent(self) -> Optional["Device"]:
        """The device of which this one is a sub-device, or None."""
        handle = lib.library().specpiDeviceGetParent(self.handle)
        return Device(handle) if handle else None

    def _facts(self, query: str, type: Any = ctypes.c_size_t) -> Optional[Tuple[Any, ...]]:
        """Returns the driver's values for a query, or None if it does not report them."""
        number, size = lib.DEVICE_QUERIES[query], ctypes.c_size_t()
        get_info = lib.library().specpiDeviceGetInfo
        if get_info(self.handle, number, 0, None, ctypes.byref(size)) != lib.SUCCESS:
            return None
        values = (type * (size.value // ctypes.sizeof(type)))()
        found = get_info(self.handle, number, size.value, values, None) == lib.SUCCESS
        return tuple(values) if found else None

    def _fact(self, query: str, type: Any = ctypes.c_size_t) -> Optional[int]:
        values = self._facts(query, type)
        return int(values[0]) if values else None

    @property
    def compute_units(self) -> Optional[int]:
        """The number of compute units. This and the properties below are None if the driver does not report them."""
        return self._fact("MAX_COMPUTE_UNITS", ctypes.c_uint32)

    @property
    def max_work_group_size(self) -> Optional[int]:
        """The maximum of work-items in a work-group."""
        return self._fact("MAX_WORK_GROUP_SIZE")

    @property
    def max_work_item_sizes(self) -> Optional[Tuple[int, ...]]:
        """The maximum of work-items in a work-group, for each dimension."""
        return self._facts("MAX_WORK_ITEM_SIZES")

    @property
    def sub_group_sizes(self) -> Optional[Tuple[int, ...]]:
        """The sizes that sub-groups can have."""
        return self._facts("SUB_GROUP_SIZES_INTEL")

    @property
    def local_memory_bytes(self) -> Optional[int]:
        """The local memory of a work-group in bytes."""
        return self._fact("LOCAL_MEM_SIZE", ctypes.c_uint64)

    @property
    def memory_bytes(self) -> Optional[int]:
        """The memory of the device in bytes."""
        return self._fact("GLOBAL_MEM_SIZE", ctypes.c_uint64)

    @property
    def max_allocation_bytes(self) -> Optional[int]:
        """The largest size of one allocation in bytes."""
        return self._fact("MAX_MEM_ALLOC_SIZE", ctypes.c_uint64)

    @property
    def extensions(self) -> Optional[str]:
        """The names of the device's extensions, as one text."""
        values = self._facts("EXTENSIONS", ctypes.c_char)
        return None if values is None else lib.text(b"".join(values).rstrip(b"\0"))

    @property
    def uuid(self) -> Optional[UUID]:
        """The UUID, by which other libraries find the device: NVML shows it after "GPU-"."""
        values = self._facts("UUID", ctypes.c_uint8)
        return UUID(bytes=bytes(values)) if values else None

    @property
    def reaches_host_memory(self) -> bool:
        """True if kernels can use any host memory in place, not only memory that drivers allocated."""
        return bool((self._fact("USM_SYSTEM_SHARED_SUPPORT", ctypes.c_uint64) or 0) & 1)


def devices(selector: Optional[str] = None) -> List[Device]:
    """Returns the devices that a selector chooses. It is written as in ONEAPI_DEVICE_SELECTOR, e.g. "cuda:*".

    Without a selector, that environment variable chooses; if it is not set, all devices are listed.
    """
    given = None if selector is None else lib.encoded(selector, "the selector")
    return [Device(one) for one in lib.listed("specpiDevicesGet", ctypes.c_void_p, given)]


def preferred_devices(selector: Optional[str] = None) -> List[Device]:
    """Returns the same devices as :func:`devices`, the best first. That one is the default device.

    Devices that take SPIR-V come first, and among them GPUs.
    """
    given = None if selector is None else lib.encoded(selector, "the selector")
    return [Device(one) for one in lib.listed("specpiDevicesGetPreferred", ctypes.c_void_p, given)]


def find_device(device: Any) -> Device:
    """Returns the device for a Device, a Queue, a selector, a queue or device of dpctl, or None: the best device."""
    if isinstance(device, Device):
        return device
    if isinstance(device, Queue):
        return device.device
    if device is not None and not isinstance(device, str):
        from ._sycl import is_device, is_queue, match_device

        if is_queue(device) or is_device(device):
            return match_device(device)
        raise TypeError(
            f"{lib.kind_of(device)} stands for no device: give a specpi.Device, a specpi.Queue or a selector"
        )
    found = preferred_devices(device)
    if not found:
        chosen = "no device was found" if device is None else f'"{device}" selects no device'
        raise lib.Error(f"{chosen}; specpi doctor tells what is missing")
    return found[0]


class Queue(lib.Handle):
    """A queue of a device. Commands run in the order of their calls, or with ``out_of_order`` in any order that their
    events allow. With ``profiling`` events have times.

    ``device`` is a :class:`Device`, a selector such as "cuda:0", or None for the best device. It may also be a queue of
    dpctl, with which the new queue keeps in order: a command starts when all commands in dpctl's queue are complete,
    and its call returns when the command is complete.
    """

    _what = "queue"
    _releases = "specpiQueueRelease"

    def __init__(self, device: Any = None, *, out_of_order: bool = False, profiling: bool = False) -> None:
        from ._sycl import is_queue

        self.device = find_device(device)
        self._leader = device if is_queue(device) else None  # dpctl's queue, with which this one keeps in order
        self.profiling = profiling
        flags = (lib.QUEUE_OUT_OF_ORDER if out_of_order else 0) | (lib.QUEUE_PROFILING if profiling else 0)
        self._own(lib.create("specpiQueueCreate", self.device.handle, flags))

    def begin_command(self) -> lib.Reference:
        """Waits for the commands in dpctl's queue, and returns the handle for a new command."""
        if self._leader is not None:
            self._leader.wait()
        return self.handle

    def end_command(self) -> None:
        """Waits for the command if dpctl's queue may use its results next."""
        if self._leader is not None:
            self.finish()

    def finish(self) -> None:
        """Waits until all commands of the queue are complete."""
        lib.call("specpiQueueFinish", self.handle)

    def __repr__(self) -> str:
        return f"<specpi.Queue of {self.device.selector}{', closed' if self.closed else ''}>"


class Times(NamedTuple):
    """The times at which a command was queued, submitted, started and ended, in nanoseconds of a device clock."""

    queued: int
    submitted: int
    started: int
    ended: int


class Event(lib.Handle):
    """The event of a command. It reports whether the command is complete, and when it ran."""

    _what = "event"
    _releases = "specpiEventRelease"

    kept: Sequence[Any] = ()  # other libraries' objects whose memory the command uses

    def __init__(self, handle: int) -> None:
        self._own(handle)

    def wait(self) -> "Event":
        """Waits until the command is complete."""
        wait([self])
        return self

    @property
    def state(self) -> str:
        """ "queued", "submitted", "running", "complete" or "failed"."""
        state = ctypes.c_int()
        lib.call("specpiEventGetState", self.handle, ctypes.byref(state))
        return lib.text(lib.library().specpiEventStateGetName(state))

    @property
    def times(self) -> Times:
        """The times of the command, after it is complete. The queue must have profiling."""
        times = lib.TimesRecord()
        lib.call("specpiEventGetTimes", self.handle, ctypes.byref(times))
        return Times(times.queued, times.submitted, times.started, times.ended)

    @property
    def seconds(self) -> float:
        """The seconds for which the command ran."""
        times = self.times
        return (times.ended - times.started) * 1e-9

    def __repr__(self) -> str:
        return f"<specpi.Event, {'closed' if self.closed else self.state}>"


def wait(events: Sequence[Event]) -> None:
    """Waits until all events are complete. They may be of several devices."""
    lib.call("specpiEventWait", len(events), lib.handles(events))
