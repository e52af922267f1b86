#!/bin/sh
# ptxas.sh ARGUMENT...: runs the ptxas that PTXAS names, without optimisation. It refuses the same code at each level,
# and the fake driver's interpreter computes the results.
exec "$PTXAS" "$@" -O0
