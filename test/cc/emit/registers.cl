// For nvptx64 loops over arrays of a work-item are unrolled if their counts are literals, so that the
// arrays are in registers. If the counts are patched constants, the arrays stay in memory.
// RUN: %specpi-cc --emit=ptx -D TYPED %s -o - | %FileCheck %s
// RUN: %specpi-cc --emit=ptx -D TYPED -O3 %s -o - | %FileCheck %s
// RUN: %specpi-cc --emit=ptx %s -o - | %FileCheck --check-prefix=PATCHED %s
// CHECK-NOT: .local
// CHECK: .entry tile
// CHECK-NOT: .local
// CHECK-COUNT-64: fma.rn.f32
// CHECK-NOT: {{ld|st}}.local
// PATCHED: .local
#include <specpi/device.h>

#ifdef TYPED
#define SIDE 8
#else
SPECPI_CONSTANT(int, side, 4);
#define SIDE specpi_get(side)
#endif

kernel void tile(global float *c, global const float *a, global const float *b, int depth) {
  float sums[8][8] = {{0}};
  for (int k = 0; k < depth; k++)
    for (int i = 0; i < SIDE; i++)
      for (int j = 0; j < SIDE; j++)
        sums[i][j] += a[k * SIDE + i] * b[k * SIDE + j];
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      c[i * SIDE + j] = sums[i][j];
}
