#!/bin/sh
# ptxas.sh ARGUMENT...: the ptxas that PTXAS names, without optimisation: what it refuses is the same at each level,
# and the values that a test compares are the interpreter's.
exec "$PTXAS" "$@" -O0
