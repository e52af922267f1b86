// Types that name constants: the integration header declares each type and maps it to its symbolic
// id. The first type is from the proposal "Specialization constants" for SYCL 1.2.1.
// RUN: %host --header --unit-id=U %s -o %t.header -- %sycl
// RUN: FileCheck --input-file=%t.header %s
// The header comes before everything else, and its ids are the names of the types.
// RUN: %gxx %sycl -DRUN -include %t.header %s -o %t.g && %t.g
// RUN: %clangxx %sycl -DRUN -include %t.header %s -o %t.c && %t.c
// Without the header the same ids are found at run time.
// RUN: %gxx %sycl -DRUN -DLATER %s -o %t.later && %t.later
//
// RUN: not %host --header %s -- %sycl -DLOCAL 2>&1 | FileCheck --check-prefix=LOCAL %s
// RUN: not %host --header %s -- %sycl -DMEMBER 2>&1 | FileCheck --check-prefix=MEMBER %s
// RUN: not %host --header %s -- %sycl -DUNNAMED 2>&1 | FileCheck --check-prefix=UNNAMED %s
// RUN: not %host --header %s -- %sycl -DENUM 2>&1 | FileCheck --check-prefix=ENUM %s
#include <sycl/detail/identifiable.hpp>
#include <sycl/detail/spec_constant_info.hpp>

namespace sycl::ONEAPI::experimental {
template <typename T, typename ID = T> class spec_constant {
public:
  T get() const {
    return T();
  }
};
} // namespace sycl::ONEAPI::experimental
template <typename T, typename ID = T>
using constant = sycl::ONEAPI::experimental::spec_constant<T, ID>;

#if defined(LOCAL)
int function() {
  // LOCAL: types.cpp:[[@LINE+1]]: 'inside' names {{.*}} is local to a function, {{.*}}UNSUPPORTED
  class inside;
  return constant<int, inside>().get();
}
#elif defined(MEMBER)
struct holder {
  // MEMBER: types.cpp:[[@LINE+1]]: 'holder::inside' names {{.*}} is a member of a class
  struct inside;
};
constant<int, holder::inside> value;
#elif defined(UNNAMED)
// UNNAMED: types.cpp:[[@LINE+1]]: '(lambda at {{.*}}' names {{.*}} has no name
auto nameless = [] {};
constant<int, decltype(nameless)> value;
#elif defined(ENUM)
// ENUM: types.cpp:[[@LINE+1]]: '::loose' {{.*}} libclang says: enumeration previously declared
enum loose { one };
constant<int, loose> value;
#else

class MyInt32Const;
constant<int, MyInt32Const> i32;
// CHECK: #define SPECPI_UNIT_ID "U"
// CHECK: namespace sycl {
// CHECK-NEXT: namespace detail {
// CHECK-NEXT: template <typename Id> struct SpecConstantInfo;
// CHECK: {{^}}class MyInt32Const;
// CHECK-NEXT: namespace sycl {
// CHECK-NEXT: namespace detail {
// CHECK-NEXT: template <> struct SpecConstantInfo<::MyInt32Const> {
// CHECK-NEXT: static constexpr const char *getName() {
// CHECK-NEXT: return "_ZTS12MyInt32Const";

constant<float> itself;
// CHECK: template <> struct SpecConstantInfo<float> {
// CHECK: return "_ZTSf";

namespace outer {
inline namespace version {
struct size;
template <typename T, int... N> struct named;
} // namespace version
union both;
enum class color : short;
} // namespace outer
void function(constant<int, outer::size> parameter, constant<int, outer::both> *pointer);
// CHECK: namespace outer {
// CHECK-NEXT: inline namespace version {
// CHECK-NEXT: struct size;
// CHECK: SpecConstantInfo<::outer::
// CHECK: return "_ZTSN5outer7version4sizeE";
// CHECK: union both;
// CHECK: return "_ZTSN5outer4bothE";
namespace {
class hidden;
}
struct member {
  constant<int, outer::color> one;
  constant<int, outer::named<outer::size, 1, 2>> &two;
  constant<int, hidden> three[2];
};
// CHECK: enum class color : short;
// CHECK: return "_ZTSN5outer5colorE";
// CHECK-NOT: struct size;
// CHECK: template <typename T, int ...N> struct named;
// CHECK: return "_ZTSN5outer7version5namedINS0_4sizeEJLi1ELi2EEEE";

// No constant has this type. A function template asks for its id nevertheless.
template <typename ID> const char *name() {
  return sycl::detail::SpecConstantInfo<ID>::getName();
}
template <typename> class kernel;
const char *asked() {
  return name<kernel<kernel<MyInt32Const *>>>();
}
// CHECK: namespace {
// CHECK-NEXT: class hidden;
// CHECK: return "_ZTSN12_GLOBAL__N_16hiddenE";
// CHECK: template <typename> class kernel;
// CHECK: SpecConstantInfo<::kernel<kernel<MyInt32Const *>>> {
// CHECK: return "_ZTS6kernelIS_IP12MyInt32ConstEE";

// A second use of a type adds nothing, nor do constants that are named by variables.
constant<long, MyInt32Const> again;
namespace sycl {
template <typename T, T *ID> class spec_constant {};
} // namespace sycl
int variable;
sycl::spec_constant<int, &variable> by_variable;
// CHECK-NOT: SpecConstantInfo
#endif

#ifdef RUN
#include <cstring>
#include <typeinfo>

template <typename ID> bool check() {
  const char *id = name<ID>();
#ifndef LATER
  static_assert(sycl::detail::SpecConstantInfo<ID>::getName()[4] != 0, "it is a constant");
#endif
  return std::strncmp(id, "_ZTS", 4) == 0 && std::strcmp(id + 4, typeid(ID *).name() + 1) == 0;
}
int main() {
  using outer::named;
  using outer::size;
  const bool all = check<MyInt32Const>() && check<float>() && check<size>() &&
                   check<outer::both>() && check<outer::color>() && check<named<size, 1, 2>>() &&
                   check<hidden>() && check<kernel<kernel<MyInt32Const *>>>();
  return std::strlen(asked()) == std::strlen("_ZTS6kernelIS_IP12MyInt32ConstEE") && all ? 0 : 1;
}
#endif
