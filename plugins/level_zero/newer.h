/*
 * Structures that are newer than version 1.4 of Level Zero, under names of the plugin's own because
 * the headers of Debian 12 lack them. The plugin passes each one only to drivers that list the
 * extension named with it.
 */
#ifndef LEVEL_ZERO_NEWER_H
#define LEVEL_ZERO_NEWER_H

#include "driver.h"

#include <stddef.h>

/* "ZE_extension_device_ip_version": a structure in the pNext chain of device properties. */
#define NEWER_IP_VERSION_NAME "ZE_extension_device_ip_version"
#define NEWER_STRUCTURE_IP_VERSION ((ze_structure_type_t)0x1000f)
typedef struct newer_ip_version {
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t ipVersion; /* output */
} newer_ip_version;

/* "ZE_extension_bfloat16_conversions": devices have conversions of bfloat16. */
#define NEWER_BFLOAT16_NAME "ZE_extension_bfloat16_conversions"

/*
 * The functions of the next two extensions come from the driver (LEVEL_ZERO_EXTENSIONS) and take
 * the driver's handles. A loader with several drivers returns handles of its own, which
 * newer_handle translates.
 */

/* Bindless images, version 1.9. */
#define NEWER_BINDLESS_NAME "ZE_experimental_bindless_image"

/* External semaphores, version 1.12. */
#define NEWER_SEMAPHORES_NAME "ZE_extension_external_semaphores"

enum {
  NEWER_STYPE_PITCHED_ALLOC_DEVICE_PROPERTIES = 0x0002001D,
  NEWER_STYPE_BINDLESS_IMAGE_DESC = 0x0002001E,
  NEWER_STYPE_PITCHED_IMAGE_DESC = 0x0002001F,
  NEWER_STYPE_EXTERNAL_SEMAPHORE_DESC = 0x00020022,
  NEWER_STYPE_EXTERNAL_SEMAPHORE_FD_DESC = 0x00020024,
  NEWER_STYPE_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS = 0x00020025,
  NEWER_STYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS = 0x00020026,
};

/*
 * ze_image_bindless_exp_desc_t, in the pNext of a ze_image_desc_t. A sampled image has a
 * ze_sampler_desc_t in its next.
 */
enum { NEWER_BINDLESS = 1, NEWER_SAMPLED_IMAGE = 2 };
typedef struct newer_bindless_desc {
  uint32_t stype;
  const void *next;
  uint32_t flags;
} newer_bindless_desc;

/* ze_image_pitched_exp_desc_t, in the pNext of a ze_image_desc_t: for an image in USM. */
typedef struct newer_pitched_desc {
  uint32_t stype;
  const void *next;
  void *pointer;
} newer_pitched_desc;

/* ze_device_pitched_alloc_exp_properties_t, in the pNext of a ze_device_image_properties_t. */
typedef struct newer_pitched_properties {
  uint32_t stype;
  void *next;
  size_t max_width, max_height;
} newer_pitched_properties;

typedef struct newer_semaphore *newer_semaphore_handle;

/* ze_external_semaphore_ext_desc_t, with a ze_external_semaphore_fd_ext_desc_t in its next. */
enum { NEWER_SEMAPHORE_OPAQUE_FD = 1 };
typedef struct newer_semaphore_desc {
  uint32_t stype;
  const void *next;
  uint32_t flags;
} newer_semaphore_desc;

typedef struct newer_semaphore_fd_desc {
  uint32_t stype;
  const void *next;
  int fd;
} newer_semaphore_fd_desc;

/* ze_external_semaphore_signal_params_ext_t and ze_external_semaphore_wait_params_ext_t. */
typedef struct newer_semaphore_params {
  uint32_t stype;
  const void *next;
  uint64_t value;
} newer_semaphore_params;

/* zel_handle_type_t of the loader. */
typedef enum newer_handle_kind {
  NEWER_HANDLE_DRIVER = 0,
  NEWER_HANDLE_DEVICE = 1,
  NEWER_HANDLE_CONTEXT = 2,
  NEWER_HANDLE_COMMAND_LIST = 4,
  NEWER_HANDLE_EVENT = 7,
  NEWER_HANDLE_IMAGE = 8,
} newer_handle_kind;

/*
 * Translates a handle of the loader to the driver's handle. Returns it unchanged if the loader uses
 * the driver's handles, or is too old to translate. Never fails, takes no lock.
 */
void *newer_handle(newer_handle_kind kind, void *handle);

#endif
