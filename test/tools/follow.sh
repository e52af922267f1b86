#!/bin/sh
# Follows a page of documentation: writes the files whose names stand behind ```c and ```cpp, runs the
# lines of each ```sh, all in one shell, and compares what they print to the ```text that comes next.
# "..." stands for anything; without a ```text they print nothing. Arguments: the page, and how many ```sh are in it.
set -eu
page=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

awk '
  /^```/ && inside { inside = 0; close(out); next }
  /^```(c|cpp) / { inside = 1; out = $2; printf "" >out; next }
  /^```sh$/ { inside = 1; out = sprintf("step%02d.sh", ++step); print "set -eu" >out
              none = sprintf("step%02d.expected", step); printf "" >none; close(none); next }
  /^```text$/ { inside = 1; out = sprintf("step%02d.expected", step); next }
  inside { print >out }
' "$page"

steps=0
for script in step*.sh; do
  expected=${script%.sh}.expected
  echo "== $script"
  cat "$script"
  . "./$script" >output
  # Intel's OpenCL runtime says so on a machine whose processor it does not know.
  sed -i '/^SYCL CPU RT Warning: Unknown host CPU\.$/d' output
  cat output
  # Each expected line becomes a pattern of the shell.
  exec 3<output
  while IFS= read -r line; do
    IFS= read -r found <&3 || { echo "missing: $line" >&2; exit 1; }
    pattern=$(printf '%s' "$line" | sed 's/[][*?\\]/\\&/g; s/\.\.\./*/g')
    case $found in
      $pattern) ;;
      *) echo "expected: $line" >&2; echo "found:    $found" >&2; exit 1 ;;
    esac
  done <"$expected"
  if IFS= read -r found <&3; then
    echo "more: $found" >&2
    exit 1
  fi
  exec 3<&-
  steps=$((steps + 1))
done
[ "$steps" -eq "$2" ] || { echo "$steps steps, not $2" >&2; exit 1; }
