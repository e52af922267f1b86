#!/bin/sh
# The specpi program on the CUDA plugin and the fake CUDA driver: the list of devices, messages without devices,
# and launches of PTX with constants. Arguments: the program, specpi-cc, a source for specpi-cc, the directory of
# the driver, the code generator or "".
set -eu
specpi=$1
compiler=$2
source=$3
driver=$4
codegen=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# expect PATTERN TEXT: fails unless the pattern matches a line of the text.
expect() {
  printf '%s\n' "$2" | grep -q -e "$1" || { printf 'no line "%s" in:\n%s\n' "$1" "$2" >&2; exit 1; }
}

export LD_LIBRARY_PATH="$driver" ONEAPI_DEVICE_SELECTOR='cuda:*'

expect '^\[cuda:gpu\]\[cuda:0\] NVIDIA CUDA BACKEND, ' "$("$specpi" ls)"
expect '"backend": "cuda"' "$("$specpi" ls --json)"
[ "$(FAKE_CUDA_DEVICES=3 "$specpi" ls | wc -l)" -eq 3 ]
# The list marks the default device.
expect '^\[cuda:gpu\]\[cuda:0\] .* (default)$' "$(FAKE_CUDA_DEVICES=2 "$specpi" ls)"
expect '"default": true' "$("$specpi" ls --json)"
# A device that fails is left out; the others are listed.
expect '^specpi: note: a device of CUDA is left out: cuDeviceGetAttribute failed: ' \
  "$(SPECPI_TRACE=errors FAKE_CUDA_DEVICES=2 FAKE_CUDA_FAIL=cuDeviceGetAttribute:20:999 "$specpi" ls 2>&1)"
[ "$(FAKE_CUDA_DEVICES=2 FAKE_CUDA_FAIL=cuDeviceGetAttribute:20:999 "$specpi" ls 2>/dev/null | wc -l)" -eq 1 ]
report=$("$specpi" doctor)
expect "CUDA driver: $driver/libcuda.so.1\$" "$report"
expect '^1 device works\.$' "$report"
report=$(FAKE_CUDA_DEVICES=2 ONEAPI_DEVICE_SELECTOR=cuda:1 "$specpi" doctor)
expect 'device 0 .*: works; ONEAPI_DEVICE_SELECTOR leaves it out$' "$report"
expect 'device 1 .*: works$' "$report"

# fails REASON ADVICE VARIABLE...: with these variables specpi doctor finds no device and prints the reason and advice.
fails() {
  reason=$1
  advice=$2
  shift 2
  status=0
  report=$(env "$@" "$specpi" doctor) || status=$?
  [ "$status" -eq 1 ] || { echo "exit status $status" >&2; exit 1; }
  expect "libpi_cuda.so: idle, .*$reason" "$report"
  expect "What to do: $advice" "$report"
}
fails 'libcuda.so.1 could not be loaded' 'Install the NVIDIA driver' LD_LIBRARY_PATH=
fails 'cuInit failed with CUDA_ERROR_NO_DEVICE' 'See that nvidia-smi lists a GPU' FAKE_CUDA_DEVICES=0
fails 'libcuda.so.1 is of CUDA 11.0' 'Install a later NVIDIA driver' FAKE_CUDA_VERSION=11000

for mode in patch emulate; do
  "$compiler" --emit=so --target=nvptx64 --spec-const=$mode "$source" -o $mode.so
  launch="$specpi launch $mode.so scale --global 8 --arg f32[8]=iota --arg f32=0.5"
  expect '^    0.5 2.5 4.5 6.5 8.5 10.5 12.5 14.5$' "$($launch)"
  expect '^    0.5 -2.5 -5.5 -8.5 -11.5 -14.5 -17.5 -20.5$' "$($launch --set times=i32:-3)"
  # The first round builds the program, the second one reads it from the cache directory.
  mkdir -m 700 cache
  for round in 1 2; do
    expect '^    0.5 5.5 10.5 15.5 20.5 25.5 30.5 35.5$' \
      "$(SPECPI_CACHE_DIR="$work/cache" $launch --set times=i32:5)"
  done
  [ "$(find cache -name '*.specpi' | wc -l)" -eq 1 ]
  rm -r cache
