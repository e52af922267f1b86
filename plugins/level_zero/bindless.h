/*
 * Bindless images: image memory apart from its handles, and handles that kernels get as numbers.
 * They need ZE_experimental_bindless_image, which drivers have since version 1.9. Everything that
 * is handed out is listed in the registry.
 */
#ifndef LEVEL_ZERO_BINDLESS_H
#define LEVEL_ZERO_BINDLESS_H

#include "device.h"

/* Whether a device has bindless images, as far as they are made by its driver. */
bool bindless_is_there(pi_device device);

/* PI_ERROR_UNSUPPORTED_FEATURE with a sentence unless it has. */
pi_result bindless_require(pi_device device);

/* How many pixels and rows images in plain memory have at most. Fails as the driver does. */
pi_result bindless_limits(pi_device device, size_t *width, size_t *height);

/* Whether a device imports memory, and semaphores, of other interfaces; false if it fails. */
bool interop_has_memory(pi_device device);
bool interop_has_semaphores(pi_device device);

/* The same as bindless_require. */
pi_result interop_require_memory(pi_device device);
pi_result interop_require_semaphores(pi_device device);

#endif
