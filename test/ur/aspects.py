"""aspects.py: libsycl's device::has answers for every aspect, even if the driver cannot.

If libsycl mistakes an answer for a failure, it throws an exception, which ends this process.
"""

import ctypes
import pathlib
import sys

# Numbers of gpu, fp64 and queue_profiling, which are the same in all releases so far.
ALWAYS = {2, 6, 12}


def main():
    library = next(pathlib.Path(sys.prefix, "lib").glob("libsycl.so.[0-9]"))
    sycl = ctypes.CDLL(str(library))
    device = ctypes.create_string_buffer(64)  # a shared pointer
    sycl["_ZN4sycl3_V16deviceC1Ev"](device)
    has = sycl["_ZNK4sycl3_V16device3hasENS0_6aspectE"]
    has.restype = ctypes.c_bool
    found = {number for number in range(110) if has(device, number)}
    if not ALWAYS <= found:
        sys.exit(f"the device has the aspects {sorted(found)}")


main()
