/* What a specpi_image is. */
#ifndef SPECPI_IMAGE_H
#define SPECPI_IMAGE_H

#include <specpi/specpi.h>

struct specpi_image_object {
  const pi_device_binary_struct *binary; /* the creator's */
  pi_device_binary_type format;
  specpi_property *properties;
  size_t property_count;
  specpi_constant *constants;
  size_t constant_count;
  specpi_leaf *leaves; /* of all constants */
};

/*
 * Decodes the constants from the image's properties, which must be decoded: fills in constants
 * and leaves, in new memory that specpiImageRelease frees. Errors as specpiImageCreate.
 */
specpi_result image_decode_constants(struct specpi_image_object *image);

#endif
