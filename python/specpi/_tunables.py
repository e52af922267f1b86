"""Sources with tunable names, which become specialization constants if possible, else macros.

A constant's value is set in a compiled image. A macro's value is part of the source, so each set of
macros needs a compilation. But only a macro can size an array, or be used by the preprocessor.
"""

from __future__ import annotations

import math
import os
import re
import subprocess
import tempfile
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Dict, FrozenSet, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

import numpy

from . import _library as lib
from ._image import Image, compile

# Matches the preprocessed declaration of a constant: SPECPI_CONSTANT(type, name, ...) in C,
# specialization_id in C++.
_DECLARED = re.compile(r"struct specpi_default_of_(\w+)|specialization_id\s*<[^;{]*>\s*(\w+)\s*[{(=]")


def _literal_type(value: Any) -> Optional[str]:
    """Returns the OpenCL C type of a value's literal, for a constant in place of the literal.

    None if the value can only be a macro. The type of 0.5 is written as that of 1.0, because it
    depends on -cl-single-precision-constant.
    """
    if isinstance(value, (bool, numpy.bool_)):
        return "bool"
    if isinstance(value, (int, numpy.integer)):
        return "int" if abs(int(value)) < 1 << 31 else None
    if isinstance(value, (float, numpy.floating)):
        return "__typeof__(1.0)" if math.isfinite(value) else None
    return None


def _macro_text(value: Any) -> str:
    """Returns a value as the text of a macro. OpenCL C has no True and False, so they become 1 and 0."""
    text = str(int(value)) if isinstance(value, (bool, numpy.bool_)) else str(value)
    return text.replace("\n", "\\\n")


def _literal_value(value: Any) -> Any:
    """Returns the value of a number's literal: the literal of float32(0.1) is the double 0.1."""
    return float(str(value)) if isinstance(value, (float, numpy.floating)) else value


