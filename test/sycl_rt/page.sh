#!/bin/sh
# page.sh HOME DIRECTORY SPECPI_CC PYTHON FOLLOW PAGE: follows docs/sycl.md on the fake driver.
set -eu
[ -f "$1/.installed" ] || {
  echo "skipped: $1 is not installed (make runtimes)"
  exit 77
}
rm -rf "$2/page"
mkdir -p "$2/page"
cd "$2/page"
export VIRTUAL_ENV="$1" LD_LIBRARY_PATH="$CUDA_DRIVER"
PATH=$(dirname "$3"):$PATH "$4" -B "$5" "$6" 1
