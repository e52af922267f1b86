#!/bin/sh
# refused.sh STATUS MESSAGE COMMAND...: the command ends with the status, and prints to stderr
# a line of specpi-cc that has the message (a regular expression), and nothing to stdout.
status=$1 message=$2
shift 2
# 3 goes past the pipe, in which what the command prints to stdout gets its mark.
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
