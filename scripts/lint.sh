#!/bin/sh
# The format check and clang-tidy over every file of ours that the release build compiles.
set -eu
cd "$(dirname "$0")/.."

echo '== clang-format'
git ls-files '*.c' '*.h' '*.cpp' '*.hpp' | xargs clang-format-15 --dry-run --Werror

echo '== clang-tidy'
[ -f build/compile_commands.json ] || cmake --preset release
# run-clang-tidy takes patterns for the files of compile_commands.json: all that are ours.
# The status would be lost in the pipe, so that a failure adds a line to the log.
{ run-clang-tidy-15 -quiet -p build -j "$(nproc)" \
    "^$PWD/(plugins|pi|compiler|tools|test|bench|examples)/.*\\.(c|cpp)\$" 2>&1 ||
    echo 'error: run-clang-tidy-15 failed'; } |
  tee build/clang-tidy.log |
  { grep -Ev '^(clang-tidy-15|[0-9]+ warnings? (generated|treated)|Suppressed|Use -header-filter|$)' || true; }
if ! grep -q '^clang-tidy-15' build/clang-tidy.log; then
  echo 'clang-tidy was run on no file at all' >&2
  exit 1
fi
if grep -qE '(warning|error):' build/clang-tidy.log; then
  echo 'clang-tidy found something, see above' >&2
  exit 1
fi
echo 'clang-tidy: nothing found'
