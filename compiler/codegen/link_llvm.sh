#!/bin/sh
# link_llvm.sh OUT LLVM_CONFIG COMPILER TRANSLATOR TINFO OBJECT...: links a libLLVM.so with only those parts of
# LLVM that the translator's library and the objects call; its only target is NVPTX. Its name and its symbols'
# version are those of LLVM's own library, because the translator's library was linked with that.
set -eu
out=$1
config=$2
compiler=$3
translator=$4
tinfo=$5 # -ltinfo, or an object that replaces libtinfo
shift 5

major=$("$config" --version | sed 's/[.].*//')
symbols() { nm "$@" | sed 's/^.* [UTWVBDRuvi] //; s/@.*//' | LC_ALL=C sort -u; }

symbols -D --defined-only "$("$config" --link-shared --libfiles | sed 's/ .*//')" >"$out.defined"
{
  symbols -D --undefined-only "$translator"
  symbols --undefined-only "$@"
} | LC_ALL=C sort -u | LC_ALL=C comm -12 - "$out.defined" >"$out.wanted"
{
  echo "LLVM_$major { global:"
  sed 's/$/;/' "$out.wanted"
  echo 'local: *; };'
} >"$out.map"
sed 's/^/-Wl,-u,/' "$out.wanted" >"$out.options"
# shellcheck disable=SC2046 # the list is meant to be split
"$compiler" -shared -o "$out" "-Wl,-soname,libLLVM-$major.so.1" "-Wl,--version-script=$out.map" \
  -Wl,--gc-sections -Wl,--strip-all "@$out.options" "-L$("$config" --libdir)" \
  $("$config" --link-static --libs nvptx passes irreader bitwriter linker ipo coroutines) \
  -lrt -ldl -lm -lz "$tinfo" -lpthread
rm "$out.defined" "$out.wanted" "$out.map" "$out.options"
