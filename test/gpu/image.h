/* A PTX image from a file, for the checks on a GPU. */
#ifndef SPECPI_TEST_GPU_IMAGE_H
#define SPECPI_TEST_GPU_IMAGE_H

#include "../../plugins/code/ptx_image.h"

#include <stddef.h>

typedef struct gpu_image {
  char path[512];
  char *text;  /* the file's bytes, and a zero byte */
  char *built; /* space for the text with values */
  size_t size;
  ptx_image *info;
} gpu_image;

/* Reads DIRECTORY/NAME; if it cannot, ends the program with 1 and a line on stderr. */
gpu_image gpu_image_open(const char *directory, const char *name);

/* Reads any file; info is NULL. */
gpu_image gpu_image_read(const char *directory, const char *name);

void gpu_image_close(gpu_image *image);

/* Returns the text with these values at their places, in image->built. */
const char *gpu_image_build(gpu_image *image, const unsigned char *values);

/* Find constants and kernels by name; end the program if there is none. */
const ptx_image_constant *gpu_image_constant(const gpu_image *image, const char *name);
const ptx_image_kernel *gpu_image_kernel(const gpu_image *image, const char *name);

#endif
