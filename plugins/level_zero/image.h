/* Descriptions of images for Level Zero. */
#ifndef LEVEL_ZERO_IMAGE_H
#define LEVEL_ZERO_IMAGE_H

#include "../objects/image.h"
#include "context.h"

/*
 * Reads the format and shape of an image of a device. is_writable: kernels may write the image.
 *
 * PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, PI_ERROR_INVALID_IMAGE_DESCRIPTOR: NULL or malformed.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: Level Zero has no such format, or kernels cannot write it
 * because its channels are rearranged. PI_ERROR_INVALID_IMAGE_SIZE: the image exceeds the device's
 * limits. PI_ERROR_UNSUPPORTED_FEATURE: a type that Level Zero does not have, or several levels.
 */
pi_result image_form_read(pi_device device, const pi_image_format *format,
                          const pi_image_desc *desc, bool is_writable, image_form *ret);

/* Translates a form for the driver. */
ze_image_desc_t image_description(const image_form *form, bool is_writable);

#endif
