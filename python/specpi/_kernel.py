"""Kernels and their launches."""

from __future__ import annotations

import ctypes
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _library as lib
from ._arguments import Arguments
from ._device import Device, Event, Queue
from ._elements import Parameter

Sizes = Union[int, Sequence[int]]


class KernelInfo(NamedTuple):
    """Facts about a kernel on its device; 0 where the driver does not report one."""

    argument_count: int
    group_size: int
    required: Tuple[int, ...]
    preferred_multiple: int
    local_memory: int
    private_memory: int


def _sizes(given: Sizes, what: str, dimensions: Optional[int] = None) -> List[int]:
    several: Any = [given] if hasattr(given, "__index__") else given
    try:
        sizes = [lib.size(one, what) for one in several]
    except TypeError:
        raise TypeError(f"{what} is {given!r}: give an int, or a list of one to three") from None
    if not 1 <= len(sizes) <= 3:
        raise ValueError(f"{what} has {len(sizes)} dimensions: give 1 to 3")
    if dimensions is not None and len(sizes) != dimensions:
        raise ValueError(f"{what} is {given!r}: give as many numbers as the global size has, {dimensions}")
    return sizes


class Kernel(lib.Handle):
    """A kernel that is built for a device. :meth:`Image.kernel` makes a kernel, and calling a kernel launches it."""

    _what = "kernel"
    _releases = "specpiKernelRelease"

    def __init__(self, handle: int, name: str, device: Device, parameters: Tuple[Parameter, ...] = ()) -> None:
        self.name = name
        self.device = device
        self.parameters = parameters  # as the image declares them; empty if it does not
        self._own(handle)

    @property
    def info(self) -> KernelInfo:
        """The number of arguments, the possible sizes of work-groups, and the memory that the kernel takes."""
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
        """Launches ``global_size`` work-items in one to three dimensions, and returns the launch's event.

        An argument is one of these:

        - A contiguous array with the buffer protocol, the array interface or DLPack. It is copied to the device, and
          back unless the kernel only reads it. The call returns after the copies.
        - A :class:`Buffer`, a :class:`Memory`, or another library's memory on this device (with the CUDA array
          interface, dpctl's array interface, or DLPack). It is used in place, and the call returns at once.
        - A number, or a record or array of the size of the value that the kernel takes.
        - A :class:`Local` for memory of each work-group, or None for a null pointer.

        ``local_size`` is the size of a work-group; without it the runtime chooses. The launch starts after the events
        in ``after``.
        """
        if not isinstance(queue, Queue):
            given_name = type(queue).__name__
            hint = ": make one with specpi.Queue(queue)" if given_name == "SyclQueue" else ""
            raise TypeError(f"the first argument of a launch is a specpi.Queue, {given_name} given{hint}")
        sizes = _sizes(global_size, "the global size")
        record = lib.Range(len(sizes))
        record.global_size[: len(sizes)] = sizes
        if local_size is not None:
            record.local[: len(sizes)] = _sizes(local_size, "the local size", len(sizes))
        if offset is not None:
            record.offset[: len(sizes)] = _sizes(offset, "the offset", len(sizes))
        kernel, on = self.handle, queue.begin_command()
        known = len(self.parameters)
        if known and len(arguments) > known:
            raise lib.Error(
                f'kernel "{self.name}" takes {known} arguments, {len(arguments)} given', *lib.INVALID_ARGUMENT
            )
        given = Arguments(queue, self.name, self.parameters)
        for argument in arguments:
            given.add(argument)
        count = len(given.records)
        array = (lib.Argument * count)(*given.records)
        event = Event(
            lib.create(
                "specpiKernelLaunch", kernel, on, ctypes.byref(record), count, array, len(after), lib.handles(after)
            )
        )
        event.kept = given.foreign
        if given.copied:
            given.copy_back(event)
        queue.end_command()
        return event

    def __repr__(self) -> str:
        return f"<specpi.Kernel {self.name} for {self.device.selector}{', closed' if self.closed else ''}>"
