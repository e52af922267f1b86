// Registration: before main, and in every constructor of its unit, a variable of any namespace or
// class is found by its address, with GCC and clang. The first variables are those of the proposal
// "Mapping host variables to compiler-generated info".
// REQUIRES: run
// RUN: %host --header --unit-id=U %s -o %t.header -- %sycl
// RUN: %host --footer --unit-id=U %s -o %t.footer -- %sycl
// RUN: cat %s %t.footer > %t.all.cpp
// RUN: %gxx %sycl -include %t.header %t.all.cpp -o %t.g %link && %t.g | FileCheck %s
// RUN: %clangxx %sycl -include %t.header %t.all.cpp -o %t.c %link && %t.c | FileCheck %s
//
// Without the header the footer defines the registering object, whose constructor runs after those
// of the first priority alone. The footer causes no warnings.
// RUN: %gxx %sycl -DFIRST=102 -O2 -Wold-style-cast -Wcast-qual -Wunused %t.all.cpp -o %t.o %link
// RUN: %t.o | FileCheck %s
//
// The result is the same with --file, and with the footer in a file of its own.
// RUN: %host --file --unit-id=U %s -o %t.file.cpp -- %sycl
// RUN: echo '#include "%s"' > %t.three.cpp
// RUN: echo '#include "%t.footer"' >> %t.three.cpp
// RUN: %clangxx %sycl -O1 %t.file.cpp -o %t.f %link && %t.f | FileCheck %s
// RUN: %clangxx %sycl -include %t.header %t.three.cpp -o %t.3 %link && %t.3 | FileCheck %s
//
// If the pass registers a unit's variables, neither header nor footer defines an object.
// RUN: %gxx %sycl -D__INTEL_SYCL_HOST_COMPILER__ -include %t.header %t.all.cpp -o %t.n %link
// RUN: %t.n | FileCheck --check-prefix=NONE %s
// NONE-NOT: {{^}}device_global
// NONE: {{^}}44 reports
#include <sycl/device_global.hpp>
#include <sycl/spec_id.hpp>
#include <sycl/specialization_id.hpp>

#include <cstdio>
#include <cstring>

#ifndef FIRST
#define FIRST 101
#endif

// Looks up a variable's id during static construction; id is NULL if that is too early.
struct early {
  early(const char *name, const void *address)
      : text(name), place(address), id(specpiIdentifiableGetId(address, nullptr)) {}
  const char *text;
  const void *place;
  const char *id;
};
namespace {
const early *all[64];
int count;
struct report : early {
  report(const char *name, const void *address) : early(name, address) {
    all[count++] = this;
  }
};
#define REPORT(line, address)                                                                      \
  report line##_first __attribute__((init_priority(FIRST))) ("first " #line, address);             \
  report line##_second("second " #line, address);

static sycl::device_global<int> static_in_unnamed;
} // namespace

static sycl::device_global<int> Foo;
namespace inner {
sycl::device_global<double[2]> Bar;
} // namespace inner
REPORT(foo, &::Foo)
REPORT(bar, &::inner::Bar)

sycl::device_global<int> FuBar;
REPORT(fubar, &::FuBar)
namespace {
sycl::device_global<int> FuBar;
REPORT(hidden_fubar, &FuBar)
} // namespace

sycl::specialization_id<int> spec_const(38);
REPORT(spec_const, &spec_const)
const sycl::spec_id<int> constant(1);
REPORT(constant, &constant)
sycl::spec_id<float> variable(1.0f);
REPORT(variable, &variable)
inline constexpr sycl::specialization_id<float> everywhere(2.0f);
REPORT(everywhere, &everywhere)
extern const sycl::specialization_id<int> declared_first;
constexpr sycl::specialization_id<int> declared_first(3);
REPORT(declared_first, &declared_first)
// No unit defines this variable, so registration must not refer to it.
extern sycl::spec_id<int> nowhere;

namespace {
namespace outer {
namespace {
sycl::spec_id<int> deep(4);
REPORT(deep, &deep)
} // namespace
inline namespace version {
sycl::spec_id<int> in_version(5);
}
} // namespace outer
} // namespace
REPORT(in_version, &outer::in_version)
namespace twice {
sycl::spec_id<int> same(6);
REPORT(same, &same)
inline namespace version {
sycl::spec_id<int> same(7);
REPORT(same_in_version, &same)
} // namespace version
} // namespace twice