done

# A launch with local memory, and one that CUDA refuses.
expect '^    6 22 38 54$' "$("$specpi" launch patch.so group_sum --global 16 --local 4 \
  --arg 'i32[16]=iota' --arg 'i32[4]=zero' --arg local:16)"
status=0
errors=$("$specpi" launch patch.so scale --global 8 --local 5 --arg f32[8]=iota --arg f32=1 2>&1) ||
  status=$?
[ "$status" -eq 1 ]
expect 'the local size 5 does not divide the global size 8' "$errors"

# A library with SPIR-V and PTX. SPIR-V is used if a code generator exists. SPECPI_CODEGEN=none selects PTX. With a
# generator that fails, a launch from SPIR-V fails visibly.
cat >codegen.sh <<'EOF'
#!/bin/sh
exit 3
EOF
chmod 700 codegen.sh
"$compiler" --emit=so "$source" -o spirv.so
"$compiler" --emit=so --target=spir64,nvptx64 "$source" -o both.so
run='scale --global 8 --arg f32[8]=iota --arg f32=0.5 --set times=i32:3'
expect 'code PTX ' "$("$specpi" inspect both.so)"
expect '^image 0: spir64, SPIR-V, ' "$("$specpi" inspect both.so)"
expect '^    0.5 3.5 6.5 9.5 12.5 15.5 18.5 21.5$' "$(SPECPI_CODEGEN=none "$specpi" launch both.so $run)"
# refused LIBRARY MESSAGE VARIABLE: with this variable the launch fails, with the message in one line.
refused() {
  status=0
  errors=$(env "$3" "$specpi" launch "$1" $run 2>&1) || status=$?
  [ "$status" -eq 1 ]
  expect "^specpi: .*$2" "$errors"
  [ "$(printf '%s\n' "$errors" | wc -l)" -eq 1 ] || { echo "$errors" >&2; exit 1; }
}
advice='install specpi-codegen, or compile with specpi-cc --target=spir64,nvptx64$'
refused spirv.so "SPIR-V takes a code generator, and SPECPI_CODEGEN is none: $advice" SPECPI_CODEGEN=none
refused spirv.so "and SPECPI_CODEGEN is /nowhere: No such file or directory: $advice" SPECPI_CODEGEN=/nowhere
refused both.so 'the code generator' "SPECPI_CODEGEN=$work/codegen.sh"

