/*
 * Images: memory objects whose layout the driver chooses. An image with memory of its own lies on
 * the first root device of its context. Commands and kernels of other devices may use it only if
 * the driver moves images (DRIVER_MOVES_IMAGES).
 */
#ifndef OBJECTS_IMAGE_H
#define OBJECTS_IMAGE_H

#include "memory.h"

/*
 * An image whose initial pixels are copied from host_ptr unless that is NULL. The copy is enough
 * even if the flags say that the image uses that memory, because PI cannot map images. The caller
 * has checked that flags and host_ptr fit together.
 *
 * PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, PI_ERROR_INVALID_IMAGE_DESCRIPTOR: NULL or malformed;
 * the errors of driver_image_form and driver_image_create; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result image_create(pi_context context, pi_mem_flags flags, const pi_image_format *format,
                       const pi_image_desc *desc, void *host_ptr, pi_mem *ret);

/* The image for a native handle, from the application or from memory_native. */
pi_result image_adopt(pi_context context, pi_native_handle native, bool is_owned,
                      const pi_image_format *format, const pi_image_desc *desc, pi_mem *ret);

/* A memory object of that form, with one reference, without the driver's image. */
pi_result image_object_new(pi_context context, pi_mem_flags flags, const image_form *form,
                           pi_mem *ret);

/*
 * Checks a memory object, called name in messages. PI_ERROR_INVALID_MEM_OBJECT: it is not an image
 * with memory of its own; PI_ERROR_INVALID_DEVICE: device cannot use the image.
 */
pi_result image_check(pi_mem mem, pi_device device, const char *name);

/*
 * Fills in the size, missing pitches and is_usm of memory for an extent; name is for messages.
 * PI_ERROR_INVALID_VALUE: the memory leaves its allocation. Wrong pitches fail with code.
 */
pi_result image_check_memory(pi_context context, const char *name, pi_result code,
                             const image_extent *extent, image_pitched *memory);

#endif
