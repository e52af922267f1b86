"""Elements of arrays: their types, and whether a kernel's parameter takes them."""

from __future__ import annotations

import ctypes
import re
from typing import Any, FrozenSet, Iterator, NamedTuple, Optional, Tuple

from . import _library as lib

READ, WRITTEN = 1, 2  # values of enum specpi_access; 0 means unknown

_WORDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex", "S": "bytes", "V": "record"}
_INSTEAD = {
    "U": "it is text: give its encoded bytes, or array.view(numpy.uint32) for its code points",
    "O": "it has Python's objects: give array.astype(numpy.float32), or what else the kernel takes",
    "M": "it is a time: give array.view(numpy.int64) for its number of units",
    "m": "it is a duration: give array.view(numpy.int64) for its number of units",
}
# Maps codes of the struct module and PEP 3118 to kinds.
_CODES = {
    **dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQNP&", "u"), **dict.fromkeys("efdg", "f"),
    **dict.fromkeys(("Zf", "Zd", "Zg", "F", "D", "G"), "c"),
    "?": "b", "c": "S", "s": "S", "p": "S", "u": "U", "w": "U", "O": "O",
}
_DLPACK = {0: "i", 1: "u", 2: "f", 4: "u", 5: "c", 6: "b"}  # 4 is bfloat16, which kernels take as 16 bits


class Element(NamedTuple):
    """The type of an array's elements.

    ``kind`` is NumPy's letter, "V" for structures, or "" for bytes that may be anything. ``leaves`` has
    the kinds and sizes of a structure's scalars; it is empty if they are unknown.
    """

    kind: str
    size: int
    leaves: FrozenSet[Tuple[str, int]] = frozenset()

    @property
    def name(self) -> str:
        """The type's name, e.g. "float32" as in NumPy."""
        if self.kind in "SV":
            return f"{_WORDS[self.kind]} of {self.size} bytes"
        return "bool" if self.kind == "b" else f"{_WORDS[self.kind]}{8 * self.size}"


RAW = Element("", 1)


class Parameter(NamedTuple):
    """A parameter of a kernel, as the kernel's code declares it.

    ``kind`` is "value", "pointer", "local", "image", "sampler", "removed" or "unknown". ``scalar`` is
    "f32" for a float, a vector of floats, and a pointer to a float or a vector of floats.
    """

    kind: str
    access: int
    size: int
    pointee_size: int
    scalar: Optional[str]
    type: str
    may_be_void: bool = False


UNKNOWN = Parameter("unknown", 0, 0, 0, None, "")


def parameters_of(image: int, kernel: str) -> Tuple[Parameter, ...]:
    """Returns the parameters of a kernel that an image declares."""
    name_of = lib.library().specpiParameterKindGetName
    return tuple(
        Parameter(lib.text(name_of(one.kind)), one.access, one.size, one.pointee_size,
                  lib.text(one.scalar) or None, lib.text(one.type), one.may_be_void)
        for one in lib.listed("specpiImageGetParameters", lib.ParameterRecord, image, lib.encoded(kernel, "the name"))
    )


def _checked(kind: str, size: int, is_swapped: bool, what: str) -> Element:
    """Returns an element type, or raises TypeError if devices have no such elements."""
    if kind in _INSTEAD:
        raise TypeError(f"{what} cannot be passed: {_INSTEAD[kind]}")
    if kind not in _WORDS:
        raise TypeError(f"{what} has elements of the kind {kind!r}, which no kernel takes")
    if is_swapped and size > 1 and kind not in "SV":
        raise TypeError(
            f"{what} has numbers of the other byte order: give array.astype(array.dtype.newbyteorder('=')), or "
            "array.byteswap() where there is no dtype"
        )
    element = Element(kind, size)
    if (kind == "f" and size > 8) or (kind == "c" and size > 16):
        raise TypeError(f"{what} has elements of {element.name}, which no device has: convert it to float64")
    return element


def _of_typestr(typestr: str, what: str) -> Element:
    found = re.match(r"([<>|=])([a-zA-Z])(\d*)", typestr)
    if not found:
        raise TypeError(f"{what} has elements of the type {typestr!r}, which no kernel takes")
    return _checked(found[2], int(found[3] or 0), found[1] == ">", what)


def _leaves(description: Any, what: str) -> Iterator[Element]:
    """Yields the scalars of a record from its description in the array interface."""
    for field in description:
        if isinstance(field[1], str):
            yield _of_typestr(field[1], what)
        else:
            yield from _leaves(field[1], what)


