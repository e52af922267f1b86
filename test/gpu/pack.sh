#!/bin/sh
# What a GPU machine without LLVM and without a package registry lacks: the device images of a build, and
# the libraries that its programs are compiled with. usage: test/gpu/pack.sh BUILD FOLDER
#
# FOLDER becomes the build folder there: test/gpu.sh FOLDER configures, builds and runs in it. Programs of
# SYCL, which have images inside, come built, in FOLDER/sycl, with libsycl and what else they need.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
to=$(cd "$2" && pwd)

# Images lie where the build there looks for them.
(cd "$build" && find bench/cuda test/gpu/images test/conformance -type f \
  \( -name '*.ptx' -o -name '*.spv' -o -name '*.so' -o -name '*.cu' -o -name '*.txt' \) \
  ! -path '*CMakeFiles*') | while read -r file; do
  mkdir -p "$to/$(dirname "$file")"
  cp "$build/$file" "$to/$file"
done

# Debian's own headers and libraries, with pkg-config files for where they lie now.
mkdir -p "$to/sysroot/include" "$to/sysroot/lib/pkgconfig"
for name in cmocka jansson; do
  # shellcheck disable=SC2016 # pkg-config expands it
  printf 'Name: %s\nDescription: of another machine\nVersion: %s\nLibs: %s -l%s\nCflags: %s\n' "$name" \
    "$(pkg-config --modversion "$name")" '-L${pcfiledir}/..' "$name" '-I${pcfiledir}/../../include' \
    >"$to/sysroot/lib/pkgconfig/$name.pc"
  cp "$(pkg-config --variable=pcfiledir "$name")/../lib$name".so* "$to/sysroot/lib/"
done
cp /usr/include/cmocka.h /usr/include/jansson.h /usr/include/jansson_config.h \
  /usr/include/xxhash.h "$to/sysroot/include/"

# The SYCL runtime of the private environment, and all that the C library's package does not have.
deps=$(sed -n 's/^SPECPI_DEPS:[A-Z]*=//p' "$build/CMakeCache.txt")
rm -rf "$to/sycl"
mkdir -p "$to/sycl/bin" "$to/sycl/lib"
sycl_api=$(cd "$build/bin" && echo sycl-api-*)
for program in specpi sycl-compiled-sycl-native sycl-compiled-sycl-native-emulate \
  sycl-compiled-cuda sycl-bundles-ptx sycl-errors-ptx $sycl_api matmul convolution; do
  strip -o "$to/sycl/bin/$program" "$build/bin/$program"
  LD_LIBRARY_PATH=$deps/venv/lib ldd "$build/bin/$program"
done | awk '$2 == "=>" && $1 !~ /^lib(c|m|dl|pthread|gcc_s|stdc\+\+)\.so/ { print $3 }' | sort -u |
  while read -r library; do
    cp -L "$library" "$to/sycl/lib/"
  done
for name in sycl-native sycl-native-emulate cuda; do
  cp "$build/lib/libsycl-compiled-$name.so" "$to/sycl/lib/"
done

du -sh "$to"
