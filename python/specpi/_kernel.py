"""Kernels and their launches."""

from __future__ import annotations

import ctypes
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _library as lib
from ._device import Device, Event, Queue
from ._memory import Buffer, HostMemory, Local, Memory, host_memory

Sizes = Union[int, Sequence[int]]


class KernelInfo(NamedTuple):
    """What is known of a kernel on its device. A driver that does not tell leaves 0."""

    argument_count: int
    group_size: int
    required: Tuple[int, ...]
    preferred_multiple: int
    local_memory: int
    private_memory: int


def _is_value(given: Any) -> bool:
    """Whether an object is one value: a NumPy scalar or record, or one of ctypes."""
    if hasattr(given, "shape"):
        return bool(given.shape == ())
    try:
        with memoryview(given) as view:
            return view.ndim == 0
    except TypeError:
        return False


class _Arguments:
    """The arguments of one launch, and what has to stay until it is complete."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue
        self.records: List[lib.Argument] = []
        self.kept: List[Any] = []
        self.copied: List[Tuple[Buffer, HostMemory]] = []  # arrays, and their buffers

    def add(self, given: Any) -> None:
        what = f"argument {len(self.records)}"
        if given is None:
            self._add(lib.ARGUMENT_POINTER)
        elif isinstance(given, Buffer):
            self._add(lib.ARGUMENT_BUFFER, buffer=given.handle)
        elif isinstance(given, Memory):
            self._add(lib.ARGUMENT_POINTER, value=given.pointer)
        elif isinstance(given, Local):
            self._add(lib.ARGUMENT_LOCAL, size=given.size)
        elif type(given) in (bool, int, float, complex):
            raise TypeError(
                f"{what} is a {type(given).__name__}, which has no size: give numpy.int32({given!r}), "
                "numpy.float32(..), or what else the kernel's parameter is"
            )
        elif not self._add_pointer(given, what):
            self._add_host(given, what)

    def _add(self, kind: int, size: int = 0, value: Optional[int] = None, buffer: Optional[int] = None) -> None:
        self.kept += [value, buffer]  # they may be references
        self.records.append(lib.Argument(kind, size, value, buffer))

    def _add_pointer(self, given: Any, what: str) -> bool:
        """Memory of a device that others made, which stays where it is."""
        device = self.queue.device
        if device.backend == "cuda" and hasattr(given, "__cuda_array_interface__"):
            interface = given.__cuda_array_interface__
            if interface.get("strides") is not None:
                raise ValueError(f"{what} has strides: make it contiguous first")
            address = interface["data"][0]
            self.kept.append(interface)
        elif hasattr(given, "__dlpack_device__") and not hasattr(given, "__array_interface__"):
            from . import _dlpack

            number, index = given.__dlpack_device__()
            if number == _dlpack.CPU:
                return False
            tensor = _dlpack.unpack(given, what)
            self.kept.append(tensor)
            if number not in _dlpack.OF_CUDA or device.backend != "cuda" or device.selector != f"cuda:{index}":
                raise ValueError(f"{what} lies in the memory of {tensor.where}, and the queue is of {device.selector}")
            address = tensor.address
        else:
            return False
        self.kept.append(given)
        self._add(lib.ARGUMENT_POINTER, value=address)
        return True

    def _add_host(self, given: Any, what: str) -> None:
        memory = host_memory(given, what)
        self.kept.append(memory)
        if _is_value(given):
            self._add(lib.ARGUMENT_VALUE, size=memory.size, value=memory.address)
            return
        for buffer, other in self.copied:  # one array twice is one buffer
            if (other.address, other.size) == (memory.address, memory.size):
                self._add(lib.ARGUMENT_BUFFER, buffer=buffer.handle)
                return
        buffer = Buffer(given, self.queue.device)
        self.copied.append((buffer, memory))
        self._add(lib.ARGUMENT_BUFFER, buffer=buffer.handle)

    def copy_back(self, event: Event) -> None:
        """Waits for the launch, and gives the arrays that may be written what it wrote."""
        event.wait()
        for buffer, memory in self.copied:
            if not memory.readonly:
                buffer.read_into(self.queue, memory)


def _sizes(given: Sizes, what: str, dimensions: Optional[int] = None) -> List[int]:
    several: Any = [given] if hasattr(given, "__index__") else given
    try:
        sizes = [lib.size(one, what) for one in several]
    except TypeError:
        raise TypeError(f"{what} is {given!r}, which is neither an int nor up to three") from None
    if not 1 <= len(sizes) <= 3:
        raise ValueError(f"{what} has {len(sizes)} dimensions, and there are 1 to 3")
    if dimensions is not None and len(sizes) != dimensions:
        raise ValueError(f"{what} has {len(sizes)} dimensions, and the global size {dimensions}")
    return sizes


class Kernel(lib.Handle):
    """A kernel that is built for a device; :meth:`Image.kernel` makes it. Call it to launch it."""

    _what = "kernel"
    _releases = "specpiKernelRelease"

    def __init__(self, handle: int, name: str, device: Device) -> None:
        self.name = name
        self.device = device
        self._own(handle)

    @property
    def info(self) -> KernelInfo:
        """Its arguments, the sizes of work-groups that it can have, and the memory that it takes."""
        info = lib.KernelInfoRecord()
        lib.call("specpiKernelGetInfo", self.handle, ctypes.byref(info))
        return KernelInfo(
            info.argument_count,
            info.group_size,
            tuple(info.required),
            info.preferred_multiple,
            info.local_memory,
            info.private_memory,
        )

    def __call__(
        self,
        queue: Queue,
        global_size: Sizes,
        *arguments: Any,
        local_size: Optional[Sizes] = None,
        offset: Optional[Sizes] = None,
        after: Sequence[Event] = (),
    ) -> Event:
        """Launches it with so many work-items in one to three dimensions, and gives the launch's event.

        An argument is

        - an array with the buffer protocol, the array interface or DLPack, in one piece: it is copied to the
          device, and back unless it is read-only; the call returns when that is done;
        - a :class:`Buffer` or a :class:`Memory`, or memory of this device that others made (the CUDA array interface
          or DLPack): it stays where it is, and the call returns at once;
        - a NumPy scalar or record, or one of ctypes: its value;
        - a :class:`Local`: memory for each work-group; None: a null pointer.

        ``local_size`` is that of a work-group; without it the runtime chooses. The launch starts after the events of
        ``after``.
        """
        if not isinstance(queue, Queue):
            raise TypeError(f"the first argument of a launch is a specpi.Queue, {type(queue).__name__} given")
        sizes = _sizes(global_size, "the global size")
        record = lib.Range(len(sizes))
        record.global_size[: len(sizes)] = sizes
        if local_size is not None:
            record.local[: len(sizes)] = _sizes(local_size, "the local size", len(sizes))
        if offset is not None:
            record.offset[: len(sizes)] = _sizes(offset, "the offset", len(sizes))
        kernel, on = self.handle, queue.handle
        given = _Arguments(queue)
        for argument in arguments:
            given.add(argument)
        count = len(given.records)
        array = (lib.Argument * count)(*given.records)
        event = Event(
            lib.create(
                "specpiKernelLaunch", kernel, on, ctypes.byref(record), count, array, len(after), lib.handles(after)
            )
        )
        if given.copied:
            given.copy_back(event)
        return event

    def __repr__(self) -> str:
        return f"<specpi.Kernel {self.name} for {self.device.selector}{', closed' if self.closed else ''}>"
