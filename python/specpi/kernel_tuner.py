"""Kernel Tuner (https://kerneltuner.github.io) over images with specialization constants.

    from specpi.kernel_tuner import tune_kernel       # instead of kernel_tuner's, with the same arguments

kernel_source is a source, which specpi-cc compiles, or a ready image. A configuration's values
become specialization constants of the image, which needs no compilation. A name that sizes an
array, or that the preprocessor uses, becomes a macro; each set of macros is compiled once.
Strategies, observers, verification and cache files are Kernel Tuner's own. While one configuration
is measured, threads build the next ones.
"""

from __future__ import annotations

import inspect
import os
import re
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import wraps
from pathlib import Path
from typing import Any, Callable, Deque, Dict, Generator, Iterable, List, Optional, Set, Tuple, Union

import numpy
from kernel_tuner import interface, util
from kernel_tuner.accuracy import Tunable
from kernel_tuner.backends import opencl
from kernel_tuner.backends.backend import GPUBackend
from kernel_tuner.observers.observer import BenchmarkObserver
from kernel_tuner.runners import sequential

from . import _library as lib
from ._device import Device, Queue, find_device, preferred_devices
from ._image import Image, compile, load
from ._kernel import Kernel
from ._memory import Buffer, Local
from ._tunables import Source

__all__ = ["Backend", "run_kernel", "tune_kernel"]

_SOURCES = (".cl", ".clcpp", ".opencl")
_UNITS = (".cpp", ".cc", ".cxx")  # SYCL sources, which declare their constants in C++
_AXES = ("grid_size_x", "grid_size_y", "grid_size_z")
_GROUPS = 1024  # CUDA's maximum of work-items in a group; launches check the kernel's own
_BUILDS = 8  # default maximum of concurrent builds; each has a process of the code generator
# Words of error messages that mean that a launch exceeds the device's resources.
_REFUSALS = ("of local memory", "in a group on", "a work-group on", "OUT_OF_RESOURCES", "INVALID_WORK_GROUP_SIZE")


