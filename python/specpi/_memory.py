"""Memory: the host's memory in arrays, buffers, and unified shared memory."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Tuple

from . import _library as lib
from ._device import Device, Queue, find_device
from ._elements import RAW, Element, element_of_buffer, element_of_interface


class HostMemory:
    """The contiguous bytes of an object: their address, their element type, and whether they are read-only."""

    def __init__(
        self, owner: Any, address: int, size: int, readonly: bool, element: Element, shape: Tuple[int, ...]
    ) -> None:
        self.owner, self.address, self.size, self.readonly = owner, address, size, readonly
        self.element, self.shape = element, shape
        self.origin = address  # another address if the bytes at address are a copy

    def end_write(self) -> None:
        """Called after the bytes were written."""


class StagedMemory(HostMemory):
    """A copy of memory that the host can access, for drivers that refuse another context's memory."""

    def __init__(self, memory: HostMemory) -> None:
        held = ctypes.create_string_buffer(ctypes.string_at(memory.address, memory.size), memory.size)
        super().__init__(
            (held, memory), ctypes.addressof(held), memory.size, memory.readonly, memory.element, memory.shape
        )
        self.origin = memory.address

    def end_write(self) -> None:
        ctypes.memmove(self.origin, self.address, self.size)


def _is_contiguous(shape: Any, strides: Any, step: int) -> bool:
    """Returns whether there are no gaps between elements, if the first dimension varies fastest."""
    for extent, stride in zip(shape, strides):
        if extent != 1 and stride != step:
            return False
        step *= extent
    return True


def read_interface(interface: Any, what: str) -> Tuple[int, Element]:
    """Returns the size in bytes and the element type of a contiguous array, by NumPy's or CUDA's array interface."""
    element = element_of_interface(interface, what)
    if interface.get("mask") is not None:
        raise TypeError(f"{what} has a mask, which a kernel does not see: give an array without one")
    strides, shape, size = interface.get("strides"), interface["shape"], element.size
    if strides is not None and not (
        _is_contiguous(shape, strides, size) or _is_contiguous(shape[::-1], strides[::-1], size)
    ):
        raise ValueError(f"{what} has strides: make it contiguous first, as numpy.ascontiguousarray does")
    for extent in shape:
        size *= extent
    return size, element


def _of_interface(given: Any, what: str) -> HostMemory:
    interface = given.__array_interface__
    if hasattr(given, "filled") and hasattr(given, "mask"):
        raise TypeError(f"{what} is a masked array, and a kernel sees no mask: give array.filled(value)")
    size, element = read_interface(interface, what)
    data = interface.get("data")
    if not isinstance(data, tuple):  # data is an object with the bytes, or None if the array has them
        held = _of_buffer(given if data is None else data, what)
        held.address += interface.get("offset", 0)
        return HostMemory(held, held.address, size, held.readonly, element, interface["shape"])
    # Keeps interface, too, because only interface refers to the array that owns a NumPy scalar's
    # memory.
    element = RAW if isinstance(given, Memory) else element
    return HostMemory((given, interface), data[0], size, data[1], element, interface["shape"])


def _of_buffer(given: Any, what: str) -> HostMemory:
    with memoryview(given) as view:
        if not view.contiguous:
            raise ValueError(f"{what} is not contiguous: make a copy of it first, as numpy.ascontiguousarray does")
        element, shape = element_of_buffer(view, what), view.shape or ()
        if view.nbytes == 0:
            return HostMemory(given, 0, 0, view.readonly, element, shape)
        if not view.readonly:
            flat = view if view.c_contiguous else memoryview(given.T)  # the transposed view has the same bytes
            there = (ctypes.c_char * view.nbytes).from_buffer(flat)
            return HostMemory(there, ctypes.addressof(there), view.nbytes, False, element, shape)
    # Copies read-only memory into bytes, the only read-only objects whose address ctypes returns.
    held = given if isinstance(given, bytes) else memoryview(given).tobytes("A")
    address = ctypes.cast(ctypes.c_char_p(held), ctypes.c_void_p).value
    return HostMemory(held, address or 0, len(held), True, element, shape)


