#!/bin/sh
# specpi run with the real libsycl: run_dpctl.sh SPECPI PYTHON RUNTIME_DIRECTORY
# libsycl loads our plugin and finds its device, a transfer returns the same bytes, and the directory of the
# installed libsycl does not change.
set -eu
tool=$1 python=$2 runtime=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work"
unset LD_LIBRARY_PATH LD_PRELOAD OCL_ICD_FILENAMES ONEAPI_DEVICE_SELECTOR 2>/dev/null || true

cat >"$work/program.py" <<'PYTHON'
import re
import sys
import dpctl
import dpctl.memory as memory

queue = dpctl.SyclQueue()
print("device", queue.sycl_device.name.strip(), queue.backend)
data = bytes(range(256)) * 16
shared = memory.MemoryUSMDevice(len(data), queue=queue)
shared.copy_from_host(data)
assert bytes(shared.copy_to_host()) == data
with open("/proc/self/maps") as maps:
    files = set(re.findall(r"/\S*(?:libsycl|libpi_)\S*", maps.read()))
print("files", sorted(files))
print("arguments", sys.argv[1:])
sys.exit(23)
PYTHON

# Lists names, sizes, owners, rights and times of the installed files.
installed() { ls -lA --time-style=full-iso "$runtime"; }
before=$(installed)

status=0
"$tool" run -- "$python" "$work/program.py" --sycl-rt x >"$work/out" 2>&1 || status=$?
cat "$work/out"
test $status = 23
grep -q "^arguments \['--sycl-rt', 'x'\]$" "$work/out"
grep -q "^device .* backend_type.opencl$" "$work/out"
# The process uses the copy of libsycl and our plugin, and none of Intel's plugins.
grep "^files" "$work/out" | grep -q "'$work/specpi/run/[0-9a-f]*/libsycl.so.7'"
grep "^files" "$work/out" | grep -q "'$(realpath "$(dirname "$tool")/../lib")/libpi_opencl.so'"
! grep "^files" "$work/out" | grep -q "$runtime/libpi_"

# A script finds its runtime through the interpreter that it names.
{ echo "#!$python"; cat "$work/program.py"; } >"$work/script"
chmod +x "$work/script"
status=0
"$tool" run "$work/script" >"$work/out" 2>&1 || status=$?
test $status = 23

test "$(installed)" = "$before"
