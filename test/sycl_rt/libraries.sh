#!/bin/sh
# libraries.sh HOME FOLDER SPECPI_CC COMPILER: units apart, in a static and in a shared library, by Make with the
# options that people give DPC++, with files of dependences; on the driver for tests.
set -eu
[ -f "$1/.installed" ] || {
  echo "skipped: $1 is not installed (make runtimes)"
  exit 77
}
home=$1
name=$(basename "$4")
rm -rf "$2/libraries-$name"
mkdir -p "$2/libraries-$name/beside it"
cd "$2/libraries-$name"
cat >"beside it/part.hpp" <<'END'
#include <sycl/sycl.hpp>
int part(sycl::queue &q);
template <class T> int common(sycl::queue &q, T value) {
  int *p = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *p = static_cast<int>(value) * FACTOR; }).wait();
  const int result = *p;
  sycl::free(p, q);
  return result;
}
END
cat >part.cpp <<'END'
#include "part.hpp"
int part(sycl::queue &q) { return common(q, 3) + common(q, 1.5F); }
END
cat >main.cpp <<'END'
#include "part.hpp"
#include <cstdio>
int count(); // of a unit without kernels
int main() {
  sycl::queue q;
  const int found = common(q, 3) + part(q);
  std::printf("%d\n", found);
  return found != 70 || count() < 0;
}
END
cat >count.cpp <<'END'
#include <sycl/sycl.hpp>
SYCL_EXTERNAL int for_kernels(int x) { return x + 1; }
int count() { return static_cast<int>(sycl::device::get_devices().size()); }
END
cat >Makefile <<'END'
CXXFLAGS = -O2 -g -Wall -Wextra -std=c++17 -fsycl -fsycl-targets=nvptx64-nvidia-cuda -fPIC \
  -Xsycl-target-backend=nvptx64-nvidia-cuda --cuda-gpu-arch=sm_90 -fsycl-unnamed-lambda -I'beside it' -DFACTOR=10
all: static shared whole
static: main.o count.o libpart.a
	$(CXX) $(CXXFLAGS) $^ -o $@
libpart.a: part.o
	ar rcs $@ $^
libpart.so: part.o
	$(CXX) -shared $^ -o $@
shared: main.o count.o libpart.so
	$(CXX) $^ -o $@ -Wl,-rpath,'$$ORIGIN'
whole: main.cpp part.cpp count.cpp
	$(CXX) $(CXXFLAGS) $^ -o $@
%.o: %.cpp
	$(CXX) $(CXXFLAGS) -MMD -c $< -o $@
-include main.d part.d
END
export VIRTUAL_ENV="$home"
make -s CXX="$3 --host-compiler=$4" CONDA_PREFIX=
for program in static shared whole; do
  LD_LIBRARY_PATH=$CUDA_DRIVER "$SPECPI" run --cuda --sycl-rt "$home/lib" -- "./$program"
done
grep -q 'beside\\ it/part.hpp' main.d
touch "beside it/part.hpp"
make -q CXX=false 2>/dev/null && exit 1
echo "the objects follow the header"
