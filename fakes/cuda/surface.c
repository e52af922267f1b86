/* Reads and writes of surfaces by kernels. */
#include "texture.h"

#include <stdio.h>

/* Applies the clamp rule to an index. Returns false if the access is to be ignored. */
static bool clamp(int64_t *index, int64_t last, ptx_clamp rule, bool *fine) {
  if (*index >= 0 && *index <= last)
    return true;
  if (rule == PTX_CLAMP_TRAP)
    *fine = false;
  *index = *index < 0 ? 0 : last;
  return rule == PTX_CLAMP_EDGE;
}

bool fake_surface_access(const fake_texture *surface, const ptx_surface_access *access,
                         char *message, size_t message_size) {
  const fake_texels *texels = &surface->levels[0];
  if (access->dimensions != surface->dimensions || access->array != surface->layered) {
    snprintf(message, message_size, "a surface of %u dimensions%s is used as one of %u%s",
             surface->dimensions, surface->layered ? " with layers" : "", access->dimensions,
             access->array ? " with layers" : "");
    return false;
  }
  const size_t unit = access->formatted ? surface->element : 1;
  const size_t size = access->formatted ? surface->element : access->size;
  int64_t at[3] = {(int64_t)access->at[0] * (int64_t)unit, access->at[1], access->at[2]};
  const size_t row = texels->width * surface->element;
  if (at[0] % (int64_t)size != 0 || size > row) {
    snprintf(message, message_size, "byte %lld of a surface's row of %zu, for %zu bytes",
             (long long)at[0], row, size);
    return false;
  }
  const int64_t last[3] = {(int64_t)(row - size), (int64_t)texels->height - 1,
                           (int64_t)texels->depth - 1};
  bool inside = true;
  bool fine = true;
  for (unsigned i = 0; i < access->dimensions && i < 3; i++)
    inside = clamp(&at[i], last[i], access->clamp, &fine) && inside;
  for (unsigned i = access->dimensions; i < 3; i++)
    at[i] = 0;
  if (access->array) {
    at[2] = access->layer;
    inside = clamp(&at[2], last[2], access->clamp, &fine) && inside;
  }
  if (!fine) {
    snprintf(message, message_size, "%d, %d, %d is outside of a surface of %zu * %zu * %zu",
             access->at[0], access->at[1], access->array ? (int)access->layer : access->at[2],
             texels->width, texels->height, texels->depth);
    return false;
  }
  unsigned char *bytes =
      texels->bytes + (size_t)at[2] * texels->slice + (size_t)at[1] * texels->pitch + (size_t)at[0];
  if (access->write) {
    if (inside && access->formatted)
      fake_texel_write(surface, bytes, access->data, access->components);
    else if (inside)
      memcpy(bytes, access->data, size);
  } else if (inside) {
    memcpy(access->data, bytes, size);
  } else {
    memset(access->data, 0, size);
  }
  return true;
}
