/*
 * Platforms and devices. A platform is a driver that the loader found. Platforms, devices and their
 * parts are made by the first piPlatformsGet and never freed: Level Zero's handles for them stay
 * the same as long as the process runs.
 */
#ifndef PI_LEVEL_ZERO_DEVICE_H
#define PI_LEVEL_ZERO_DEVICE_H

#include "clock.h"
#include "level_zero.h"

#include <pthread.h>

struct pi_platform_object {
  pi_handle handle;
  ze_driver_handle_t driver;
  ze_api_version_t api_version;
  level_zero_extensions extensions; /* functions that only drivers have */
  bool has_module_program;          /* ZE_experimental_module_program: several SPIR-V in a module */
  bool has_global_offset;           /* ZE_experimental_global_offset */
  ze_driver_extension_properties_t *driver_extensions; /* all that the driver lists */
  uint32_t driver_extension_count;
  pi_device *devices; /* root devices, in the driver's order */
  pi_uint32 device_count;
};

/* A group of command queues of a device, by its ordinal; DEVICE_NO_GROUP where there is none. */
#define DEVICE_NO_GROUP UINT32_MAX

struct pi_device_object {
  pi_handle handle;
  pi_platform platform;
  pi_device parent; /* of a part (sub-device); NULL: a root device */
  pi_device root;   /* the device itself unless it is a part */
  pi_uint32 index;  /* of a root device in its platform, of a part in its parent */
  ze_device_handle_t device;
  ze_device_properties_t properties;
  ze_device_compute_properties_t compute;
  ze_device_module_properties_t module;
  uint32_t compute_group; /* the ordinal of the queues that run kernels */
  uint32_t compute_queues;
  uint32_t copy_group; /* the main copy engine's, or DEVICE_NO_GROUP: kernels' queues copy, too */
  uint32_t copy_queues;
  uint32_t link_group; /* further copy engines' ("link"), or DEVICE_NO_GROUP */
  uint32_t link_queues;
  bool has_cooperative;          /* compute_group runs cooperative kernels */
  size_t fill_pattern_size;      /* the largest one of zeCommandListAppendMemoryFill, compute */
  size_t copy_fill_pattern_size; /* the same of copy_group */
  pi_device *parts;              /* sub-devices */
  pi_uint32 part_count;
  atomic_uint references; /* of a part, by the application; the object stays without any */
  level_zero_clock clock;
  pthread_mutex_t clock_lock; /* of the next two, see clock_read */
  bool has_clock_origin;
  clock_reading clock_origin;
};

/* The platforms; 0 before piPlatformsGet has made them, and without a driver. */
pi_uint32 level_zero_platforms(void);
pi_platform level_zero_platform(pi_uint32 index);

/* Whether the driver lists an extension, ZE_..._NAME. */
bool platform_has_extension(pi_platform platform, const char *name);

/* What the platform and its devices name as their vendor. */
const char *platform_vendor(pi_platform platform);

/*
 * In device_open.c: makes the root devices of a platform and their parts. On failure nothing stays,
 * and the codes are those of the driver's failures, or PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result device_open_all(pi_platform platform);

/* Frees what device_open_all made; for a platform that is not kept. */
void device_close_all(pi_platform platform);

/* The object for a device handle of Level Zero, root or part; NULL for an unknown one. */
pi_device device_find(ze_device_handle_t device);

/* PI_DEVICE_TYPE_GPU, CPU or ACC. */
pi_device_type device_type(pi_device device);

/* Whether a device is this one, or a part of it (of any depth). */
bool device_is_in(pi_device device, pi_device whole);

#endif
