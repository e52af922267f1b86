/*
 * Images: memory objects whose pixels the driver arranges. Those with memory of their own are on
 * the first root device of their context. Commands and kernels of other devices may not use them,
 * unless the driver moves images (DRIVER_MOVES_IMAGES).
 */
#ifndef OBJECTS_IMAGE_H
#define OBJECTS_IMAGE_H

#include "memory.h"

/*
 * An image that begins with a copy of the pixels at host_ptr unless that is NULL, whatever the
 * flags say about that memory: nothing in PI maps an image. Flags and host_ptr belong together.
 *
 * PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, PI_ERROR_INVALID_IMAGE_DESCRIPTOR: NULL or malformed;
 * the errors of driver_image_form and driver_image_create; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result image_create(pi_context context, pi_mem_flags flags, const pi_image_format *format,
                       const pi_image_desc *desc, void *host_ptr, pi_mem *ret);

/* The image of a native handle, which may be one of ours: memory_adopt_pointer. */
pi_result image_adopt(pi_context context, pi_native_handle native, bool is_owned,
                      const pi_image_format *format, const pi_image_desc *desc, pi_mem *ret);

/* A memory object of that form with one reference, without an image of the driver's. */
pi_result image_object_new(pi_context context, pi_mem_flags flags, const image_form *form,
                           pi_mem *ret);

/*
 * Checks that a memory object, called name in messages, is an image with memory of its own that a
 * device can use: PI_ERROR_INVALID_MEM_OBJECT, PI_ERROR_INVALID_DEVICE.
 */
pi_result image_check(pi_mem mem, pi_device device, const char *name);

/*
 * Completes the pitches of memory that holds extent, called name in messages, and looks up its
 * owner. PI_ERROR_INVALID_VALUE: it leaves its allocation. Wrong pitches fail with code.
 */
pi_result image_check_memory(pi_context context, const char *name, pi_result code,
                             const image_extent *extent, image_pitched *memory);

#endif
