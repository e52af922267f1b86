/* Images and samplers of the fake Level Zero driver. */
#ifndef SPECPI_TEST_FAKE_ZE_IMAGE_H
#define SPECPI_TEST_FAKE_ZE_IMAGE_H

#include "cl.h"
#include "fake.h"

enum { FAKE_IMAGE_DIMS = 16384, FAKE_IMAGE_DIMS_3D = 2048, FAKE_IMAGE_LAYERS = 2048 };

/* OpenCL's description of a format. */
typedef struct fake_format {
  cl_image_format cl;
  size_t size;   /* bytes per pixel */
  bool integers; /* plain integers, which cannot be interpolated */
} fake_format;

/* Finds OpenCL's format. Returns false if OpenCL has none; devices may not support one it has. */
bool fake_format_find(const ze_image_format_t *format, fake_format *ret);

/* The memory of an image and its views. Reference-counted, under the driver's lock. */
typedef struct fake_texels {
  unsigned references;
  unsigned char *bytes;
  size_t size, pitch, slice; /* slice is also the pitch of layers */
  bool is_mapped;            /* a mapping of an imported file, which ends with the texels */
  bool is_foreign;           /* in memory that the image does not own */
} fake_texels;

typedef struct fake_image {
  fake_object head;
  fake_device *device;
  ze_image_desc_t desc;
  fake_format format;
  uint32_t extents[3]; /* pixels; rows or 1D layers; slices or 2D layers */
  fake_texels *texels;
  cl_mem memory; /* OpenCL's image that uses the texels */
  uint64_t id;
  bool bindless; /* see bindless.h */
} fake_image;

/* Returns the number of dimensions of a type, and whether it has layers. */
unsigned fake_image_dimensions(ze_image_type_t type, bool *ret_is_array);

typedef struct fake_sampler {
  fake_object head;
  fake_device *device;
  cl_sampler sampler;
} fake_sampler;

#endif
