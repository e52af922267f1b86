#!/bin/sh
# level_zero_names.sh HEADER ADAPTER: the adapter exports every function of Level Zero's header, and besides
# these the few of later releases and of loaders that it has.
set -eu
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
grep -o '^ze[A-Z][A-Za-z0-9]*(' "$1" | tr -d '(' | sort -u >"$folder/header"
nm -D --defined-only "$2" | sed -n 's/.* T \(ze[A-Za-z0-9]*\)$/\1/p' | sort >"$folder/adapter"
test "$(wc -l <"$folder/header")" -gt 100
printf '%s\n' zeDeviceGetRootDevice zeDriverGetLastErrorDescription zeInitDrivers zeLoaderInit \
  zelLoaderGetVersionsInternal | sort - "$folder/header" | diff - "$folder/adapter"
