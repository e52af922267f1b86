"""What arguments are to a kernel: values, and the memory of arrays."""

import os
import subprocess
import sys

import pytest

from conftest import HERE


@pytest.mark.parametrize("allocator", ["default", "debug", "malloc", "malloc_debug"])
def test_each_value_arrives_whatever_the_allocator_does_with_freed_memory(allocator):
    """Python's own allocator and glibc's reuse a freed block at once; the others overwrite it."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "values.py")], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "PYTHONMALLOC": allocator, "MALLOC_PERTURB_": "165"})
    assert done.returncode == 0, done.stderr
