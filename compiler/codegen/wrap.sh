#!/bin/sh
# wrap.sh OPT LIBRARY OUT: copies a bitcode library so that its integers wrap around. libclc is C, where
# overflow of signed integers is undefined, and its bitcode says so (nsw, nuw). OpenCL's integer functions
# are defined for all numbers. Without this, LLVM would fold comparisons of an inlined function's result as
# if nothing ever overflowed.
#
# Its tables move from constant to global memory. Work-items read different elements, and constant memory gives a
# warp one element at a time: on an H200 log took 12 times as long as libdevice's. No function has both a table and
# a pointer to constant memory.
set -eu
"$1" -S "$2" -o - |
  sed -E 's/^(  %[^ ]+ = (add|sub|mul|shl)) (nuw )?(nsw )?/\1 /' |
  awk '
    function flush() { printf "%s", body; body = ""; has_table = 0 }
    /^@.* addrspace\(4\) constant / { name = $1; tables[name]; sub(/ addrspace\(4\) constant /, " addrspace(1) constant ") }
    /^define / { inside = 1 }
    inside && /addrspace\(4\)/ && match($0, /@[A-Z0-9_]+/) && substr($0, RSTART, RLENGTH) in tables { has_table = 1 }
    { if (inside) body = body $0 "\n"; else print }
    /^}/ && inside { if (has_table) gsub(/addrspace\(4\)/, "addrspace(1)", body); flush(); inside = 0 }' |
  "$1" - -o "$3"
