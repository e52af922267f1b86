/*
 * Bindless images. Image memory and the handles for it are separate, and a kernel receives a handle
 * as a number. They need ZE_experimental_bindless_image, which drivers have since version 1.9. The
 * registry lists every handle that is returned.
 */
#ifndef LEVEL_ZERO_BINDLESS_H
#define LEVEL_ZERO_BINDLESS_H

#include "device.h"

/* Returns whether a device and its driver have bindless images. */
bool bindless_is_there(pi_device device);

/* Fails with PI_ERROR_UNSUPPORTED_FEATURE and a message unless the device has bindless images. */
pi_result bindless_require(pi_device device);

/* Returns the largest width and height, in pixels, of images in plain memory. Passes on the
 * driver's errors. */
pi_result bindless_limits(pi_device device, size_t *width, size_t *height);

/* Return whether a device imports memory or semaphores of other interfaces; false on failure. */
bool interop_has_memory(pi_device device);
bool interop_has_semaphores(pi_device device);

/* Fail with PI_ERROR_UNSUPPORTED_FEATURE and a message unless the device imports them. */
pi_result interop_require_memory(pi_device device);
pi_result interop_require_semaphores(pi_device device);

#endif
