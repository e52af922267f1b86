#!/bin/sh
# demo.sh [OPTION...]: builds the programs of make demo, with OPTIONs of cmake --build, and runs
# them on the devices that ONEAPI_DEVICE_SELECTOR selects (default: all). PICTURE in the
# environment, or make demo PICTURE=/path/to.png, is the picture to filter.
set -eu
cd "$(dirname "$0")/.."

deps=${SPECPI_DEPS:-$PWD/.deps}
runtime=$deps/venv/lib
bin=build/bin
examples=build/test/bin
out=build/demo
picture=${PICTURE:-}
# Intel's OpenCL runtime compiles wrong code for processors newer than itself, which ends the
# process. Code for this kind of processor runs on all.
export CL_CONFIG_CPU_TARGET_ARCH="${CL_CONFIG_CPU_TARGET_ARCH:-core-avx2}"
# Selects the OpenCL CPU runtime of the private environment. specpi run does this itself; programs
# that use the plugin directly need it here.
with_opencl() {
  LD_LIBRARY_PATH="$runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    OCL_ICD_FILENAMES="${OCL_ICD_FILENAMES:-$runtime/libintelocl.so}" "$@"
}
# Checked first, because the rest takes a minute.
if [ -n "$picture" ] && [ ! -r "$picture" ]; then
  echo "PICTURE=$picture cannot be read" >&2
  exit 1
fi
# The plugin for a GPU is built if its driver can be opened.
opens() { python3 -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$1" 2>/dev/null; }
targets=demo
opens libcuda.so.1 && targets="$targets pi_cuda specpi-codegen"
opens libze_intel_gpu.so.1 && targets="$targets pi_level_zero"
# $targets is a list and must be split.
cmake --build build --target $targets "$@"

title() { printf '\n-- %s\n\n' "$*"; }

mkdir -p "$out"
rm -f "$out"/*.png

title '1. The devices: specpi ls'
with_opencl "$bin/specpi" ls

title '2. An unmodified SYCL application: specpi run -- python examples/dpctl_arrays.py'
"$bin/specpi" run --sycl-rt "$runtime" -- "$deps/venv/bin/python" examples/dpctl_arrays.py

title '3. A blur whose radius and weights are constants: specpi-cc --emit=so examples/filter/blur.cl'
"$bin/specpi-cc" --emit=so examples/filter/blur.cl -o "$out/blur.so"
"$bin/specpi" inspect "$out/blur.so" | sed '/^ *id /d; s/^\(.\{88\}\).*/\1 .../'

title '4. It blurs a picture at three radii through libspecpi, in C: demo-filter'
with_opencl "$examples/demo-filter" --output "$out" --times "$out/times.json" ${picture:+"$picture"}

title '5. The same kernels through the real libsycl: specpi run -- demo-filter-sycl'
"$bin/specpi" run --sycl-rt "$runtime" -- "$examples/demo-filter-sycl" --output "$out" \
  ${picture:+"$picture"}

title '6. What came out'
for ours in "$out"/specpi-radius-*.png; do
  cmp "$ours" "$out/sycl-radius-${ours##*-}"
done
echo "  libspecpi and libsycl made the same pictures, byte by byte."
"$examples/bench-chart" "$out/times.json" "$out/times.png"
printf '\n  %-34s %s\n' "${picture:-$out/picture.png}" 'the picture'
printf '  %-34s %s\n' "$out/specpi-radius-*.png" 'blurred through libspecpi' \
  "$out/sycl-radius-*.png" 'blurred through libsycl' \
  "$out/times.png" 'native constants against a buffer, in milliseconds'

# Every backend for which specpi ls lists a device, and the host device.
selectors=$(with_opencl "$bin/specpi" ls | sed -n 's/^\[\([a-z_]*\):.*/\1:*/p' | sort -u)
title '7. SYCL over libspecpi: matmul, a blocked matrix product whose block size is a constant'
for selector in $selectors host; do
  # The host device runs one work-item after another.
  case $selector in host) size=64 ;; *) size=512 ;; esac
  with_opencl "$examples/matmul" --device "$selector" --size $size --block 8
  echo
done

title '8. SYCL over libspecpi: convolution, whose coefficients are a constant'
for selector in $selectors host; do
  with_opencl "$examples/convolution" --device "$selector" --width 768 --height 512 \
    --picture "$out/convolution-${selector%%:*}.png"
  echo
done
for picture in "$out"/convolution-*.png; do
  cmp "$out/convolution-host.png" "$picture"
done
echo "  $out/convolution-*.png are the same pictures, byte by byte."
