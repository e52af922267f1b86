#!/bin/sh
# level_zero_names.sh HEADER ADAPTER: checks that the adapter exports every function of Level Zero's header, and
# besides these only a few of later releases and of loaders.
set -eu
directory=$(mktemp -d)
trap 'rm -r "$directory"' EXIT
grep -o '^ze[A-Z][A-Za-z0-9]*(' "$1" | tr -d '(' | sort -u >"$directory/header"
nm -D --defined-only "$2" | sed -n 's/.* T \(ze[A-Za-z0-9]*\)$/\1/p' | sort >"$directory/adapter"
test "$(wc -l <"$directory/header")" -gt 100
printf '%s\n' zeCommandListHostSynchronize zeDeviceGetRootDevice zeDriverGetLastErrorDescription zeInitDrivers zeLoaderInit \
  zelLoaderGetVersionsInternal | sort - "$directory/header" | diff - "$directory/adapter"
