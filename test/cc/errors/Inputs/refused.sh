#!/bin/sh
# refused.sh STATUS MESSAGE COMMAND...: checks that the command exits with the status, prints to stderr
# a line of specpi-cc that matches MESSAGE (a regular expression), and prints nothing to stdout.
status=$1 message=$2
shift 2
# Descriptor 3 bypasses the pipe, which marks the lines that the command prints to stdout.
errors=$({ {
  "$@" 2>&3 3>&-
  echo "refused.sh: status $?" >&3
} | sed 's/^/to stdout: /' >&3; } 3>&1)
is=$(printf '%s\n' "$errors" | sed -n 's/^refused.sh: status //p')
if [ "$is" != "$status" ]; then
  echo "status $is, not $status: $*" >&2
  echo "$errors" >&2
  exit 1
fi
if ! printf '%s\n' "$errors" | grep -q -e "^specpi-cc: .*$message" ||
  printf '%s\n' "$errors" | grep -q '^to stdout: '; then
  echo "not '$message': $*" >&2
  echo "$errors" >&2
  exit 1
fi
