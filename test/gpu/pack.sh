#!/bin/sh
# Packs files for a GPU machine that has neither LLVM nor a package registry: the device images of a build, and the
# libraries that its programs are compiled with. usage: test/gpu/pack.sh BUILD DIRECTORY
#
# DIRECTORY becomes the build directory there: test/gpu.sh DIRECTORY configures, builds and runs in it. SYCL programs,
# which contain images, are packed in built form in DIRECTORY/sycl, with libsycl and its dependencies.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
to=$(cd "$2" && pwd)

# Images, where the build on that machine looks for them.
(cd "$build" && find bench/cuda test/gpu/images test/conformance -type f \
  \( -name '*.ptx' -o -name '*.spv' -o -name '*.so' -o -name '*.cu' -o -name '*.cl' -o -name '*.clh' -o -name '*.txt' \) \
  ! -path '*CMakeFiles*') | while read -r file; do
  mkdir -p "$to/$(dirname "$file")"
  cp "$build/$file" "$to/$file"
done

# Programs whose variables have initial values.
LD_LIBRARY_PATH=$build/lib python3 "$(dirname "$0")/../codegen/initial.py" make "$to/initial" \
  "$build/bin/specpi-cc"
rm "$to"/initial/*.cl

# archive NAME DIRECTORY: packs a directory as NAME.tar.xz, which test/gpu.sh unpacks. Copying the large directories
# unpacked would take too long.
archive() {
  tar -C "$2" -cf - . | xz -T0 -6 >"$to/$1.tar.xz"
  rm -rf "$2"
}
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

# The code generator, where a plugin of the build on that machine looks for it.
mkdir -p "$parts/codegen/libexec"
cp -R "$build/libexec/specpi" "$parts/codegen/libexec/"
strip "$parts/codegen/libexec/specpi/specpi-codegen"
archive codegen "$parts/codegen"

# Debian's own headers and libraries, with pkg-config files for their new place.
mkdir -p "$to/sysroot/include" "$to/sysroot/lib/pkgconfig"
for name in cmocka jansson; do
  # shellcheck disable=SC2016 # pkg-config expands it
  printf 'Name: %s\nDescription: of another machine\nVersion: %s\nLibs: %s -l%s\nCflags: %s\n' "$name" \
    "$(pkg-config --modversion "$name")" '-L${pcfiledir}/..' "$name" '-I${pcfiledir}/../../include' \
    >"$to/sysroot/lib/pkgconfig/$name.pc"
  cp "$(pkg-config --variable=pcfiledir "$name")/../lib$name".so* "$to/sysroot/lib/"
done
cp /usr/include/cmocka.h /usr/include/jansson.h /usr/include/jansson_config.h \
  /usr/include/xxhash.h /usr/include/blake2.h /usr/include/zstd.h "$to/sysroot/include/"
# The adapter has Level Zero's functions, too.
cp -R "$(sed -n 's/^SPECPI_LEVEL_ZERO_INCLUDE:PATH=//p' "$build/CMakeCache.txt")/level_zero" "$to/sysroot/include/"
for archive in BLAKE2 ZSTD; do
  cp "$(sed -n "s/^SPECPI_$archive:FILEPATH=//p" "$build/CMakeCache.txt")" "$to/sysroot/lib/"
done

# The SYCL runtime of the private environment, and its dependencies outside the C library's package.
deps=$(sed -n 's/^SPECPI_DEPS:[A-Z]*=//p' "$build/CMakeCache.txt")
rm -rf "$to/sycl"
mkdir -p "$to/sycl/bin" "$to/sycl/lib"
sycl_api=$(cd "$build/test/bin" && echo sycl-api-*)
for program in sycl-compiled-O2 sycl-compiled-both sycl-compiled-cuda \
  sycl-bundles-ptx sycl-errors-ptx $sycl_api matmul convolution differential ../../bin/specpi; do
  strip -o "$to/sycl/bin/$(basename "$program")" "$build/test/bin/$program"
  LD_LIBRARY_PATH=$deps/venv/lib ldd "$build/test/bin/$program"
done | awk '$2 == "=>" && $1 !~ /^lib(c|m|dl|pthread|gcc_s|stdc\+\+)\.so/ { print $3 }' | sort -u |
  while read -r library; do
    cp -L "$library" "$to/sycl/lib/"
    case $library in "$build"/*) strip "$to/sycl/lib/$(basename "$library")" ;; esac
  done
for name in O2 both cuda; do
  cp "$build/lib/libsycl-compiled-$name.so" "$to/sycl/lib/"
done

# The images of numeric functions, and the program that computes their exact values.
mkdir "$parts/sweeps"
SPECPI_LIBRARY=$build/lib/libspecpi.so PYTHONPATH=$(dirname "$0")/../../python \
  python3 -B "$(dirname "$0")/../codegen/floats.py" --pack "$parts/sweeps/floats" \
  spir64-libdevice spir64-libclc
archive floats "$parts/sweeps"
for library in libmpfr.so.6 libgmp.so.10; do
  cp -L "$(cc -print-file-name=$library)" "$to/sycl/lib/"
done

# Random kernels, with the results of Intel's runtime, which that machine lacks.
LD_LIBRARY_PATH=$deps/venv/lib OCL_ICD_FILENAMES=$deps/venv/lib/libintelocl.so \
  OCL_ICD_VENDORS=$build/test CL_CONFIG_CPU_TARGET_ARCH=core-avx2 SPECPI_PLUGIN_PATH=$build/lib \
  "$build/test/bin/differential" --seed 1 --count "${DIFFERENTIAL_COUNT:-100}" --pack "$parts/differential"
mkdir "$parts/cases"
mv "$parts/differential" "$parts/cases/"
archive differential "$parts/cases"

# Integer functions and conversions, whose exact results are computed on that machine.
for target in spir64 nvptx64; do
  SPECPI_LIBRARY=$build/lib/libspecpi.so PYTHONPATH=$(dirname "$0")/../../python "$deps/venv/bin/python" -B \
    "$(dirname "$0")/../codegen/exact" --make --every-width --target $target \
    --compiler "$build/bin/specpi-cc" --images "$parts/exact/exact" >/dev/null
done
rm "$parts"/exact/exact/*.cl
archive exact "$parts/exact"

# dpctl and this machine's Python, without the parts that no program needs.
version=$("$deps/venv/bin/python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
standard=$("$deps/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
python=$parts/python/python
mkdir -p "$python/bin" "$python/lib/$version/site-packages"
cp -L "$deps/venv/bin/python" "$python/bin/python"
tar -C "$standard" -cf - --exclude=test --exclude=idlelib --exclude=ensurepip --exclude=lib2to3 \
  --exclude='config-*' --exclude=__pycache__ --exclude=dist-packages . |
  tar -C "$python/lib/$version" -xf -
tar -C "$deps/venv/lib/$version/site-packages" -cf - --exclude=tests --exclude=include \
  --exclude=__pycache__ dpctl numpy numpy.libs | tar -C "$python/lib/$version/site-packages" -xf -
LD_LIBRARY_PATH=$deps/venv/lib ldd "$python/bin/python" "$python/lib/$version"/lib-dynload/*.so \
  "$python/lib/$version"/site-packages/dpctl/tensor/*.so |
  awk '$1 ~ /^lib(expat|z|ffi|bz2|lzma|imf|svml|irng|intlc)\.so/ && $2 == "=>" { print $3 }' | sort -u |
  while read -r library; do
    cp -L "$library" "$to/sycl/lib/"
  done
archive python "$parts/python"

du -sh "$to"
