// With a unit's id the pass finds variables by their classes, which debug information has. The ids
// are those that the footer gives.
// RUN: %clangxx %sycl -D__INTEL_SYCL_HOST_COMPILER__ -g -O2 -Xclang -disable-llvm-passes \
// RUN:   -c -emit-llvm %s -o %t.bc
// RUN: %specpi-cc --host-pass=%t.bc --unit-id=U -o %t.registered.ll
// RUN: FileCheck %s --input-file=%t.registered.ll
// RUN: %host --list --unit-id=U %s -- %sycl > %t.list
// RUN: FileCheck %s --input-file=%t.registered.ll --check-prefix=TEXTS
// RUN: FileCheck %s --input-file=%t.list --check-prefix=LIST
// A second run changes nothing.
// RUN: %specpi-cc --host-pass=%t.registered.ll --unit-id=U -o - > %t.again.ll
// RUN: grep -v ModuleID %t.registered.ll > %t.left
// RUN: grep -v ModuleID %t.again.ll > %t.right
// RUN: diff %t.left %t.right
// Without a unit's id, only attributes and annotations count.
// RUN: %specpi-cc --host-pass=%t.bc -o %t.annotated.ll
// RUN: FileCheck %s --input-file=%t.annotated.ll --check-prefix=ANNOTATED
// ANNOTATED: call void @__register_uniquely_identifiable_object(ptr @annotated
// ANNOTATED-NOT: call void @__register
//
// The pass refuses modules without types, variables of functions, names and ids.
// RUN: %clangxx %sycl -D__INTEL_SYCL_HOST_COMPILER__ -g1 -c -emit-llvm %s -o %t.1.bc
// RUN: not %specpi-cc --host-pass=%t.1.bc --unit-id=U -o %t.no 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPES
// TYPES: .1.bc: the module has no debug information of types, {{.*}}; compile it with -g
// RUN: %clangxx %sycl -D__INTEL_SYCL_HOST_COMPILER__ -g -DLOCAL -c -emit-llvm %s -o %t.2.bc
// RUN: not %specpi-cc --host-pass=%t.2.bc --unit-id=U -o %t.no 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOCAL
// LOCAL: .2.bc: variable '_ZZ8functionvE5local' is local to a function
// RUN: %clangxx %sycl -D__INTEL_SYCL_HOST_COMPILER__ -g -DNAME='"a=b"' -c -emit-llvm %s -o %t.3.bc
// RUN: not %specpi-cc --host-pass=%t.3.bc --unit-id=U -o %t.no 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAME
// NAME: has a name in object files that cannot be an id
// RUN: %clangxx %sycl -D__INTEL_SYCL_HOST_COMPILER__ -g -DTHREAD -c -emit-llvm %s -o %t.4.bc
// RUN: not %specpi-cc --host-pass=%t.4.bc --unit-id=U -o %t.no 2>&1 \
// RUN:   | FileCheck %s --check-prefix=THREAD
// THREAD: variable 'threads' is thread_local
// RUN: %clangxx %sycl -D__INTEL_SYCL_HOST_COMPILER__ -g -DBARE -c -emit-llvm %s -o %t.5.bc
// RUN: not %specpi-cc --host-pass=%t.5.bc --unit-id=U -o %t.no 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BARE
// BARE: .5.bc: variable 'bare' has no debug information, {{.*}}; remove its attribute nodebug
// RUN: %clangxx %sycl -D__INTEL_SYCL_HOST_COMPILER__ -g -DBARE_LOCAL -c -emit-llvm %s -o %t.6.bc
// RUN: not %specpi-cc --host-pass=%t.6.bc --unit-id=U -o %t.no 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BARE-LOCAL
// BARE-LOCAL: .6.bc: variable '_ZZ4bodyvE5local' is local to a function
// RUN: not %specpi-cc --host-pass=%t.bc --unit-id="a b" -o %t.no 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNIT
// UNIT: the unit id 'a b' is not 1 to 64 letters
// RUN: not test -e %t.no
#include <sycl/device_global.hpp>
#include <sycl/spec_id.hpp>
#include <sycl/specialization_id.hpp>
#include <utility>

