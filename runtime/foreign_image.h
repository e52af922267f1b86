/* Images that libspecpi makes itself, from IL, source, binaries and OpenCL's programs. */
#ifndef SPECPI_FOREIGN_IMAGE_H
#define SPECPI_FOREIGN_IMAGE_H

#include "image.h"

/* The description of an image to make. The caller owns what it points to. */
typedef struct foreign_image {
  image_content content;
  const char *target;
  const void *bytes;
  size_t size;
  const char *const *kernels;
  size_t kernel_count;
  bool learns_kernels;
} foreign_image;

/* The caller releases *ret. SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result foreign_image_create(const foreign_image *from, specpi_image *ret);

/*
 * The image of a SPIR-V module, with its entry points and its constants.
 * SPECPI_ERROR_INVALID_IMAGE, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result foreign_image_create_from_il(const void *il, size_t size, specpi_image *ret);

/*
 * The image of PTX, with the kernels that it declares and the constants in its trailer
 * (docs/internals/ptx.md). SPECPI_ERROR_INVALID_IMAGE: the trailer is damaged;
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result foreign_image_create_from_ptx(const void *text, size_t size, specpi_image *ret);

/* Makes a copy of an image with the names of its kernels. */
specpi_result foreign_image_name_kernels(specpi_image image, const char *const *kernels,
                                         size_t count, specpi_image *ret);

#endif
