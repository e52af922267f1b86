#!/bin/sh
# refused.sh STATUS SENTENCE COMMAND...: the command ends with the status, and prints to stderr
# a line of specpi-cc that has the sentence (a regular expression), and nothing to stdout.
status=$1 sentence=$2
shift 2
errors=$({ "$@" 3>&- | sed 's/^/to stdout: /' >&2; } 2>&1)
"$@" >/dev/null 2>&1
is=$?
if [ $is -ne "$status" ]; then
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
