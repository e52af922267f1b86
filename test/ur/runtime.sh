#!/bin/sh
# runtime.sh HOME [COMMAND...] -- ARGUMENT...: runs Python of the runtime in HOME, from scripts/runtimes.sh, with these
# arguments. COMMAND, such as specpi run, starts Python. Exits with 77 (skipped) if the runtime is not installed.
[ -f "$1/.installed" ] || {
  echo "skipped: $1 is not installed (make runtimes)"
  exit 77
}
python=$1/bin/python
shift
[ "$1" != -- ] || {
  shift
  exec "$python" "$@"
}
command=$1
shift
options=
while [ "$1" != -- ]; do
  options="$options $1"
  shift
done
shift
# shellcheck disable=SC2086 # options have no blanks
exec "$command" $options -- "$python" "$@"
