/*
 * Structures of Level Zero that came after version 1.4, which headers of Debian 12 lack, under
 * names of our own. Each is only given to drivers that list the extension named with it.
 */
#ifndef PI_LEVEL_ZERO_NEWER_H
#define PI_LEVEL_ZERO_NEWER_H

#include <level_zero/ze_api.h>

/* "ZE_extension_device_ip_version": in the chain of device properties. */
#define NEWER_IP_VERSION_NAME "ZE_extension_device_ip_version"
#define NEWER_STRUCTURE_IP_VERSION ((ze_structure_type_t)0x1000f)
typedef struct newer_ip_version {
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t ipVersion; /* out */
} newer_ip_version;

/* "ZE_extension_bfloat16_conversions": the device has them. */
#define NEWER_BFLOAT16_NAME "ZE_extension_bfloat16_conversions"

#endif