def host_memory(given: Any, what: str) -> HostMemory:
    """Returns the memory of an object with the buffer protocol, the array interface, or DLPack on the CPU."""
    if hasattr(given, "__array_interface__"):
        found = _of_interface(given, what)
    elif hasattr(given, "__sycl_usm_array_interface__"):
        from ._sycl import TO_HOST, read_array

        array = read_array(given, what)
        if not array.on_host:
            raise ValueError(f"{what} lies in {array.where}, not in the host's: {TO_HOST}")
        found = StagedMemory(array.memory)
    elif hasattr(given, "__dlpack__"):
        from ._dlpack import unpack

        tensor = unpack(given, what)
        if not tensor.on_host:
            raise ValueError(f"{what} lies in the memory of {tensor.where}, not in the host's")
        found = HostMemory(tensor, tensor.address, tensor.size, tensor.readonly, tensor.element, tensor.shape)
    else:
        try:
            memoryview(given).release()
        except (TypeError, BufferError):
            raise TypeError(
                f"{what} is {lib.kind_of(given)}, which has neither the buffer protocol, nor the array "
                "interface, nor DLPack"
            ) from None
        found = _of_buffer(given, what)
    if found.size == 0:
        raise ValueError(f"{what} has no bytes: give None for a null pointer, if the kernel takes one")
    return found


def writable_memory(given: Any, what: str) -> HostMemory:
    """Like host_memory, but refuses read-only objects."""
    found = host_memory(given, what)
    if found.readonly:
        raise ValueError(f"{what} is read-only")
    return found


def _is_number(given: Any) -> bool:
    """Returns whether an object is an integer. An array of one element, which has __index__ too, is not."""
    return hasattr(given, "__index__") and not hasattr(given, "__setitem__")


class Buffer(lib.Handle):
    """Memory of a device that kernels read and write.

    ``content`` is an array, whose bytes are copied, or a size in bytes. Then the content is undefined.
    """

    _what = "buffer"
    _releases = "specpiBufferRelease"

    def __init__(self, content: Any, device: Any = None) -> None:
        self.device: Device = find_device(device)
        self.element = RAW  # of the copied array; kernels that take other elements are refused
        memory: Optional[HostMemory] = None
        if _is_number(content):
            self.size = lib.size(content, "the size of the buffer")
        else:
            memory = content if isinstance(content, HostMemory) else host_memory(content, "the content of the buffer")
            self.size, self.element = memory.size, memory.element
        self._own(
            lib.create("specpiBufferCreate", self.device.handle, self.size, memory.address if memory else None)
        )

    def __array__(self, *_: Any, **__: Any) -> Any:
        # Without this method, NumPy would make an array with the object as its only element.
        raise TypeError("a specpi.Buffer is the device's: buffer.read(queue, array) copies its bytes into an array")

    def read(self, queue: Queue, into: Any = None, *, offset: int = 0) -> Any:
        """Fills an array with the buffer's bytes from an offset on, and returns the array.

        Without an array, returns all bytes from the offset on as a bytearray. Waits for the queue's earlier commands.
        """
        offset = lib.size(offset, "the offset")
        if into is None:
            into = bytearray(max(self.size - offset, 0))
        memory = writable_memory(into, "what is read into")
        self.read_into(queue, memory, offset)
        return into

    def read_into(self, queue: Queue, memory: HostMemory, offset: int = 0) -> None:
        """Like read, into memory that is known to be writable."""
        on = queue.begin_command()
        lib.call("specpiBufferRead", on, self.handle, offset, memory.size, memory.address, 0, None, None)
        memory.end_write()

    def write(self, queue: Queue, content: Any, *, offset: int = 0) -> None:
        """Copies an array's bytes to an offset in the buffer, and waits for the copy."""
        memory = host_memory(content, "what is written")
        offset = lib.size(offset, "the offset")
        on = queue.begin_command()
        lib.call("specpiBufferWrite", on, self.handle, offset, memory.size, memory.address, 0, None, None)

    def fill(self, queue: Queue, pattern: bytes = b"\0") -> None:
        """Fills the buffer with a repeated pattern. Does not wait."""
        pattern = bytes(pattern)
        on = queue.begin_command()
        lib.call("specpiBufferFill", on, self.handle, pattern, len(pattern), 0, self.size, 0, None, None)
        queue.end_command()

    def copy_to(self, queue: Queue, other: "Buffer") -> None:
        """Copies the whole buffer to the start of another one. Does not wait."""
        on = queue.begin_command()
        lib.call("specpiBufferCopy", on, self.handle, 0, other.handle, 0, self.size, 0, None, None)
        queue.end_command()

    def __repr__(self) -> str:
        return f"<specpi.Buffer of {self.size} bytes on {self.device.selector}{', closed' if self.closed else ''}>"


