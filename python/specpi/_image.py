"""Device images, compiled or read from files, and kernels with values for their constants."""

from __future__ import annotations

import ctypes
import os
import threading
import warnings
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _library as lib
from ._device import Device, find_device
from ._elements import Parameter, parameters_of
from ._kernel import Kernel
from ._values import Constant, constant_bytes, constants_of

Path = Union[str, "os.PathLike[str]"]

_UNKNOWN_CONSTANT = (-6, "SPECPI_ERROR_UNKNOWN_CONSTANT")
_UNKNOWN_KERNEL = (-7, "SPECPI_ERROR_UNKNOWN_KERNEL")


class _Bundle(lib.Handle):
    _what = "bundle"
    _releases = "specpiBundleRelease"

    def __init__(self, handle: int) -> None:
        self._own(handle)
        self.constants: Dict[str, Constant] = {}


class _File(lib.Handle):
    _what = "image"
    _releases = "specpiImageFileRelease"

    def __init__(self, path: bytes) -> None:
        self._own(lib.create("specpiImageFileOpen", path))


class _Part(NamedTuple):
    """One image of a file."""

    handle: int
    target: str
    kernels: List[str]
    constants: Dict[str, Constant]


def _texts(name: str, handle: int) -> List[Optional[str]]:
    return [None if one is None else lib.text(one) for one in lib.listed(name, ctypes.c_char_p, handle)]


def _names(name: str, handle: int) -> List[str]:
    return [one or "" for one in _texts(name, handle)]


def _constants(handle: int) -> Dict[str, Constant]:
    records = lib.listed("specpiImageGetConstants", lib.ConstantRecord, handle)
    return constants_of(records, _texts("specpiImageGetLeafTypes", handle))


def _with_types(constant: Constant, parts: Sequence[_Part]) -> Constant:
    """Returns a constant with its types from another part if possible, because PTX has no types and SPIR-V has."""
    for part in parts:
        other = part.constants.get(constant.name)
        if other and other.size == constant.size and all(one.type for one in other.scalars):
            return other._replace(default=constant.default)
    return constant


def _unknown(path: str, what: str, name: str, known: Iterable[str], error: Tuple[int, str]) -> lib.Error:
    """Returns the error for a name that an image does not have."""
    from difflib import get_close_matches  # here, so that specpi's import stays fast

    names = sorted(known)
    meant = get_close_matches(name, names, 1)
    hint = f"; did you mean {meant[0]}?" if meant else ""
    return lib.Error(f'{path} has no {what} "{name}"; it has {", ".join(names) or "none"}{hint}', *error)


class Image:
    """Kernels and their constants, for any number of devices. :func:`compile` and :func:`load` make images."""

    def __init__(self, path: str, file: _File, content: Optional[bytes] = None) -> None:
        self.path = path
        self._content = content  # the file's bytes, if path is not that of the file
        self._file = file
        self._parts: List[_Part] = []
        self._bundles: Dict[Tuple[Device, int], _Bundle] = {}
        self._parameters: Dict[str, Tuple[Parameter, ...]] = {}
        self._lock = threading.Lock()
        target = lib.library().specpiImageGetTarget
        for one in lib.listed("specpiImageFileGetImages", ctypes.c_void_p, file.handle):
            self._parts.append(
                _Part(one, lib.text(target(one)), _names("specpiImageGetKernels", one), _constants(one))
            )

    @property
    def targets(self) -> List[str]:
        """The targets of the image's code, e.g. ["spir64", "nvptx64"]."""
        return [one.target for one in self._parts]

    @property
    def kernels(self) -> List[str]:
        """The names of the image's kernels."""
        return sorted({name for part in self._parts for name in part.kernels})

    @property
    def constants(self) -> Dict[str, Constant]:
        """The image's constants by their names."""
        found: Dict[str, Constant] = {}
        for part in self._parts:
            for name, constant in part.constants.items():
                found.setdefault(name, _with_types(constant, self._parts))
        return found

    def _select(self, device: Device, kernel: str) -> int:
        """Returns the best image with a kernel for a device."""
        having = [part.handle for part in self._parts if kernel in part.kernels]
        if not having:
            raise _unknown(self.path, "kernel", kernel, self.kernels, _UNKNOWN_KERNEL)
        index = ctypes.c_size_t()
        array = (ctypes.c_void_p * len(having))(*having)
        lib.call("specpiImageSelect", device.handle, len(having), array, ctypes.byref(index))
        return having[index.value]

    def _parameters_of(self, kernel: str) -> Tuple[Parameter, ...]:
        """Returns a kernel's parameters from the part that declares them best, e.g. SPIR-V. Reads them once."""
        found = self._parameters.get(kernel)
        if found is None:
            listed = [parameters_of(part.handle, kernel) for part in self._parts if kernel in part.kernels]
            found = max(listed, key=lambda one: sum(bool(each.type) + bool(each.scalar) for each in one))
            self._parameters[kernel] = found
        return found

    def _make_bundle(self, device: Device, chosen: int) -> _Bundle:
        bundle = _Bundle(lib.create("specpiBundleCreate", device.handle, 1, (ctypes.c_void_p * 1)(chosen)))
        listed = lib.listed("specpiBundleGetConstants", lib.ConstantRecord, bundle.handle)
        typed: Dict[str, Constant] = {}
        for image in lib.listed("specpiBundleGetImages", ctypes.c_void_p, bundle.handle):
            typed.update(_constants(image))
        for name, constant in constants_of(listed, []).items():
            bundle.constants[name] = _with_types(typed.get(name, constant), self._parts)
        return bundle

    def _bundle(self, device: Device, kernel: str) -> _Bundle:
        """Returns the bundle with a kernel for a device. Makes each bundle once."""
        chosen = self._select(device, kernel)
        with self._lock:
            found = self._bundles.get((device, chosen))
            if found is None:
                found = self._bundles[device, chosen] = self._make_bundle(device, chosen)
            return found

    def kernel(
        self,
        name: str,
        values: Optional[Mapping[str, Any]] = None,
        *,
        device: Any = None,
        options: str = "",
        **constants: Any,
    ) -> Kernel:
        """Builds a kernel with these values for its constants.

        A value is a number, a list of numbers, or a NumPy array or scalar of the constant's types; for a structure it
        is a NumPy record. ``values`` is for names that are no identifiers in Python, e.g. "filters::radius". A constant
        without a value keeps its default. ``device`` is a device, a queue or a selector. ``options`` go to the driver's
        compiler.

        A kernel that was built before with the same values comes from the cache. Other threads run during the build.
        Ctrl-C ends the wait at once; the build continues, and puts its result into the cache.
        """
        text = lib.encoded(name, "the name of the kernel")
        build_options = lib.encoded(options, "options")
        found = find_device(device)
        bundle = self._bundle(found, name)
        if values is not None and not isinstance(values, Mapping):
            raise TypeError(f"values is {lib.kind_of(values)}, and has to be a dict of names and values")
        given = {**(values or {}), **constants}
        records = (lib.Value * len(given))()
        for record, (constant, value) in zip(records, given.items()):
            record.name = lib.encoded(constant, "the name of a constant")
            known = bundle.constants.get(constant)
            if known is None:
                raise _unknown(self.path, "constant", constant, bundle.constants, _UNKNOWN_CONSTANT)
            record.value = data = constant_bytes(known, value)
            record.size = len(data)
        parameters = self._parameters_of(name)

        def build() -> Kernel:
            handle = lib.create("specpiBundleGetKernel", bundle.handle, text, build_options, len(given), records)
            return Kernel(handle, name, found, parameters)

        return lib.call_interruptibly(build)

    def __reduce__(self) -> Tuple[Any, ...]:
        content = self._content
        if content is None:
            with open(self.path, "rb") as file:
                content = file.read()
        return _restore, (self.path, content)

    def __repr__(self) -> str:
        kernels, constants = ", ".join(self.kernels), ", ".join(sorted(self.constants)) or "none"
        return f"<specpi.Image {self.path}: kernels {kernels}; constants {constants}>"


