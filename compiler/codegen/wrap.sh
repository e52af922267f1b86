#!/bin/sh
# wrap.sh OPT LIBRARY OUT: a library of bitcode in which integers wrap around. libclc is C, in which an
# overflow of a signed integer is undefined, and LLVM says so in the code that it makes; what OpenCL's
# functions of integers give is defined for all numbers. Once such a function is part of a kernel, a
# comparison of its result would be decided as if nothing ever overflowed.
set -eu
"$1" -S "$2" -o - | sed -E 's/^(  %[^ ]+ = (add|sub|mul|shl)) (nuw )?(nsw )?/\1 /' | "$1" - -o "$3"
