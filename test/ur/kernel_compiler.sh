#!/bin/sh
# kernel_compiler.sh HOME PYTHON FOLLOW PAGE ADAPTERS: follows the page on SYCL C++ compiled at run time, in the
# runtime 2026.2 of scripts/runtimes.sh, and starts the page's program with a selector that names cuda. The wheel of
# that runtime has a bug, which must still occur without specpi run.
set -eu
[ -f "$1/.installed" ] || {
  echo "skipped: $1 is not installed (make runtimes)"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
VIRTUAL_ENV="$1" "$2" -B "$3" "$4" 1
export ONEAPI_DEVICE_SELECTOR='cuda:*'
specpi run --cuda -- ./scale
if UR_ADAPTERS_SEARCH_PATH=$5 ./scale >found 2>&1; then
  echo "the fault is mended: docs/internals/kernel-compiler.md can do without it" >&2
  exit 1
fi
cat found
grep 'Error opening file .*libspirv.*: No such file' found
