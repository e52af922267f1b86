#!/bin/sh
# newcomer.sh BUILD PYTHON PAGE COUNT: follows a page (follow.py) like a newcomer, in a new directory whose name has a
# space and an umlaut, after ". BUILD/env.sh". The rest of the environment is a directory without OpenCL drivers, as in
# all tests, and PYTHON's directory at the end of PATH. Root runs this as a user who cannot write to the tree.
set -eu
build=$1 python=$2 page=$3 count=$4
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
work="$scratch/mein ördner 2"
mkdir "$work"
as=
if [ "$(id -u)" = 0 ]; then
  chown -R nobody "$scratch"
  as='setpriv --reuid nobody --regid nogroup --clear-groups'
  for directory in "$build" "$here" "$work"; do
    expected=no writes=no
    if [ "$directory" = "$work" ]; then expected=yes; fi
    if $as test -w "$directory"; then writes=yes; fi
    [ $writes = $expected ] || { echo "may the user nobody write in $directory? $writes" >&2; exit 1; }
  done
fi
cd "$work"
# shellcheck disable=SC2086 # words
env -i HOME="$scratch" TMPDIR="$scratch" PATH="/usr/bin:/bin:$(dirname "$python")" LC_ALL=C.UTF-8 \
  OCL_ICD_VENDORS="$OCL_ICD_VENDORS" \
  $as sh -euc '. "$1/env.sh"; exec "$2" -B "$3/follow.py" "$4" "$5"' sh "$build" "$python" "$here" "$page" "$count"