class _Options(list):  # type: ignore[type-arg]
    """The compiler_options for Kernel Tuner, which also have the source or image.

    Kernel Tuner passes them unchanged to the backend, also in Ray's workers. A worker that unpickles
    them imports this module, which installs the backend there.
    """

    def __init__(
        self,
        options: List[str],
        code: Union[Image, Source],
        blocks: List[str],
        defines: Optional[Dict[str, Any]],
        builds: Optional[int],
    ) -> None:
        super().__init__(options)
        self.code, self.blocks, self.defines, self.builds = code, blocks, defines, builds

    def __reduce__(self) -> Tuple[Any, ...]:
        return _Options, (list(self), self.code, self.blocks, self.defines, self.builds)

    def find_image(self, instance: Any) -> Tuple[Image, Dict[str, Any]]:
        """Returns the image for a configuration, and the values of its constants."""
        sizes = {**dict(zip(_AXES, instance.grid)), **dict(zip(self.blocks, instance.threads))}
        values = {**sizes, **instance.params}
        if isinstance(self.code, Image):
            known = self.code.constants
            return self.code, {name: value for name, value in values.items() if name in known}
        defines = {**values, "kernel_tuner": 1} if self.defines is None else self.evaluate_defines(instance.params)
        return self.code.find_image(instance.kernel_string, defines, values)

    def evaluate_defines(self, params: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the user's defines for a configuration, as Kernel Tuner computes them."""
        found = {}
        for name, value in (self.defines or {}).items():
            if callable(value):
                value = value(params)
            found[name] = util.replace_param_occurrences(value, params) if isinstance(value, str) else value
        return found


class _Objectives(list):  # type: ignore[type-arg]
    """A list of objectives that a dict finds by the key "__error__".

    Kernel Tuner 1.5.0's parallel runner looks its list of objectives up in each result, to see
    whether the result is an error. A plain list is not hashable, so each run would fail there.
    """

    def __hash__(self) -> int:  # type: ignore[override, unused-ignore]
        return hash("__error__")

    def __eq__(self, other: object) -> bool:
        return other == "__error__" or super().__eq__(other)


class _TimeObserver(BenchmarkObserver):  # type: ignore[misc]
    """Measures the time of each launch by its event, in milliseconds."""

    def __init__(self, backend: "Backend") -> None:
        self.dev = backend
        self.times: List[float] = []

    def after_finish(self) -> None:
        self.times.append(1e3 * self.dev.event.seconds)

    def get_results(self) -> Dict[str, Any]:
        results = {"time": float(numpy.average(self.times)), "times": self.times}
        self.times = []
        return results


class Backend(GPUBackend):  # type: ignore[misc]
    """Kernel Tuner's backend over specpi. ``device`` is a selector, or a number: 0 is the best device."""

    units = {"time": "ms"}

    def __init__(
        self,
        device: Any = 0,
        iterations: int = 7,
        compiler_options: Any = None,
        observers: Optional[List[BenchmarkObserver]] = None,
        **_: Any,
    ) -> None:
        self.options: _Options = compiler_options
        self.queue = Queue(_numbered_device(device), profiling=True)
        self.name, self.max_threads = self.queue.device.name, _GROUPS
        self.local: Optional[Local] = None
        self.event: Any = None
        self.running = "no configuration"
        self.build: Optional[Future[Kernel]] = None  # of the current configuration, if it was started ahead
        device = self.queue.device
        self.env = {
            "platform_name": device.platform,
            "device_name": device.name,
            "device_version": device.version,
            "driver_version": device.driver_version,
            "iterations": iterations,
            "compiler_options": list(self.options),
            "uuid": device.uuid and str(device.uuid),  # NVML's observers find the GPU by it
        }
        self.observers = [] if observers is None else observers
        self.observers.append(_TimeObserver(self))
        for one in self.observers:
            one.register_device(self)

    def ready_argument_list(self, arguments: List[Any]) -> List[Any]:
        return [Buffer(one, self.queue) if isinstance(one, numpy.ndarray) else one for one in arguments]

    def compile(self, kernel_instance: Any) -> Optional[Kernel]:
        """Returns a configuration's kernel, or None if it cannot be built: the configuration is invalid then."""
        self.local, self.running = None, util.get_config_string(kernel_instance.params)
        try:
            return self.build.result() if self.build else self.make_kernel(kernel_instance)
        except lib.BuildError as error:
            code = self.options.code
            if isinstance(code, Source) and not code.is_good:
                raise  # no configuration has compiled yet, so the source is wrong
            util.logging.warning("a configuration is not built: %s", error.args[0])
            return None

    def make_kernel(self, instance: Any) -> Kernel:
        """Builds a configuration's kernel. Any thread may call it."""
        image, values = self.options.find_image(instance)
        return image.kernel(instance.name, values, device=self.queue)

    def start_event(self) -> None:
        """Does nothing, because each launch's own event has the times."""

    stop_event = start_event

    def kernel_finished(self) -> bool:
        return self.event.state in ("complete", "failed")

    def synchronize(self) -> None:
        try:
            self.queue.finish()
        except lib.Error as error:
            # Leaves out the driver's message. After a launch that broke the context, CUDA's plugin
            # reports OUT_OF_RESOURCES. Kernel Tuner would take that for an invalid configuration,
            # and would blame the next one.
            raise RuntimeError(f"the device failed while it ran {self.running}, and the tuning ends here") from error

    def run_kernel(
        self, func: Kernel, gpu_args: List[Any], threads: Any, grid: Any, stream: Any = None
    ) -> None:
        sizes = [int(group) * int(count) for group, count in zip(threads, grid)]
        local = [int(one) for one in threads]
        given = [*gpu_args, self.local] if self.local else gpu_args
        try:
            self.event = func(self.queue, sizes, *given, local_size=local)
        except lib.Error as error:
            if any(word in str(error) for word in _REFUSALS):
                _refuse_launch(str(error))
            raise

    def memset(self, allocation: Any, value: int, size: int) -> None:
        if isinstance(allocation, Buffer):
            allocation.fill(self.queue, bytes([value & 255]))

    def memcpy_dtoh(self, dest: Any, src: Any) -> None:
        if isinstance(src, Buffer):
            src.read(self.queue, dest)

    def memcpy_htod(self, dest: Any, src: Any) -> None:
        if isinstance(dest, Buffer):
            dest.write(self.queue, src)

    def copy_shared_memory_args(self, smem_args: Dict[str, int]) -> None:
        """Sets the size of the local memory that is passed as the kernel's last argument."""
        self.local = Local(smem_args["size"])

    def copy_constant_memory_args(self, cmem_args: Any) -> None:
        raise NotImplementedError("specpi has no constant memory by name: pass cmem_args as arguments of the kernel")

    def copy_texture_memory_args(self, texmem_args: Any) -> None:
        raise NotImplementedError("specpi has no textures by name: pass texmem_args as arguments of the kernel")


def _refuse_launch(sentence: str) -> None:
    # Kernel Tuner recognises an invalid configuration by this text.
    raise RuntimeError(f"too many resources requested for launch: {sentence}")


def _numbered_device(device: Any) -> Device:
    """Returns the device for a selector, or for Kernel Tuner's number of a device: 0 is the best one."""
    if not isinstance(device, int):
        return find_device(device)
    found = preferred_devices()
    if not 0 <= device < len(found):
        raise lib.Error(f"there is no device {device}: {len(found)} were found; specpi ls lists them")
    return found[device]


class _OpenCL(opencl.OpenCLFunctions):  # type: ignore[misc]
    """Replaces Kernel Tuner's OpenCL backend, and makes a Backend of this module for _Options.

    Kernel Tuner 1.5 chooses a backend by the language, from a fixed list. docs/kernel-tuner.patch
    would make this class unnecessary.
    """

    def __new__(cls, *arguments: Any, **options: Any) -> Any:
        if isinstance(options.get("compiler_options"), _Options):
            return Backend(*arguments, **options)  # Python calls no __init__ for another class
        return super().__new__(cls)


opencl.OpenCLFunctions = _OpenCL


class _Runner(sequential.SequentialRunner):  # type: ignore[misc]
    """Kernel Tuner's runner, which measures the configurations of a list one by one.

    With this module's backend, threads meanwhile build the next configurations. The threads end with
    the list, also after an exception.
    """

    def run(self, parameter_space: Any, tuning_options: Any) -> Any:
        backend, elements = self.dev.dev, list(parameter_space)
        count = _count_builds(backend.options.builds, backend.queue.device) if isinstance(backend, Backend) else 0
        if count == 0 or len(elements) < 2:
            return super().run(elements, tuning_options)
        with closing(self._look_ahead(elements, tuning_options, count)) as turns:
            return super().run(turns, tuning_options)

    def _look_ahead(self, elements: List[Any], tuning_options: Any, count: int) -> Generator[Any, None, None]:
        """Yields each element after its build was started.

        Builds start up to 2 * count elements ahead, so that threads with short builds need not wait
        for threads with long ones. Elements beyond the budget are not built.
        """
        budget, begun = tuning_options.budget, 0
        last = min(len(elements), budget.get_evaluations_remaining())
        builds: Deque[Optional[Future[Kernel]]] = deque()
        pool = ThreadPoolExecutor(count, "specpi-tune")
        try:
            for place, element in enumerate(elements):
                while begun < min(place + 1 + 2 * count, last) and not budget.is_done():
                    builds.append(self._begin_build(pool, elements[begun], tuning_options))
                    begun += 1
                self.dev.dev.build = builds.popleft() if builds else None
                yield element
        finally:
            self.dev.dev.build = None
            pool.shutdown(cancel_futures=True)

    def _begin_build(self, pool: ThreadPoolExecutor, element: Any, to: Any) -> Optional[Future[Kernel]]:
        if ",".join(map(str, element)) in to.cache:
            return None
        return pool.submit(self._make_kernel, dict(zip(to.tune_params, element)))

    def _make_kernel(self, params: Dict[str, Any]) -> Any:
        # Returns None for a configuration that Kernel Tuner refuses. The future keeps an exception
        # until it is the configuration's turn.
        instance = self.dev.create_kernel_instance(self.kernel_source, self.kernel_options, params, False)
        return None if isinstance(instance, util.ErrorConfig) else self.dev.dev.make_kernel(instance)


sequential.SequentialRunner = _Runner


def _count_builds(asked: Optional[int], device: Device) -> int:
    """Returns how many builds run while a configuration is measured.

    One core is left to the measurement. On a CPU device the default is 0, because builds would slow
    the measured kernels down.
    """
    if asked is not None:
        return asked
    return 0 if device.type == "cpu" else min(len(os.sched_getaffinity(0)) - 1, _BUILDS)


# Kernel Tuner 1.5.0 searches its list of names of parallel strategies for the strategy object,
# never finds it, and uses one worker. So the objects are added to the list.
interface._STRATEGY_PARALLEL += [interface.strategy_map[name] for name in tuple(interface._STRATEGY_PARALLEL)]


class _Generator:
    """A source as a function of the configuration, so that Kernel Tuner reads no file itself."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def __call__(self, params: Dict[str, Any]) -> str:
        return str(self.source(params)) if callable(self.source) else str(self.source)


def _is_text(source: str) -> bool:
    return any(one in source for one in "{};\n")


def _compile_unit(path: str, options: List[str], defines: Optional[Dict[str, Any]]) -> Image:
    for name, value in (defines or {}).items():
        if callable(value):
            raise TypeError(f'defines["{name}"] depends on the configuration, and {path} is compiled once')
    return compile(path, options=[*options, *(f"-D{name}={value}" for name, value in (defines or {}).items())])


def _check_language(lang: Optional[str], name: str, text: str) -> None:
    """Refuses a source that is not OpenCL C. The message translates CUDA's words."""
    is_cuda = re.search(r"\b__global__\b", text) and not re.search(r"\b(__)?kernel\s+(void|__attribute__)", text)
    if lang is not None and lang.upper() != "OPENCL":
        what = f"lang is {lang!r}"
    elif Path(name).suffix in (".cu", ".cuh") or (lang is None and is_cuda):
        what = f"{name or 'the source'} is CUDA C"
    else:
        return
    raise ValueError(
        f"{what}, and specpi takes OpenCL C alone: __global__ is kernel there, float * among a kernel's parameters is "
        "global float *, __shared__ is local, threadIdx.x is get_local_id(0), blockIdx.x is get_group_id(0), "
        "blockDim.x is get_local_size(0), __syncthreads() is barrier(CLK_LOCAL_MEM_FENCE); macros stay as they are"
    )


def _read_list(sources: Any) -> Any:
    """Returns the first of several sources, which includes the others. The others must be files."""
    if not isinstance(sources, (list, tuple)):
        return sources
    if not sources:
        raise ValueError("kernel_source is an empty list: give a source")
    for place, one in enumerate(sources[1:], 1):
        if not isinstance(one, (str, os.PathLike)) or _is_text(os.fspath(one)):
            raise ValueError(f"kernel_source[{place}] is no path: only the first source may be a text")
        os.stat(one)
    return sources[0]


def _read_code(given: Dict[str, Any], fixed: Optional[Iterable[str]], listed: List[str]) -> Union[Image, Source]:
    """Returns the source or image in the arguments.

    Replaces their kernel_source by a function that returns the source's text, or "" for an image.
    """
    source, options = _read_list(given["kernel_source"]), given["compiler_options"] or []
    given["kernel_source"] = _Generator("")
    if isinstance(source, Image):
        return source
    if callable(source):
        _check_language(given["lang"], "", "")
        given["kernel_source"] = _Generator(source)
        return Source(None, "", options, fixed, listed)
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(
            f"kernel_source is a {type(source).__name__}: give one source, a path of a source or of an image, a "
            "function that returns a source, or a specpi.Image"
        )
    text = os.fspath(source)
    path = None if _is_text(text) else text
    suffix = Path(text).suffix if path else ""
    if path and suffix not in (*_SOURCES, ".cu", ".cuh"):
        return _compile_unit(path, options, given["defines"]) if suffix in _UNITS else load(path)
    if path:
        text = Path(path).read_text(encoding="utf-8")
    _check_language(given["lang"], path or "", text)
    given["kernel_source"] = _Generator(text)
    return Source(path, text, options, fixed, listed)


def _check_names(image: Image, sizes: Set[str], tuned: Any) -> None:
    known = image.constants
    for name in tuned:
        if name not in known and name not in sizes and not name.startswith(("nvml_", "tegra_")):
            names = ", ".join(sorted(known)) or "none"
            raise ValueError(
                f'"{name}" is neither a constant of {image.path} nor a size of a work-group; its constants are {names}'
            )


def _set_objectives(given: Dict[str, Any]) -> None:
    chosen, better = given["objectives"], given["objective_higher_is_better"]
    if isinstance(chosen, dict):
        names, higher = list(chosen), list(chosen.values())
    else:
        names, higher = util.get_objective_defaults(given["objective"], better)
    given["objectives"] = None
    given["objective"] = _Objectives([names] if isinstance(names, str) else names)
    given["objective_higher_is_better"] = [higher] if isinstance(higher, bool) else higher


def _over_images(function: Callable[..., Any], tuned: str, *ours: inspect.Parameter) -> Callable[..., Any]:
    """Wraps a function of Kernel Tuner to use this module's backend. The parameters ``ours`` are added."""
    inner = inspect.signature(function)
    signature = inner.replace(parameters=[*inner.parameters.values(), *ours])

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        given = bound.arguments
        builds = given.pop("builds_ahead", None)
        if builds is not None and not (isinstance(builds, int) and builds >= 0):
            raise ValueError(f"builds_ahead is {builds!r}: give how many builds run at the same time, 0 for none")
        named_blocks = list(given["block_size_names"] or ())
        blocks = [*named_blocks, *util.default_block_size_names[len(named_blocks) :]]
        chosen = {one.param_key for one in given["arguments"] if isinstance(one, Tunable)}
        fixed = _fixed_names(given[tuned], given["defines"]) if tuned == "tune_params" else None
        listed = [name for name in given[tuned] if fixed is not None and name not in fixed and not given["quiet"]]
        code = _read_code(given, fixed, listed)
        if isinstance(code, Image) and not given.get("simulation_mode"):
            _check_names(code, {*named_blocks, *util.default_block_size_names, *chosen}, given[tuned])
        if given.get("parallel") or os.environ.get(interface.environment_key_parallel):
            _set_objectives(given)
        options = _Options(given["compiler_options"] or [], code, blocks, given["defines"], builds)
        # Stops Kernel Tuner from adding macros, because this backend decides which names are
        # constants.
        given.update(lang="OpenCL", defines={}, compiler_options=options)
        return function(*bound.args, **bound.kwargs)

    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


def _fixed_names(tuned: Dict[str, Any], defines: Optional[Dict[str, Any]]) -> Set[str]:
    """Returns the names that, as macros, have the same text in all configurations."""
    same = {name for name, values in tuned.items() if len({str(one) for one in values}) == 1}
    return same | {name for name, value in (defines or {}).items() if not callable(value)} | {"kernel_tuner"}


tune_kernel = _over_images(
    interface.tune_kernel,
    "tune_params",
    inspect.Parameter("builds_ahead", inspect.Parameter.KEYWORD_ONLY, default=None),
)
run_kernel = _over_images(interface.run_kernel, "params")