class Memory:
    """Unified shared memory: bytes at one address for the device and, unless ``kind`` is "device", for the host.

    "shared" memory moves to the processor that uses it; "host" memory stays with the host. ``numpy.asarray(memory)`` is
    an array of its bytes, without a copy. The memory is freed when neither it nor such an array is in use any more.
    """

    def __init__(self, size: int, device: Any = None, kind: str = "shared", alignment: int = 0) -> None:
        if kind not in lib.MEMORY_KINDS:
            raise ValueError(f'there is no memory of kind "{kind}", but ' + ", ".join(lib.MEMORY_KINDS))
        self.device: Device = find_device(device)
        self.size = lib.size(size, "the size of the memory")
        self.kind = kind
        device_handle = self.device.handle
        alignment = lib.size(alignment, "the alignment")
        address = lib.create(
            "specpiMemoryAllocate", device_handle, lib.MEMORY_KINDS.index(kind), self.size, alignment
        )
        free = lib.library().specpiMemoryFree
        self._address = lib.owned(address, lambda pointer: free(device_handle, pointer))

    @property
    def pointer(self) -> int:
        """The memory's address."""
        return self._address

    def __getattr__(self, name: str) -> Any:
        # NumPy, CuPy and other libraries query these attributes, and use those that exist.
        if name == "__array_interface__" and self.kind != "device":
            return {"shape": (self.size,), "typestr": "|u1", "data": (int(self._address), False), "version": 3}
        if name == "__cuda_array_interface__" and self.device.backend == "cuda" and self.kind != "host":
            return {"shape": (self.size,), "typestr": "|u1", "data": (int(self._address), False), "version": 3}
        raise AttributeError(f"specpi.Memory of kind {self.kind} has no {name}")

    def __array__(self, *_: Any, **__: Any) -> Any:
        # Called for memory without an array interface.
        raise TypeError(
            f"specpi.Memory of kind {self.kind} is not the host's: memory.read(queue, array) copies its bytes into an "
            "array"
        )

    __reduce__ = lib.Handle.__reduce__

    def read(self, queue: Queue, into: Any = None) -> Any:
        """Fills an array with the memory's first bytes, and returns it; without one, returns all as a bytearray."""
        into = bytearray(self.size) if into is None else into
        memory = writable_memory(into, "what is read into")
        self._check_size(memory)
        on = queue.begin_command()
        lib.call("specpiMemoryCopy", on, memory.address, self._address, memory.size, 0, None, None)
        memory.end_write()
        return into

    def write(self, queue: Queue, content: Any) -> None:
        """Copies an array's bytes to the start of the memory, and waits for the copy."""
        memory = host_memory(content, "what is written")
        self._check_size(memory)
        on = queue.begin_command()
        lib.call("specpiMemoryCopy", on, self._address, memory.address, memory.size, 0, None, None)

    def fill(self, queue: Queue, value: int = 0) -> None:
        """Sets every byte to a value. Does not wait."""
        if not 0 <= value <= 255:
            raise ValueError(f"{value} is not the value of a byte")
        lib.call("specpiMemoryFill", queue.begin_command(), self._address, value, self.size, 0, None, None)
        queue.end_command()

    def _check_size(self, memory: HostMemory) -> None:
        if memory.size > self.size:
            raise ValueError(f"{memory.size} bytes do not fit into the memory's {self.size}")

    def __repr__(self) -> str:
        return f"<specpi.Memory of {self.size} bytes, {self.kind}, on {self.device.selector}>"


class Local:
    """An argument of a kernel: local memory of ``size`` bytes for each work-group."""

    def __init__(self, size: int) -> None:
        self.size = lib.size(size, "the size of local memory")

    def __repr__(self) -> str:
        return f"<specpi.Local of {self.size} bytes>"
