"""Values of constants: converts Python's numbers, lists and arrays to the bytes that an image takes."""

from __future__ import annotations

import ctypes
import struct
import sys
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import _library as lib
from ._elements import Parameter, check_elements, element_of_buffer

# _FORMATS maps types of specpiImageGetLeafTypes to struct's formats; _KINDS maps NumPy's kinds to
# the beginnings of these types.
_FORMATS = {"f16": "<e", "f32": "<f", "f64": "<d"}
_KINDS = {"b": "bool", "i": "i", "u": "i", "f": "f"}


class Scalar(NamedTuple):
    """A scalar of a constant: its offset and size in bytes, and its type, None if the image does not declare it."""

    offset: int
    size: int
    type: Optional[str]


class Constant(NamedTuple):
    """A specialization constant: its name, size in bytes, scalars, and its default's bytes if the image has them."""

    name: str
    size: int
    scalars: Tuple[Scalar, ...]
    default: Optional[bytes]

    @property
    def type(self) -> str:
        """The type as ``specpi inspect`` shows it, e.g. "i32" or "{f32, f32}", with "?" for unknown types."""
        types = [one.type or "?" for one in self.scalars]
        return types[0] if len(types) == 1 else "{" + ", ".join(types) + "}"


def _is_byte(type_name: Optional[str]) -> bool:
    """Returns whether a type may be a boolean's, which is a byte in memory. Some compilers declare it as i8."""
    return type_name in ("bool", "i8")


def _pack_float(type_name: str, value: Any) -> bytes:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError
    return struct.pack(_FORMATS[type_name], float(value))


def _pack_integer(type_name: str, size: int, value: Any) -> bytes:
    if not hasattr(value, "__index__") or (isinstance(value, bool) and not _is_byte(type_name)):
        raise TypeError
    number = value.__index__()
    bits = 8 * size
    lowest, highest = (0, 1) if type_name == "bool" else (-(1 << (bits - 1)), (1 << bits) - 1)
    if not lowest <= number <= highest:
        raise OverflowError
    return int(number % (1 << bits)).to_bytes(size, "little")


def is_number(given: Any) -> bool:
    """Returns whether an object is a number of Python, or a scalar of NumPy that is a number."""
    numpy = sys.modules.get("numpy")
    is_scalar = numpy is not None and isinstance(given, numpy.generic) and given.dtype.kind in "biuf"
    return is_scalar or isinstance(given, (bool, int, float))


def pack_scalar(type_name: str, size: int, value: Any, what: str) -> bytes:
    """Returns the bytes of a number in a type, e.g. "i32". If it does not fit, an error begins with ``what``."""
    number = value.item() if hasattr(value, "item") else value
    try:
        return _pack_float(type_name, number) if type_name in _FORMATS else _pack_integer(type_name, size, number)
    except TypeError:
        raise TypeError(f"{what}, {type(value).__name__} given") from None
    except OverflowError:
        raise ValueError(f"{what}, {value!r} does not fit") from None


def _pack_number(constant: Constant, scalar: Scalar, value: Any) -> bytes:
    if scalar.type is None:
        raise TypeError(
            f'constant "{constant.name}": the image does not tell the type of its {scalar.size} bytes at '
            f"{scalar.offset}; give it as a NumPy scalar or array"
        )
    return pack_scalar(scalar.type, scalar.size, value, f'constant "{constant.name}" is {constant.type}')


def _flatten(given: Any) -> List[Any]:
    if isinstance(given, (list, tuple)):
        return [one for part in given for one in _flatten(part)]
    return [given]


def _pack_numbers(constant: Constant, given: Any) -> bytes:
    numbers = _flatten(given)
    count = len(constant.scalars)
    if len(numbers) != count:
        wanted = "a number" if count == 1 else f"{count} numbers"
        raise ValueError(f'constant "{constant.name}" is {constant.type}: it takes {wanted}, {len(numbers)} given')
    packed = bytearray(constant.size)
    for scalar, number in zip(constant.scalars, numbers):
        packed[scalar.offset : scalar.offset + scalar.size] = _pack_number(constant, scalar, number)
    return bytes(packed)


