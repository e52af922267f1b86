#!/bin/sh
# What make demo shows, on the device that ONEAPI_DEVICE_SELECTOR names (default: all).
set -eu
cd "$(dirname "$0")/.."

deps=${SPECPI_DEPS:-$PWD/.deps}
runtime=$deps/venv/lib
specpi=build/bin/specpi
# The OpenCL CPU runtime of the private environment. specpi run arranges this by itself; the
# programs that speak to the plugin directly need it here.
with_opencl() {
  LD_LIBRARY_PATH="$runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    OCL_ICD_FILENAMES="${OCL_ICD_FILENAMES:-$runtime/libintelocl.so}" "$@"
}
title() { printf '\n-- %s\n\n' "$*"; }

title '1. The devices: specpi ls'
with_opencl "$specpi" ls

title '2. An unmodified SYCL application: specpi run -- python examples/dpctl_arrays.py'
"$specpi" run --sycl-rt "$runtime" -- "$deps/venv/bin/python" examples/dpctl_arrays.py

title '3. Constants through the real libsycl: specpi run -- demo-constants'
"$specpi" run --sycl-rt "$runtime" -- build/bin/demo-constants

title '4. What a constant is worth: bench-constants --quick'
with_opencl build/bin/bench-constants --quick
