#!/bin/sh
# The product is right in all forms, and what cannot be multiplied is refused.
# Arguments: the backend under test (host, or one that ONEAPI_DEVICE_SELECTOR selects), matmul.
set -eu
backend=$1 matmul=$2
device=
if [ "$backend" = host ]; then
  device='--device host'
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# right OPTION...: a table with three times, all results equal.
right() {
  # shellcheck disable=SC2086 # two words
  "$matmul" $device --rounds 1 "$@" >"$scratch/said"
  cat "$scratch/said"
  [ "$(grep -c ' ms ' "$scratch/said")" -eq 3 ]
  grep -q 'the results are equal, and are the host' "$scratch/said"
}
right --size 24 --block 8
right --size 8
if [ "$backend" != host ]; then
  grep -q 'a constant in the code' "$scratch/said"
  grep -q 'a constant in a buffer' "$scratch/said"
fi

# refused STATUS WHAT OPTION...: that status, and a sentence that has WHAT.
refused() {
  expected=$1 what=$2
  shift 2
  status=0
  "$matmul" "$@" >"$scratch/said" 2>"$scratch/error" || status=$?
  cat "$scratch/error"
  [ "$status" -eq "$expected" ] || { echo "status $status, not $expected: $*" >&2; exit 1; }
  grep -qF -e "$what" "$scratch/error" || { echo "no sentence with $what: $*" >&2; exit 1; }
  [ ! -s "$scratch/said" ] || { echo "a table in spite of an error: $*" >&2; exit 1; }
}
refused 2 '--size 0: a number' --size 0
refused 2 '--size 7x' --size 7x
refused 2 '--block -1' --block -1
refused 2 '--rounds 9999' --rounds 9999
refused 2 'Usage:' --unknown
refused 2 'Usage:' 128
# shellcheck disable=SC2086 # two words
refused 1 'not made of blocks of 3' $device --size 8 --block 3
# shellcheck disable=SC2086
refused 1 'takes a work-group of' $device --size 1024 --block 1024
refused 1 'nowhere' --device nowhere:0
"$matmul" --help | grep -q '^Usage: matmul'
