// Another kernel. Its constant has the name of one in radius.cl, and another type.
#include <specpi/device.h>
SPECPI_CONSTANT(long, radius, 5);
kernel void other(global long *out) {
  out[get_global_id(0)] = specpi_get(radius);
}