class Source:
    """A source and its compiled images. Threads may share it. A pickled copy starts without images.

    ``fixed`` has the names that keep one value, so that they cost no compilation as macros; None
    means all names. ``listed`` has the names for a line on stdout that says which of them are
    constants and which are macros; if it is empty, nothing is printed.
    """

    def __init__(
        self, path: Optional[str], text: str, options: Sequence[str], fixed: Optional[Iterable[str]], listed: Sequence[str]
    ) -> None:
        self.path, self.text = path, text
        self.is_good = False  # True after any image of it was compiled
        self._options = list(options)
        self._fixed = None if fixed is None else frozenset(fixed)
        self._listed = list(listed)
        self._macros: FrozenSet[str] = frozenset()  # names known so far to compile only as macros
        self._reported: Optional[FrozenSet[str]] = None
        self._forget()

    def _forget(self) -> None:
        self._images: Dict[Tuple[str, str], Future[Image]] = {}
        self._declared: Dict[str, Set[str]] = {}
        self._lock, self._planning = threading.Lock(), threading.Lock()

    def __getstate__(self) -> Dict[str, Any]:
        return {key: one for key, one in vars(self).items() if key not in ("_images", "_declared", "_lock", "_planning")}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        vars(self).update(state)
        self._forget()

    def find_image(
        self, text: str, defines: Mapping[str, Any], values: Mapping[str, Any]
    ) -> Tuple[Image, Dict[str, Any]]:
        """Returns the image for a configuration, and the values of the image's constants.

        ``text`` is the source, or a generator's text for this configuration. ``defines`` has the
        values of names that the source uses like literals. ``values`` has the values of constants
        that the source declares itself, too.
        """
        declared = self._find_declared(text)
        unknown = [name for name in defines if not name.isidentifier()]
        visible = {name: one for name, one in defines.items() if name not in declared and name not in unknown}
        while True:
            macros = self._macros
            try:
                image = self._compile_once(text, self._write_prefix(visible, macros))
                break
            except lib.BuildError:
                if not self._find_macros(text, visible, macros):
                    raise
        for name in unknown:
            if name not in image.constants:
                raise ValueError(f'"{name}" is neither an identifier nor a constant of {image.path}')
        self.is_good = True
        self._report(image, text, visible, macros)
        given = {**values, **{name: _literal_value(one) for name, one in visible.items()}}
        return image, {name: given[name] for name in image.constants if name in given}

    def _is_constant(self, name: str, value: Any, macros: FrozenSet[str]) -> bool:
        is_fixed = self._fixed is None or name in self._fixed
        return not is_fixed and name not in macros and _literal_type(value) is not None

    def _write_prefix(self, defines: Mapping[str, Any], macros: FrozenSet[str]) -> str:
        """Returns the lines that the compiler reads before the source.

        They do not have the values of constants, so they are the same text for all these values.
        """
        constants = {name: one for name, one in defines.items() if self._is_constant(name, one, macros)}
        lines = ["#include <specpi/device.h>"] if constants else []
        lines += [f"SPECPI_CONSTANT({_literal_type(one)}, {name}, 1);" for name, one in constants.items()]
        for name, one in defines.items():
            lines.append(f"#define {name} " + (f"specpi_get({name})" if name in constants else _macro_text(one)))
        return "".join(f"{line}\n" for line in lines)

    def _without_idle_pragmas(self, text: str, prefix: str) -> str:
        # In Kernel Tuner a loop_unroll_factor of 0 lets the compiler decide. clang has no
        # "#pragma unroll 0", so these pragmas are removed.
        for name in re.findall(r"^#define (\w*loop_unroll_factor\w*) 0$", prefix, re.M):
            text = re.sub(rf"(?m)^[ \t]*#[ \t]*pragma[ \t]+unroll[ \t]+{name}\b.*$", "", text)
        return text

    def _compile(self, text: str, prefix: str) -> Image:
        changed = self._without_idle_pragmas(text, prefix)
        with tempfile.TemporaryDirectory(prefix="specpi-") as directory:
            first = os.path.join(directory, "tunables.h")
            with open(first, "w", encoding="utf-8") as file:
                file.write(prefix)
            options = [*self._options, "-include", first]
            if self.path is None:
                return compile(source=changed, options=[*options, "-I."])
            if changed == self.text:
                return compile(self.path, options=[*options, "-I."])
            near = ["-I", os.path.dirname(os.path.abspath(self.path))]
            return compile(source=f'#line 1 "{self.path}"\n{changed}', options=[*near, *options, "-I."])

    def _compile_once(self, text: str, prefix: str) -> Image:
        """Compiles each text once. Returns its image, or raises the error of its compilation."""
        with self._lock:
            found = self._images.get((text, prefix))
            is_first = found is None
            if found is None:
                found = self._images[text, prefix] = Future()
        if is_first:
            try:
                found.set_result(self._compile(text, prefix))
            except BaseException as error:
                if not isinstance(error, lib.BuildError):
                    del self._images[text, prefix]  # e.g. Ctrl-C: a later call compiles it again
                found.set_exception(error)
        return found.result()

    def _compiles(self, text: str, prefix: str) -> bool:
        try:
            return bool(self._compile_once(text, prefix))
        except lib.BuildError:
            return False

    def _find_macros(self, text: str, defines: Mapping[str, Any], macros: FrozenSet[str]) -> bool:
        """Finds names that compile only as macros, after a compilation failed with ``macros``.

        Tries each name as a constant while all other names are macros. Returns whether there are more
        macros now. Raises the compiler's error if the source fails even with all names as macros.
        """
        with self._planning:
            if self._macros != macros:
                return True  # another thread found them
            names = frozenset(name for name, one in defines.items() if self._is_constant(name, one, macros))
            if not names:
                return False
            self._compile_once(text, self._write_prefix(defines, macros | names))
            # A name that is not in the text may be in a header, but is mostly unused. So one
            # compilation tries all such names together first.
            elsewhere = [name for name in names if not re.search(rf"\b{name}\b", text)]
            failed = self._try_each(text, defines, macros | names, [[name] for name in names.difference(elsewhere)])
            if elsewhere and self._try_each(text, defines, macros | names, [elsewhere]):
                failed |= self._try_each(text, defines, macros | names, [[name] for name in elsewhere])
            is_enough = self._compiles(text, self._write_prefix(defines, macros | failed))
            self._macros = macros | (failed if is_enough else names)
            return True

    def _try_each(
        self, text: str, defines: Mapping[str, Any], macros: FrozenSet[str], groups: List[List[str]]
    ) -> FrozenSet[str]:
        """Compiles once for each group, with its names as constants. Returns the failed groups' names."""
        prefixes = [self._write_prefix(defines, macros.difference(group)) for group in groups]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            passed = list(pool.map(lambda prefix: self._compiles(text, prefix), prefixes))
        return frozenset(name for group, good in zip(groups, passed) if not good for name in group)

    def _find_declared(self, text: str) -> Set[str]:
        """Returns the constants that a text or its headers declare, which no macro may hide."""
        if "#include" not in text and "-include" not in self._options:
            return set()
        found = self._declared.get(text)
        if found is None:
            found = self._declared[text] = self._preprocess(text)
        return found

    def _preprocess(self, text: str) -> Set[str]:
        with tempfile.TemporaryDirectory(prefix="specpi-") as directory:
            path = self.path
            if path is None:
                path = os.path.join(directory, "source.cl")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            # The command may fail, because the names are not set. The output before the failure has
            # the declarations.
            command = [lib.program_path("specpi-cc"), "-E", *self._options, "-I.", path]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        return {name for pair in _DECLARED.findall(done.stdout) for name in pair if name}

    def _report(self, image: Image, text: str, defines: Mapping[str, Any], macros: FrozenSet[str]) -> None:
        """Prints which names are constants, macros or unread: once, and again if there are more macros."""
        with self._lock:
            if not self._listed or self._reported == macros:
                return
            self._reported = macros
        texts = {name for name in self._listed if name in defines and _literal_type(defines[name]) is None}
        as_macros = [name for name in defines if name in macros or name in texts]
        # An image lacks a constant that the source uses only with another value of a macro.
        read = [name for name in self._listed if name in image.constants or re.search(rf"\b{re.escape(name)}\b", text)]
        constants = [name for name in read if name not in as_macros]
        unread = [name for name in self._listed if name not in read and name not in as_macros]
        parts = [
            ("constants", constants),
            ("macros (a compile for each set)", as_macros),
            ("not read", unread),
        ]
        print("specpi: " + "; ".join(f"{what}: {', '.join(names)}" for what, names in parts if names))