# Findings of specpi doctor about the code generator, and the kinds of constants in specpi ls.
doctor() {
  env "$@" "$specpi" doctor
}
report=$(doctor SPECPI_CODEGEN=none)
expect '^    Code generator: none, SPECPI_CODEGEN is none$' "$report"
expect '^1 device works\.$' "$report"
report=$(doctor SPECPI_CODEGEN=/nowhere)
expect '^    Code generator: none, SPECPI_CODEGEN is /nowhere: No such file or directory$' "$report"
expect 'What to do: Install specpi-codegen' "$report"
report=$(doctor "SPECPI_CODEGEN=$work/codegen.sh")
expect 'Code generator: .*/codegen.sh does not work: its exit status is 3$' "$report"
expect 'What to do: Install specpi-codegen again' "$report"
expect '"native_constants": "PTX"' "$(SPECPI_CODEGEN=none "$specpi" ls --json)"
expect 'Constants  : native in PTX$' "$(SPECPI_CODEGEN=none "$specpi" ls --verbose)"
if [ -n "$codegen" ]; then
  report=$(doctor "SPECPI_CODEGEN=$codegen")
  expect "^    Code generator: $codegen\$" "$report"
  expect '^      LLVM: 15\.' "$report"
  expect '^      libdevice: ' "$report"
  # The plugin chooses the libdevice, and reports it to the program.
  touch "$work/own.bc"
  expect "^      libdevice: $work/own.bc\$" "$(doctor "SPECPI_CODEGEN=$codegen" "SPECPI_LIBDEVICE=$work/own.bc")"
  expect '^      libdevice: none, as SPECPI_LIBDEVICE says' "$(doctor "SPECPI_CODEGEN=$codegen" SPECPI_LIBDEVICE=)"
  report=$(doctor "SPECPI_CODEGEN=$codegen" SPECPI_LIBDEVICE=/nowhere.bc)
  expect '^      libdevice: /nowhere.bc cannot be read: No such file or directory$' "$report"
  expect 'What to do: Write the path of a libdevice.10.bc into SPECPI_LIBDEVICE' "$report"
  expect '^      SPECPI_LIBDEVICE=own.bc is passed over: it is no absolute path$' \
    "$(doctor "SPECPI_CODEGEN=$codegen" SPECPI_LIBDEVICE=own.bc)"
  expect '"native_constants": "SPIR-V"' "$(SPECPI_CODEGEN=$codegen "$specpi" ls --json)"
  for library in spirv both; do
    expect '^    0.5 3.5 6.5 9.5 12.5 15.5 18.5 21.5$' "$(SPECPI_CODEGEN=$codegen "$specpi" launch $library.so $run)"
  done
  # Without variables the default directory keeps builds for the next process: libspecpi's program, PTX, cubin.
  # If the directory is unusable, only one of libspecpi and the plugin prints a message.
  mkdir -p -m 755 "$work/xdg/specpi"
  usual() {
    env -u SPECPI_CACHE_DIR "XDG_CACHE_HOME=$work/xdg" "SPECPI_CODEGEN=$codegen" "$specpi" "$@"
  }
  errors=$(usual launch spirv.so $run 2>&1 >/dev/null)
  expect "cache: the directory .*type chmod 700 '$work/xdg/specpi'" "$errors"
  [ "$(printf '%s\n' "$errors" | wc -l)" -eq 1 ] || { echo "$errors" >&2; exit 1; }
  if report=$(usual cache); then exit 1; fi
  expect "^Built programs are not kept: .*type chmod 700 '$work/xdg/specpi'" "$report"
  expect '^Built programs are not kept: .*type chmod 700' "$(usual doctor)"
  chmod 700 "$work/xdg/specpi"
  for round in 1 2; do
    expect '^    0.5 3.5 6.5 9.5 12.5 15.5 18.5 21.5$' "$(usual launch spirv.so $run 2>&1)"
  done
  expect "^Built programs are kept in $work/xdg/specpi\$" "$(usual cache)"
  expect '^  [3-9] files, 0.0 MiB of at most 1024 MiB; read [1-9] times and written [3-9] times' "$(usual cache)"
  expect "^Built programs are kept in $work/xdg/specpi\$" "$(usual doctor)"
  expect "^Removed [3-9] files, 0.0 MiB, from $work/xdg/specpi\$" "$(usual cache clear)"
  expect '^  0 files, 0.0 MiB of at most 1024 MiB; read 0 times and written 0 times' "$(usual cache)"
  expect '^Built programs are not kept: SPECPI_CACHE_DIR is set and empty' "$(SPECPI_CACHE_DIR='' "$specpi" cache)"
  expect 'but clear; ' "$(usual cache clean 2>&1 || true)"
  # Without SPECPI_CODEGEN the same code generator is found.
  expect "^    Code generator: $codegen\$" "$(doctor)"
  # A plugin that reports the backend cuda takes no SPIR-V.
  SPECPI_CUDA_BACKEND=cuda "$specpi" launch both.so $run >/dev/null
  refused spirv.so 'SPIR-V is for a platform of another backend than cuda' SPECPI_CUDA_BACKEND=cuda
fi

# PTX has no types of constants; if the library has SPIR-V too, the types come from there.
launch='scale --global 8 --arg f32[8]=iota --arg f32=0.5 --set'
expect '^    0.5 3.5 6.5 9.5 12.5 15.5 18.5 21.5$' "$("$specpi" launch both.so $launch times=3)"
expect '^    0.5 3.5 6.5 9.5 12.5 15.5 18.5 21.5$' "$("$specpi" launch patch.so $launch times=i32:3)"
for case in 'both.so times=f32:3 constant "times" is i32, f32 given' \
  'patch.so times=3 the image does not tell the type of constant "times": give one, times=TYPE:3'; do
  set -- $case
  status=0
  errors=$("$specpi" launch "$1" $launch "$2" 2>&1) || status=$?
  [ "$status" -eq 1 ]
  shift 2
  expect "^specpi: $*\$" "$errors"
done
