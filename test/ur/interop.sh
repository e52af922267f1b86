#!/bin/sh
# interop.sh HOME CXX INCLUDE SOURCE MODULE: builds the program of interop.cpp with the headers of the runtime 2026.2 of
# scripts/runtimes.sh, and runs it. INCLUDE is the directory with Level Zero's header.
set -eu
[ -f "$1/.installed" ] || {
  echo "skipped: $1 is not installed (make runtimes)"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2" -std=c++17 -w -isystem "$1/include" -idirafter "$3" "$4" -o "$work/interop" -L"$1/lib" -lsycl -ldl \
  "-Wl,-rpath,$1/lib"
LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$1/lib "$work/interop" "$5"
