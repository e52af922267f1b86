/* refused.cl for PTX: an int constant with the id 1. */
#include "../../../conformance/kernels/ptx/numbered.h"

CONSTANT(int, 1, 11);

kernel void read_one(global int *out) { *out = GET(1); }
