#include <specpi/device.h>

#include "scaled.h"

SPECPI_CONSTANT(int, factor, 2);

kernel void scaled(global int *data) {
  data[get_global_id(0)] = data[get_global_id(0)] * specpi_get(factor) + OFFSET + MORE;
}
