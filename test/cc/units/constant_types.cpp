// The types that constants cannot have.
// RUN: %not %specpi-cc --unit-id=U %s -o %t.o 2>&1 | %FileCheck %s
#include <sycl/spec_id.hpp>
#include <sycl/specialization_id.hpp>
#include <sycl/typename_constant.hpp>

struct copied {
  copied(const copied &) {}
  copied() = default;
  int x = 0;
};
struct base {
  int x;
};
struct derived : base {
  int y;
};

// CHECK: the type of a specialization constant has to be trivially copyable
// CHECK: constant_types.cpp:[[@LINE+1]]:
sycl::spec_id<copied> first;
// CHECK: the type of a specialization constant has to be of standard layout
// CHECK: constant_types.cpp:[[@LINE+1]]:
sycl::spec_id<derived> second(derived{{1}, 2});
// CHECK: the type of a specialization constant has to be trivially copyable
// CHECK: constant_types.cpp:[[@LINE+1]]:
sycl::ONEAPI::experimental::spec_constant<copied, class Named> named;
// CHECK: the type of a specialization constant has to be device-copyable
// CHECK: constant_types.cpp:[[@LINE+1]]:
sycl::specialization_id<std::pair<int, copied>> third(1, copied());
