#!/bin/sh
# Everything that is checked on an NVIDIA GPU. usage: test/gpu.sh [BUILD] [--no-bench]
#
# BUILD is a build folder (build without it), whose programs and images are built first where cmake
# and it are there; or any folder with gpu-ptx and bench-cuda in bin/ and the images in
# test/gpu/images/, brought to a machine without this project's tools. The driver compiles
# each time: its cache is off. Exit status: 0 all that could run passed, 1 something failed,
# 77 no GPU could be reached. What is skipped is said, and is not counted as passed.
set -u
build=build
bench=yes
for word in "$@"; do
  case $word in
    --no-bench) bench=no ;;
    *) build=$word ;;
  esac
done
images=$build/test/gpu/images
export CUDA_CACHE_DISABLE=1
passed= failed= skipped=

if [ -f "$build/CMakeCache.txt" ] && command -v cmake >/dev/null; then
  cmake --build "$build" --target gpu-ptx gpu-images bench-cuda pi_cuda || exit 1
fi

# step NAME COMMAND...: one line of the summary.
step() {
  name=$1
  shift
  echo "== $name"
  "$@"
  status=$?
  case $status in
    0) passed="$passed $name" ;;
    77) skipped="$skipped
  $name: no driver or no device, see above" ;;
    *) failed="$failed
  $name: exit status $status of $*" ;;
  esac
}

# The real assembler, for the GPU that is there or sm_90.
assemble() {
  gpu=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .)
  for image in "$images"/*.ptx; do
    ptxas -arch="sm_${gpu:-90}" "$image" -o "$scratch/cubin" || return 1
  done
}

# compute-sanitizer on all that gpu-ptx does.
sanitize() {
  compute-sanitizer --error-exitcode 1 --report-api-errors no "$build/bin/gpu-ptx" "$images" >"$scratch/log" 2>&1
  status=$?
  tail -3 "$scratch/log"
  return $status
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if command -v ptxas >/dev/null; then
  step ptxas assemble
else
  skipped="$skipped
  ptxas: there is none in PATH"
fi
step gpu-ptx "$build/bin/gpu-ptx" "$images"
if command -v compute-sanitizer >/dev/null; then
  case $passed in
    *gpu-ptx*) step compute-sanitizer sanitize ;;
    *) skipped="$skipped
  compute-sanitizer: gpu-ptx did not pass" ;;
  esac
else
  skipped="$skipped
  compute-sanitizer: there is none in PATH"
fi
if [ $bench = yes ]; then
  step bench-cuda "$build/bin/bench-cuda"
else
  skipped="$skipped
  bench-cuda: --no-bench"
fi

echo "== summary"
echo "passed:${passed:- nothing}"
echo "failed:${failed:- nothing}"
echo "skipped:${skipped:- nothing}"
[ -z "$failed" ] || exit 1
case $passed in
  *gpu-ptx*) exit 0 ;;
  *) exit 77 ;;
esac
