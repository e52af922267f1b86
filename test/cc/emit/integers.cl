// Optimizers use integers and switches that SPIR-V lacks; the output must be valid nevertheless.
// RUN: %specpi-cc -O0 --emit=spirv %s -o %t.0.spv
// RUN: %specpi-cc -O1 --emit=spirv %s -o %t.1.spv
// RUN: %specpi-cc -O2 --emit=spirv %s -o %t.2.spv
// RUN: %specpi-cc -O3 --emit=spirv %s -o %t.3.spv
// RUN: %specpi-cc -O3 --spec-const=emulate --emit=spirv %s -o %t.e.spv
#include <specpi/device.h>

SPECPI_CONSTANT(int, k, 3);

/* Several cases with one result. */
bool flagged(uint v) {
  switch (v) {
  case 1:
  case 3:
  case 7:
  case 9:
    return true;
  default:
    return false;
  }
}

/* Dense cases become a table. */
int dense(int v) {
  switch (v) {
  case 0:
    return 12;
  case 1:
    return 7;
  case 2:
    return 99;
  case 3:
    return -4;
  case 4:
    return 1000;
  default:
    return v;
  }
}

/* Only some bits of the number can be set, so that optimizers narrow the switch. */
int sparse(long v) {
  switch (v * 6 + specpi_get(k) * 2) {
  case 2:
    return 5;
  case 4:
    return 100;
  case 30:
    return 7;
  default:
    return 0;
  }
}

kernel void integers(global int *out, global const char *in, uint n) {
  const size_t i = get_global_id(0);
  short sum = 0;
  for (uchar q = 0; q < n; q++)
    sum ^= in[q];
  out[i] = dense(in[i]) + sparse((uchar)in[i + 1]) + sum;
  if (flagged(n))
    out[i] = (in[i] << 3) % 11;
}

/* A saturating sum, reversed bits, an overflowing product, and three bytes in a
 * structure. */
typedef struct {
  char3 c;
} small;

__attribute__((noinline)) small turned(small s) {
  s.c = s.c.zyx;
  return s;
}

kernel void idioms(global uint *out, global const uint *a, global uchar *bits,
                   global long *product) {
  const size_t i = get_global_id(0);
  const uint sum = a[i] + a[i + 1];
  out[i] = sum < a[i] ? 0xffffffffu : sum;
  uchar x = bits[i];
  x = ((0x55 & x) << 1) | (0x55 & (x >> 1));
  x = ((0x33 & x) << 2) | (0x33 & (x >> 2));
  bits[i] = (x << 4) | (x >> 4);
  if (__builtin_mul_overflow(product[i], product[i + 1], &product[i]))
    product[i] = 0;
  small s = {(char3)(x, -100, 3)};
  out[i] += turned(s).c.x;
}
