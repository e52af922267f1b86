#!/bin/sh
# run.sh ROOT WHEEL SDIST SCRATCH: installs, uses and uninstalls the result of make wheel in environments without any
# other specpi, and compares the files before and after. Unless SDIST is "-", it checks that the source distribution
# makes a wheel of the same bytes. ROOT's build has the fake CUDA driver, ROOT/.deps the runtimes of OpenCL and SYCL.
# TUNER_WHEELS names a directory with the wheels of its tuner-requirements.txt, over which the package's tests and
# Kernel Tuner run.
set -eu
root=$1 wheel=$2 sdist=$3 scratch=$4
here=$(cd "$(dirname "$0")" && pwd)
deps=${SPECPI_DEPS:-$root/.deps}
fake_cuda=$root/build/fakes/cuda

say() { printf '== %s\n' "$*"; }
fail() {
  echo "$*" >&2
  exit 1
}
# Runs with nothing of the caller's environment but this.
clean() { env -i HOME="$scratch" PATH="$bin:/usr/bin:/bin" CL_CONFIG_CPU_TARGET_ARCH=core-avx2 OCL_ICD_VENDORS="$scratch" "$@"; }
on_cpu() { clean OCL_ICD_FILENAMES="$deps/venv/lib/libintelocl.so" LD_LIBRARY_PATH="$deps/venv/lib" "$@"; }
on_cuda() { clean LD_LIBRARY_PATH="$fake_cuda" FAKE_CUDA_STRICT=1 ONEAPI_DEVICE_SELECTOR='cuda:*' "$@"; }
# Leaves out pip's own bytecode, which is not ours.
files_of() { (cd "$1" && find . -name __pycache__ -path '*/pip/*' -prune -o -print | LC_ALL=C sort); }

rm -rf "$scratch"
mkdir -p "$scratch/work"
cd "$scratch/work"

say 'A fresh environment'
home=$scratch/venv bin=$scratch/venv/bin
/usr/bin/python3 -m venv "$home"
clean python -m pip list >/dev/null 2>&1
files_of "$home" >"$scratch/before"
clean python -m pip install -q --disable-pip-version-check --no-index "$wheel"

say 'No path of the build is in it'
! grep -rlF -e "$root" "$home/lib/specpi" "$home/bin/specpi" "$home/bin/specpi-cc" "$home/lib/pkgconfig" || fail 'these files name the directory of the build'

say 'Its description has no links between files, and says who made it'
metadata=$(echo "$home"/lib/python3*/site-packages/specpi-*.dist-info/METADATA)
for field in Author Keywords; do
  grep -q "^$field: " "$metadata" || fail "$metadata has no $field"
done
! grep -o '](.*)' "$metadata" | grep -v '^](https:' || fail "$metadata has these links"

say 'The programs'
clean specpi --version
on_cpu specpi ls
on_cpu specpi doctor >"$scratch/doctor"
for name in opencl level_zero cuda; do
  grep -q "$home/lib/specpi/libpi_$name.so: .*PI version" "$scratch/doctor" || fail "doctor finds no plugin $name"
done

say 'Python, without NumPy: OpenCL, and CUDA, whose code comes from specpi-codegen'
on_cpu python "$here/use.py" opencl
on_cuda python "$here/use.py" cuda

say 'What is missing is said'
mkdir "$scratch/no_clang"
ln -s "$home/bin/specpi-cc" "$scratch/no_clang"
if env -i PATH="$scratch/no_clang" "$home/bin/specpi-cc" --emit=obj "$here/twice.cl" -o k.o 2>"$scratch/said"; then
  fail 'specpi-cc compiles without clang'
fi
grep -q 'clang-15' "$scratch/said" || fail "specpi-cc does not say that clang-15 is missing: $(cat "$scratch/said")"

clean python -m pip install -q --disable-pip-version-check --no-index --target "$scratch/target" "$wheel"
if clean PYTHONPATH="$scratch/target" /usr/bin/python3 -c 'import specpi; specpi.devices()' 2>"$scratch/said"; then
  fail 'pip install --target brings libspecpi now: docs/python.md says that it does not'
fi
grep -q 'leaves it out.*--prefix' "$scratch/said" || fail "pip install --target is not explained: $(cat "$scratch/said")"

if [ -x /usr/bin/clang-14 ]; then
  ln -s /usr/bin/clang-14 /usr/bin/llvm-spirv-15 "$scratch/no_clang"
  env -i PATH="$scratch/no_clang" "$home/bin/specpi-cc" --emit=spirv "$here/twice.cl" -o k.spv ||
    fail 'specpi-cc does not take clang 14 where 15 is missing'
