/* Images and samplers of the fake Level Zero driver. */
#ifndef SPECPI_TEST_FAKE_ZE_IMAGE_H
#define SPECPI_TEST_FAKE_ZE_IMAGE_H

#include "cl.h"
#include "fake.h"

enum { FAKE_IMAGE_DIMS = 16384, FAKE_IMAGE_DIMS_3D = 2048, FAKE_IMAGE_LAYERS = 2048 };

/* A format as OpenCL has it. */
typedef struct fake_format {
  cl_image_format cl;
  size_t size;   /* bytes of a pixel */
  bool integers; /* that stand for themselves: nothing to interpolate */
} fake_format;

/* Returns whether OpenCL has images of a format at all; a device may lack it all the same. */
bool fake_format_find(const ze_image_format_t *format, fake_format *ret);

/* The memory of an image and its views. Counted, under the driver's lock. */
typedef struct fake_texels {
  unsigned references;
  unsigned char *bytes;
  size_t size, pitch, slice; /* slice: of a layer, too */
  bool is_mapped;            /* an imported file's, which ends with the texels */
  bool is_foreign;           /* in memory of somebody else */
} fake_texels;

typedef struct fake_image {
  fake_object head;
  fake_device *device;
  ze_image_desc_t desc;
  fake_format format;
  uint32_t extents[3]; /* pixels, rows or layers of 1D, slices or layers of 2D */
  fake_texels *texels;
  cl_mem memory; /* OpenCL's image over the texels */
  uint64_t id;
  bool bindless; /* see bindless.h */
} fake_image;

/* The dimensions of a type, and whether it has layers. */
unsigned fake_image_dimensions(ze_image_type_t type, bool *ret_is_array);

typedef struct fake_sampler {
  fake_object head;
  fake_device *device;
  cl_sampler sampler;
} fake_sampler;

#endif
