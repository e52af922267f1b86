#!/bin/sh
# Tests that the convolution is right in all forms, and that it refuses invalid options.
. "$(dirname "$0")/../support/check.sh"

right --width 40 --height 30 --picture "$scratch/out.png"
[ "$(od -An -tx1 -N4 "$scratch/out.png" | tr -d ' ')" = 89504e47 ]
right --width 1 --height 1
right --width 7 --height 1

refused 2 '--width 0: a number' --width 0
refused 2 '--height 7x' --height 7x
refused 2 '--rounds 9999' --rounds 9999
refused 2 '--help lists the options' --unknown
refused 2 "no place for '128'" 128
refused 1 'nowhere' --device nowhere:0
# The table is printed, and only then the picture cannot be written.
status=0
# shellcheck disable=SC2086 # two words
"$program" $device --rounds 1 --width 4 --height 4 --picture /nowhere/x.png \
  >"$scratch/said" 2>"$scratch/error" || status=$?
[ "$status" -eq 1 ]
grep -q '/nowhere/x.png cannot be written' "$scratch/error"
"$program" --help | grep -q '^Usage: convolution'
