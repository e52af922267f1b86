#!/bin/sh
# headers.sh BUILD: checks that no object was compiled with a header of /usr/local, where a machine may have another
# CUDA than the one that the build has found.
set -eu
ninja -C "$1" -t deps | awk '
  /^[^ ].*: #deps/ { object = $1; objects++ }
  /^ +\/usr\/local\// { print object " " $1; bad++ }
  END {
    print objects + 0 " objects, " bad + 0 " headers of /usr/local"
    exit objects == 0 || bad > 0
  }'
