#!/bin/sh
# errors.sh HOME DIRECTORY SPECPI_CC: checks that unsupported code and options are refused with one message, which has
# the place and the reason.
set -eu
[ -f "$1/.installed" ] || {
  echo "skipped: $1 is not installed (make runtimes)"
  exit 77
}
home=$1
specpi_cc=$3
rm -rf "$2/errors"
mkdir -p "$2/errors"
cd "$2/errors"

# refuses PATTERN WORD...: checks that the command fails, that its stderr matches PATTERN, and that there is no output.
refuses() {
  pattern=$1
  shift
  if "$specpi_cc" "$@" -o program 2>stderr; then
    echo "not refused: $*" >&2
    exit 1
  fi
  grep -q -e "$pattern" stderr || {
    echo "expected: $pattern" >&2
    cat stderr >&2
    exit 1
  }
  [ ! -e program ]
}

cat >extern.cpp <<'END'
#include <sycl/sycl.hpp>
extern const sycl::specialization_id<int> far_away;
int main() {
  sycl::queue q;
  q.submit([&](sycl::handler &h) {
    h.single_task([=](sycl::kernel_handler k) {
      int *nowhere = nullptr;
      *nowhere = k.get_specialization_constant<far_away>();
    });
  });
}
END
cat >pointer.cpp <<'END'
#include <sycl/sycl.hpp>
static int variable;
struct with_pointer { int *to; int x; };
constexpr sycl::specialization_id<with_pointer> pointing(with_pointer{nullptr, 1});
int main() {
  int *p = nullptr;
  sycl::queue().submit([&](sycl::handler &h) {
    h.single_task([=](sycl::kernel_handler k) { p[0] = k.get_specialization_constant<pointing>().x; });
  });
}
END
cat >function.cpp <<'END'
#include <sycl/sycl.hpp>
int twice(int x) { return 2 * x; }
constexpr sycl::specialization_id<int (*)(int)> function(FUNCTION);
int main() {
  bool *p = nullptr;
  sycl::queue().submit([&](sycl::handler &h) {
    h.single_task([=](sycl::kernel_handler k) { *p = k.get_specialization_constant<function>() == nullptr; });
  });
}
END
cat >captured.cpp <<'END'
#include <sycl/sycl.hpp>
int main() {
  int *p = nullptr;
  const int n = 5;
  sycl::queue().single_task([=] { p[0] = [=](auto y) { return y + n; }(1); });
}
END
printf '#include <sycl/sycl.hpp>\nint main() { return nothing; }\n' >wrong.cpp
printf '#include <sycl/sycl.hpp>\nint main() { sycl::queue().single_task([=] { throw 1; }); }\n' >throws.cpp
printf '#include <sycl/sycl.hpp>\nint main() {}\n' >empty.cpp
mkdir none old old/lib
: >old/lib/libsycl-jit.so.21.1

refuses "^specpi-cc: extern.cpp: .*extern.cpp:8: function '.*': constant '_Z8far_away' is only declared in this unit" \
  --sycl-rt="$home" extern.cpp
refuses "^specpi-cc: pointer.cpp: .*pointer.cpp:8: .*constant '.*pointing' is of type 'with_pointer', which has a pointer" \
  --sycl-rt="$home" pointer.cpp
refuses "^specpi-cc: function.cpp: .*function.cpp:7: .*constant '.*function' is of type 'int (\*)(int)', which has a pointer" \
  --sycl-rt="$home" -DFUNCTION=nullptr function.cpp
refuses "the default of constant '.*function', of type 'int (\*)(int)', is not made of numbers alone" \
  --sycl-rt="$home" -DFUNCTION=twice function.cpp
refuses "^captured.cpp:5:.*required from here" --sycl-rt="$home" --host-compiler=g++ captured.cpp
grep -q "error: static assertion failed: a kernel captures a constant on devices that GCC does not capture" stderr
refuses "wrong.cpp:2:21: error: use of undeclared identifier 'nothing'" --sycl-rt="$home" wrong.cpp
refuses "SYCL kernel cannot use exceptions" --sycl-rt="$home" throws.cpp
refuses "^specpi-cc: gone.cpp: No such file or directory" --sycl-rt="$home" gone.cpp
refuses "^specpi-cc: --sycl-rt=none: there is no SYCL runtime with a compiler that is known here" \
  --sycl-rt=none empty.cpp
refuses "^specpi-cc: --sycl-rt=old: there is no SYCL runtime" --sycl-rt=old empty.cpp
refuses "^specpi-cc: --sycl=own and --sycl-rt=.*: one at a time" --sycl=own --sycl-rt="$home" empty.cpp
refuses "^specpi-cc: --sycl=dpcpp: there is own" --sycl=dpcpp empty.cpp

# says PATTERN VARIABLE=VALUE...: checks that with these variables specpi-cc reports the runtime that it uses, which it
# does before it looks for the source.
says() {
  pattern=$1
  shift
  env "$@" "$specpi_cc" -### gone.cpp 2>stderr || true
  grep -q "^specpi-cc: SYCL is that of $pattern$" stderr || {
    cat stderr >&2
    exit 1
  }
}
real=$(realpath "$home")
says "$real/lib" VIRTUAL_ENV="$home"
says "$real/lib" CONDA_PREFIX="$home" VIRTUAL_ENV="$PWD/old"
says "specpi's include/sycl" VIRTUAL_ENV="$PWD/old" CONDA_PREFIX=none
echo "each refusal is there"
