/* Reads of textures by kernels: address modes, filters, levels, layers, cubes. */
#include "texture.h"

#include <math.h>
#include <stdio.h>

/* Applies the address mode to an index. Returns false if the border's colour is to be read. */
static bool place_index(int64_t *index, size_t extent, CUaddress_mode mode) {
  const int64_t size = (int64_t)extent;
  if (*index >= 0 && *index < size)
    return true;
  switch (mode) {
  case CU_TR_ADDRESS_MODE_WRAP:
    *index = (*index % size + size) % size;
    return true;
  case CU_TR_ADDRESS_MODE_MIRROR: {
    const int64_t turn = (*index % (2 * size) + 2 * size) % (2 * size);
    *index = turn < size ? turn : 2 * size - 1 - turn;
    return true;
  }
  case CU_TR_ADDRESS_MODE_BORDER:
    return false;
  default:
    *index = *index < 0 ? 0 : size - 1;
    return true;
  }
}

/* Returns the address mode. Wrapping and mirroring need normalized coordinates; others clamp. */
static CUaddress_mode mode_of(const fake_texture *texture, unsigned axis) {
  const CUaddress_mode mode = texture->desc.addressMode[axis];
  const bool turns = mode == CU_TR_ADDRESS_MODE_WRAP || mode == CU_TR_ADDRESS_MODE_MIRROR;
  return turns && !(texture->desc.flags & CU_TRSF_NORMALIZED_COORDINATES) ? CU_TR_ADDRESS_MODE_CLAMP
                                                                          : mode;
}

/* A read of a texture. */
typedef struct reading {
  const fake_texture *texture;
  const fake_texels *texels;
  unsigned dimensions;
  int64_t slice; /* the layer or the cube's face; -1 if the third coordinate is the depth */
} reading;

static fake_texel border_of(const fake_texture *texture) {
  fake_texel texel = fake_texel_read(texture, NULL);
  for (int i = 0; i < 4; i++)
    if (texel.is_float)
      texel.value.f[i] = texture->desc.borderColor[i];
    else
      memcpy(&texel.value.u[i], &texture->desc.borderColor[i], sizeof texel.value.u[i]);
  return texel;
}

static fake_texel fetch(const reading *reading, const int64_t at[3]) {
  const fake_texture *texture = reading->texture;
  const fake_texels *texels = reading->texels;
  const size_t extents[3] = {texels->width, texels->height, texels->depth};
  int64_t index[3] = {at[0], at[1], at[2]};
  for (unsigned axis = 0; axis < reading->dimensions; axis++) {
    /* Reads outside of linear memory return zeros. */
    if (texture->linear && (index[0] < 0 || index[0] >= (int64_t)extents[0]))
      return fake_texel_read(texture, NULL);
    if (!place_index(&index[axis], extents[axis], mode_of(texture, axis)))
      return border_of(texture);
  }
  for (unsigned axis = reading->dimensions; axis < 3; axis++)
    index[axis] = 0;
  if (reading->slice >= 0)
    index[2] = reading->slice;
  return fake_texel_read(texture, texels->bytes + (size_t)index[2] * texels->slice +
                                      (size_t)index[1] * texels->pitch +
                                      (size_t)index[0] * texture->element);
}

/* Rounds a weight to 8 bits, like the hardware. */
static float weight(float fraction) {
  return nearbyintf(fraction * 256.0F) / 256.0F;
}

static int64_t whole(float value) {
  const float floor = floorf(value);
  return floor < -2147483648.0F || isnan(floor) ? INT32_MIN
         : floor > 2147483520.0F                ? INT32_MAX
                                                : (int64_t)floor;
}

static fake_texel filter(const reading *reading, const float at[3]) {
  int64_t base[3] = {0};
  float part[3] = {0};
  for (unsigned axis = 0; axis < reading->dimensions; axis++) {
    base[axis] = whole(at[axis] - 0.5F);
    part[axis] = weight(at[axis] - 0.5F - floorf(at[axis] - 0.5F));
  }
  fake_texel sum = {.is_float = true};
  for (unsigned corner = 0; corner < 1U << reading->dimensions; corner++) {
    float share = 1;
    int64_t index[3] = {0};
    for (unsigned axis = 0; axis < reading->dimensions; axis++) {
      const bool upper = corner >> axis & 1;
      share *= upper ? part[axis] : 1 - part[axis];
      index[axis] = base[axis] + upper;
    }
    if (share == 0)
      continue;
    const fake_texel texel = fetch(reading, index);
    for (int i = 0; i < 4; i++)
      sum.value.f[i] += share * texel.value.f[i];
  }
  return sum;
}

