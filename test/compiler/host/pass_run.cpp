// The pass on clang's output for a C++ file: each variable is registered before main and before
// every constructor of the unit, and the tables of lines do not change.
// REQUIRES: run
// RUN: %clangxx %sycl -g -S -emit-llvm %s -o %t.ll
// RUN: %specpi-cc --host-pass=%t.ll -o %t.registered.ll
// RUN: %clangxx -c %t.registered.ll -o %t.registered.o
// RUN: %clangxx %t.registered.o -o %t.exe %link && %t.exe | FileCheck %s
// Optimised after the pass, and from bitcode.
// RUN: %clangxx %sycl -g -O2 -Xclang -disable-llvm-passes -c -emit-llvm %s -o %t.2.bc
// RUN: %specpi-cc --host-pass=%t.2.bc -o %t.2.registered.bc
// RUN: %clangxx -O2 -c %t.2.registered.bc -o %t.2.registered.o
// RUN: %clangxx %t.2.registered.o -o %t.2.exe %link && %t.2.exe | FileCheck %s
//
// The tables of lines of the objects are the same with the pass and without.
// RUN: %clangxx -c %t.ll -o %t.o
// RUN: %clangxx -O2 -c %t.2.bc -o %t.2.o
// RUN: %dwarfdump --debug-line - < %t.o > %t.lines
// RUN: %dwarfdump --debug-line - < %t.registered.o > %t.registered.lines
// RUN: diff %t.lines %t.registered.lines
// RUN: %dwarfdump --debug-line - < %t.2.o > %t.2.lines
// RUN: %dwarfdump --debug-line - < %t.2.registered.o > %t.2.registered.lines
// RUN: diff %t.2.lines %t.2.registered.lines
// RUN: FileCheck --check-prefix=LINES --input-file=%t.registered.lines %s
// LINES: name: "{{.*}}pass_run.cpp"
// LINES: is_stmt
//
// Without the pass the use of a constant reports that its id is missing.
// RUN: %clangxx %t.o -o %t.no.exe %link
// RUN: %t.no.exe | FileCheck --check-prefix=WITHOUT %s
// WITHOUT: nothing, nothing, nothing, nothing, nothing, nothing
// WITHOUT: a specialization constant has no symbolic id
#define __INTEL_SYCL_HOST_COMPILER__
#include <sycl/device_global.hpp>
#include <sycl/specialization_id.hpp>

#include <cstdio>
#include <stdexcept>

#define ID(id, kind)                                                                               \
  __attribute__((annotate("sycl-unique-id=" id), annotate("sycl-uid-kind=" kind)))

ID("spec_const", "specialization_id") sycl::specialization_id<int> spec_const(38);
ID("FuBar", "device_global") sycl::device_global<int> FuBar;
namespace {
ID("U____ZN12_GLOBAL__N_15FuBarE", "device_global") sycl::device_global<int> FuBar;
}
inline ID("everywhere", "device_global") sycl::device_global<int> everywhere;
template <typename T> struct box {
  static ID("box", "device_global") sycl::device_global<T> member;
};
template <typename T> sycl::device_global<T> box<T>::member;
sycl::device_global<int> without;

struct early {
  explicit early(const void *address) : id(specpiIdentifiableGetId(address, nullptr)) {}
  const char *text() const {
    return id != nullptr ? id : "nothing";
  }
  const char *id;
};
early usual(&::FuBar);
__attribute__((init_priority(101))) early first(&spec_const);
__attribute__((init_priority(101))) early second(&everywhere);
const char *third = "nothing";
__attribute__((constructor(0))) void run_third() {
  third = early(&box<int>::member).text();
}
namespace {
const void *place() {
  return &FuBar;
}
} // namespace
early last(place());

int main() {
  std::printf("%s, %s, %s, %s, %s, %s\n", usual.text(), first.text(), second.text(), third,
              last.text(), early(&without).text());
  try {
    std::puts(sycl::detail::get_spec_constant_symbolic_ID<spec_const>());
  } catch (const std::logic_error &e) {
    std::puts(e.what());
  }
  specpi_identifiable list[16];
  const std::size_t total = specpiIdentifiablesGet(nullptr, 16, list);
  for (std::size_t i = 0; i < total; i++)
    std::printf("%s %s\n", list[i].kind, list[i].id);
}
// CHECK: {{^}}FuBar, spec_const, everywhere, box, U____ZN12_GLOBAL__N_15FuBarE, nothing
// CHECK-NEXT: {{^}}spec_const{{$}}
// CHECK-DAG: {{^}}specialization_id spec_const{{$}}
// CHECK-DAG: {{^}}device_global FuBar{{$}}
// CHECK-DAG: {{^}}device_global U____ZN12_GLOBAL__N_15FuBarE{{$}}
// CHECK-DAG: {{^}}device_global everywhere{{$}}
// CHECK-DAG: {{^}}device_global box{{$}}
