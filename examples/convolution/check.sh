#!/bin/sh
# The convolution is right in all forms, and what cannot be convolved is refused.
# Arguments: the backend under test (host, or one that ONEAPI_DEVICE_SELECTOR selects), convolution.
set -eu
backend=$1 convolution=$2
device=
if [ "$backend" = host ]; then
  device='--device host'
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# right OPTION...: a table with three times, all results equal.
right() {
  # shellcheck disable=SC2086 # two words
  "$convolution" $device --rounds 1 "$@" >"$scratch/said"
  cat "$scratch/said"
  [ "$(grep -c ' ms ' "$scratch/said")" -eq 3 ]
  grep -q 'the results are equal, and are the host' "$scratch/said"
}
right --width 40 --height 30 --picture "$scratch/out.png"
[ "$(od -An -tx1 -N4 "$scratch/out.png" | tr -d ' ')" = 89504e47 ]
right --width 1 --height 1
right --width 7 --height 1

# refused STATUS WHAT OPTION...: that status, and a sentence that has WHAT.
refused() {
  expected=$1 what=$2
  shift 2
  status=0
  "$convolution" "$@" >"$scratch/said" 2>"$scratch/error" || status=$?
  cat "$scratch/error"
  [ "$status" -eq "$expected" ] || { echo "status $status, not $expected: $*" >&2; exit 1; }
  grep -qF -e "$what" "$scratch/error" || { echo "no sentence with $what: $*" >&2; exit 1; }
}
refused 2 '--width 0: a number' --width 0
refused 2 '--height 7x' --height 7x
refused 2 '--rounds 9999' --rounds 9999
refused 2 'Usage:' --unknown
refused 2 'Usage:' 128
refused 1 'nowhere' --device nowhere:0
# shellcheck disable=SC2086
refused 1 'cannot be written' $device --rounds 1 --width 4 --height 4 --picture /nowhere/x.png
"$convolution" --help | grep -q '^Usage: convolution'