/* Returns a component of the 4 texels around a point, counter-clockwise from the lower left. */
static fake_texel gather(const reading *reading, const float at[3], unsigned component) {
  static const int offsets[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  const int64_t base[2] = {whole(at[0] - 0.5F), whole(at[1] - 0.5F)};
  fake_texel all = {0};
  for (int i = 0; i < 4; i++) {
    const int64_t index[3] = {base[0] + offsets[i][0], base[1] + offsets[i][1], 0};
    const fake_texel texel = fetch(reading, index);
    all.is_float = texel.is_float;
    all.value.u[i] = texel.value.u[component & 3];
  }
  return all;
}

/* Returns the face of a cube in a direction, and the point on the face, from 0 to 1. */
static unsigned face_of(const float direction[3], float at[2]) {
  const float x = direction[0];
  const float y = direction[1];
  const float z = direction[2];
  const float ax = fabsf(x);
  const float ay = fabsf(y);
  const float az = fabsf(z);
  unsigned face;
  float s;
  float t;
  float size;
  if (ax >= ay && ax >= az) {
    face = x < 0;
    size = ax;
    s = x < 0 ? z : -z;
    t = -y;
  } else if (ay >= az) {
    face = 2 + (y < 0);
    size = ay;
    s = x;
    t = y < 0 ? -z : z;
  } else {
    face = 4 + (z < 0);
    size = az;
    s = z < 0 ? -x : x;
    t = -y;
  }
  at[0] = size == 0 ? 0 : (s / size + 1) / 2;
  at[1] = size == 0 ? 0 : (t / size + 1) / 2;
  return face;
}

static float level_of_gradient(const fake_texture *texture, const ptx_texture_access *access) {
  const float extents[3] = {(float)texture->levels[0].width, (float)texture->levels[0].height,
                            (float)texture->levels[0].depth};
  float x = 0;
  float y = 0;
  for (unsigned i = 0; i < access->dimensions && i < 3; i++) {
    x += access->gradient_x[i] * extents[i] * access->gradient_x[i] * extents[i];
    y += access->gradient_y[i] * extents[i] * access->gradient_y[i] * extents[i];
  }
  return 0.5F * log2f(fmaxf(fmaxf(x, y), 1e-30F));
}

static fake_texel read_level(const fake_texture *texture, unsigned level,
                             const ptx_texture_access *access) {
  reading reading = {texture, &texture->levels[level], access->dimensions, -1};
  float at[3] = {0};
  int64_t index[3] = {0};
  const bool normalized = (texture->desc.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  if (access->array || access->cube) {
    const size_t layers = access->cube ? reading.texels->depth / 6 : reading.texels->depth;
    const uint32_t layer = access->array ? access->layer : 0;
    reading.slice = layer < layers ? layer : (int64_t)layers - 1;
  }
  if (access->cube) {
    reading.slice = reading.slice * 6 + face_of(access->at.f, at);
    reading.dimensions = 2;
    at[0] *= (float)reading.texels->width;
    at[1] *= (float)reading.texels->height;
  } else {
    const size_t extents[3] = {reading.texels->width, reading.texels->height,
                               reading.texels->depth};
    for (unsigned i = 0; i < access->dimensions && i < 3; i++)
      if (access->integer)
        index[i] = access->at.i[i];
      else
        at[i] = normalized ? access->at.f[i] * (float)extents[i] : access->at.f[i];
  }
  if (access->integer)
    return fetch(&reading, index);
  if (access->sample == PTX_SAMPLE_GATHER)
    return gather(&reading, at, access->component);
  if (texture->desc.filterMode == CU_TR_FILTER_MODE_LINEAR)
    return filter(&reading, at);
  for (int i = 0; i < 3; i++)
    index[i] = whole(at[i]);
  return fetch(&reading, index);
}

static fake_texel read_texture(const fake_texture *texture, const ptx_texture_access *access) {
  float level = access->sample == PTX_SAMPLE_LEVEL      ? access->lod
                : access->sample == PTX_SAMPLE_GRADIENT ? level_of_gradient(texture, access)
                                                        : 0;
  level += texture->desc.mipmapLevelBias;
  level = fmaxf(level, texture->desc.minMipmapLevelClamp);
  const float last = (float)(texture->level_count - 1);
  const float most = texture->desc.maxMipmapLevelClamp;
  level = fminf(level, most > 0 && most < last ? most : last);
  if (!(level > 0))
    return read_level(texture, 0, access);
  const unsigned lower = (unsigned)level;
  if (texture->desc.mipmapFilterMode != CU_TR_FILTER_MODE_LINEAR)
    return read_level(texture, (unsigned)nearbyintf(level), access);
  const float part = weight(level - (float)lower);
  fake_texel texel = read_level(texture, lower, access);
  if (part == 0 || !texel.is_float)
    return texel;
  const fake_texel upper = read_level(texture, lower + 1, access);
  for (int i = 0; i < 4; i++)
    texel.value.f[i] = (1 - part) * texel.value.f[i] + part * upper.value.f[i];
  return texel;
}

bool fake_texture_sample(const fake_texture *texture, const ptx_texture_access *access,
                         uint32_t ret[4], char *message, size_t message_size) {
  if (access->dimensions != (texture->cube ? 3 : texture->dimensions) ||
      access->array != texture->layered || access->cube != texture->cube) {
    snprintf(message, message_size, "a texture of %u dimensions%s%s is read as one of %u%s%s",
             texture->dimensions, texture->layered ? " with layers" : "",
             texture->cube ? " of a cube" : "", access->dimensions,
             access->array ? " with layers" : "", access->cube ? " of a cube" : "");
    return false;
  }
  const fake_texel texel = read_texture(texture, access);
  for (int i = 0; i < 4; i++)
    ret[i] = texel.is_float && access->texel == PTX_TEXEL_F16 ? fake_half_of(texel.value.f[i])
                                                              : texel.value.u[i];
  return true;
}
