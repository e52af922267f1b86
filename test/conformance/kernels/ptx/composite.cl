/* A structure with an array in it, and padding after its second member. */
#include "numbered.h"

typedef struct {
  uint first;
  uchar second;
  uint third[2];
  uint last;
} record;
CONSTANT(record, 10, {1, 2, {3, 4}, 5});

kernel void value(global uint *out) {
  const record whole = GET(10);
  out[0] = whole.first;
  out[1] = whole.second;
  out[2] = whole.third[0];
  out[3] = whole.third[1];
  out[4] = whole.last;
}
