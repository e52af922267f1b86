#!/bin/sh
# Runs all checks on an NVIDIA GPU. usage: test/gpu.sh [BUILD] [--no-bench]
#
# BUILD is a build directory (build by default), or a directory from test/gpu/pack.sh for a GPU machine that has CUDA,
# gcc, cmake and ninja, but not this project's other tools. Such a directory is first configured and built. The checks
# compile all kernels anew, with the caches off. Exit status: 0 if all checks that could run passed, 1 if one failed,
# 77 if there is no GPU. Skipped checks are listed, and do not count as passed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build
bench=yes
for word in "$@"; do
  case $word in
    --no-bench) bench=no ;;
    *) build=$(cd "$word" && pwd) || exit 1 ;;
  esac
done
export CUDA_CACHE_DISABLE=1 SPECPI_CACHE_DIR=
passed= failed= skipped=

# Unpacks the archives of test/gpu/pack.sh.
for archive in "$build"/*.tar.xz; do
  if [ -f "$archive" ] && [ ! -e "$archive.unpacked" ]; then
    tar -xJf "$archive" -C "$build" && touch "$archive.unpacked" || exit 1
  fi
done

if [ -d "$build/sysroot" ] && [ ! -f "$build/CMakeCache.txt" ]; then
  PKG_CONFIG_PATH=$build/sysroot/lib/pkgconfig cmake --preset gpu -S "$root" -B "$build" \
    -D CMAKE_C_FLAGS="-isystem $build/sysroot/include" -D SPECPI_BLAKE2="$build/sysroot/lib/libb2.a" \
    -D SPECPI_ZSTD="$build/sysroot/lib/libzstd.a" -D SPECPI_LEVEL_ZERO_INCLUDE="$build/sysroot/include" \
    -D CMAKE_EXE_LINKER_FLAGS="-Wl,-rpath,$build/sysroot/lib" >"$build/configure.log" 2>&1 ||
    { tail -20 "$build/configure.log"; exit 1; }
fi
if [ -f "$build/CMakeCache.txt" ]; then
  cmake --build "$build" --target pi_cuda pi-conformance gpu-ptx bench-cuda >"$build/build.log" 2>&1 ||
    { tail -20 "$build/build.log"; exit 1; }
  tail -1 "$build/build.log"
fi

# step NAME COMMAND...: runs a command for one line of the summary.
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

# skip NAME REASON
skip() {
  skipped="$skipped
  $1: $2"
}

# has_passed NAME
has_passed() {
  case " $passed " in
    *" $1 "*) true ;;
    *) false ;;
  esac
}

# The compute capability of the machine's GPU: 90 for sm_90.
gpu=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .)

# Runs the real assembler for that GPU.
assemble() {
  for image in "$build"/test/gpu/images/*.ptx "$build"/bench/cuda/*.ptx; do
    ptxas -arch="sm_${gpu:-90}" "$image" -o "$scratch/cubin" || return 1
  done
}

# Compares registers and instructions of the benchmark's kernels.
compare_code() {
  python3 "$root/test/gpu/sass.py" "$build/bench/cuda" "sm_${gpu:-90}"
}

# conform FORM [OPTION...]: runs the suite, but prints only the number of passed tests.
conform() {
  form=$1
  shift
  "$build/bin/pi-conformance" --plugin "$build/lib/libpi_cuda.so" --code "$form" --jobs 4 "$@" \
    >"$scratch/log" 2>&1
  status=$?
  grep -v '^\[.*\] passed' "$scratch/log"
  return $status
}

# Runs compute-sanitizer on a program and all of its processes.
sanitize() {
  compute-sanitizer --target-processes all --error-exitcode 9 --report-api-errors no "$@" \
    >"$scratch/log" 2>&1
  status=$?
  tail -4 "$scratch/log"
  return $status
}

# sycl BACKEND PROGRAM: runs the real libsycl with our plugin in place of that backend.
sycl() {
  SPECPI_CUDA_BACKEND=$1 ONEAPI_DEVICE_SELECTOR=$1:* SPECPI_TEST_BACKEND=$1 \
    SPECPI_TEST_PLUGIN=$build/lib/libpi_cuda.so SPECPI_TEST_PLUGIN_KIND=ours \
    LD_LIBRARY_PATH=$sycl_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    "$specpi" run --cuda --sycl-rt "$sycl_libraries" --plugins "$build/lib" -- \
    "$sycl_programs/$2" >"$scratch/log" 2>&1
  status=$?
  grep -vE '^\[ +(RUN|OK) ' "$scratch/log"
  return $status
}

# Does the same without a code generator: from images with SPIR-V and PTX the PTX runs.
sycl_ptx() {
  (
    export SPECPI_CODEGEN=none
    sycl "$@"
  )
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if command -v ptxas >/dev/null; then
  step ptxas assemble
else
  skip ptxas "there is none in PATH"
fi
if command -v ptxas >/dev/null && command -v nvdisasm >/dev/null && command -v python3 >/dev/null; then
  step sass compare_code
else
  skip sass "ptxas, nvdisasm or python3 is not in PATH"
fi
step gpu-ptx "$build/test/bin/gpu-ptx" "$build/test/gpu/images"
for form in ptx-patch ptx-emulate; do
  step "conformance-$form" conform $form --coverage
done
if [ -x "$build/libexec/specpi/specpi-codegen" ]; then
  step conformance-spirv conform spirv
else
  skip conformance-spirv "there is no specpi-codegen"
fi
if [ -d "$build/sycl" ]; then
  specpi=$build/sycl/bin/specpi sycl_programs=$build/sycl/bin sycl_libraries=$build/sycl/lib
else
  specpi=$build/bin/specpi sycl_programs=$build/test/bin
  sycl_libraries=$(sed -n 's/^SPECPI_DEPS:[A-Z]*=//p' "$build/CMakeCache.txt")/venv/lib
fi
for backend in level_zero opencl; do
  for program in compiled-O2 compiled-both bundles-ptx errors-ptx; do
    step sycl-$program-$backend sycl $backend sycl-$program
  done
  step sycl-compiled-both-without-codegen-$backend sycl_ptx $backend sycl-compiled-both
done
step sycl-compiled-cuda sycl cuda sycl-compiled-cuda

# api PROGRAM ARGUMENT...: runs a program over include/sycl with our plugin.
api() {
  program=$1
  shift
  ONEAPI_DEVICE_SELECTOR=cuda:* SPECPI_PLUGIN_PATH=$build/lib \
    LD_LIBRARY_PATH=$sycl_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    "$sycl_programs/$program" "$@"
}
# The programs of test/sycl_api that run on a CUDA device.
for program in first names data run values captures attributes constants_121 constants_2020 program \
  typename_ids typename_default kernel_bundle modules module_link linked warm; do
  step sycl-api-$program api sycl-api-$program
done
if [ "$(nvidia-smi -L 2>/dev/null | wc -l)" -ge 2 ]; then
  step sycl-api-two_devices api sycl-api-two_devices
else
  skip sycl-api-two_devices "one GPU"
fi
# Compares results of random kernels with packed results, or with those of Intel's runtime.
if [ -d "$build/differential" ]; then
  step differential api differential --packed "$build/differential" --seed 1 --count 10000 --keep-going
else
  step differential env OCL_ICD_FILENAMES="$sycl_libraries/libintelocl.so" \
    CL_CONFIG_CPU_TARGET_ARCH=core-avx2 SPECPI_PLUGIN_PATH="$build/lib" \
    LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$sycl_libraries" \
    "$sycl_programs/differential" --seed 1 --count 40 --keep-going --dump "$scratch"
fi
# Compares integer functions and conversions, from SPIR-V and from PTX.
exact() {
  if [ -d "$build/exact" ]; then
    set -- "$@" --images "$build/exact"
  else
    set -- "$@" --compiler "$build/bin/specpi-cc"
  fi
  SPECPI_LIBRARY=$(find "$sycl_libraries" "$build/lib" -name 'libspecpi.so*' | head -1) \
    SPECPI_PLUGIN_PATH=$build/lib PYTHONPATH=$root/python python3 -B "$root/test/codegen/exact" --every-width "$@"
}
for target in spir64 nvptx64; do
  if command -v python3 >/dev/null; then
    step exact-$target exact --target $target
  else
    skip exact-$target "python3 is not in PATH"
  fi
done
# Checks initial values of variables. The images come from test/gpu/pack.sh, or are compiled here.
initial() {
  directory=$build/initial
  [ -f "$directory/expected.json" ] ||
    python3 "$root/test/codegen/initial.py" make "$directory" "$build/bin/specpi-cc" || return 1
  ONEAPI_DEVICE_SELECTOR=cuda:* SPECPI_PLUGIN_PATH=$build/lib \
    LD_LIBRARY_PATH=$sycl_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    python3 "$root/test/codegen/initial.py" run "$directory" "$specpi"
}
if ! command -v python3 >/dev/null; then
  skip initial "python3 is not in PATH"
elif [ -x "$build/libexec/specpi/specpi-codegen" ]; then
  step initial initial
else
  skip initial "there is no specpi-codegen"
fi
# Runs an application from packages of other projects.
packages=
if [ -d "$build/python" ]; then
  python=$build/python/bin/python
  packages=$(echo "$build"/python/lib/python*/site-packages)
