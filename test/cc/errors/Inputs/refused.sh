#!/bin/sh
# refused.sh STATUS SENTENCE COMMAND...: the command ends with the status, and prints to stderr
# a line of specpi-cc that has the sentence (a regular expression), and nothing to stdout.
status=$1 sentence=$2
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
if ! printf '%s\n' "$errors" | grep -q -e "^specpi-cc: .*$sentence" ||
  printf '%s\n' "$errors" | grep -q '^to stdout: '; then
  echo "not '$sentence': $*" >&2
  echo "$errors" >&2
  exit 1
fi
