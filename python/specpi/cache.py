"""The cache of built kernels."""

from __future__ import annotations

import ctypes
import os
from typing import Dict, Optional, Union

from . import _library as lib

__all__ = ["clear", "directory", "set_directory", "statistics"]


def set_directory(directory: Optional[Union[str, "os.PathLike[str]"]]) -> None:
    """Names the directory in which built kernels are kept for later processes, in place of the environment's (SPECPI_CACHE_DIR,
    or else specpi in the user's cache); None: none. It has to be the user's alone, and its path absolute."""
    lib.call("specpiCacheSetDirectory", None if directory is None else os.fsencode(directory))


def directory() -> Optional[str]:
    """The directory in which built kernels are kept for later processes; None where there is none."""
    record = lib.CacheDirectoryRecord()
    lib.call("specpiCacheGetDirectory", ctypes.byref(record))
    return os.fsdecode(record.path) or None


def statistics() -> Dict[str, int]:
    """Counts of what was found, built and given up in this process; include/specpi/cache.h describes each."""
    record = lib.StatisticsRecord()
    lib.call("specpiCacheGetStatistics", ctypes.byref(record))
    return {name: getattr(record, name) for name in lib.STATISTICS}


def clear() -> None:
    """Gives up all built kernels in memory that nobody holds. Files stay."""
    lib.call("specpiCacheClear")
