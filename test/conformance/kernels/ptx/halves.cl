/* Constants of type half. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "numbered.h"

CONSTANT(half, 101, 1.5h);

kernel void value(global half *out) { out[0] = GET(101); }
