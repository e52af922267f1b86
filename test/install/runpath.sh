#!/bin/sh
# runpath.sh DIRECTORY...: checks that no file in these directories has a RUNPATH or RPATH with an entry relative to
# the working directory: an empty one, or one that begins with neither / nor $ORIGIN.
set -eu
# Other tests create and remove files meanwhile, so that errors do not matter.
{ find "$@" -type f ! -name '*.o' -exec readelf -d {} + 2>/dev/null || true; } | awk '
  /^File: / { file = substr($0, 7) }
  /\((RUNPATH|RPATH)\)/ {
    found++
    value = substr($0, index($0, "[") + 1)
    sub(/\]$/, "", value)
    count = split(value, entries, ":")
    for (i = 1; i <= count; i++)
      if (entries[i] !~ /^(\/|\$ORIGIN(\/|$))/) {
        print file ": [" value "]"
        bad++
        break
      }
    if (count == 0) { print file ": []"; bad++ }
  }
  END {
    print found + 0 " files have a RUNPATH, " bad + 0 " of them a wrong one"
    exit found == 0 || bad > 0
  }'
