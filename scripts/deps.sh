#!/bin/sh
# Installs all that specpi's build and tests need on Debian 12: the Debian packages of packages.txt,
# and a private Python environment under .deps with the wheels of requirements.txt. Ends at once if
# all of it is installed.
set -eu

scripts=$(cd "$(dirname "$0")" && pwd)
deps=${SPECPI_DEPS:-$(dirname "$scripts")/.deps}

say() { printf '== %s\n' "$*"; }

# Intel's OpenCL runtime splits the path of its own file, with links resolved, as a list.
case $(realpath -m "$deps") in
*[[:space:]\;]*)
  echo "Intel's OpenCL runtime finds no device where the path of its directory has a blank or a" \
    "semicolon, as $(realpath -m "$deps") has: set SPECPI_DEPS to another directory" >&2
  exit 1
  ;;
esac

packages=$(sed 's/#.*//' "$scripts/packages.txt")
missing=
for package in $packages; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done

if [ -n "$missing" ]; then
  say "Debian packages to install:$missing"
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null; then
    as_root=sudo
  else
    echo "These packages need root. Run this once, then start again:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  $as_root apt-get update
  # shellcheck disable=SC2086 # the list is meant to be split
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
fi

# The stamp has the list of what was installed. The wheels are installed again if the list has
# changed, or if the environment's Python is missing or has another version now.
stamp=$deps/venv/.requirements
is_complete() {
  cmp -s "$scripts/requirements.txt" "$stamp" && "$deps/venv/bin/python" -c \
    'import importlib.util, sys; sys.exit(not importlib.util.find_spec("dpctl"))' 2>/dev/null
}
if ! is_complete; then
  say "Runtimes (about 300 MB) into $deps/venv"
  rm -rf "$deps/venv"
  mkdir -p "$deps"
  # Debian's own Python: the wheels are for its version, 3.11.
  /usr/bin/python3 -m venv "$deps/venv"
  "$deps/venv/bin/python" -m pip install --disable-pip-version-check --no-deps \
    -r "$scripts/requirements.txt"
  cp "$scripts/requirements.txt" "$stamp"
fi
say "Packages and runtimes are in place"
