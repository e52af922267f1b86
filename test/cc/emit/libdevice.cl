// If libdevice is given, OpenCL's functions of numbers and vectors call it; other functions still come
// from libclc.
// RUN: %clang -x ir -c -emit-llvm -Wno-override-module %inputs/libdevice.ll -o %t.bc
// RUN: %specpi-cc --emit=ptx -D KNOWN --libdevice=%t.bc %s -o %t.ptx
// RUN: %FileCheck %s --input-file=%t.ptx
// RUN: env SPECPI_LIBDEVICE=%t.bc %specpi-cc --emit=ptx -D KNOWN %s -o %t.env.ptx
// RUN: cmp %t.ptx %t.env.ptx
// RUN: %specpi-cc --emit=ptx --libdevice= %s -o %t.clc.ptx
// RUN: %FileCheck --check-prefix=CLC %s --input-file=%t.clc.ptx
// RUN: %not %specpi-cc --emit=ptx --libdevice=%t.none %s 2>&1 | %FileCheck --check-prefix=NONE %s
// CHECK: .entry known
// CHECK-DAG: 0f42280000
// CHECK-DAG: 0d4045000000000000
// CLC-NOT: 0f42280000
// CLC-NOT: 0d4045000000000000
// NONE: library '{{.*}}.none'
kernel void known(global float *x, global float4 *xs, global double2 *ys) {
  x[0] = sin(x[0]);
  xs[0] = sin(xs[0]);
  ys[0] = pow(ys[0], ys[1]);
}

#ifndef KNOWN
kernel void others(global float *x, global double *y, global float3 *xs) {
  x[0] = exp(x[0]) + pow(x[1], x[2]) + acospi(x[0]) + fract(x[3], &x[4]) + tanh(x[5]);
  y[0] = hypot(y[1], y[2]) + log2(y[0]) + tgamma(y[3]);
  xs[0] = normalize(cross(xs[0], xs[1])) + fmod(xs[0], xs[2]) + atan2(xs[1], xs[2]);
}
#endif
