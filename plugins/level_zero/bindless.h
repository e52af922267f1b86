/*
 * Bindless images: image memory apart from its handles, and handles that kernels get as numbers.
 * They need ZE_experimental_bindless_image, which drivers have since version 1.9. Everything that
 * is handed out is listed in the registry.
 */
#ifndef PI_LEVEL_ZERO_BINDLESS_H
#define PI_LEVEL_ZERO_BINDLESS_H

#include "../objects/registry.h"
#include "image.h"

/* Image memory: an entry of the registry whose number is the ze_image_handle_t. */
typedef struct image_memory {
  registry_entry entry;
  deferred deferred;
  level_zero_image image;
} image_memory;

/* Whether a device has bindless images, as far as they are made by its driver. */
bool bindless_is_there(pi_device device);

/* PI_ERROR_UNSUPPORTED_FEATURE with a sentence unless it has. */
pi_result bindless_require(pi_device device);

/* How many pixels and rows images in plain memory have at most. Fails as the driver does. */
pi_result bindless_limits(pi_device device, size_t *width, size_t *height);

/* Whether a device imports memory, and semaphores, of other interfaces; false if it fails. */
bool interop_has_memory(pi_device device);
bool interop_has_semaphores(pi_device device);

/*
 * The image memory behind a handle of PI; false when it is none, or of another context. context may
 * be NULL for any.
 */
bool image_memory_find(pi_image_mem_handle handle, pi_context context, image_memory *ret);

/*
 * Makes image memory: description is of image_describe, and further a chain of descriptions that
 * the driver gets behind it, or NULL. Errors: the driver's, PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result image_memory_make(pi_context context, const level_zero_image *image,
                            const ze_image_desc_t *description, const void *further,
                            pi_image_mem_handle *ret);

/* image_describe for image memory, which kernels write if its format lets them. */
pi_result image_memory_describe(pi_device device, const pi_image_format *format,
                                const pi_image_desc *desc, level_zero_image *ret,
                                ze_image_desc_t *ret_desc);

#endif
