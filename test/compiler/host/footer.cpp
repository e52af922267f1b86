// The text of footers and headers for each way to name a variable.
// RUN: %host --footer --unit-id=unit %s -o %t -- %include
// RUN: FileCheck --input-file=%t %s
// RUN: FileCheck --input-file=%t --check-prefix=IDS %s
// RUN: %host --header --unit-id=unit %s -- %include | FileCheck --check-prefix=HEADER %s
// RUN: %host --list --unit-id=unit %s -- %include | FileCheck --check-prefix=LIST %s
// RUN: %host --header %s -- %include | FileCheck --check-prefix=HASH %s

// HEADER: // Integration header of {{.*}}footer.cpp
// HEADER: #ifndef SPECPI_UNIT_ID
// HEADER-NEXT: #define SPECPI_UNIT_ID "unit"
// HEADER-NEXT: #endif
// HASH: #define SPECPI_UNIT_ID "uid{{[0-9a-f]+}}"

// LIST: "unit": "unit"
// LIST: "variables": [

// CHECK: // Integration footer of {{.*}}footer.cpp
#include <sycl/sycl.hpp>

constexpr sycl::specialization_id<int> direct(1);
// IDS: namespace sycl {
// IDS-NEXT: inline namespace _V1 {
// IDS-NEXT: namespace detail {
// IDS-EMPTY:
// IDS-NEXT: // direct, internal
// IDS-NEXT: template <>
// IDS-NEXT: inline const char *get_spec_constant_symbolic_ID_impl<::direct>() {
// IDS-NEXT: return "unit____ZL6direct";
// IDS-NEXT: }
// LIST: "id": "unit____ZL6direct"
// LIST-NEXT: "name": "direct"
// LIST-NEXT: "linkage": "internal"
// LIST-NEXT: "kind": "specialization_id"
// LIST-NEXT: "type": "const sycl::specialization_id<int>"
// LIST-NEXT: "file": "{{.*}}footer.cpp"
// LIST-NEXT: "line": [[@LINE-16]]
// LIST-NEXT: "column": 40

inline constexpr sycl::specialization_id<float> external(2.0f);
// IDS: // external, external
// IDS: get_spec_constant_symbolic_ID_impl<::external>() {
// IDS-NEXT: return "external";
// LIST: "id": "external"
// LIST-NEXT: "name": "external"
// LIST-NEXT: "linkage": "external"
// LIST-NEXT: "kind": "specialization_id"
// LIST-NEXT: "type": "const sycl::specialization_id<float>"

namespace a {
inline namespace b {
template <typename T, int N> struct pair {
  static constexpr sycl::specialization_id<T> first{N};
};
} // namespace b
} // namespace a
const void *use_pair = &a::pair<short, 3>::first;
// IDS: // a::b::pair<short, 3>::first, external
// IDS: get_spec_constant_symbolic_ID_impl<::a::b::pair<short, 3>::first>() {
// IDS-NEXT: return "_ZN1a1b4pairIsLi3EE5firstE";
// LIST: "name": "a::b::pair<short, 3>::first"

namespace {
constexpr sycl::specialization_id<int> direct(4);
}
// CHECK: // (unnamed)::direct, internal
// CHECK-NEXT: namespace {
// CHECK-NEXT: {{.*}} static constexpr decltype(direct) &__sycl_shim_3() { return direct; }
// CHECK-NEXT: }
// IDS: get_spec_constant_symbolic_ID_impl<::__sycl_shim_3()>() {
// IDS-NEXT: return "unit____ZN12_GLOBAL__N_16directE";
// LIST: "name": "(unnamed)::direct"

namespace {
namespace a {
constexpr sycl::specialization_id<int> deep(5);
}
} // namespace
// CHECK: // (unnamed)::a::deep, internal
// CHECK-NEXT: namespace {
// CHECK-NEXT: namespace a {
// CHECK-NEXT: {{.*}} static constexpr decltype(deep) &__sycl_shim_4() { return deep; }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: namespace {
// CHECK-NEXT: {{.*}} static constexpr auto &__sycl_shim_4_0() { return a::__sycl_shim_4(); }
// CHECK-NEXT: }
// IDS: get_spec_constant_symbolic_ID_impl<::__sycl_shim_4_0()>() {
// IDS-NEXT: return "unit____ZN12_GLOBAL__N_11a4deepE";

class closed {
  static constexpr sycl::specialization_id<int> member{6};
};
// CHECK: // closed::member, external
// CHECK-NEXT: {{.*}} static constexpr auto &__sycl_shim_5();
// CHECK-NEXT: template <auto &variable>
// CHECK-NEXT: struct __sycl_access_5_[[UNIT:[0-9a-f]+]] {
// CHECK-NEXT: friend constexpr auto &__sycl_shim_5() { return variable; }
// CHECK-NEXT: };
// CHECK-NEXT: template struct __sycl_access_5_[[UNIT]]<::closed::member>;
// IDS: get_spec_constant_symbolic_ID_impl<::__sycl_shim_5()>() {
// IDS-NEXT: return "_ZN6closed6memberE";

namespace c {
sycl::specialization_id<int> twice(7);
inline namespace d {
sycl::specialization_id<int> twice(8);
}
} // namespace c
// c::d::twice can be named after both definitions; c::twice is ambiguous and needs a shim.
// IDS: // c::d::twice, external
// IDS: get_spec_constant_symbolic_ID_impl<::c::d::twice>() {
// CHECK: // c::twice, external
// CHECK-NEXT: using __sycl_type_6 = sycl::specialization_id<int>;
// CHECK-NEXT: namespace c {
// CHECK-NEXT: {{.*}} static inline auto &__sycl_shim_6() {
// CHECK-NEXT: extern __sycl_type_6 twice;
// CHECK-NEXT: return twice;
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: const char *__sycl_find_[[UNIT]](const volatile void *address) {
// CHECK-NEXT: if (address == &::c::__sycl_shim_6())
// CHECK-NEXT: return "_ZN1c5twiceE";
// CHECK-NEXT: __builtin_trap();
// CHECK: template <auto &variable>
// CHECK-NEXT: const char *get_spec_constant_symbolic_ID_impl() {
// CHECK-NEXT: return ::__sycl_find_[[UNIT]](&variable);

// CHECK: #include <sycl/detail/spec_const_integration.hpp>
