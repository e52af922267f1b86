#!/bin/sh
# venv.sh NAME: the Python environment .deps/NAME, with the packages of NAME-requirements.txt. Does nothing, quickly, if
# it is there.
set -eu

scripts=$(cd "$(dirname "$0")" && pwd)
home=${SPECPI_DEPS:-$(dirname "$scripts")/.deps}/$1
wanted=$scripts/$1-requirements.txt

cmp -s "$wanted" "$home/.requirements" && exit 0
echo "== What $1-requirements.txt names into $home"
rm -rf "$home"
/usr/bin/python3 -m venv "$home"
"$home/bin/python" -m pip install -q --disable-pip-version-check --no-deps -r "$wanted"
cp "$wanted" "$home/.requirements"
