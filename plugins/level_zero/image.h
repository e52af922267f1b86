/* Descriptions of images as Level Zero takes them. */
#ifndef LEVEL_ZERO_IMAGE_H
#define LEVEL_ZERO_IMAGE_H

#include "../objects/image.h"
#include "context.h"

/*
 * Reads what an image of a device is made of. is_writable: kernels write it, too.
 *
 * PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, PI_ERROR_INVALID_IMAGE_DESCRIPTOR: NULL or malformed.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: no format of Level Zero, or one whose channels are
 * rearranged and that kernels write. PI_ERROR_INVALID_IMAGE_SIZE: larger than the device's images.
 * PI_ERROR_UNSUPPORTED_FEATURE: a kind of image that Level Zero does not have, or several levels.
 */
pi_result image_form_read(pi_device device, const pi_image_format *format,
                          const pi_image_desc *desc, bool is_writable, image_form *ret);

/* The same as the driver takes it. */
ze_image_desc_t image_description(const image_form *form, bool is_writable);

#endif
