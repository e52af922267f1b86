/* Two functions use one constant, so that its value is at two places of the text. */
#include "numbered.h"

CONSTANT(uint, 5, 10);

__attribute__((noinline)) void store(global uint *out, uint at) { out[at] = GET(5); }

kernel void value(global uint *out) {
  out[0] = GET(5);
  store(out, 1 + (uint)get_global_id(0));
}
