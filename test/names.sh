#!/bin/sh
# names.sh ROOT SCRATCH: a static function's name has a noun. A backtrace that reads create <- create <-
# make says nothing, so a bare verb is none. First it proves on a file of its own, made in SCRATCH,
# that it finds one; then it reads the directories of ROOT that are free of them.
set -eu

directories='runtime compiler tools fakes bench pi plugins ur'

verbs='add|allocate|append|ask|begin|build|call|check|choose|clear|close|collect|compare|compile'
verbs="$verbs|complete|copy|count|create|declare|decode|describe|destroy|draw|end|examine|expect"
verbs="$verbs|extend|fail|fill|find|finish|flush|free|get|give|hash|init|insert|join|judge|keep"
verbs="$verbs|launch|link|load|look|make|mark|match|measure|move|note|open|parse|pick|place|prepare"
verbs="$verbs|print|put|read|record|refuse|release|remove|replace|report|reserve|resolve|restore"
verbs="$verbs|run|search|seek|send|set|show|skip|split|start|stop|store|take|unload|unite|use|verify"
verbs="$verbs|visit|wait|walk|warn|wrap|write"

# Prints the definitions and declarations that have no noun; fails if there are any.
check() {
  ! grep -rnE --include='*.[ch]' --include='*.[ch]pp' --exclude-dir=test \
    "^(static|inline) ([^(=;]*[ *])?($verbs)\\(" "$@"
}

tree=$2/names
rm -rf "$tree"
mkdir -p "$tree"
printf 'static int destroy_queue(void);\nstatic int made = create(1);\nint run(void);\n' >"$tree/good.c"
check "$tree"
for line in 'static void run(int count) {' 'static const char *find(const char *name,' \
  'static inline queue *create(void) {'; do
  echo "$line" >"$tree/bad.c"
  if check "$tree" >"$tree/log"; then
    echo "names.sh does not see $line" >&2
    exit 1
  fi
done

cd "$1"
# shellcheck disable=SC2086 # a list
check $directories || {
  echo 'give the function a noun: see CONTRIBUTING.md' >&2
  exit 1
}
