/* Constants of type double. */
#include "numbered.h"

CONSTANT(double, 101, 14534.53453);

kernel void value(global double *out) { out[0] = GET(101); }