union either {
  char c;
  double d;
};
struct row {
  float all[32];
};

sycl::specialization_id<int> plain(1);
extern const sycl::specialization_id<int> external;
const sycl::specialization_id<int> external(2);
extern sycl::specialization_id<int> elsewhere;
sycl::spec_id<float> number(3.0f);
sycl::device_global<int> global;
namespace outer {
namespace {
using another_name = const sycl::specialization_id<row>;
another_name inner(row{{1, 2}});
} // namespace
sycl::specialization_id<either> shorter(either{'a'});
} // namespace outer
template <class T> struct box {
  static constexpr sycl::specialization_id<T> member{T(4)};
};
__attribute__((annotate("sycl-unique-id=given"), annotate("sycl-uid-kind=k")))
sycl::specialization_id<int>
    annotated(5);
// Without debug information, the name of LLVM's type has the class.
#define NODEBUG __attribute__((nodebug))
NODEBUG sycl::device_global<int> bare_global;
namespace outer {
NODEBUG constexpr sycl::specialization_id<long> bare_inner(6);
}

// These are no variables of such a class.
const sycl::specialization_id<int> &temporary = sycl::specialization_id<int>(6);
struct with_a_table {
  virtual int value() {
    return 0;
  }
} with_table;
NODEBUG std::pair<int, int> bare_pair(1, 2);
const sycl::specialization_id<int> &reference = plain;
const sycl::specialization_id<int> *pointer = &plain;
sycl::specialization_id<int> array[] = {sycl::specialization_id<int>(6)};
struct derived : sycl::specialization_id<int> {
  derived() : sycl::specialization_id<int>(7) {}
} derived_one;
namespace mine {
template <class T> struct specialization_id {
  T value;
};
specialization_id<int> other;
} // namespace mine

const void *addresses[] = {&outer::inner, &outer::bare_inner, &box<short>::member, &elsewhere};

#ifdef LOCAL
const void *function();
const void *function() {
  static sycl::specialization_id<int> local(8);
  return &local;
}
#endif
#ifdef BARE
NODEBUG sycl::specialization_id<either> bare(either{'b'});
#endif
#ifdef BARE_LOCAL
NODEBUG const void *body();
NODEBUG const void *body() {
  static sycl::specialization_id<int> local(8);
  return &local;
}
#endif
#ifdef NAME
sycl::specialization_id<int> named __asm__(NAME)(9);
#endif
#ifdef THREAD
thread_local sycl::specialization_id<int> threads(10);
#endif
// CHECK: define internal void @__sycl_register_uniquely_identifiable_objects()
// CHECK-NEXT: ptr @plain,
// CHECK-NEXT: ptr @external,
// CHECK-NEXT: ptr @number,
// CHECK-NEXT: ptr @global,
// CHECK-NEXT: ptr @_ZN5outer7shorterE,
// CHECK-NEXT: ptr @annotated,
// CHECK-NEXT: ptr @bare_global,
// CHECK-NEXT: ptr @_ZN5outerL10bare_innerE,
// CHECK-NEXT: ptr @_ZN3boxIsE6memberE,
// CHECK-NEXT: ptr @_ZN5outer12_GLOBAL__N_15innerE,
// CHECK-NEXT: ret void
// TEXTS-DAG: c"plain\00"
// TEXTS-DAG: c"_ZN5outer7shorterE\00"
// TEXTS-DAG: c"given\00"
// TEXTS-DAG: c"_ZN3boxIsE6memberE\00"
// TEXTS-DAG: c"U____ZN5outer12_GLOBAL__N_15innerE\00"
// TEXTS-DAG: c"U____ZN5outerL10bare_innerE\00"
// TEXTS-DAG: c"device_global\00"
// LIST-DAG: "id": "plain"
// LIST-DAG: "id": "U____ZN5outerL10bare_innerE"
// LIST-DAG: "id": "bare_global"
// LIST-DAG: "id": "_ZN5outer7shorterE"
// LIST-DAG: "id": "_ZN3boxIsE6memberE"
// LIST-DAG: "id": "U____ZN5outer12_GLOBAL__N_15innerE"
