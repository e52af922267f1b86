/* Abilities of a device that need a call of the driver. */
#ifndef LEVEL_ZERO_DEVICE_ABILITIES_H
#define LEVEL_ZERO_DEVICE_ABILITIES_H

#include "device.h"

/* Summary of a device's memories. */
typedef struct device_memory {
  pi_uint64 size;      /* bytes in all memories */
  pi_uint32 clock;     /* MHz of the fastest memory */
  pi_uint32 bus;       /* bits of the widest memory bus */
  pi_uint64 bandwidth; /* bytes per second of all memories; 0 if the driver does not report it */
} device_memory;

/* Reads the summary of a device's memories. The functions of this file that return a pi_result fail
 * with the mapped errors of the driver, or PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result device_memory_of(pi_device device, device_memory *ret);

/* Returns the bytes of the largest cache. */
pi_result device_cache_of(pi_device device, pi_uint64 *ret);

/*
 * Returns the PI_USM_ bits for a kind of USM. query is one of PI_DEVICE_INFO_USM_*_SUPPORT and
 * selects the kind.
 */
pi_result device_usm_of(pi_device device, pi_device_info query, pi_uint64 *ret);

/* Translates Level Zero's floating-point flags to PI_FP_ bits. */
pi_uint64 device_fp_of(ze_device_fp_flags_t flags);

/* Returns the number of execution units of the device, at least 1. */
pi_uint32 device_units_of(pi_device device);

#endif