template <typename T> struct row {
  static constexpr sycl::specialization_id<T> fixed{8};
  static sycl::device_global<T> global;
  template <int N> struct part {
    static inline sycl::spec_id<T> id{N};
  };
};
template <typename T> sycl::device_global<T> row<T>::global;
REPORT(fixed, &row<int>::fixed)
REPORT(global, &row<short>::global)
REPORT(part, &row<long>::part<9>::id)
template <typename T, int N> sycl::spec_id<T> made(N);
REPORT(made, (&made<long, 10>))

class closed {
  static sycl::device_global<int> hidden;

public:
  static const void *address() {
    return &hidden;
  }
};
sycl::device_global<int> closed::hidden;
REPORT(hidden, closed::address())
REPORT(static_in_unnamed, &static_in_unnamed)

// Any marked class has ids, even if it overloads the operator &.
template <typename T> class __SYCL_UNIQUELY_IDENTIFIABLE("probe") probe {
public:
  void operator&() const {}
  T value = 0;
};
struct __SYCL_UNIQUELY_IDENTIFIABLE("gauge") gauge {};
template <> class probe<char> {};
probe<int> marked;
probe<char> marked_too;
volatile gauge plain;
REPORT(marked, __builtin_addressof(marked))
REPORT(marked_too, &marked_too)
REPORT(plain, const_cast<gauge *>(&plain))

int main() {
  for (int i = 0; i < count; i++) {
    const char *id = specpiIdentifiableGetId(all[i]->place, nullptr);
    if (id == nullptr || all[i]->id == nullptr || std::strcmp(id, all[i]->id) != 0)
      std::printf("%s: %s then, %s now\n", all[i]->text, all[i]->id ? all[i]->id : "nothing",
                  id ? id : "nothing");
  }
  specpi_identifiable list[64];
  const std::size_t total = specpiIdentifiablesGet(nullptr, 64, list);
  for (std::size_t i = 0; i < total; i++)
    std::printf("%s %s %zu%s\n", list[i].kind, list[i].id, list[i].registrations,
                list[i].contradicted ? " contradicted" : "");
  std::printf("%d reports\n", count);
}

// CHECK-NOT: then
// CHECK: {{^}}device_global U____ZN12_GLOBAL__N_117static_in_unnamedE 1{{$}}
// CHECK-NEXT: {{^}}device_global U____ZL3Foo 1{{$}}
// CHECK-NEXT: {{^}}device_global _ZN5inner3BarE 1{{$}}
// CHECK-NEXT: {{^}}device_global FuBar 1{{$}}
// CHECK-NEXT: {{^}}device_global U____ZN12_GLOBAL__N_15FuBarE 1{{$}}
// CHECK-NEXT: {{^}}specialization_id spec_const 1{{$}}
// CHECK-NEXT: {{^}}specialization_id U____ZL8constant 1{{$}}
// CHECK-NEXT: {{^}}specialization_id variable 1{{$}}
// CHECK-NEXT: {{^}}specialization_id everywhere 1{{$}}
// CHECK-NEXT: {{^}}specialization_id declared_first 1{{$}}
// CHECK-NEXT: {{^}}specialization_id U____ZN12_GLOBAL__N_15outer12_GLOBAL__N_14deepE 1{{$}}
// CHECK-NEXT: {{^}}specialization_id U____ZN12_GLOBAL__N_15outer7version10in_versionE 1{{$}}
// CHECK-NEXT: {{^}}specialization_id _ZN5twice4sameE 1{{$}}
// CHECK-NEXT: {{^}}specialization_id _ZN5twice7version4sameE 1{{$}}
// CHECK-NEXT: {{^}}specialization_id _ZN3rowIiE5fixedE 1{{$}}
// CHECK-NEXT: {{^}}device_global _ZN3rowIsE6globalE 1{{$}}
// CHECK-NEXT: {{^}}specialization_id _ZN3rowIlE4partILi9EE2idE 1{{$}}
// CHECK-NEXT: {{^}}specialization_id _Z4madeIlLi10EE 1{{$}}
// CHECK-NEXT: {{^}}device_global _ZN6closed6hiddenE 1{{$}}
// CHECK-NEXT: {{^}}probe marked 1{{$}}
// CHECK-NEXT: {{^}}probe marked_too 1{{$}}
// CHECK-NEXT: {{^}}gauge plain 1{{$}}
// CHECK-NEXT: {{^}}44 reports{{$}}
