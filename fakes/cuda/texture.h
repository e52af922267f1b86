/* Texture and surface objects of the fake CUDA driver. */
#ifndef SPECPI_TEST_FAKE_CUDA_TEXTURE_H
#define SPECPI_TEST_FAKE_CUDA_TEXTURE_H

#include "module.h"

/* Texels of one level, row by row. */
typedef struct fake_texels {
  unsigned char *bytes;
  size_t width, height, depth; /* depth: layers of layered ones, too */
  size_t pitch, slice;         /* bytes */
} fake_texels;

/* The view of a texture or surface object. */
typedef struct fake_texture {
  fake_object head;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC desc; /* of textures */
  CUDA_RESOURCE_VIEW_DESC view;
  bool has_view;
  CUarray_format format;
  unsigned channels;
  size_t element;
  bool layered, cube, linear; /* linear: consecutive memory, of which integers are fetched */
  unsigned dimensions;
  unsigned level_count;
  fake_texels *levels;
} fake_texture;

void fake_texture_end(fake_texture *texture);

/* texel.c: how formats stand in memory. */
typedef struct fake_texel {
  bool is_float;
  union {
    float f[4];
    uint32_t u[4]; /* signed ones extended to 32 bits */
  } value;
} fake_texel;

/* Returns whether reading the format gives floats, without CU_TRSF_READ_AS_INTEGER. */
bool fake_format_is_float(CUarray_format format);
/* Returns whether its integers stand for the numbers from 0, or -1, to 1 whatever the flags say. */
bool fake_format_is_normal(CUarray_format format);
/* Reads the texel at bytes; NULL gives the border's colour, zeros. */
fake_texel fake_texel_read(const fake_texture *texture, const unsigned char *bytes);
/* Writes components of 32 bits each, converted to the format: for sust.p. */
void fake_texel_write(const fake_texture *texture, unsigned char *bytes, const uint32_t *components,
                      unsigned count);
uint16_t fake_half_of(float value);
/* Returns OpenCL's number for the format and the order of its channels, as PTX's queries do. */
uint32_t fake_format_code(CUarray_format format);
uint32_t fake_order_code(unsigned channels);

/* sample.c and surface.c: the interpreter's hooks. */
bool fake_texture_sample(const fake_texture *texture, const ptx_texture_access *access,
                         uint32_t ret[4], char *message, size_t message_size);
bool fake_surface_access(const fake_texture *surface, const ptx_surface_access *access,
                         char *message, size_t message_size);

#endif
