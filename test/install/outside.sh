#!/bin/sh
# outside.sh BUILD PROJECT SCRATCH PYTHON: installs a build and uses it in other projects
set -eu
build=$1 project=$2 scratch=$3/scratch python=$4
root=$(realpath "$project/../../..")

# Only the programs that are built here need the OpenCL environment; CMake and the compiler do not.
runtime=$LD_LIBRARY_PATH
unset LD_LIBRARY_PATH
# DESTDIR would redirect the installation, and the variables of a make that runs the tests would reach the make
# in the document.
unset DESTDIR MAKEFLAGS MFLAGS MAKELEVEL
run() { LD_LIBRARY_PATH=$runtime "$@"; }

rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix"
# A moved installation must work as well.
mv "$scratch/prefix" "$scratch/moved"
prefix=$scratch/moved
sh "$(dirname "$0")/runpath.sh" "$prefix"

echo '== manual pages, completion, documentation'
for name in specpi specpi-ls specpi-launch specpi-cc pi-conformance; do
  grep "^$name .- [A-Z]" "$prefix/share/man/man1/$name.1"
done
grep -F '\-\-unit\-id=ID' "$prefix/share/man/man1/specpi-cc.1"
for name in specpi specpi-cc pi-conformance; do
  test -s "$prefix/share/bash-completion/completions/$name"
done
PATH=$prefix/bin:$PATH LD_LIBRARY_PATH=$runtime bash "$(dirname "$0")/completion.bash" \
  "$prefix/share/bash-completion/completions/specpi-cc"
test -s "$prefix/share/doc/specpi/LICENSE" && test -s "$prefix/share/doc/specpi/docs/include-sycl.md"

echo '== what make install builds has no tests and no benches'
ninja -C "$build" -t commands installed >"$scratch/commands"
grep -q 'bin/pi-conformance' "$scratch/commands"
if grep -e '/test/unit/' -e '/bench/' -e '/test/sycl_api/' -e '/examples/' "$scratch/commands"; then exit 1; fi
# The target builds each file that make install copies.
find "$prefix/bin" "$prefix/lib" "$prefix/libexec" -type f ! -path '*/cmake/*' ! -name '*.pc' -printf '%f\n' \
  >"$scratch/copied"
while read -r file; do
  grep -q -F "$file" "$scratch/commands" || { echo "$file is installed and not built" >&2; exit 1; }
done <"$scratch/copied"

echo '== the programs of bin are those that are installed'
ninja -C "$build" -t targets all | sed -n 's|^bin/\([^/]*\): .*|\1|p' | sort >"$scratch/built"
find "$prefix/bin" -type f -printf '%f\n' | sort | diff "$scratch/built" -

echo '== find_package(specpi)'
cmake -G Ninja -S "$project" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$scratch/cmake"
# A second build has nothing to do.
cmake --build "$scratch/cmake" | grep 'no work to do'
run "$scratch/cmake/devices"
run "$scratch/cmake/kernels" | grep -x '1125, of which the header has 5'
if run "$scratch/cmake/mistaken" 2>"$scratch/said"; then exit 1; fi
grep -F 'no registered image has a kernel "scaled": no image is registered at all; link the object' "$scratch/said"
"$scratch/cmake/compiler"
# A program that only includes the PI headers needs no library.
"$scratch/cmake/headers"

echo '== pkg-config'
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name specpi.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # words
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$project/devices.c" \
  $(pkg-config --cflags --libs specpi) -o "$scratch/devices"
run "$scratch/devices"
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$project/compiler.c" \
  $(pkg-config --cflags --libs specpi-compiler) -o "$scratch/compiler"
"$scratch/compiler"
# shellcheck disable=SC2046
c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "$project/headers.cpp" \
  $(pkg-config --cflags specpi-pi) -o "$scratch/headers"
"$scratch/headers"

echo '== the programs of docs/guide.md, which find the library by what pkg-config prints'
mkdir "$scratch/guide"
(
  cd "$scratch/guide"
  awk '/^```/ { file = NF == 2 ? $2 : ""; next } file { print >file }' "$root/docs/guide.md"
  "$prefix/bin/specpi-cc" blur.cl -o blur.o
  for name in tune smooth; do
    # shellcheck disable=SC2046
    cc -O2 -o $name $name.c blur.o $(pkg-config --cflags --libs specpi)
  done
  run ./tune | grep '^best: blocks of'
  run ./smooth | grep ': -1 1 3 5 5 3 1 -1$'
)

echo '== pkg-config, where the library directory has two parts'
cmake -S "$root" -B "$scratch/two" -DCMAKE_INSTALL_LIBDIR=lib/two \
  -DSPECPI_TESTS=OFF -DSPECPI_BENCH=OFF
