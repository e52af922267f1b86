"""Arguments of a launch: converts Python objects for libspecpi, and checks them by the kernel's parameters."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, List, NamedTuple, Optional, Tuple

from . import _library as lib
from ._device import Event, Queue
from ._elements import READ, UNKNOWN, WRITTEN, Parameter, check_elements, check_size
from ._memory import Buffer, HostMemory, Local, Memory, StagedMemory, host_memory, read_interface
from ._values import is_number, pack_scalar


class _Range(NamedTuple):
    """Host memory that the launch uses: in place, or as a copy in a buffer."""

    argument: int
    address: int
    size: int
    access: int
    buffer: Optional[Buffer]
    memory: Optional[HostMemory]

    @property
    def is_input(self) -> bool:
        """Returns whether nothing is copied back: the kernel only reads it, or the object is read-only."""
        return self.access == READ or (self.memory is not None and self.memory.readonly)


def _is_scalar(given: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(given, numpy.generic)


def _is_value(given: Any) -> bool:
    """Returns whether an object for an unknown parameter is one value, not memory.

    Values are NumPy's scalars and records, and ctypes objects that are no arrays.
    """
    if hasattr(given, "shape"):
        return bool(given.shape == ())
    try:
        with memoryview(given) as view:
            return view.ndim == 0
    except TypeError:
        return False


class Arguments:
    """The arguments of one launch, and the objects that must stay alive until it is complete."""

    def __init__(self, queue: Queue, kernel: str, parameters: Tuple[Parameter, ...]) -> None:
        self.queue, self.kernel, self.parameters = queue, kernel, parameters
        self.records: List[lib.Argument] = []
        self.kept: List[Any] = []
        self.foreign: List[Any] = []  # other libraries' memory that the launch uses in place
        self.copied: List[_Range] = []
        self._in_place: List[_Range] = []

    def add(self, given: Any) -> None:
        index = len(self.records)
        parameter = self.parameters[index] if index < len(self.parameters) else UNKNOWN
        what = f'kernel "{self.kernel}": argument {index}'
        if parameter.kind == "removed":
            self._add(lib.ARGUMENT_POINTER)  # the kernel does not have this parameter any more
        elif isinstance(given, Local):
            self._require(parameter, "local", "local memory", what)
            self._add(lib.ARGUMENT_LOCAL, size=given.size)
        elif parameter.kind == "local":
            raise TypeError(f"{what} is {parameter.type}: give specpi.Local(bytes), {type(given).__name__} given")
        elif parameter.kind in ("image", "sampler"):
            raise TypeError(f"{what} is a {parameter.type}, and this package passes no images and samplers")
        elif given is None or isinstance(given, (Buffer, Memory)):
            self._require(parameter, "pointer", "a null pointer" if given is None else "memory", what)
            self._add_memory(given, parameter, what)
        elif parameter.kind == "value":
            self._add_value(given, parameter, what)
        elif parameter.kind == "pointer":
            self._add_array(given, parameter, what)
        else:
            self._add_anything(given, parameter, what)

    @staticmethod
    def _require(parameter: Parameter, kind: str, given: str, what: str) -> None:
        if parameter.kind not in (kind, "unknown"):
            raise TypeError(f"{what} is {parameter.type}, {given} given")

    @staticmethod
    def _require_size(parameter: Parameter, size: int, what: str) -> None:
        if parameter.size not in (0, size):
            raise ValueError(f"{what} is {parameter.type} of {parameter.size} bytes, {size} given")

    def _add(self, kind: int, size: int = 0, value: Optional[int] = None, buffer: Optional[int] = None) -> None:
        self.kept += [value, buffer]  # each may be a Reference, which releases its handle
        self.records.append(lib.Argument(kind, size, value, buffer))

    def _add_memory(self, given: Any, parameter: Parameter, what: str) -> None:
        """Adds a null pointer, a buffer, or unified shared memory."""
        if given is None:
            self._add(lib.ARGUMENT_POINTER)
        elif isinstance(given, Buffer):
            check_elements(parameter, given.element, what)
            self._add(lib.ARGUMENT_BUFFER, buffer=given.handle)
        else:
            place = _Range(len(self.records), given.pointer, given.size, parameter.access, None, None)
            self._check_overlap(place, self.copied, what)
            self._in_place.append(place)
            self._add(lib.ARGUMENT_POINTER, value=given.pointer)

    def _add_bytes(self, data: bytes) -> None:
        held = ctypes.create_string_buffer(data, len(data))
        self.kept.append(held)
        self._add(lib.ARGUMENT_VALUE, size=len(data), value=ctypes.addressof(held))

    def _add_value(self, given: Any, parameter: Parameter, what: str) -> None:
        """Adds a number if the parameter is a number, else bytes of the parameter's size."""
        scalar = parameter.scalar
        if is_number(given) and scalar and (scalar == "bool" or int(scalar[1:]) == 8 * parameter.size):
            self._add_bytes(pack_scalar(scalar, parameter.size, given, f"{what} is {parameter.type}"))
            return
        if type(given) in (bool, int, float, complex):
            raise TypeError(
                f"{what} is {parameter.type}, {type(given).__name__} given, which has no size: give a NumPy scalar "
                f"or record of {parameter.size} bytes"
            )
        memory = host_memory(given, f"{what} ({parameter.type})")
        check_elements(parameter, memory.element, what)
        data = ctypes.string_at(memory.address, memory.size)
        if parameter.type.endswith("x3") and 4 * memory.size == 3 * parameter.size:
            data = data.ljust(parameter.size, b"\0")
        self._require_size(parameter, len(data), what)
        self._add_bytes(data)

    def _add_anything(self, given: Any, parameter: Parameter, what: str) -> None:
        """Adds an argument for an unknown parameter. Its object decides whether it is a value or memory."""
        if type(given) in (bool, int, float, complex):
            raise TypeError(
                f"{what} is {'an' if type(given) is int else 'a'} {type(given).__name__}, which has no size: give "
                f"numpy.int32({given!r}), numpy.float32(..), or what else the kernel's parameter is"
            )
        if _is_value(given) and not _is_scalar(given) and hasattr(given, "__array_interface__"):
            raise TypeError(
                f"{what} is an array without dimensions, and nothing tells whether the kernel takes its value or its "
                "address: give array[()] for the one, array.reshape(1) for the other"
            )
        if not _is_value(given):
            self._require_size(parameter, 8, what)
            self._add_array(given, parameter, what)
            return
        memory = host_memory(given, what)
        self._require_size(parameter, memory.size, what)
        self._add_bytes(ctypes.string_at(memory.address, memory.size))

    def _add_array(self, given: Any, parameter: Parameter, what: str) -> None:
        """Adds memory for a pointer: the device's in place, the host's as a copy."""
        if is_number(given) or _is_scalar(given) or isinstance(given, complex):
            raise TypeError(
                f"{what} is {parameter.type}, a pointer: give an array or memory, {type(given).__name__} given"
            )
        if hasattr(given, "__sycl_usm_array_interface__"):
            self._add_sycl_array(given, parameter, what)
        elif not self._add_pointer(given, parameter, what):
            memory = host_memory(given, what)
            self._check_memory(memory, parameter, what)
            self._add_copy(memory, parameter, what)

    @staticmethod
    def _check_memory(memory: HostMemory, parameter: Parameter, what: str) -> None:
        check_elements(parameter, memory.element, what)
        check_size(parameter, memory.size, memory.shape, what)
        if memory.readonly and parameter.access == WRITTEN:
            raise ValueError(f"{what} is read-only, and the kernel writes to it: give an array that may be written")

    def _add_copy(self, memory: HostMemory, parameter: Parameter, what: str) -> None:
        self.kept.append(memory)
        place = _Range(len(self.records), memory.origin, memory.size, parameter.access, None, memory)
        self._check_overlap(place, self._in_place, what)
        self._add(lib.ARGUMENT_BUFFER, buffer=self._buffer_for(place, what).handle)

    def _buffer_for(self, place: _Range, what: str) -> Buffer:
        """Returns the buffer for host memory. An array that is given twice has one buffer."""
        for i, other in enumerate(self.copied):
            if (other.address, other.size) == (place.address, place.size):
                assert other.buffer
                if other.access == READ:
                    self.copied[i] = other._replace(access=place.access)
                return other.buffer
        self._check_overlap(place, self.copied, what)
        buffer = Buffer(place.memory, self.queue.device)
        self.copied.append(place._replace(buffer=buffer))
        return buffer

    @staticmethod
    def _check_overlap(place: _Range, others: List[_Range], what: str) -> None:
        """Refuses overlapping arguments if copying one back could overwrite the other's results."""
        for other in others:
            overlaps = place.address < other.address + other.size and other.address < place.address + place.size
            if overlaps and not (place.is_input and other.is_input):
                raise ValueError(
                    f"{what} overlaps argument {other.argument}, and each is copied to the device and back by itself: "
                    "give a copy of one of them"
                )

    def _add_sycl_array(self, given: Any, parameter: Parameter, what: str) -> None:
        """Adds a SYCL runtime's memory: in place if the device reaches it, as a copy if only the host does."""
        from ._sycl import TO_HOST, match_device, read_array

        array, device = read_array(given, what), self.queue.device
        memory = array.memory
        self._check_memory(memory, parameter, what)
        if memory.size == 0 or array.is_reached_by(device):
            place = _Range(len(self.records), memory.address, memory.size, parameter.access, None, memory)
            self._check_overlap(place, self.copied, what)
            self._in_place.append(place)
            self.foreign.append(memory)
            self._add(lib.ARGUMENT_POINTER, value=memory.address)
        elif array.on_host:
            self._add_copy(StagedMemory(memory), parameter, what)
        else:
            is_elsewhere = array.device is not None and match_device(array.device) != device
            advice = f"launch on specpi.Queue(array.sycl_queue), or {TO_HOST}" if is_elsewhere else TO_HOST
            raise ValueError(f"{what} lies in {array.where}, which {device.selector} does not reach: {advice}")

    def _add_pointer(self, given: Any, parameter: Parameter, what: str) -> bool:
        """Adds another library's device memory in place. Returns False for an object without any."""
        device = self.queue.device
        if device.backend == "cuda" and hasattr(given, "__cuda_array_interface__"):
            interface = given.__cuda_array_interface__
            size, element = read_interface(interface, what)
            address, shape = interface["data"][0], interface["shape"]
            self.foreign.append(interface)
        elif hasattr(given, "__dlpack_device__") and not hasattr(given, "__array_interface__"):
            from . import _dlpack

            if given.__dlpack_device__()[0] == _dlpack.CPU:
                return False
            tensor = _dlpack.unpack(given, what)
            self.foreign.append(tensor)
            if not _dlpack.is_reached(tensor, device):
                raise ValueError(f"{what} lies in the memory of {tensor.where}, and the queue is of {device.selector}")
            address, size, element, shape = tensor.address, tensor.size, tensor.element, tensor.shape
        else:
            return False
        check_elements(parameter, element, what)
        check_size(parameter, size, shape, what)
        self.foreign.append(given)
        self._add(lib.ARGUMENT_POINTER, value=address)
        return True

    def copy_back(self, event: Event) -> None:
        """Waits for the launch, and copies its results into the writable arrays."""
        event.wait()
        lost = [place.argument for place in self.copied if not self._read_back(place)]
        if lost:
            raise ValueError(
                f'kernel "{self.kernel}": argument {lost[0]} is read-only, and the kernel wrote to it, which is '
                "lost: give an array that may be written"
            )

    def _read_back(self, place: _Range) -> bool:
        """Copies the launch's results into an array. False if the array is read-only but its copy was written."""
        assert place.buffer and place.memory
        if not place.is_input:
            place.buffer.read_into(self.queue, place.memory)
        if place.access == READ or not place.memory.readonly:
            return True
        return bool(place.buffer.read(self.queue) == ctypes.string_at(place.address, place.size))
