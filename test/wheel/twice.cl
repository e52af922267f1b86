#include <specpi/device.h>

SPECPI_CONSTANT(int, factor, 2);

kernel void multiply(global int *data) {
  data[get_global_id(0)] *= specpi_get(factor);
}
