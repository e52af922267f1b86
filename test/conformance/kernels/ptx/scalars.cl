/* Constants of all scalar types. The kernel writes them as 64-bit numbers, the float as its bits. */
#include "numbered.h"

CONSTANT(bool, 101, true);
CONSTANT(bool, 102, false);
CONSTANT(uchar, 103, 43);
CONSTANT(ushort, 104, 3000);
CONSTANT(uint, 105, 43);
CONSTANT(ulong, 106, 200);
CONSTANT(float, 107, 3.7f);

kernel void value(global ulong *out) {
  out[0] = GET(101) ? 1 : 0;
  out[1] = GET(102) ? 1 : 0;
  out[2] = GET(103);
  out[3] = GET(104);
  out[4] = GET(105);
  out[5] = GET(106);
  out[6] = as_uint(GET(107));
}
