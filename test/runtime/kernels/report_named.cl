/* report.cl and from_buffer.cl with constants that have names, for PTX: the ids are the same. */
#include <specpi/device.h>

typedef struct pair_t {
  float scale;
  char mode;
} pair_t;

SPECPI_CONSTANT(int, tile, 7);
SPECPI_CONSTANT(pair_t, pair, {0.5f, 'x'});
SPECPI_CONSTANT(long, big, -5);

#ifdef FROM_BUFFER
kernel void from_buffer(global long *out) {
  out[0] = specpi_get(tile);
  const pair_t pair = specpi_get(pair);
  out[1] = as_uint(pair.scale) + ((long)pair.mode << 32);
  out[2] = specpi_get(big);
}
#else
SPECPI_CONSTANT(float3, point, {1.0f, 2.0f, 3.0f});

kernel void report(global long *out) {
  out[0] = specpi_get(tile);
  const pair_t pair = specpi_get(pair);
  out[1] = as_uint(pair.scale);
  out[2] = pair.mode;
  const float3 point = specpi_get(point);
  out[3] = as_uint(point.x);
  out[4] = as_uint(point.y);
  out[5] = as_uint(point.z);
  out[6] = specpi_get(big);
}
#endif
