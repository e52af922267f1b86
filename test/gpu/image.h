/* A PTX image from a file, for the checks on a GPU. */
#ifndef SPECPI_TEST_GPU_IMAGE_H
#define SPECPI_TEST_GPU_IMAGE_H

#include "../../plugins/code/ptx_image.h"

#include <stddef.h>

typedef struct gpu_image {
  char path[512];
  char *text;  /* of the file, with a zero byte behind */
  char *built; /* room for the text with values */
  size_t size;
  ptx_image *info;
} gpu_image;

/* Reads DIRECTORY/NAME; ends the program with 1 and a line on stderr if it cannot. */
gpu_image gpu_image_open(const char *directory, const char *name);

/* The same of any file; info is NULL. */
gpu_image gpu_image_read(const char *directory, const char *name);

void gpu_image_close(gpu_image *image);

/* The text with these values at its places, in image->built. */
const char *gpu_image_build(gpu_image *image, const unsigned char *values);

/* Constants and kernels by name; ends the program if there is none. */
const ptx_image_constant *gpu_image_constant(const gpu_image *image, const char *name);
const ptx_image_kernel *gpu_image_kernel(const gpu_image *image, const char *name);

#endif
