#!/bin/sh
# id.sh SPECPI-CC SPECPI OPTION...: the id of a unit's object, as its images have it.
set -eu
cc=$1 specpi=$2
shift 2
"$cc" --emit=unit --target=spir64 "$@" -o id.o
"$specpi" inspect id.o | grep 'specpi/unit'
