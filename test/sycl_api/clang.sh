#!/bin/sh
# Compiles the programs of these tests with clang for the host instead of GCC, and runs two of them.
# Arguments: clang++, the directory of the generated units, the sources' directory, libspecpi's directory, a
# scratch directory.
set -eu
clang=$1 made=$2 sources=$3 library=$4 scratch=$5
# Clang does not know specpi-cc's attributes of kernels.
flags="-std=c++17 -Xclang -fsycl-is-host -Wall -Wextra -Wpedantic -Werror -Wno-unknown-attributes -I $sources/include -I $sources/test/sycl_api"
mkdir -p "$scratch"

# Compiles every unit, on all processors. A precompiled header saves time. It gives all units the same unit id,
# which does not matter because these are not run.
# shellcheck disable=SC2086 # words
"$clang" $flags -fpch-instantiate-templates -DSPECPI_UNIT_ID='"any"' -x c++-header "$sources/include/sycl/sycl.hpp" \
  -o "$scratch/sycl.pch"
# shellcheck disable=SC2086
find "$made" -path '*.sycl/*.cpp' -print0 |
  xargs -0 -n 1 -P "$(nproc)" "$clang" $flags -include-pch "$scratch/sycl.pch" \
    -DSPECPI_UNIT_ID='"any"' -DOPENED_LIBRARY='""' -DLIBRARY_A='""' -DLIBRARY_B='""' -fsyntax-only
echo "$(find "$made" -path '*.sycl/*.cpp' | wc -l) units compile"

# Clang numbers lambdas differently from GCC. This program shows that the names of its kernels are those in the device
# images. For names of constants test/cc/program/clang.test shows the same.
unit=$(find "$made/sycl-api-names.sycl" -name '*.cpp')
# shellcheck disable=SC2086
"$clang" $flags "$unit" "${unit%.cpp}.o" -L "$library" -lspecpi-sycl -lspecpi "-Wl,-rpath,$library" \
  -o "$scratch/names"
"$scratch/names" host
"$scratch/names"

# Kernels of a header in several libraries: the order of constructors depends on the compiler.
# build OUTPUT TARGETS OPTIONS...: links the units of some targets.
build() {
  output=$1 targets=$2
  shift 2
  for target in $targets; do
    unit=$(find "$made/sycl-api-$target.sycl" -name '*.cpp')
    set -- "$unit" "${unit%.cpp}.o" "$@"
  done
  # shellcheck disable=SC2086
  "$clang" $flags "$@" -L "$library" -lspecpi-sycl -lspecpi "-Wl,-rpath,$library,-rpath,$scratch" -o "$scratch/$output"
}
build liblinked.so common-linked -fPIC -shared -DLIBRARY_NAME=linked
build a.so common-a -fPIC -shared -DLIBRARY_NAME=a
build b.so common-b -fPIC -shared -fvisibility=hidden -DLIBRARY_NAME=b
build common 'common common-archive' -DLIBRARY_NAME=archive "-DLIBRARY_A=\"$scratch/a.so\"" \
  "-DLIBRARY_B=\"$scratch/b.so\"" -L "$scratch" -llinked
"$scratch/common"
