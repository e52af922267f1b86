#!/bin/sh
# The specpi program on the Level Zero plugin and the fake Level Zero driver: the list of devices, messages without
# devices, and launches of SPIR-V with constants. Arguments: the program, specpi-cc, a source for specpi-cc, the
# driver, the directory of the OpenCL runtime that the fake driver uses to execute kernels.
set -eu
specpi=$1
compiler=$2
source=$3
driver=$4
runtime=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# expect PATTERN TEXT: fails unless the pattern matches a line of the text.
expect() {
  printf '%s\n' "$2" | grep -q -e "$1" || { printf 'no line "%s" in:\n%s\n' "$1" "$2" >&2; exit 1; }
}

export ZE_ENABLE_ALT_DRIVERS="$driver" ONEAPI_DEVICE_SELECTOR='level_zero:*'
# The directory where the plugin stores answers about drivers.
export XDG_CACHE_HOME="$work/remembered"

echo '== ls'
expect '^\[level_zero:gpu\]\[level_zero:0\] ' "$("$specpi" ls)"
expect '"backend": "level_zero"' "$("$specpi" ls --json)"
[ "$(FAKE_ZE_DEVICES=3 "$specpi" ls | wc -l)" -eq 3 ]
[ "$(FAKE_ZE_DRIVERS=2 "$specpi" ls | wc -l)" -eq 2 ]
expect '^\[level_zero:cpu\]' "$(FAKE_ZE_TYPE=cpu "$specpi" ls)"
expect '^\[level_zero:gpu\]\[level_zero:0.1\] ' "$(ONEAPI_DEVICE_SELECTOR=level_zero:0.1 "$specpi" ls)"
[ "$(ONEAPI_DEVICE_SELECTOR='level_zero:*.*' FAKE_ZE_DEVICES=2 FAKE_ZE_PARTS=3 "$specpi" ls |
  wc -l)" -eq 6 ]

echo '== doctor'
report=$("$specpi" doctor)
expect '^1 device works\.$' "$report"
expect 'Level Zero loader: /.*/libze_loader.so.1' "$report"
expect "Level Zero driver: $driver" "$report"

# fails REASON ADVICE VARIABLE...: with these variables specpi doctor finds no device and prints the reason and advice.
fails() {
  reason=$1
  advice=$2
  shift 2
  status=0
  report=$(env "$@" "$specpi" doctor) || status=$?
  [ "$status" -eq 1 ] || { echo "exit status $status" >&2; exit 1; }
  expect "libpi_level_zero.so: idle, .*$reason" "$report"
  expect "What to do: .*$advice" "$report"
}
mkdir empty
echo 'no library' >empty/libze_loader.so.1
fails 'libze_loader.so.1 could not be loaded' 'Install the Level Zero loader' LD_LIBRARY_PATH="$work/empty"
fails 'no driver with a device was found' 'Install the Level Zero driver' FAKE_ZE_DRIVERS=0
fails 'no driver that libze_loader.so.1 finds has a device' 'Install the Level Zero driver' FAKE_ZE_DEVICES=0
# A driver that crashes. The second time the plugin uses the stored answer.
for round in first second; do
  echo "-- $round time"
  fails 'is not used: it ends a process with signal 11 (Segmentation fault) in zeDriverGet' \
    'Nothing where the machine has no GPU' FAKE_ZE_CRASH=zeDriverGet
done
# The installed driver, if any: specpi doctor does not crash, and prints a device or a reason.
status=0
report=$(env -u ZE_ENABLE_ALT_DRIVERS "$specpi" doctor) || status=$?
[ "$status" -le 1 ]
expect 'libpi_level_zero.so: \(idle, .*: .\|ready\)' "$report"

echo '== launch'
export LD_LIBRARY_PATH="$runtime" OCL_ICD_FILENAMES="$runtime/libintelocl.so"
for mode in native emulate; do
  "$compiler" --emit=so --target=spir64 --spec-const=$mode "$source" -o $mode.so
  launch="$specpi launch $mode.so scale --global 8 --arg f32[8]=iota --arg f32=0.5"
  for lists in immediate batch; do
    export SPECPI_LEVEL_ZERO_COMMAND_LISTS=$lists
    expect '^    0.5 2.5 4.5 6.5 8.5 10.5 12.5 14.5$' "$($launch)"
    expect '^    0.5 -2.5 -5.5 -8.5 -11.5 -14.5 -17.5 -20.5$' "$($launch --set times=i32:-3)"
  done
  # The first round builds the program, the second one reads it from the cache directory.
  mkdir -m 700 cache
  for source_of_code in driver directory; do
    echo "-- $mode, from the $source_of_code"
    expect '^    0.5 5.5 10.5 15.5 20.5 25.5 30.5 35.5$' \
      "$(SPECPI_CACHE_DIR="$work/cache" $launch --set times=i32:5)"
  done
  [ "$(find cache -name '*.specpi' | wc -l)" -eq 1 ]
  # Another value makes another file, unless the code reads the value from a buffer.
  SPECPI_CACHE_DIR="$work/cache" $launch --set times=i32:6 >/dev/null
  files=$(find cache -name '*.specpi' | wc -l)
  if [ $mode = native ]; then [ "$files" -eq 2 ]; else [ "$files" -eq 1 ]; fi
  rm -r cache
done
expect 'constant times: i32, 4 bytes' "$("$specpi" inspect native.so)"

# A launch with local memory, one on a part of a device, and one that is refused.
group_sum="$specpi launch native.so group_sum --global 16 --local 4 --arg i32[16]=iota --arg i32[4]=zero --arg local:16"
expect '^    6 22 38 54$' "$($group_sum)"
expect '^    6 22 38 54$' "$(ONEAPI_DEVICE_SELECTOR=level_zero:0.1 $group_sum)"
status=0
errors=$("$specpi" launch native.so scale --global 8 --local 5 --arg f32[8]=iota --arg f32=1 2>&1) ||
  status=$?
[ "$status" -eq 1 ]
expect 'the local size 5 does not divide the global size 8' "$errors"
# A value of the wrong type is refused before the driver gets it.
status=0
errors=$("$specpi" launch native.so scale --global 8 --set times=f64:5 --arg f32[8]=iota --arg f32=1 2>&1) ||
  status=$?
[ "$status" -eq 1 ]
