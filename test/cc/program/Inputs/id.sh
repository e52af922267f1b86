#!/bin/sh
# id.sh SPECPI-CC SPECPI OPTION...: compiles a unit and prints its id, which its images have.
set -eu
cc=$1 specpi=$2
shift 2
"$cc" --emit=unit --target=spir64 "$@" -o id.o
"$specpi" inspect id.o | grep 'specpi/unit'
