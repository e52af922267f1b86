#!/bin/sh
# kernel_compiler.sh HOME FOLLOW PAGE ADAPTERS: follows the page on SYCL C++ compiled while a program runs, in
# the runtime "jit" of scripts/runtimes.sh: as it stands, and where the selector names cuda. There the wheel
# has a fault, which is still to be seen without specpi run.
set -eu
[ -f "$1/.installed" ] || {
  echo "skipped: $1 is not installed (make runtimes RUNTIMES=jit)"
  exit 77
}
export VIRTUAL_ENV="$1"
sh "$2" "$3" 1
export ONEAPI_DEVICE_SELECTOR='cuda:*'
sh "$2" "$3" 1
faulty=$(mktemp)
trap 'rm -f "$faulty"' EXIT
# shellcheck disable=SC2016 # the backquotes are the page's
sed 's/^specpi run --cuda -- .*/.\/scale >out 2>\&1 || grep -o "Error opening file .*libspirv.*: No such file" out/
  /^```text$/,/^```$/ s/^2\.5.*/Error opening file .../; /^\.\.\.$/d' "$3" >"$faulty"
UR_ADAPTERS_SEARCH_PATH=$4 sh "$2" "$faulty" 1