# By default code is optimised, and warnings are not errors.
grep -x 'CMAKE_BUILD_TYPE:STRING=RelWithDebInfo' "$scratch/two/CMakeCache.txt"
grep -x 'SPECPI_WERROR:BOOL=OFF' "$scratch/two/CMakeCache.txt"
mkdir -p "$scratch/parts/include" "$scratch/parts/lib/two/pkgconfig"
cp "$scratch"/two/private/*.pc "$scratch/parts/lib/two/pkgconfig"
for module in specpi specpi-pi specpi-compiler; do
  found=$(PKG_CONFIG_PATH=$scratch/parts/lib/two/pkgconfig pkg-config --variable=includedir $module)
  test "$(realpath "$found")" = "$(realpath "$scratch/parts/include")"
done

echo '== the installed tools'
run "$prefix/bin/specpi" --version
run "$prefix/bin/specpi" ls
# doctor finds the plugins beside the library, also those without a driver.
run "$prefix/bin/specpi" doctor >"$scratch/doctor"
for name in opencl level_zero cuda; do
  grep "^  $prefix/.*/libpi_$name.so: .*PI version 15.47" "$scratch/doctor"
done

echo '== the installed specpi-cc, with the installed header'
printf '%s\n' '#include <specpi/device.h>' 'SPECPI_CONSTANT(int, n, 3);' \
  'kernel void k(global int *x) { *x = specpi_get(n); }' >"$scratch/k.cl"
"$prefix/bin/specpi-cc" -v --emit=so "$scratch/k.cl" -o "$scratch/k.so" 2>"$scratch/commands"
grep -F -- "-I $prefix/include " "$scratch/commands"
run "$prefix/bin/specpi" inspect "$scratch/k.so" | grep 'constant n: i32, 4 bytes, default 3'

if [ -x "$prefix/libexec/specpi/specpi-codegen" ]; then
  echo '== the installed specpi-codegen, with a value'
  "$prefix/bin/specpi-cc" --emit=spirv "$scratch/k.cl" -o "$scratch/k.spv"
  "$prefix/libexec/specpi/specpi-codegen" --set=0=2a000000 "$scratch/k.spv" -o "$scratch/k.ptx"
  grep 'mov.u32 .*, 42;' "$scratch/k.ptx"
fi

echo '== a project in directories with spaces, which is built once, and again when a header changes'
mkdir "$scratch/a b"
cp -r "$(dirname "$0")/spaces" "$scratch/a b/the project"
for file in header.h kernel.cl program.cpp; do
  mv "$scratch/a b/the project/$file" "$scratch/a b/the project/a $file"
done
build_spaces() {
  cmake -G Ninja -S "$scratch/a b/the project" -B "$scratch/a b/the build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DSPECPI_CMAKE="$root/cmake" "$@"
}
build_spaces
cmake --build "$scratch/a b/the build"
cmake --build "$scratch/a b/the build" | grep 'no work to do'
touch -d '+2 seconds' "$scratch/a b/the project/a header.h"
cmake --build "$scratch/a b/the build" >"$scratch/again"
for made in spirv.spv ptx.ptx 'the device image image' 'a kernel.cl for devices' 'a program.cpp for devices' 'Linking CXX executable program'; do
  grep -F "$made" "$scratch/again"
done
if build_spaces -DSPECPI_WRONG_NAME=ON 2>"$scratch/said"; then exit 1; fi
tr '\n' ' ' <"$scratch/said" | tr -s ' ' | grep 'a quotation mark or a line break is in the name of the source'

echo '== docs/include-sycl.md, as its reader would follow it'
echo 'int value;' >"$scratch/unit.cpp"
"$prefix/bin/specpi-cc" -v --emit=unit "$scratch/unit.cpp" -o "$scratch/unit.o" 2>"$scratch/commands"
grep -F -- "-I $prefix/include -I $prefix/include/specpi-sycl " "$scratch/commands"
# The SYCL headers are in a directory of their own, where compilers for another SYCL do not find them.
test ! -e "$prefix/include/sycl" && test ! -e "$prefix/include/CL"
libraries=$(dirname "$(find "$prefix" -name libspecpi.so)")
document="$scratch/mein ördner 2"
mkdir "$document"
# Root runs the commands as a user who can write only to this directory.
as=
if [ "$(id -u)" = 0 ]; then
  chown nobody "$document"
  as='setpriv --reuid nobody --regid nogroup --clear-groups'
fi
(
  cd "$document"
  # shellcheck disable=SC2086 # words
  PATH=$prefix/bin:$PATH SPECPI=$prefix LIBRARY_PATH=$libraries LD_LIBRARY_PATH=$libraries:$runtime \
    HOME=$document $as "$python" -B "$root/test/docs/follow.py" "$root/docs/include-sycl.md" 14
)
readelf -d "$document/scale" | grep -F "[$prefix/"
# The document's project can be built, too, and a second build has nothing to do.
cmake -G Ninja -S "$document" -B "$scratch/scale" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$scratch/scale"
cmake --build "$scratch/scale" | grep 'no work to do'
# The programs run on the OpenCL runtime. If the selector matches no device, they fail.
for program in "$document/scale" "$scratch/scale/scale"; do
  run env ONEAPI_DEVICE_SELECTOR='opencl:*' "$program" | grep -x '10 20 30 40'
  if run env ONEAPI_DEVICE_SELECTOR='hip:*' "$program" >"$scratch/refused" 2>&1; then
    exit 1
  fi
  grep -F 'hip:*' "$scratch/refused"
done
