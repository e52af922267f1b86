// Vectors, structures, nested ones, arrays in structures; defaults with braces and commas.
// RUN: %specpi-cc --emit=json -O0 %s -o %t.0.json
// RUN: %specpi-cc --emit=json -O2 %s -o %t.2.json
// RUN: %FileCheck %s --input-file=%t.0.json
// RUN: %FileCheck %s --input-file=%t.2.json
// RUN: %specpi-cc --emit=spirv -O0 %s -o %t.0.spv
// RUN: %spirv-val %t.0.spv
// RUN: %specpi-cc --emit=spirv -O2 %s -o %t.2.spv
// RUN: %spirv-val %t.2.spv
// RUN: %specpi-cc --emit=spirv --spec-const=emulate -O0 %s -o %t.e0.spv
// RUN: %specpi-cc --emit=spirv --spec-const=emulate -O2 %s -o %t.e2.spv
// RUN: %specpi-cc --emit=spirv --spec-const=default -O2 %s -o %t.d2.spv
// RUN: %spirv-dis %t.d2.spv | %FileCheck %s --check-prefix=DEFAULT --implicit-check-not=SpecId
#include <specpi/device.h>
// DEFAULT: OpEntryPoint
struct inner {
  char c;
  float3 v;
};
typedef struct {
  int w[2][3];
} weights;
struct outer {
  int a;
  struct inner n[2];
  weights w;
  double d;
};
// CHECK-DAG: {"name": "v4", "kind": "composite", "descriptors": [{"id": {{[0-9]+}}, "offset": 0, "size": 4}, {"id": {{[0-9]+}}, "offset": 4, "size": 4}, {"id": {{[0-9]+}}, "offset": 8, "size": 4}, {"id": {{[0-9]+}}, "offset": 12, "size": 4}], "default": "0000803f000000400000404000008040"}
SPECPI_CONSTANT(float4, v4, (float4)(1, 2, 3, 4));
// CHECK-DAG: {"name": "v3", "kind": "composite", {{.*}}"default": "010002000300"}
SPECPI_CONSTANT(short3, v3, {1, 2, 3});
// CHECK-DAG: {"name": "w", "kind": "composite", {{.*}}"default": "010000000200000003000000040000000500000006000000"}
SPECPI_CONSTANT(weights, w, {{{1, 2, 3}, {4, 5, 6}}});
// CHECK-DAG: {"name": "o", "kind": "composite", "descriptors": [{"id": {{[0-9]+}}, "offset": 0, "size": 4}, {"id": {{[0-9]+}}, "offset": 16, "size": 1}, {"id": {{[0-9]+}}, "offset": 32, "size": 4}, {"id": {{[0-9]+}}, "offset": 36, "size": 4}, {"id": {{[0-9]+}}, "offset": 40, "size": 4}, {"id": 4294967295, "offset": 44, "size": 4}, {"id": {{[0-9]+}}, "offset": 48, "size": 1},
SPECPI_CONSTANT(struct outer, o, {1, {{2, (float3)(1, 2, 3)}, {4, (float3)(5, 6, 7)}}, {{{1, 1, 1}, {2, 2, 2}}}, 2.5});

/* A function that kernels call, with constants of its own. */
float helper(int i) {
  return specpi_get(v4).y + specpi_get(o).n[i].v.z;
}

kernel void k(global float *out) {
  for (int i = 0; i < 2; i++)
    out[i] = helper(i) + specpi_get(v3).y + specpi_get(w).w[i][2];
  struct outer x = specpi_get(o);
  out[2] = x.a + x.n[1].c + x.w.w[1][0] + x.d;
}
