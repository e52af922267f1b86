#!/bin/sh
# Checks the format, repeats in the plugins and the text of all files, and runs clang-tidy on each
# of our files that the release build compiles.
set -eu
cd "$(dirname "$0")/.."

echo '== clang-format'
git ls-files '*.c' '*.h' '*.cpp' '*.hpp' | xargs clang-format-15 --dry-run --Werror

echo '== repeats'
python3 scripts/repeats.py

echo '== text'
python3 scripts/prose.py

echo '== clang-tidy'
[ -f build/compile_commands.json ] || cmake --preset release
# clang-tidy checks a file once for each command that compiles it, in one process, and its analyzer
# then has false reports. So of several commands that define the same macros only the first is kept.
mkdir -p build/lint
python3 - <<'EOF'
import json
import os
import shlex

with open("build/compile_commands.json", encoding="utf-8") as file:
    commands = json.load(file)
first = {}
for command in commands:
    words = shlex.split(command["command"])
    macros = tuple(sorted(word for word in words if word.startswith("-D")))
    first.setdefault((command["file"], macros), command)
with open("build/lint/compile_commands.json", "w", encoding="utf-8") as file:
    json.dump(list(first.values()), file, indent=1)
tests = sorted({name for name, _ in first if name.startswith((os.path.abspath("test") + "/", os.path.abspath("fakes") + "/"))})
with open("build/lint/tests", "w", encoding="utf-8") as file:
    file.writelines(name + "\n" for name in tests)
print(f"{len(first)} of {len(commands)} commands")
EOF
# run-clang-tidy takes a pattern that matches all our files in compile_commands.json, and starts a
# process for each: the analyzer's check of va_list has false reports in the second file of a process,
# and eight files in each would save only 6 %. For tests, where the analyzer is off, that start takes
# as long as the checks, so 20 tests share a process. The pipe hides the exit status, so a failure adds
# a line to the log.
{ run-clang-tidy-15 -quiet -p build/lint -j "$(nproc)" \
    "^$PWD/(plugins|pi|ur|ze|runtime|sycl|compiler|tools|bench|examples)/.*\\.(c|cpp)\$" 2>&1 ||
    echo 'error: run-clang-tidy-15 failed'
  xargs -a build/lint/tests -d '\n' -n 20 -P "$(nproc)" -t clang-tidy-15 -quiet -p build/lint 2>&1 ||
    echo 'error: clang-tidy-15 failed'; } |
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
