#!/bin/sh
# meet.sh MINE OTHER COMPILER [WORD...]: the compiler, and where it compiles (-c, or -S), only once the other
# one does, too: MINE and OTHER are files, each made by one of the two. 1 when it comes not within $PATIENCE s.
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
