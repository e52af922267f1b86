/* Compiled without optimisation, so that each constant goes through a variable. */
#include "numbered.h"

CONSTANT(int, 1, 10);
CONSTANT(int, 2, 20);

kernel void value(global int *out) {
  const int first = GET(1);
  int second = GET(2);
  second = second + 1;
  out[0] = first;
  out[1] = second;
}
