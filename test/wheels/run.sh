#!/bin/sh
# run.sh ROOT BUILD NAME: runs the job NAME_job.py with a wheel that scripts/venv.sh has installed, on the machine's
# GPU, or else on the fake driver. Exits with 77, for a skipped test, where the wheel is not installed, and with 124
# if a job hangs.
set -eu
root=$1 build=$2 name=$3
home=${SPECPI_DEPS:-$root/.deps}/wheels/$name

cmp -s "$root/scripts/wheels/$name-requirements.txt" "$home/.requirements" || {
  echo "skipped: $home is not installed, or of another time (make wheels WHEEL=$name)"
  exit 77
}
python=$home/bin/python
has_gpu='import ctypes, sys; sys.exit(ctypes.CDLL("libcuda.so.1").cuInit(0) != 0)'
if "$python" -c "$has_gpu" 2>/dev/null; then
  device=GPU
else
  device=fake
  # A version of CUDA that reports a device's PCI id, which llama.cpp queries, and a GPU of a usual size.
  LD_LIBRARY_PATH=$build/fakes/cuda${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH FAKE_CUDA_VERSION=12080 FAKE_CUDA_UNITS=32 FAKE_CUDA_STRICT=1
fi
export PYTHONDONTWRITEBYTECODE=1 GGML_NO_BACKTRACE=1 ONEDNN_VERBOSE=error
export PATH="$home/bin:$PATH"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$scratch" SPECPI_CACHE_DIR=
limit=300 status=0
timeout -k 5 $limit "$build/bin/specpi" run --sycl-rt "$home/lib" -- \
  "$python" -W ignore "$root/test/wheels/${name%-2026}_job.py" "$device" "$scratch" || status=$?
[ $status != 124 ] || echo "wheels: $name did not end within $limit s" >&2
exit $status
