/*
 * Bindless images: image memory apart from its handles, and handles that kernels get as numbers.
 * They need ZE_experimental_bindless_image, which drivers have since version 1.9. The registry
 * lists every handle that is returned.
 */
#ifndef LEVEL_ZERO_BINDLESS_H
#define LEVEL_ZERO_BINDLESS_H

#include "device.h"

/* Returns whether a device has bindless images, as far as its driver makes them. */
bool bindless_is_there(pi_device device);

/* PI_ERROR_UNSUPPORTED_FEATURE with a message unless it has. */
pi_result bindless_require(pi_device device);

/* Returns the largest width and height, in pixels, of images in plain memory. Fails as the driver
 * does. */
pi_result bindless_limits(pi_device device, size_t *width, size_t *height);

/* Returns whether a device imports memory, or semaphores, of other interfaces; false on failure. */
bool interop_has_memory(pi_device device);
bool interop_has_semaphores(pi_device device);

/* The same as bindless_require. */
pi_result interop_require_memory(pi_device device);
pi_result interop_require_semaphores(pi_device device);

#endif
