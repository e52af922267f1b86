// Another kernel, whose constant has a name of the first one's and another type.
#include <specpi/device.h>
SPECPI_CONSTANT(long, radius, 5);
kernel void other(global long *out) {
  out[get_global_id(0)] = specpi_get(radius);
}