def load(path: Path) -> Image:
    """Returns the image of a file: a library, object or program of specpi-cc or DPC++, a SPIR-V module, or PTX.

    Nothing in the file is run. The names of a SPIR-V module's constants are their numbers, e.g. "42".
    """
    name = os.fspath(path)
    os.stat(name)  # raises Python's own exception if there is no file
    if name.endswith((".cl", ".clcpp")):
        raise ValueError(f"{name} is a source, which specpi.compile takes; load takes what was compiled")
    return Image(name, _File(os.fsencode(name)))


def _restore(path: str, content: bytes) -> Image:
    """Returns the image that another process pickled, from its file's content."""
    import tempfile

    with tempfile.NamedTemporaryFile(prefix="specpi-") as file:
        file.write(content)
        file.flush()
        return Image(path, _File(os.fsencode(file.name)), content)


def _run_compiler(command: List[str], what: str) -> None:
    import subprocess  # here, so that specpi's import stays fast

    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    # Replaces the file's name in the output, because a text's temporary file is removed.
    words = done.stderr.strip().replace(command[-1], what)
    if done.returncode == 0:
        if words:
            warnings.warn(words, lib.CompilerWarning, stacklevel=3)
        return
    first = next((line for line in words.splitlines() if "error" in line), words.split("\n", 1)[0])
    raise lib.BuildError(f"{what} does not compile: {first}", lib.BUILD_FAILED, "SPECPI_ERROR_BUILD_FAILED", words)


def compile(
    path: Optional[Path] = None,
    *,
    source: Optional[str] = None,
    options: Sequence[str] = (),
    targets: Sequence[str] = ("spir64",),
) -> Image:
    """Compiles a file of OpenCL C or C++ for OpenCL, or the OpenCL C text ``source``, with specpi-cc.

    Code for "spir64" runs on all devices; builds for NVIDIA's devices translate it. "nvptx64" is PTX. ``options`` are
    specpi-cc's, e.g. ["-DSIZE=4"] or ["--spec-const=emulate"]. specpi-cc needs clang and, for spir64, llvm-spirv in
    PATH; its error names a missing one.
    """
    import tempfile

    if (path is None) == (source is None):
        raise TypeError("compile takes a path or a source")
    compiler = lib.program_path("specpi-cc")
    with tempfile.TemporaryDirectory(prefix="specpi-") as directory:
        if source is not None:
            name, shown = os.path.join(directory, "source.cl"), "the source"
            with open(name, "w", encoding="utf-8") as file:
                file.write(source)
        else:
            given = os.fspath(path or "")
            if not os.path.exists(given) and any(one in given for one in "({\n"):
                raise ValueError("this is no path: a text of OpenCL C is compile(source=text)")
            name = shown = os.path.abspath(given)
            os.stat(name)  # raises Python's own exception if there is no file
        made = os.path.join(directory, "images.o")
        command = [compiler, "--emit=obj", "--target=" + ",".join(targets), "-o", made, *options, name]
        _run_compiler(command, shown)
        with open(made, "rb") as built:
            return Image(shown, _File(os.fsencode(made)), built.read())
