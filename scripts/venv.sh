#!/bin/sh
# venv.sh NAME: makes the Python environment .deps/NAME, with the packages of NAME-requirements.txt.
# Ends at once if it exists. The file may have these lines: "# Python 3.12" sets the version if it
# is not Debian's; "# Runtime 2025.3" makes the environment share the libraries of that release of
# runtimes.txt; "# Link NAME TARGET" makes a link in it.
set -eu

scripts=$(cd "$(dirname "$0")" && pwd)
deps=${SPECPI_DEPS:-$(dirname "$scripts")/.deps}
home=$deps/$1
wanted=$scripts/$1-requirements.txt

[ -f "$wanted" ] || {
  echo "$wanted is not there" >&2
  exit 2
}
cmp -s "$wanted" "$home/.requirements" && exit 0
version=$(sed -n 's/^# Python //p' "$wanted")
release=$(sed -n 's/^# Runtime //p' "$wanted")

# Finds the first Python of that version that starts: the system's, pyenv's or uv's.
find_python() { # VERSION
  for python in "python$1" "$HOME/.pyenv/versions/$1".*/bin/python "$(uv python find "$1" 2>/dev/null || true)"; do
    ! "$python" -c '' 2>/dev/null || {
      echo "$python"
      return 0
    }
  done
  echo "$wanted asks for Python $1, which is not in PATH, and which neither pyenv nor uv has" >&2
  return 1
}

python=/usr/bin/python3
[ -z "$version" ] || python=$(find_python "$version")
[ -z "$release" ] || "$scripts/runtimes.sh" "$release"
echo "== What $1-requirements.txt names into $home"
rm -rf "$home"
"$python" -m venv "$home"
"$home/bin/python" -m pip install -q --disable-pip-version-check --no-deps -r "$wanted"
[ -z "$release" ] || ln -s "$(realpath "$deps/runtimes/$release/lib")"/lib*.so* "$home/lib"
sed -n 's/^# Link //p' "$wanted" | while read -r name target; do ln -s "$target" "$home/$name"; done
cp "$wanted" "$home/.requirements"
