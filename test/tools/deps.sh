#!/bin/sh
# scripts/deps.sh refuses a directory in which Intel's OpenCL runtime would find no device. Argument: the script.
set -eu
script=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused DEPS: the script exits with 1 and the message, before it installs anything.
refused() {
  status=0
  errors=$(SPECPI_DEPS="$1" PATH="$work/bin:$PATH" sh "$script" 2>&1) || status=$?
  if [ "$status" -ne 1 ] || [ "${errors#*finds no device where*set SPECPI_DEPS to}" = "$errors" ]; then
    printf '%s: exit status %d: %s\n' "$1" "$status" "$errors" >&2
    exit 1
  fi
  [ ! -e "$1/venv" ]
}

# Fake package tools that fail, in case the script calls them.
mkdir "$work/bin"
printf '#!/bin/sh\necho not reached; exit 3\n' >"$work/bin/dpkg-query"
cp "$work/bin/dpkg-query" "$work/bin/apt-get"
cp "$work/bin/dpkg-query" "$work/bin/sudo"
chmod +x "$work/bin"/*

refused "$work/a b/deps"
refused "$work/a	b"
refused "$work/a;b"
mkdir "$work/a b"
ln -s "a b" "$work/link"
refused "$work/link/deps"

# With a good directory the script passes the check and goes on to the packages.
mkdir "$work/good"
ln -s ../good "$work/a b/link"
status=0
errors=$(SPECPI_DEPS="$work/a b/link" PATH="$work/bin:$PATH" sh "$script" 2>&1) || status=$?
[ "$status" -ne 0 ]
case $errors in
*"finds no device"*) echo "$errors" >&2; exit 1 ;;
*"Debian packages to install"*) ;;
*) echo "$errors" >&2; exit 1 ;;
esac