fi

say 'A program in C, by pkg-config and by CMake'
PKG_CONFIG_PATH=$home/lib/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # words
cc -std=c11 "$root/test/install/outside/devices.c" $(pkg-config --cflags --libs specpi) -o devices
on_cpu ./devices
cmake -G Ninja -S "$root/test/install/outside" -B cmake -DCMAKE_PREFIX_PATH="$home" >/dev/null
cmake --build cmake
on_cpu cmake/kernels
on_cpu cmake/devices

say 'Uninstalled'
clean python -m pip uninstall -q -y specpi
files_of "$home" >"$scratch/after"
diff "$scratch/before" "$scratch/after" || fail 'pip uninstall leaves these files'

run_tests() { # ON DIRECTORY SELECTOR
  "$1" PYTHONDONTWRITEBYTECODE=1 ONEAPI_DEVICE_SELECTOR="$3" python -m pytest -q -p no:cacheprovider "$root/test/$2"
}
if [ -n "${TUNER_WHEELS:-}" ]; then
  say "The package's tests and Kernel Tuner, in $(/usr/bin/python3 --version)"
  home=$scratch/tuner bin=$scratch/tuner/bin
  /usr/bin/python3 -m venv "$home"
  clean python -m pip install -q --disable-pip-version-check --no-index --no-deps --find-links "$TUNER_WHEELS" \
    -r "$TUNER_WHEELS/tuner-requirements.txt"
  files_of "$home" >"$scratch/before"
  clean python -m pip install -q --disable-pip-version-check --no-index "$wheel"
  for directory in python tuner; do
    run_tests on_cpu "$directory" 'opencl:*'
    run_tests on_cuda "$directory" 'cuda:*'
  done
  clean python -m pip uninstall -q -y specpi
  files_of "$home" | grep -v __pycache__ >"$scratch/after"
  grep -v __pycache__ "$scratch/before" | diff - "$scratch/after" || fail 'pip uninstall leaves these files'
fi

for release in 2025.3 2026.2; do
  runtime=$deps/runtimes/$release
  [ -d "$runtime" ] || continue
  say "Beside the runtime of $release: an NVIDIA GPU with nothing set"
  cp -a "$runtime" "$scratch/$release"
  files_of "$scratch/$release" >"$scratch/before"
  bin=$scratch/$release/bin
  "$deps/venv/bin/python" -m pip --disable-pip-version-check --python "$bin/python" install -q --no-index --no-deps "$wheel"
  on_cuda env -u ONEAPI_DEVICE_SELECTOR "$bin/python" "$here/use_dpctl.py"
  if [ -e "$scratch/$release/lib/libsycl-jit.so" ]; then
    say "SYCL C++ by it, as docs/sycl.md has it"
    # shellcheck disable=SC2016 # a fence of Markdown
    sed -n '/^```cpp saxpy.cpp/,/^```$/{/^```/d;p}' "$root/docs/sycl.md" >saxpy.cpp
    in_runtime() { on_cuda env -u ONEAPI_DEVICE_SELECTOR VIRTUAL_ENV="$scratch/$release" SPECPI_CACHE_DIR= "$@"; }
    in_runtime specpi-cc saxpy.cpp -o saxpy
    in_runtime specpi run -- ./saxpy | grep ': 11 9991$'
    in_runtime ./saxpy | grep ': 11 9991$'
  fi
  "$deps/venv/bin/python" -m pip --disable-pip-version-check --python "$bin/python" uninstall -q -y specpi
  files_of "$scratch/$release" >"$scratch/after"
  diff "$scratch/before" "$scratch/after" || fail 'pip uninstall leaves these files'
done

if [ "$sdist" = - ]; then
  say 'All is well, without the source distribution'
  exit
fi
say 'The source distribution makes the same wheel'
mkdir "$scratch/source"
tar -xzf "$sdist" -C "$scratch/source" --strip-components=1
(cd "$scratch/source" && SPECPI_DEPS=$deps scripts/wheel.sh "$scratch/again" >"$scratch/log" 2>&1) ||
  { tail -50 "$scratch/log" >&2; exit 1; }
cmp "$wheel" "$scratch/again/$(basename "$wheel")"
cmp "$sdist" "$scratch/again/$(basename "$sdist")"
say 'All is well'
