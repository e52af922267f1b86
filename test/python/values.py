"""Launches with many values: test_arguments.py runs this under allocators that show a use after free."""

import ctypes
import os

import numpy as np

import specpi

KINDS = [np.float32, np.int32, np.float32, np.int16, np.int64, np.float64, np.int8, np.int32, np.int64, np.uint8]
C_KINDS = [ctypes.c_float, ctypes.c_int, ctypes.c_float, ctypes.c_short, ctypes.c_long, ctypes.c_double,
           ctypes.c_byte, ctypes.c_int, ctypes.c_long, ctypes.c_ubyte]


class Temporary:
    """An object whose array interface holds the only reference to its array."""

    def __init__(self, value):
        self.value = value

    @property
    def shape(self):
        return ()

    @property
    def __array_interface__(self):
        return self.value.__array_interface__


def main():
    image = specpi.compile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.cl"))
    queue, out = specpi.Queue(), np.zeros(10)
    kernel = image.kernel("show_values", device=queue)
    for start in range(1, 101):
        wanted = list(range(start, start + 10))
        for values in (
            [kind(one) for kind, one in zip(KINDS, wanted)],
            [Temporary(kind(one)) for kind, one in zip(KINDS, wanted)],
            [np.array(one, kind) for kind, one in zip(KINDS, wanted)],
            [kind(one) for kind, one in zip(C_KINDS, wanted)],
        ):
            out[:] = 0
            kernel(queue, 1, out, *values)
            assert out.tolist() == wanted, (type(values[0]), out.tolist(), wanted)


main()
