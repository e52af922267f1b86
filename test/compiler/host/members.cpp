// A class, or a class template, uses its own constants before its end, with GCC and clang.
// REQUIRES: run
// RUN: %host --footer --unit-id=U %s -o %t.footer -- %sycl
// RUN: cat %s %t.footer > %t.all.cpp
// RUN: %gxx %sycl %t.all.cpp -o %t.g %link && %t.g | FileCheck %s
// RUN: %clangxx %sycl %t.all.cpp -o %t.c %link && %t.c | FileCheck %s
//
// In the proposal footers include this header by its name in SYCL 1.2.1.
// RUN: sed 's,<sycl/detail/spec_const,<CL/sycl/detail/spec_const,' %t.all.cpp > %t.named.cpp
// RUN: grep '<CL/sycl/detail/spec_const_integration.hpp>' %t.named.cpp
// RUN: %gxx %sycl %t.named.cpp -o %t.n %link && %t.n | FileCheck %s
#include <sycl/spec_id.hpp>
#include <sycl/specialization_id.hpp>

#include <cstdio>

template <auto &S> const char *id() {
  return sycl::detail::get_spec_constant_symbolic_ID<S>();
}
struct plain {
  static constexpr sycl::specialization_id<int> fixed{1};
  static sycl::spec_id<int> variable;
  const char *inside() const {
    return id<fixed>();
  }
  const char *variable_inside() const {
    return id<variable>();
  }
};
sycl::spec_id<int> plain::variable(2);
// In a template GCC 12 mistakes the argument <fixed> for another kind, and clang 15 does so with
// <variable>, because the type does not depend on T. With U it does, which both compilers accept.
template <typename T> struct dependent {
  static constexpr sycl::specialization_id<int> fixed{3};
  static constexpr sycl::specialization_id<T> typed{4};
  static inline sycl::spec_id<int> variable{5};
  template <typename U = T> const char *inside() const {
    return id<dependent<U>::fixed>();
  }
  template <typename U = T> const char *variable_inside() const {
    return id<dependent<U>::variable>();
  }
  const char *typed_inside() const {
    return id<typed>();
  }
};

int main() {
  std::puts(plain().inside());
  std::puts(plain().variable_inside());
  std::puts(dependent<int>().inside());
  std::puts(dependent<int>().variable_inside());
  std::puts(dependent<int>().typed_inside());
  std::puts(id<dependent<char>::fixed>());
  std::puts(id<dependent<char>::variable>());
}
// CHECK: {{^}}_ZN5plain5fixedE
// CHECK-NEXT: {{^}}_ZN5plain8variableE
// CHECK-NEXT: {{^}}_ZN9dependentIiE5fixedE
// CHECK-NEXT: {{^}}_ZN9dependentIiE8variableE
// CHECK-NEXT: {{^}}_ZN9dependentIiE5typedE
// CHECK-NEXT: {{^}}_ZN9dependentIcE5fixedE
// CHECK-NEXT: {{^}}_ZN9dependentIcE8variableE
