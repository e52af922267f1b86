/* Constants of every shape, written as the bytes that the kernel sees. */
#include <specpi/device.h>

struct inner {
  char tag;
  double weights[2];
};
struct outer {
  short first;
  struct inner parts[2];
  bool flag;
};

SPECPI_CONSTANT(int, tile, 7);
SPECPI_CONSTANT(float3, point, {1.0f, 2.0f, 3.0f});
SPECPI_CONSTANT(struct outer, shape, {-1, {{'a', {0.5, 0.25}}, {'b', {2, 4}}}, true});
SPECPI_CONSTANT(long, unset, -5);

kernel void shapes(global long *out) {
  const float3 point = specpi_get(point);
  const struct outer shape = specpi_get(shape);
  out[0] = specpi_get(tile);
  out[1] = as_uint(point.x);
  out[2] = as_uint(point.z);
  out[3] = shape.first;
  out[4] = shape.parts[0].tag;
  out[5] = as_long(shape.parts[1].weights[1]);
  out[6] = shape.flag;
  out[7] = specpi_get(unset);
}
