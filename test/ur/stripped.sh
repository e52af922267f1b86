#!/bin/sh
# stripped.sh SPECPI HOME RELEASE: specpi recognises the runtime in HOME also without its symbols, as packages of
# distributions have it. Exits with 77 (skipped) if the runtime is not installed.
set -eu
tool=$1 home=$2 release=$3
[ -f "$home/.installed" ] || {
  echo "skipped: $home is not installed (make runtimes)"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for library in "$home"/lib/libsycl.so.[0-9] "$home"/lib/libur_loader.so.0; do
  [ ! -e "$library" ] || strip -o "$work/$(basename "$library")" "$(readlink -f "$library")"
done
"$tool" run --sycl-rt "$work" true
LD_LIBRARY_PATH=$work "$tool" doctor >"$work/list" || true
grep "^ *$work/libsycl.so.*: Unified Runtime of release $release\$" "$work/list"