def _find_scalars(dtype: Any, at: int, found: Dict[int, Tuple[str, int]], what: str) -> None:
    """Adds the scalars of a NumPy type to ``found``: their kinds and sizes, by their offsets from ``at`` on."""
    if dtype.subdtype is not None:
        element, shape = dtype.subdtype
        for i in range(dtype.itemsize // element.itemsize if element.itemsize else 0):
            _find_scalars(element, at + i * element.itemsize, found, what)
    elif dtype.fields is not None:
        for name in dtype.names:
            element, offset = dtype.fields[name][:2]
            _find_scalars(element, at + offset, found, what)
    elif dtype.kind in _KINDS and dtype.isnative:
        found[at] = (_KINDS[dtype.kind], dtype.itemsize)
    else:
        raise TypeError(f"{what}: {dtype} is no type of a constant: give numbers, in this machine's byte order")


def _check_types(constant: Constant, given: Any, size: int) -> None:
    """Raises TypeError if an array's scalars differ from the types that the image declares for the constant."""
    found: Dict[int, Tuple[str, int]] = {}
    for i in range(size // given.dtype.itemsize):
        _find_scalars(given.dtype, i * given.dtype.itemsize, found, f'constant "{constant.name}"')
    for scalar in constant.scalars:
        kind, width = found.get(scalar.offset, ("nothing", 0))
        if scalar.type is None or (_is_byte(scalar.type) and width == 1 and kind != "f"):
            continue  # e.g. a structure in a buffer, which is one leaf without a type
        if kind != scalar.type.rstrip("0123456789") or width != scalar.size:
            raise TypeError(f'constant "{constant.name}" is {constant.type}, {given.dtype} given')


def _is_size(constant: Constant, size: int) -> bool:
    """Returns whether a constant's value may have this size. A vector of three may have the bytes of four."""
    return size == constant.size or (3 * size == 4 * constant.size and len(constant.scalars) in (1, 3))


def _array_bytes(constant: Constant, given: Any) -> Optional[bytes]:
    """Returns the bytes of an array, a record, a structure of ctypes, or bytes; None for another object."""
    what = f'constant "{constant.name}"'
    if hasattr(given, "dtype") and hasattr(given, "tobytes"):
        if hasattr(given, "filled") and hasattr(given, "mask"):
            raise TypeError(f"{what} is given by a masked array: give array.filled(value)")
        _find_scalars(given.dtype, 0, {}, what)
        value = bytes(given.tobytes())
        if _is_size(constant, len(value)):
            _check_types(constant, given, len(value))
        return value
    try:
        view = memoryview(given)
    except TypeError:
        return None
    with view:
        element = element_of_buffer(view, what)
        for scalar in constant.scalars:
            if scalar.type and element.kind not in ("", "V"):
                whole = Parameter("value", 0, constant.size, 0, scalar.type, constant.type)
                check_elements(whole, element, what)
        return view.tobytes()


def constant_bytes(constant: Constant, given: Any) -> bytes:
    """Returns the bytes of a value for a constant."""
    types = [one.type for one in constant.scalars]
    value = None if is_number(given) and types != [None] else _array_bytes(constant, given)
    if value is None:
        value = _pack_numbers(constant, given)
    if not _is_size(constant, len(value)):
        raise ValueError(f'constant "{constant.name}" takes {constant.size} bytes, {len(value)} given')
    return value


def constants_of(records: Any, types: List[Optional[str]]) -> Dict[str, Constant]:
    """Returns libspecpi's constants by their names. ``types`` has the types of all their leaves, or is empty."""
    found = {}
    at = 0
    for record in records:
        scalars = []
        for i in range(record.leaf_count):
            leaf = record.leaves[i]
            if leaf.id != lib.PADDING:
                scalars.append(Scalar(leaf.offset, leaf.size, types[at + i] if types else None))
        at += record.leaf_count
        default = ctypes.string_at(record.default_value, record.size) if record.default_value else None
        name = lib.text(record.name)
        found[name] = Constant(name, record.size, tuple(scalars), default)
    return found
