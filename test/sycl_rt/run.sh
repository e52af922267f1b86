#!/bin/sh
# run.sh HOME DIRECTORY SPECPI_CC COMPILER NAME WORD...: compiles a program in DIRECTORY with the runtime of HOME, of
# scripts/runtimes.sh, and runs it on the fake driver, and from 2026.2 on on Intel's OpenCL runtime for CPUs. CUDA_DRIVER and
# OPENCL_RUNTIME are their directories, SPECPI the program "specpi". A skipped test exits with 77.
set -eu
[ -f "$1/.installed" ] || {
  echo "skipped: $1 is not installed (make runtimes)"
  exit 77
}
home=$1
program=$2/$5
specpi_cc=$3
compiler=$4
shift 5
"$specpi_cc" --sycl-rt="$home" --host-compiler="$compiler" -o "$program" "$@"
echo "== the fake driver"
LD_LIBRARY_PATH=$CUDA_DRIVER "$SPECPI" run --cuda --sycl-rt "$home/lib" -- "$program"
if [ -e "$home/lib/libur_adapter_opencl.so.0" ]; then
  echo "== no OpenCL: releases before 2026.2 have an adapter of their own, which needs Intel's libumf"
else
  echo "== OpenCL"
  LD_LIBRARY_PATH=$OPENCL_RUNTIME ONEAPI_DEVICE_SELECTOR=opencl:cpu "$program"
fi
