#!/bin/sh
# meet.sh MINE OTHER COMPILER [WORD...]: runs the compiler. To compile (-c or -S) it first creates the file MINE and
# waits until the other compiler has created OTHER. Exits with 1 if that takes more than $PATIENCE seconds.
mine=$1 other=$2
shift 2
for word in "$@"; do
  if [ "$word" = -c ] || [ "$word" = -S ]; then
    echo $$ >"$mine"
    i=0
    until [ -e "$other" ]; do
      i=$((i + 1))
      [ $i -le $((${PATIENCE:-60} * 10)) ] || exit 1
      sleep 0.1
    done
    [ -z "$SLEEPS" ] || [ "$word" = -S ] || { echo half a word >&2; exec sleep 300; }
  fi
done
exec "$@"
