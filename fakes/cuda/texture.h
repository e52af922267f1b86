/* Texture and surface objects of the fake CUDA driver. */
#ifndef SPECPI_TEST_FAKE_CUDA_TEXTURE_H
#define SPECPI_TEST_FAKE_CUDA_TEXTURE_H

#include "module.h"

/* The texels of one level, stored row by row. */
typedef struct fake_texels {
  unsigned char *bytes;
  size_t width, height, depth; /* depth is the number of layers, if layered */
  size_t pitch, slice;         /* bytes */
} fake_texels;

/* A texture or surface object. */
typedef struct fake_texture {
  fake_object head;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC desc; /* for textures only */
  CUarray_format format;
  unsigned channels;
  size_t element;
  bool layered, cube, linear; /* linear: linear memory, read at integer coordinates */
  unsigned dimensions;
  unsigned level_count;
  fake_texels *levels;
} fake_texture;

void fake_texture_end(fake_texture *texture);

/* texel.c: reading and writing of texels. */
typedef struct fake_texel {
  bool is_float;
  union {
    float f[4];
    uint32_t u[4]; /* signed integers are sign-extended to 32 bits */
  } value;
} fake_texel;

/* Returns whether a read of this format without CU_TRSF_READ_AS_INTEGER returns floats. */
bool fake_format_is_float(CUarray_format format);
/* Returns whether the format's integers always mean numbers from 0 or -1 to 1. */
bool fake_format_is_normal(CUarray_format format);
/* Reads the texel at bytes. For NULL, returns the border's colour, zeros. */
fake_texel fake_texel_read(const fake_texture *texture, const unsigned char *bytes);
/* Converts components of 32 bits to the format and writes them, for sust.p. */
void fake_texel_write(const fake_texture *texture, unsigned char *bytes, const uint32_t *components,
                      unsigned count);
uint16_t fake_half_of(float value);
/* Returns OpenCL's codes of the format and of its channel order, as PTX's queries do. */
uint32_t fake_format_code(CUarray_format format);
uint32_t fake_order_code(unsigned channels);

/* sample.c and surface.c: hooks of the interpreter. */
bool fake_texture_sample(const fake_texture *texture, const ptx_texture_access *access,
                         uint32_t ret[4], char *message, size_t message_size);
bool fake_surface_access(const fake_texture *surface, const ptx_surface_access *access,
                         char *message, size_t message_size);

#endif
