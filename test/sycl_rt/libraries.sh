#!/bin/sh
# libraries.sh HOME DIRECTORY SPECPI_CC COMPILER CMAKE: builds units separately, in a static and in a shared library,
# and runs the program on the fake driver. The build is done by Make, with usual options for DPC++ and dependency files;
# by CMake with specpi-cc as the compiler; and by CMake with the functions of the file CMAKE.
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
echo "int letter(void) { return sizeof 'a'; }" >plain.c
echo "int letter(); int main() { return letter() != 1; }" >named.cu
cat >Makefile <<'END'
CXXFLAGS = -O2 -g -Wall -Wextra -std=c++17 -fsycl -fsycl-targets=nvptx64-nvidia-cuda -fPIC \
  -Xsycl-target-backend=nvptx64-nvidia-cuda --cuda-gpu-arch=sm_90 -fsycl-unnamed-lambda -I'beside it' -DFACTOR=10
all: static shared plain
plain: plain.c named.cu
	$(CXX) $(CXXFLAGS) plain.c -x c++ named.cu -o $@
static: main.o count.o libpart.a
	$(CXX) $(CXXFLAGS) $^ -o $@
libpart.a: part.o
	ar rcs $@ $^
libpart.so: part.o
	$(CXX) -shared $^ -lsycl -o $@
shared: main.o count.o libpart.so
	$(CXX) $^ -o $@ -Wl,-rpath,'$$ORIGIN'
%.o: %.cpp
	$(CXX) $(CXXFLAGS) -MMD -c $< -o $@
-include main.d part.d
END
export VIRTUAL_ENV="$home"
# Make exports CXX, in which specpi-cc finds itself if the host's compiler is the default.
compiler="$3 --host-compiler=$4"
[ "$name" != c++ ] || compiler=$3
make -s CXX="$compiler" CONDA_PREFIX= 2>stderr
grep -q '^specpi-cc: warning: plain.c: a file of C is compiled as C++' stderr
[ "$(wc -l <stderr)" = 1 ]
./plain
for program in static shared; do
  LD_LIBRARY_PATH=$CUDA_DRIVER "$SPECPI" run --cuda --sycl-rt "$home/lib" -- "./$program"
done
grep -q 'beside\\ it/part.hpp' main.d
touch "beside it/part.hpp"
make -q CXX=false 2>/dev/null && exit 1
echo "the objects follow the header"

# The runtime's compiler has no omp.h of its own.
cat >openmp.cpp <<'END'
#include <omp.h>
#include <sycl/sycl.hpp>
int main() {
  int threads = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0)
    threads = omp_get_num_threads();
  int *p = sycl::malloc_shared<int>(1, sycl::queue());
  sycl::queue().single_task([=] { *p = 5; }).wait();
  return threads != 2;
}
END
if "$4" -fopenmp -include omp.h -E -x c++ /dev/null >openmp.ii 2>/dev/null; then
  $compiler -fsycl -fopenmp openmp.cpp -o openmp
  LD_LIBRARY_PATH=$CUDA_DRIVER "$SPECPI" run --cuda --sycl-rt "$home/lib" -- ./openmp
  echo "OpenMP is on the host's side"
fi

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(libraries CXX)
set(CMAKE_CXX_STANDARD 20)
if(SPECPI_CC) # as the package has it
  add_executable(specpi::specpi-cc IMPORTED)
  set_target_properties(specpi::specpi-cc PROPERTIES IMPORTED_LOCATION "${SPECPI_CC}")
  include("${SPECPI_CMAKE}")
  add_library(part STATIC)
  specpi_target_sycl_sources(part SOURCES part.cpp OPTIONS -ffast-math)
  specpi_add_sycl_executable(main SOURCES main.cpp count.cpp)
else()
  add_library(part STATIC part.cpp)
  add_executable(main main.cpp count.cpp)
endif()
target_include_directories(part PUBLIC "beside it")
target_compile_definitions(part PUBLIC FACTOR=10)
target_compile_options(part PUBLIC -Wall -Wextra -Werror)
target_link_libraries(main PRIVATE part)
END
run_cmake() {
  directory=$1
  shift
  cmake -G Ninja -S . -B "$directory" -DCMAKE_BUILD_TYPE=Release "$@" >"$directory.txt"
  ninja -C "$directory" >>"$directory.txt" || {
    cat "$directory.txt"
    exit 1
  }
  LD_LIBRARY_PATH=$CUDA_DRIVER "$SPECPI" run --cuda --sycl-rt "$home/lib" -- "$directory/main"
  touch 'beside it/part.hpp'
  ninja -C "$directory" -n | grep 'part[.]cpp'
}
run_cmake functions -DCMAKE_CXX_COMPILER="$4" -DSPECPI_CC="$3" -DSPECPI_CMAKE="$5"
[ "$name" != c++ ] || run_cmake compiler -DCMAKE_CXX_COMPILER="$3"