def element_of_interface(interface: Any, what: str) -> Element:
    """Returns the element type of an array with the array interface, NumPy's or CUDA's."""
    element = _of_typestr(interface["typestr"], what)
    if element.kind != "V":
        return element
    leaves = [one for one in _leaves(interface.get("descr") or (), what) if one.kind != "V"]
    return element._replace(leaves=frozenset(("i" if one.kind == "u" else one.kind, one.size) for one in leaves))


def element_of_buffer(view: memoryview, what: str) -> Element:
    """Returns the element type of an object with the buffer protocol. Bytes are raw data unless an array has them."""
    words = re.sub(r":[^:]*:", " ", view.format)  # without the names of fields
    is_swapped = bool(re.search(r"[>!]", words))
    simple = re.fullmatch(r"[@=<>!]?(\d*)(Z?[a-zA-Z?&])", words)
    if simple and view.itemsize == 1 and simple[2] in ("b", "B", "c"):
        is_typed = hasattr(view.obj, "typecode") or hasattr(view.obj, "dtype") or isinstance(view.obj, ctypes.Array)
        return Element(_CODES[simple[2]], 1) if is_typed else RAW
    if simple and (not simple[1] or _CODES.get(simple[2]) in ("S", "U")) and simple[2] not in "bB":
        return _checked(_CODES.get(simple[2], simple[2]), view.itemsize, is_swapped, what)
    for code in re.findall(r"[a-zA-Z]", words.replace("T{", "")):
        _checked(_CODES.get(code, "V"), 2, is_swapped, what)
    return Element("V", view.itemsize)


def element_of_dlpack(code: int, bits: int, lanes: int, what: str) -> Element:
    """Returns the element type of a DLPack tensor."""
    if code not in _DLPACK or lanes != 1 or bits % 8 != 0:
        raise TypeError(f"{what} has elements of DLPack's type {code} with {bits} bits, which no kernel takes")
    return _checked(_DLPACK[code], bits // 8, False, what)


def _takes(parameter: Parameter, element: Element) -> bool:
    """Returns whether a parameter takes these elements. Signs are not compared: SPIR-V's integers have none."""
    whole = parameter.size if parameter.kind == "value" else parameter.pointee_size
    if not element.kind or parameter.may_be_void:
        return True
    if parameter.scalar is None:
        return element.kind != "V" or whole in (0, element.size)
    kind, width = ("i", 1) if parameter.scalar == "bool" else (parameter.scalar[0], int(parameter.scalar[1:]) // 8)
    if element.kind == "V":
        is_of_three = parameter.kind == "value" and parameter.type.endswith("x3") and 4 * element.size == 3 * whole
        return (element.size in (whole, width) or is_of_three) and element.leaves <= {(kind, width)}
    if element.kind == "c":
        return kind == "f" and element.size == 2 * width and whole % element.size == 0
    if width == 1 and element.kind != "f":
        return element.size == 1 or element.kind == "S"
    return ("i" if element.kind == "u" else element.kind, element.size) == (kind, width)


def check_elements(parameter: Parameter, element: Element, what: str) -> None:
    """Raises TypeError unless a parameter takes these elements, as its value or in its memory."""
    if _takes(parameter, element):
        return
    words = {"i": "numpy.int", "f": "numpy.float"}
    wanted = words[parameter.scalar[0]] + parameter.scalar[1:] if parameter.scalar else "the structure's type"
    raise TypeError(
        f"{what} is {parameter.type}, elements of {element.name} given: convert them with array.astype({wanted}), or "
        f"pass their bytes as they are with array.view({wanted})"
    )


def check_size(parameter: Parameter, size: int, shape: Tuple[int, ...], what: str) -> None:
    """Raises ValueError unless an array has a whole number of the elements that a pointer leads to."""
    hint = ": a vector of 3 takes the bytes of 4, so that rows have to be of 4" if "x3" in parameter.type else ""
    if parameter.pointee_size and size % parameter.pointee_size:
        raise ValueError(
            f"{what} is {parameter.type}, and {size} bytes are no multiple of the {parameter.pointee_size} that it "
            f"leads to{hint}"
        )
    if hint and shape[-1:] == (3,):
        raise ValueError(f"{what} is {parameter.type}, and the array has rows of 3{hint}")
