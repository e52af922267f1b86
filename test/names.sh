#!/bin/sh
# names.sh ROOT SCRATCH: checks five rules. A static function's name has a noun, because a backtrace that reads
# create <- create <- make says nothing. No function has its steps as a ladder of "if (result == PI_SUCCESS) result = ..".
# No list grows itself; plugins/base/vector.h does. No sorted array is searched by hand; plugins/base/find.h does it.
# No process is copied but by plugins/base/child.h, and by the Level Zero plugin inside an application.
# First the script checks itself on files in SCRATCH that break the rules; then it checks directories of ROOT.
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

# Prints the files with a ladder of two or more steps; fails if there are any.
check_ladders() {
  step='if \((\w+) == [A-Z_]*SUCCESS\b[^\n]*\)\n +\1 = [^;]*;'
  next='\n +if \(\1 == [A-Z_]*SUCCESS\b[^\n]*\)\n +\1 ='
  ! grep -rPzl --include='*.[ch]' "$step$next" "$@"
}

# Prints the lines that double a capacity or call realloc; fails if there are any.
check_growth() {
  ! grep -rnE --include='*.[ch]' --exclude=vector.h \
    '\brealloc(array)?\(|= .*(capacity|room)[^?:]*\? [^:]*(2 \*|\* 2)' "$@"
}

# Prints the lines that copy the process; fails if there are any.
check_forks() {
  ! grep -rnE --include='*.[ch]' --exclude=child.h --exclude=probe_child.c '\bv?fork\(' "$@"
}

# Prints the binary searches by hand; fails if there are any.
check_searches() {
  ! grep -rnE --include='*.[ch]' --exclude=find.h '\(?low \+ \(?high( - low)?\) / 2' "$@"
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

write_steps() {
  printf 'int f(void) {\n  int result = one();\n'
  for step in "$@"; do
    printf '  if (result == PI_SUCCESS)\n    result = %s();\n' "$step"
  done
  printf '  return result;\n}\n'
}
rm "$tree/bad.c"
write_steps two >"$tree/step.c"
check_ladders "$tree"
write_steps two three >"$tree/step.c"
if check_ladders "$tree" >"$tree/log"; then
  echo 'names.sh does not see a ladder' >&2
  exit 1
fi
echo 'capacity = capacity ? 2 * capacity : 8;' >"$tree/step.c"
if check_growth "$tree" >"$tree/log"; then
  echo 'names.sh does not see a list that grows' >&2
  exit 1
fi
echo 'list = realloc(list, size);' >"$tree/step.c"
if check_growth "$tree" >"$tree/log"; then
  echo 'names.sh does not see realloc' >&2
  exit 1
fi
echo 'child = fork();' >"$tree/step.c"
if check_forks "$tree" >"$tree/log"; then
  echo 'names.sh does not see fork' >&2
  exit 1
fi
echo 'middle = low + (high - low) / 2;' >"$tree/step.c"
if check_searches "$tree" >"$tree/log"; then
  echo 'names.sh does not see a search' >&2
  exit 1
fi

cd "$1"
# shellcheck disable=SC2086 # a list
check $directories || {
  echo 'give the function a noun: see CONTRIBUTING.md' >&2
  exit 1
}
# shellcheck disable=SC2086 # a list
check_ladders $directories ze sycl || {
  echo 'put the steps into a function that returns at the first failure: see CONTRIBUTING.md' >&2
  exit 1
}
check_growth runtime compiler tools pi ur ze plugins sycl || {
  echo 'reserve space with plugins/base/vector.h' >&2
  exit 1
}
check_forks runtime compiler tools pi ur ze plugins sycl || {
  echo 'start processes with plugins/base/child.h' >&2
  exit 1
}
check_searches runtime compiler tools pi ur ze plugins sycl || {
  echo 'search with plugins/base/find.h' >&2
  exit 1
}
