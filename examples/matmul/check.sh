#!/bin/sh
# Tests that the product is right in all forms, and that it refuses invalid sizes.
. "$(dirname "$0")/../support/check.sh"

right --size 24 --block 8
right --size 8
if [ "$backend" != host ]; then
  grep -q 'a constant in the code' "$scratch/said"
  grep -q 'a constant in a buffer' "$scratch/said"
fi

refused 2 '--size 0: a number' --size 0
refused 2 '--size 7x' --size 7x
refused 2 '--block -1' --block -1
refused 2 '--rounds 9999' --rounds 9999
refused 2 '--help lists the options' --unknown
refused 2 "no place for '128'" 128
# shellcheck disable=SC2086 # two words
refused 1 'not made of blocks of 3' $device --size 8 --block 3
# shellcheck disable=SC2086
refused 1 'takes a work-group of' $device --size 1024 --block 1024
refused 1 'nowhere' --device nowhere:0
"$program" --help | grep -q '^Usage: matmul'
