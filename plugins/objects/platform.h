/*
 * Platforms and their devices. The first piPlatformsGet makes them. They are never freed, because
 * the driver's handles for them stay the same as long as the process runs.
 */
#ifndef OBJECTS_PLATFORM_H
#define OBJECTS_PLATFORM_H

#include "driver_parts.h"
#include "handle.h"

struct pi_platform_object {
  object_head handle;
  pi_native_handle native; /* 0 if the driver has no object for a platform */
  pi_uint32 index;         /* in the driver's list */
  pi_device *devices;      /* root devices, in the driver's order; at least one */
  pi_uint32 device_count;
  struct driver_platform driver;
};

/*
 * Makes the platforms once; after a failure the next call tries again. Succeeds without platforms
 * if there is no driver. Errors of the driver's verbs, PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result platforms_open(void);

/*
 * Returns the number of platforms, and their list in *ret. Before platforms_open has succeeded it
 * returns 0 and leaves *ret untouched.
 */
pi_uint32 platforms_get(const pi_platform **ret);

/*
 * The native handle of a platform, and the platform for a native handle.
 * PI_ERROR_UNSUPPORTED_FEATURE: the driver has no object for platforms; PI_ERROR_INVALID_PLATFORM:
 * no platform with a device has the handle.
 */
pi_result platform_native(pi_platform platform, pi_native_handle *ret);
pi_result platform_adopt(pi_native_handle native, pi_platform *ret);

#endif
