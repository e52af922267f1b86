"""libspecpi: its path, its functions, and its errors as exceptions."""

from __future__ import annotations

import ctypes
import os
import threading
from ctypes import POINTER, Structure, c_char, c_char_p, c_int, c_size_t, c_ubyte, c_uint, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, List, Optional, Sequence, TypeVar


Result = TypeVar("Result")


class Error(RuntimeError):
    """A failure that libspecpi reports, with its message.

    ``code`` and ``name`` are the number and the name of the result in include/specpi/specpi.h, e.g.
    -7 and "SPECPI_ERROR_UNKNOWN_KERNEL".
    """

    def __init__(self, sentence: str, code: int = 0, name: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.name = name


class BuildError(Error):
    """Code does not compile, build or link. ``log`` has the compiler's complete output, which a traceback prints."""

    def __init__(self, sentence: str, code: int = 0, name: str = "", log: str = "") -> None:
        super().__init__(sentence, code, name)
        self.log = log

    def __str__(self) -> str:
        return "\n".join([super().__str__()] + ([self.log] if self.log else []))


class CompilerWarning(UserWarning):
    """A compiler's warnings about code that it accepts."""


class DeviceLostError(Error):
    """A kernel failed while it ran, e.g. by an access outside of its memory.

    The driver refuses all further calls of this process for the device. The message has the driver's
    code, and the kernel's name if it is known.
    """


class Leaf(Structure):
    _fields_ = [("id", c_uint32), ("offset", c_uint32), ("size", c_uint32)]


class ConstantRecord(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("size", c_size_t),
        ("leaf_count", c_size_t),
        ("leaves", POINTER(Leaf)),
        ("default_value", c_void_p),
    ]


class ParameterRecord(Structure):
    _fields_ = [
        ("kind", c_int),
        ("access", c_int),
        ("size", c_size_t),
        ("pointee_size", c_size_t),
        ("scalar", c_char_p),
        ("may_be_void", ctypes.c_bool),
        ("type", ctypes.c_char * 160),
    ]


class Value(Structure):
    _fields_ = [("name", c_char_p), ("size", c_size_t), ("value", c_char_p)]


class Argument(Structure):
    _fields_ = [("kind", c_int), ("size", c_size_t), ("value", c_void_p), ("buffer", c_void_p)]


class Range(Structure):
    _fields_ = [
        ("dimensions", c_uint),
        ("global_size", c_size_t * 3),
        ("local", c_size_t * 3),
        ("offset", c_size_t * 3),
    ]


class KernelInfoRecord(Structure):
    _fields_ = [
        ("argument_count", c_size_t),
        ("group_size", c_size_t),
        ("required", c_size_t * 3),
        ("preferred_multiple", c_size_t),
        ("local_memory", c_uint64),
        ("private_memory", c_uint64),
    ]


class TimesRecord(Structure):
    _fields_ = [(name, c_uint64) for name in ("queued", "submitted", "started", "ended")]


STATISTICS = (
    "hits shared misses builds failures evictions programs bytes disk_hits disk_misses disk_rejected disk_writes "
    "disk_failures disk_evictions"
).split()


class StatisticsRecord(Structure):
    _fields_ = [(name, c_uint64) for name in STATISTICS]


class CacheDirectoryRecord(Structure):
    _fields_ = [("path", c_char * 4096)] + [(name, c_uint64) for name in ("files", "bytes", "hits", "writes")]


INVALID_ARGUMENT = (-1, "SPECPI_ERROR_INVALID_ARGUMENT")
SUCCESS, BUILD_FAILED, DEVICE_LOST, PADDING = 0, -13, -18, 0xFFFFFFFF
ARGUMENT_VALUE, ARGUMENT_BUFFER, ARGUMENT_POINTER, ARGUMENT_LOCAL = range(4)
MEMORY_KINDS = ("host", "device", "shared")
QUEUE_OUT_OF_ORDER, QUEUE_PROFILING = 1, 2
# Maps names of pi_device_info, without the prefix PI_DEVICE_INFO_, to their numbers.
DEVICE_QUERIES = {
    "MAX_COMPUTE_UNITS": 0x1002,
    "MAX_WORK_GROUP_SIZE": 0x1004,
    "MAX_WORK_ITEM_SIZES": 0x1005,
    "MAX_MEM_ALLOC_SIZE": 0x1010,
    "GLOBAL_MEM_SIZE": 0x101F,
    "LOCAL_MEM_SIZE": 0x1023,
    "EXTENSIONS": 0x1030,
    "UUID": 0x106A,
    "SUB_GROUP_SIZES_INTEL": 0x4108,
    "USM_SYSTEM_SHARED_SUPPORT": 0x4194,
}
INPUT, OBJECT, EXECUTABLE = range(3)

# The library's functions with the types of their parameters, in a table for each return type.
# test_process.py compares each function with its declaration in the headers.
_P, _Z, _S = c_void_p, c_size_t, c_char_p
RESULTS = {
    "specpiDevicesGet": [_S, _Z, _P, _P],
    "specpiDevicesGetPreferred": [_S, _Z, _P, _P],
    "specpiDeviceGetInfo": [_P, c_int, _Z, _P, _P],
    "specpiImageFileOpen": [_S, _P],
    "specpiImageFileGetImages": [_P, _Z, _P, _P],
    "specpiImageSelect": [_P, _Z, _P, _P],
    "specpiImageGetKernels": [_P, _Z, _P, _P],
    "specpiImageGetConstants": [_P, _Z, _P, _P],
    "specpiImageGetLeafTypes": [_P, _Z, _P, _P],
    "specpiImageGetParameters": [_P, _S, _Z, _P, _P],
    "specpiBundleCreate": [_P, _Z, _P, _P],
    "specpiBundleCreateWithIL": [_P, _Z, _S, _P],
    "specpiBundleGetKernels": [_P, _Z, _P, _P],
    "specpiBundleGetConstants": [_P, _Z, _P, _P],
    "specpiBundleGetImages": [_P, _Z, _P, _P],
    "specpiBundleGetKernel": [_P, _S, _S, _Z, _P, _P],
    "specpiQueueCreate": [_P, c_uint, _P],
    "specpiQueueFinish": [_P],
    "specpiEventWait": [_Z, _P],
    "specpiEventGetState": [_P, _P],
    "specpiEventGetTimes": [_P, _P],
    "specpiBufferCreate": [_P, _Z, _P, _P],
    "specpiBufferRead": [_P, _P, _Z, _Z, _P, _Z, _P, _P],
    "specpiBufferWrite": [_P, _P, _Z, _Z, _P, _Z, _P, _P],
    "specpiBufferFill": [_P, _P, _S, _Z, _Z, _Z, _Z, _P, _P],
    "specpiBufferCopy": [_P, _P, _Z, _P, _Z, _Z, _Z, _P, _P],
    "specpiMemoryAllocate": [_P, c_int, _Z, _Z, _P],
    "specpiMemoryFree": [_P, _P],
    "specpiMemoryGetKind": [_P, _P, _P],
    "specpiMemoryCopy": [_P, _P, _P, _Z, _Z, _P, _P],
    "specpiMemoryFill": [_P, _P, c_ubyte, _Z, _Z, _P, _P],
    "specpiKernelGetInfo": [_P, _P],
    "specpiKernelLaunch": [_P, _P, _P, _Z, _P, _Z, _P, _P],
    "specpiCacheSetDirectory": [_S],
    "specpiCacheGetDirectory": [_P],
    "specpiCacheGetStatistics": [_P],
    "specpiCacheClear": [],
}
TEXTS = {
    "specpiGetVersion": [],
    "specpiGetLastError": [],
    "specpiGetBuildLog": [],
    "specpiResultGetName": [c_int],
    "specpiBackendGetName": [c_int],
    "specpiPlatformGetName": [_P],
    "specpiDeviceGetSelector": [_P],
    "specpiDeviceGetName": [_P],
    "specpiDeviceGetVendor": [_P],
    "specpiDeviceGetVersion": [_P],
    "specpiDeviceGetDriverVersion": [_P],
    "specpiDeviceGetTypeName": [_P],
    "specpiImageGetTarget": [_P],
    "specpiImageGetFormatName": [_P],
    "specpiParameterKindGetName": [c_int],
    "specpiEventStateGetName": [c_int],
}
POINTERS = {"specpiDeviceGetParent": [_P], "specpiDeviceGetPlatform": [_P]}
NUMBERS = {"specpiDeviceGetBackend": [_P]}
NOTHING = {
    name: [_P]
    for name in (
        "specpiImageFileRelease specpiBundleRelease specpiQueueRelease specpiEventRelease "
        "specpiBufferRelease specpiKernelRelease"
    ).split()
}


def _belongs(path: str, reference: str) -> bool:
    """Returns whether a file exists that only root or the owner of the file ``reference`` can have put there."""
    try:
        owners = {os.stat(path).st_uid, os.stat(os.path.dirname(path)).st_uid}
        return owners <= {0, os.stat(reference).st_uid}
    except OSError:
        return False


def _prefix_of(directory: str) -> Optional[str]:
    """Returns PREFIX for a directory PREFIX/lib, PREFIX/lib64 or one directly in them; else None."""
    for lib in (directory, os.path.dirname(directory)):
        if os.path.basename(lib) in ("lib", "lib64"):
            return os.path.dirname(lib)
    return None


def _candidates() -> List[str]:
    """Returns the paths at which this package's libspecpi may be.

    These are lib/specpi beside the package, and the same in PREFIX if the package is in
    PREFIX/lib/python3.11/site-packages. Files in other places may be another user's.
    """
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    above = os.path.dirname(packages)
    prefix = _prefix_of(os.path.dirname(above)) if os.path.basename(above).startswith("python") else None
    return [os.path.join(place, "lib", "specpi", "libspecpi.so.0") for place in (packages, prefix) if place]


def library_path() -> str:
    """Returns the path of libspecpi."""
    named = os.environ.get("SPECPI_LIBRARY")
    if named and not os.path.isabs(named):
        raise Error(f'SPECPI_LIBRARY is "{named}", which is not an absolute path')
    candidates = [named] if named else _candidates()
    for path in candidates:
        if os.path.exists(path) if named else _belongs(path, __file__):
            return os.path.realpath(path)
    tried = ", ".join(candidates)
    told = f"libspecpi is not there, or belongs to another user; these files were tried: {tried}"
    if named:
        raise Error(told)
    raise Error(
        f"{told}. `pip install --target` leaves it out: install specpi into a virtual environment, or with --prefix"
    )


def program_path(name: str) -> str:
    """Returns the path of a program of specpi, e.g. "specpi-cc", in the prefix of libspecpi."""
    library = library_path()
    prefix = _prefix_of(os.path.dirname(library))
    path = os.path.join(prefix or "PREFIX", "bin", name)
    if prefix is None or not (os.access(path, os.X_OK) and _belongs(path, library)):
        raise Error(f"{name} is not there, or belongs to another user: {library} needs it as {path}")
    return path


_lock = threading.Lock()
_loaded: Optional[ctypes.CDLL] = None
_process = 0


def library() -> ctypes.CDLL:
    """Returns libspecpi, which the first call loads. Its functions run without the GIL."""
    global _loaded, _process
    loaded = _loaded
    if loaded is not None:
        if os.getpid() != _process:
            raise Error(
                f"process {os.getpid()} was forked from {_process}, which uses devices; drivers do not "
                'survive that: start it anew, as multiprocessing does with "spawn"'
            )
        return loaded
    with _lock:
        if _loaded is None:
            path = library_path()
            try:
                opened = ctypes.CDLL(path)
                for table, returns in (
                    (RESULTS, c_int),
                    (TEXTS, c_char_p),
                    (POINTERS, c_void_p),
                    (NUMBERS, c_int),
                    (NOTHING, None),
                ):
                    for name, takes in table.items():
                        function = getattr(opened, name)
                        function.argtypes, function.restype = takes, returns
            except (OSError, AttributeError) as reason:
                raise Error(f"{path} cannot be used: {reason}") from None
            _process = os.getpid()
            _loaded = opened
        return _loaded


def check(result: int) -> None:
    """Raises the exception for a call's result, unless it is a success."""
    if result == SUCCESS:
        return
    loaded = library()
    sentence, name = text(loaded.specpiGetLastError()), text(loaded.specpiResultGetName(result))
    if result == BUILD_FAILED:
        raise BuildError(sentence, result, name, text(loaded.specpiGetBuildLog()))
    if result == DEVICE_LOST:
        raise DeviceLostError(sentence, result, name)
    raise Error(sentence, result, name)


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a result, and raises its error."""
    check(getattr(library(), name)(*arguments))


_builders: Any = None  # threads for builds; an interrupted build keeps its thread until it is complete


def call_interruptibly(function: Callable[[], Result]) -> Result:
    """Calls a function that may take long, in such a way that Ctrl-C ends the wait for it.

    Python handles signals only in the main thread, and not while that runs a foreign function. So
    the main thread waits while another thread calls the function. After an interrupt the other thread
    completes the call, and its result is dropped.
    """
    global _builders
    library()  # raises in a forked child, which lacks the pool's threads
    if threading.current_thread() is not threading.main_thread():
        return function()
    if _builders is None:
        from concurrent.futures import ThreadPoolExecutor  # here, so that specpi's import stays fast

        _builders = ThreadPoolExecutor(64, "specpi-build")
    try:
        future = _builders.submit(function)
    except RuntimeError:  # the interpreter is shutting down
        return function()
    try:
        result: Result = future.result()
        return result
    except Error as error:
        raise error.with_traceback(None) from None  # without the other thread's frames
    finally:
        del future  # it has the exception, whose frames refer to it


def create(name: str, *arguments: Any) -> int:
    """Calls a function whose last parameter receives a handle, and returns the handle."""
    handle = c_void_p()
    call(name, *arguments, ctypes.byref(handle))
    assert handle.value is not None
    return handle.value


def listed(name: str, kind: Any, *arguments: Any) -> Any:
    """Calls a function that lists elements, and returns them as an array."""
    count = c_size_t()
    call(name, *arguments, 0, None, ctypes.byref(count))
    while True:
        capacity = count.value
        array = (kind * capacity)()
        call(name, *arguments, capacity, array if capacity else None, ctypes.byref(count))
        if count.value <= capacity:
            return (kind * count.value).from_buffer(array) if count.value else ()


def text(given: Optional[bytes]) -> str:
    return (given or b"").decode("utf-8", "replace")


def kind_of(given: Any) -> str:
    """Returns the type of an object with its article, e.g. "an int"."""
    name = type(given).__name__
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


def encoded(given: Any, what: str) -> bytes:
    """Returns a str as bytes for C. ``what`` begins the messages of errors."""
    if not isinstance(given, str):
        raise TypeError(f"{what} is {kind_of(given)} and has to be a str")
    if "\0" in given:
        raise ValueError(f"{what} has a NUL in it: {given!r}")
    return given.encode()


def size(given: Any, what: str) -> int:
    """Checks a number of bytes or work-items, and returns it as an int."""
    if isinstance(given, bool) or not hasattr(given, "__index__"):
        raise TypeError(f"{what} is {kind_of(given)} and has to be an int")
    number = given.__index__()
    if not 0 <= number < 1 << 63:
        raise ValueError(f"{what} is {number}, which is no size")
    return int(number)


def version() -> str:
    """Returns the version of libspecpi."""
    return text(library().specpiGetVersion())


class Reference(int):
    """A handle that is released with the last reference to this number.

    So a call in another thread can use the handle to its end, even if the object is closed meanwhile.
    """

    _release: Callable[[int], None]
    _process: int

    def __del__(self, getpid: Callable[[], int] = os.getpid) -> None:
        # A forked child must not release its copies of the parent's handles: the driver does not
        # work there.
        if getpid() == self._process:
            self._release(self)


def owned(handle: int, release: Callable[[int], None]) -> Reference:
    """Returns a Reference that releases a handle with ``release``."""
    reference = Reference(handle)
    reference._release = release
    reference._process = os.getpid()
    return reference


class Handle:
    """An object of libspecpi. It is released when it is closed, or when nobody refers to it any more."""

    _what = "object"
    _releases = ""
    _reference: Optional[Reference] = None

    def __reduce__(self) -> Any:
        raise TypeError(
            f"{kind_of(self)} is of this process, and is neither copied nor pickled: make it anew in the other process, "
            "from a specpi.Image or specpi.Device, which can be pickled"
        )

    def _own(self, handle: int) -> None:
        self._reference = owned(handle, getattr(library(), self._releases))

    @property
    def handle(self) -> Reference:
        """The object's handle in libspecpi."""
        reference = self._reference
        if reference is None:
            raise ValueError(f"this {self._what} is closed")
        return reference

    def close(self) -> None:
        """Releases the object. Commands that were submitted before are still carried out."""
        self._reference = None

    @property
    def closed(self) -> bool:
        """True after the object was closed."""
        return self._reference is None

    def __enter__(self: HandleType) -> HandleType:
        self.handle
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


HandleType = TypeVar("HandleType", bound=Handle)


def handles(objects: Sequence[Handle]) -> Any:
    """Returns a C array of the objects' handles. The array keeps the handles valid."""
    if not objects:
        return None
    references = [one.handle for one in objects]
    array: Any = (c_void_p * len(references))(*references)
    array.references = references
    return array
