#!/bin/sh
# command_line.sh PI-CONFORMANCE PLUGIN: checks the version, wrong options, counts, and --debug.
set -eu
program=$1 plugin=$2

# refused STATUS TEXT ARGUMENT...: checks that pi-conformance ends with this status and prints this text.
refused() {
  wanted=$1 text=$2 status=0
  shift 2
  output=$("$program" "$@" 2>&1) || status=$?
  printf '%s\n' "$output"
  test $status = "$wanted"
  printf '%s\n' "$output" | grep -qF -e "$text"
}
"$program" --version | grep -q '^pi-conformance [0-9.]*, PI 15\.47$'
test "$("$program" -V)" = "$("$program" --version)"
refused 2 'did you mean --filter? pi-conformance --help lists the options' --fliter x
refused 2 '--plugin=FILE is missing'
refused 2 '"more" is no option' --plugin "$plugin" more
refused 2 '--debug takes one test, and --filter leaves ' --plugin "$plugin" --filter 'queue.*' --debug

test_name=queue.query_refuses_unknown
refused 0 "[1/1] passed     $test_name" --plugin "$plugin" --filter $test_name
refused 0 '1 test in ' --plugin "$plugin" --filter $test_name
# With --debug the output has cmocka's own lines, which a run without --debug leaves out.
refused 0 "[       OK ] $test_name" --plugin "$plugin" --filter $test_name --debug

# If the program is killed, the processes of its tests end, too. The shell waits for $output until all of
# them have closed descriptor 9.
output=$(
  "$program" --plugin "$plugin" --jobs 2 --share 50 9>&1 &
  sleep 1
  kill -KILL $!
) 2>/dev/null
printf '%s\n' "$output" | grep -qF passed

# On a terminal the outcomes are coloured, unless NO_COLOR is set.
export PROGRAM="$program" PLUGIN="$plugin" TEST_NAME="$test_name" TERM=xterm
at_terminal() {
  # shellcheck disable=SC2016 # the shell of script expands it
  script -qec '"$PROGRAM" --plugin "$PLUGIN" --filter "$TEST_NAME"' /dev/null
}
escape=$(printf '\033')
at_terminal | grep -qF "[1/1] ${escape}[32mpassed    ${escape}[0m $test_name"
NO_COLOR=1 at_terminal | grep -qF "[1/1] passed     $test_name"