else
  python=$(dirname "$sycl_libraries")/bin/python
fi
# Compares numeric functions with exact values. It needs no package.
floats() {
  SPECPI_LIBRARY=$floats_library SPECPI_PLUGIN_PATH=$build/lib PYTHONPATH=$root/python \
    LD_LIBRARY_PATH=$sycl_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    python3 -B "$root/test/codegen/floats.py" "$@" spir64-libdevice spir64-libclc
}
if ! command -v python3 >/dev/null; then
  skip floats "there is no python3 in PATH"
elif [ -d "$build/floats" ]; then
  floats_library=$sycl_libraries/libspecpi.so.0
  step floats floats --packed "$build/floats"
else
  floats_library=$build/lib/libspecpi.so
  step floats floats
fi
dpctl() {
  if [ -n "$packages" ]; then # it is not where that Python was installed
    export PYTHONHOME="$build/python" PYTHONPATH="$packages"
  fi
  LD_LIBRARY_PATH=$sycl_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    "$specpi" run --cuda --sycl-rt "$sycl_libraries" --plugins "$build/lib" -- \
    "$python" "$root/examples/dpctl_arrays.py"
}
step dpctl dpctl
unset PYTHONHOME PYTHONPATH
step matmul api matmul --size 2048
step convolution api convolution --width 4096 --height 4096
if ! command -v compute-sanitizer >/dev/null; then
  skip compute-sanitizer "there is none in PATH"
