/* pair.cl for PTX, with the same ids. */
#include "../../../conformance/kernels/ptx/numbered.h"

CONSTANT(int, 1, 1000);
CONSTANT(int, 2, 1);
CONSTANT(int, 3, 3);

kernel void add(global int *out, int value) {
  out[get_global_id(0)] = value + GET(1) + GET(2);
}

kernel void multiply(global int *out, int value) {
  out[get_global_id(0)] = value * GET(3) + GET(1);
}
