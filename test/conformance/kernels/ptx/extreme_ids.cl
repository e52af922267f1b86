/* Constants with the smallest and the largest id. The id after the largest stands for padding. */
#include "numbered.h"

CONSTANT(uint, 0, 1000);
CONSTANT(uint, 4294967294, 2000);

kernel void value(global uint *out) {
  out[0] = GET(0);
  out[1] = GET(4294967294);
}
