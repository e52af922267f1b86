// In PTX printf calls CUDA's vprintf, whose result (a count, or negative) becomes OpenCL's 0 or -1.
// RUN: %specpi-cc --emit=ptx %s -o %t.ptx
// RUN: %FileCheck %s <%t.ptx
// RUN: sh %S/../errors/Inputs/refused.sh 1 'argument 1 of printf has 4 elements, and its format wants 2' %specpi-cc --emit=ptx -DVECTOR %s -o %t.none
kernel void prints(global int *out, float4 a) {
#ifdef VECTOR
  out[0] = printf("%v2hlf\n", a);
#else
  out[0] = printf("%v4hlf %d\n", a, out[1]);
#endif
}
// CHECK: {{"?%f,%f,%f,%f %d|37, 102, 44, 37, 102, 44, 37, 102, 44, 37, 102, 32, 37, 100}}
// CHECK: vprintf,
// CHECK: shr.s32 [[RESULT:%r[0-9]+]], %r{{[0-9]+}}, 31;
// CHECK: st.global.u32 {{.*}}, [[RESULT]];
