// Header and footer do not change the debug information of the user's functions: each has the same
// table of lines as if the file had been compiled alone.
// RUN: %host --file --unit-id=U %s -o %t.file.cpp -- %sycl
// RUN: %python %S/Inputs/compare_lines.py %dwarfdump %s %gxx %sycl -- %t.file.cpp
// RUN: %python %S/Inputs/compare_lines.py %dwarfdump %s %clangxx %sycl -- %t.file.cpp
// RUN: %python %S/Inputs/compare_lines.py %dwarfdump %s %clangxx -O2 %sycl -- %t.file.cpp
//
// The same if the footer is included after the file, and the header comes first.
// RUN: %host --header --unit-id=U %s -o %t.header -- %sycl
// RUN: %host --footer --unit-id=U %s -o %t.footer -- %sycl
// RUN: echo '#include "%s"' > %t.three.cpp
// RUN: echo '#include "%t.footer"' >> %t.three.cpp
// RUN: cat %t.header %t.three.cpp > %t.all.cpp
// RUN: %python %S/Inputs/compare_lines.py %dwarfdump %s %gxx %sycl -- %t.all.cpp
//
// File names may have quotes and backslashes.
// RUN: echo "int x;" > '%t.a"b\c.cpp'
// RUN: %host --file --unit-id=U '%t.a"b\c.cpp' > %t.odd.cpp
// RUN: FileCheck --check-prefix=ODD --input-file=%t.odd.cpp %s
// ODD: #line 1 "{{.*}}.a\"b\\c.cpp.header"
// ODD: #line 1 "{{.*}}.a\"b\\c.cpp"
// RUN: %gxx -fsyntax-only %t.odd.cpp
#include <sycl/device_global.hpp>
#include <sycl/specialization_id.hpp>

inline constexpr sycl::specialization_id<int> radius(2);
namespace {
sycl::device_global<int> counter;
}
int next(int by);
int next(int by) {
  counter = counter + by;
  if (by > 2)
    counter = 0;
  return counter;
}

// clang-format off
static int
  several_lines(int a)
{
  int sum = 0;
  for (int i = 0;
       i < a;
       i++)
    sum += next(
        i);
  return sum;
}
// clang-format on

int main() {
  return several_lines(3) - 3;
}
