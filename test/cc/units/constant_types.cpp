// The types that constants of spec_id and of types' names cannot have.
// RUN: %not %specpi-cc --unit-id=U %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %specpi-cc --unit-id=U -DTYPENAME %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=TYPENAME
#include <sycl/sycl.hpp>

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

#ifdef TYPENAME
// TYPENAME: the type of a specialization constant has to be trivially copyable
sycl::ONEAPI::experimental::spec_constant<copied, class Named> named;
#else
// CHECK: the type of a specialization constant has to be trivially copyable
sycl::spec_id<copied> first;
// CHECK: the type of a specialization constant has to be of standard layout
sycl::spec_id<derived> second(derived{{1}, 2});
#endif
