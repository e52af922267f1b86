#!/bin/sh
# parts.sh PROJECT SCRATCH: builds one plugin alone, without LLVM, other drivers' headers and the private environment,
# and configures other combinations of parts.
set -eu
project=$1 scratch=$2/parts
rm -rf "$scratch"
mkdir -p "$scratch"

# configure DIRECTORY [OPTION...]: configures without tests and without the private environment.
configure() {
  directory=$scratch/$1
  shift
  cmake -G Ninja -S "$project" -B "$directory" -D CMAKE_BUILD_TYPE=Debug -D SPECPI_TESTS=OFF \
    -D SPECPI_BENCH=OFF -D SPECPI_DEPS=/nowhere "$@"
}
nothing="-D SPECPI_RUNTIME=OFF -D SPECPI_TOOLS=OFF -D SPECPI_COMPILER=OFF -D SPECPI_LLVM_CONFIG=/nowhere"
hidden="-D SPECPI_CUDA_INCLUDE=SPECPI_CUDA_INCLUDE-NOTFOUND -D CMAKE_IGNORE_PATH=/usr/local/cuda/include"

# shellcheck disable=SC2086 # words
configure opencl $nothing $hidden -D SPECPI_LEVEL_ZERO=OFF -D SPECPI_CUDA=OFF
cmake --build "$scratch/opencl" --target installed
cmake --install "$scratch/opencl" --prefix "$scratch/prefix"
test "$(cd "$scratch/prefix" && find . -name '*.so*')" = ./lib/libpi_opencl.so
test "$(cd "$scratch/prefix" && find . -name '*.pc')" = ./lib/pkgconfig/specpi-pi.pc

# Parts that need the library are refused without it.
if configure refused -D SPECPI_RUNTIME=OFF >"$scratch/log" 2>&1; then
  echo 'SPECPI_TOOLS without SPECPI_RUNTIME is not refused' >&2
  exit 1
fi
grep -q 'SPECPI_TOOLS needs SPECPI_RUNTIME' "$scratch/log"
# Tests need the private environment. The message without it says how to build without tests.
if configure tests -D SPECPI_TESTS=ON >"$scratch/log" 2>&1; then exit 1; fi
tr -s ' \n' ' ' <"$scratch/log" | grep -q 'No SYCL runtime in /nowhere.*cmake --preset user'
# Git ignores build directories of any name.
test "$(cat "$scratch/tests/.gitignore")" = '*'
# shellcheck disable=SC2086
configure runtime $nothing -D SPECPI_RUNTIME=ON -D SPECPI_TOOLS=ON -D SPECPI_CUDA=OFF
