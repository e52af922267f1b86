/* Images: what a memory object that is an image has besides (memory.h). Samplers are in sampler.h.
 */
#ifndef PI_LEVEL_ZERO_IMAGE_H
#define PI_LEVEL_ZERO_IMAGE_H

#include "../objects/image_shape.h"
#include "memory.h"
#include "sampler.h"

/*
 * Level Zero makes an image for one root device, whose parts can use it, too. In a context with
 * several root devices it is the first one's, and commands and kernels of others are refused it.
 */
typedef struct level_zero_image {
  /* NULL for what describes a bindless image, whose memory is not the object's. */
  ze_image_handle_t image;
  pi_device device; /* the root device */
  pi_image_format format;
  image_pixel pixel;
  image_shape shape;
} level_zero_image;

/*
 * What Level Zero takes to make an image: its sizes, and how its channels stand in memory.
 * is_writable: kernels write it, too.
 *
 * PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, PI_ERROR_INVALID_IMAGE_DESCRIPTOR: NULL or malformed.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: no format of Level Zero, or one whose channels are
 * rearranged and that kernels write. PI_ERROR_INVALID_IMAGE_SIZE: larger than the device's images.
 * PI_ERROR_UNSUPPORTED_FEATURE: a kind of image that Level Zero does not have, or several levels.
 */
pi_result image_describe(pi_device device, const pi_image_format *format, const pi_image_desc *desc,
                         bool is_writable, level_zero_image *ret, ze_image_desc_t *ret_desc);

/*
 * A memory object with one reference that holds a copy of *image; is_owned: the image of Level Zero
 * goes with the object. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result image_object_new(pi_context context, pi_mem_flags flags, const level_zero_image *image,
                           bool is_owned, pi_mem *mem);

/*
 * Of the Level Zero image behind a memory object, for a kernel on a device.
 * PI_ERROR_INVALID_MEM_OBJECT, PI_ERROR_INVALID_DEVICE.
 */
pi_result image_for_device(pi_mem mem, pi_device device, ze_image_handle_t *ret);

#endif
