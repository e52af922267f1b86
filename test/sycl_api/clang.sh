#!/bin/sh
# The programs of these tests with another compiler for the host. The tree's own is GCC.
# Arguments: clang++, the folder of the generated units, the sources' folder, libspecpi's folder, a
# scratch folder.
set -eu
clang=$1 made=$2 sources=$3 library=$4 scratch=$5
# Attributes of kernels are specpi-cc's.
flags="-std=c++17 -Xclang -fsycl-is-host -Wall -Wextra -Wpedantic -Werror -Wno-unknown-attributes -I $sources/include -I $sources/test/sycl_api"
mkdir -p "$scratch"

# Every unit compiles, on as many processors as there are. What all include is compiled once; the id
# of a unit is then the same in all, which nothing runs.
# shellcheck disable=SC2086 # words
"$clang" $flags -fpch-instantiate-templates -DSPECPI_UNIT_ID='"any"' -x c++-header "$sources/include/sycl/sycl.hpp" \
  -o "$scratch/sycl.pch"
# shellcheck disable=SC2086
find "$made" -path '*.sycl/*.cpp' -print0 |
  xargs -0 -n 1 -P "$(nproc)" "$clang" $flags -include-pch "$scratch/sycl.pch" \
    -DSPECPI_UNIT_ID='"any"' -fsyntax-only
echo "$(find "$made" -path '*.sycl/*.cpp' | wc -l) units compile"

# This one is run: clang numbers lambdas in its own way, and names are those of the device images. That
# constants are found in them is shown by the program of specpi-cc's test, test/cc/program/clang.test.
unit=$(find "$made/sycl-api-names.sycl" -name '*.cpp')
# shellcheck disable=SC2086
"$clang" $flags "$unit" "${unit%.cpp}.o" -L "$library" -lspecpi "-Wl,-rpath,$library" \
  -o "$scratch/names"
"$scratch/names" host
"$scratch/names"
