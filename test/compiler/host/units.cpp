// Linked units with the same names: internal variables have an id in each unit, external ones share
// one. Two units are the same file with other options; the third is a copy of the file.
// RUN: cat %s > %t.copy.cpp
// RUN: %host --footer %s -o %t.1.footer -- %include -DUNIT=1
// RUN: %host --footer %s -o %t.2.footer -- %include -DUNIT=2
// RUN: %host --footer %t.copy.cpp -o %t.3.footer -- %include -DUNIT=3
// RUN: cat %s %t.1.footer > %t.1.cpp
// RUN: cat %s %t.2.footer > %t.2.cpp
// RUN: cat %t.copy.cpp %t.3.footer > %t.3.cpp
// RUN: %gxx -O1 %include -DUNIT=1 -c %t.1.cpp -o %t.1.o
// RUN: %clangxx -O1 %include -DUNIT=2 -c %t.2.cpp -o %t.2.o
// RUN: %gxx -O1 %include -DUNIT=3 -c %t.3.cpp -o %t.3.o
// RUN: %gxx %t.1.o %t.2.o %t.3.o -o %t.exe
// RUN: %t.exe | FileCheck %s
//
// The same input gives the same output.
// RUN: %host --footer %s -o %t.again -- %include -DUNIT=1
// RUN: diff %t.1.footer %t.again
// RUN: %host --header %s -- %include -DUNIT=1 > %t.header
// RUN: cat %t.header %t.1.footer | FileCheck --check-prefix=SAME %s
//
// SAME: #define SPECPI_UNIT_ID "[[ID:uid[0-9a-f]+]]"
// SAME: return "[[ID]]____ZL8constant";
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstring>

constexpr sycl::specialization_id<int> constant(UNIT);
namespace {
const sycl::specialization_id<int> hidden(UNIT);
}
template <typename T> struct holder {
  static constexpr sycl::specialization_id<int> member{7};
};
inline constexpr sycl::specialization_id<int> shared(8);
extern const sycl::specialization_id<int> defined_once;
#if UNIT == 1
const sycl::specialization_id<int> defined_once(9);
#endif

struct ids {
  const char *all[6];
};
template <auto &Name> const char *id() {
  return sycl::detail::get_spec_constant_symbolic_ID<Name>();
}
#define JOIN(a, b) a##b
#define IDS(unit) JOIN(ids_of_, unit)
namespace {
struct own {};
} // namespace
ids IDS(UNIT)();
ids IDS(UNIT)() {
  return {{id<constant>(), id<hidden>(), id<holder<own>::member>(), id<holder<int>::member>(),
           id<shared>(), id<defined_once>()}};
}

#if UNIT == 1
ids ids_of_2();
ids ids_of_3();
int main() {
  const ids units[] = {ids_of_1(), ids_of_2(), ids_of_3()};
  for (int i = 0; i < 6; i++) {
    int equal = 0;
    for (int j = 0; j < 3; j++)
      equal += std::strcmp(units[j].all[i], units[(j + 1) % 3].all[i]) == 0;
    std::printf("%d equal: %s\n", equal, equal == 3 ? units[0].all[i] : "");
  }
  // CHECK: 0 equal
  // CHECK-NEXT: 0 equal
  // CHECK-NEXT: 0 equal
  // CHECK-NEXT: 3 equal: _ZN6holderIiE6memberE
  // CHECK-NEXT: 3 equal: shared
  // CHECK-NEXT: 3 equal: defined_once
}
#endif
