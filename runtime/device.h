/* Platforms and devices, with the plugins' descriptions. */
#ifndef SPECPI_DEVICE_H
#define SPECPI_DEVICE_H

#include "selector.h"

#include <specpi/specpi.h>

#include <stdatomic.h>

typedef struct specpi_platform_object platform;
typedef struct specpi_device_object device;

/* Constant once its plugin has been discovered. */
struct specpi_platform_object {
  specpi_plugin plugin;
  pi_platform handle;
  char *name;
  char *vendor;
  char *version;
  device *devices;
  size_t device_count;
};

/* The sub-devices and the context of a device, each made at its first use. */
typedef struct device_parts {
  bool made;
  device *devices; /* NULL when the device cannot be partitioned */
  size_t count;
  _Atomic(pi_context) context; /* NULL before specpiDeviceGetContext */
} device_parts;

/* Constant, except for *parts, which device_parts_get and context.c protect. */
struct specpi_device_object {
  specpi_platform platform;
  specpi_device parent;
  pi_device handle;
  selector_place place;
  char *selector;
  char *name;
  char *vendor;
  char *version;
  char *driver_version;
  device_parts *parts;
};

/*
 * Fills in a platform without its devices. platform_clear frees it. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result platform_make(specpi_plugin plugin, pi_platform handle, platform *ret);
void platform_clear(platform *platform);

/*
 * Makes an array of devices for handles of a platform's plugin. parent is NULL for root devices;
 * first_number is the number of the first device. device_list_free frees *ret.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result device_list_make(specpi_platform platform, specpi_device parent,
                               uint32_t first_number, const pi_device *handles, size_t count,
                               device **ret);
void device_list_free(device *devices, size_t count);

/*
 * The sub-devices from partitioning by affinity domain, next partitionable; none if the device does
 * not support that. Any thread may call it. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result device_parts_get(specpi_device device, const device_parts **ret);

#endif