else
  if has_passed gpu-ptx; then
    step sanitizer-gpu-ptx sanitize "$build/test/bin/gpu-ptx" "$build/test/gpu/images"
  else
    skip sanitizer-gpu-ptx "gpu-ptx did not pass"
  fi
  for form in ptx-patch ptx-emulate; do
    if has_passed conformance-$form; then
      step sanitizer-constants-$form sanitize "$build/bin/pi-conformance" --jobs 4 --timeout 300 \
        --plugin "$build/lib/libpi_cuda.so" --code $form --filter 'constants.row0*'
    else
      skip sanitizer-constants-$form "conformance-$form did not pass"
    fi
  done
fi

# Compiles the benchmark's kernels with NVIDIA's compiler, with literals for their constants.
compile_typed() {
  for source in $(grep -l measured.clh "$root"/bench/cuda/*.cl); do
    kernel=$(basename "$source" .cl)
    nvcc -x cu -O3 -arch="sm_${gpu:-90}" -cubin -D TYPED "$source" \
      -o "$build/bench/cuda/$kernel.nvcc.cubin" || return 1
  done
  nvcc -x cu -O3 -arch="sm_${gpu:-90}" -cubin -D TYPED -D CLAMP "$root/bench/cuda/map.cl" \
    -o "$build/bench/cuda/clamped.nvcc.cubin"
}
if command -v nvcc >/dev/null; then
  step nvcc compile_typed
else
  skip nvcc "there is none in PATH"
fi
if [ $bench = yes ]; then
  step bench-cuda "$build/test/bin/bench-cuda" --json "$build/bench-cuda.json"
else
  skip bench-cuda "--no-bench"
fi

echo "== summary"
echo "passed:${passed:- nothing}"
echo "failed:${failed:- nothing}"
echo "skipped:${skipped:- nothing}"
[ -z "$failed" ] || exit 1
has_passed gpu-ptx || exit 77
