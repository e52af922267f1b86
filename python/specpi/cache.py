"""The cache of built kernels."""

from __future__ import annotations

import ctypes
import os
from typing import Dict, Optional, Union

from . import _library as lib

__all__ = ["clear", "directory", "set_directory", "statistics"]


def set_directory(directory: Optional[Union[str, "os.PathLike[str]"]]) -> None:
    """Sets the directory that keeps built kernels for later processes; None means none.

    It replaces the environment's: SPECPI_CACHE_DIR, or else specpi in the user's cache directory. The path must be
    absolute, and the directory must be accessible to the user only.
    """
    lib.call("specpiCacheSetDirectory", None if directory is None else os.fsencode(directory))


def directory() -> Optional[str]:
    """Returns the directory that keeps built kernels for later processes, or None if there is none."""
    record = lib.CacheDirectoryRecord()
    lib.call("specpiCacheGetDirectory", ctypes.byref(record))
    return os.fsdecode(record.path) or None


def statistics() -> Dict[str, int]:
    """Returns counts of the programs that this process found, built and evicted; see include/specpi/cache.h."""
    record = lib.StatisticsRecord()
    lib.call("specpiCacheGetStatistics", ctypes.byref(record))
    return {name: getattr(record, name) for name in lib.STATISTICS}


def clear() -> None:
    """Frees all built kernels in memory that are not in use. Files stay."""
    lib.call("specpiCacheClear")
