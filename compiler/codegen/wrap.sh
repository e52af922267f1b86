#!/bin/sh
# wrap.sh OPT LIBRARY OUT: copies a bitcode library so that its integers wrap around. libclc is C, where
# overflow of signed integers is undefined, and its bitcode says so (nsw, nuw). OpenCL's integer functions
# are defined for all numbers. Without this, LLVM would fold comparisons of an inlined function's result as
# if nothing ever overflowed.
set -eu
"$1" -S "$2" -o - | sed -E 's/^(  %[^ ]+ = (add|sub|mul|shl)) (nuw )?(nsw )?/\1 /' | "$1" - -o "$3"
