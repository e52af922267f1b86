/* Values computed from constants: products, sums, comparisons and choices. */
#include "numbered.h"

CONSTANT(uint, 1, 4);
CONSTANT(uint, 2, 8);

kernel void value(global uint *out) {
  const uint base = GET(1);
  out[0] = base * 3;
  out[1] = base * 3 + GET(2);
  out[2] = base > 3 ? base : 3;
}
