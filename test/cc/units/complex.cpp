// Operators of complex numbers use only functions that devices have; those of float use no double.
// RUN: %specpi-cc --unit-id=unit --emit=spirv %s -o %t.spv
// RUN: %spirv-val %t.spv
// RUN: %spirv-dis %t.spv | %FileCheck %s
// RUN: %specpi-cc --unit-id=unit --emit=ptx %s -o - | %FileCheck %s --check-prefix=PTX
// RUN: %specpi-cc --unit-id=unit --emit=spirv -D NUMBER=double %s -o - | %spirv-dis \
// RUN:   | %FileCheck %s --check-prefix=DOUBLE
// CHECK-NOT: OpCapability Float64
// CHECK: OpEntryPoint Kernel
// CHECK-NOT: " Import
// CHECK-NOT: OpTypeFloat 64
// CHECK: OpFDiv
// PTX: .entry _ZTS9Operators
// PTX-NOT: .f64
// PTX-NOT: call
// PTX: ret;
// DOUBLE: OpCapability Float64
// DOUBLE: OpEntryPoint Kernel
// DOUBLE-NOT: " Import
// DOUBLE: OpFDiv
#include <sycl/sycl.hpp>

#include <complex>

#ifndef NUMBER
#define NUMBER float
#endif

class Operators;

void run(sycl::queue q, std::complex<NUMBER> *z) {
  q.single_task<Operators>([=] {
    z[2] = z[0] * z[1];
    z[2] /= z[0] / z[1] + NUMBER(1);
    const NUMBER _Complex plain = {z[0].real(), z[1].real()};
    const NUMBER _Complex square = plain * plain;
    z[3] = {__real__ square, __imag__ square};
  });
}
