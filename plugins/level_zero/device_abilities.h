/* A device's abilities that have to be asked of the driver. */
#ifndef LEVEL_ZERO_DEVICE_ABILITIES_H
#define LEVEL_ZERO_DEVICE_ABILITIES_H

#include "device.h"

/* A device's memories taken together. */
typedef struct device_memory {
  pi_uint64 size;      /* bytes, of all */
  pi_uint32 clock;     /* MHz, of the fastest */
  pi_uint32 bus;       /* bits, of the widest */
  pi_uint64 bandwidth; /* bytes a second, of all; 0 where the driver does not tell it */
} device_memory;

/* Errors of all: what the driver's failures are mapped to, PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result device_memory_of(pi_device device, device_memory *ret);

/* Bytes of the largest cache. */
pi_result device_cache_of(pi_device device, pi_uint64 *ret);

/*
 * Returns what kernels and the host can do with USM of a kind, as PI_USM_ bits: query is one of
 * PI_DEVICE_INFO_USM_*_SUPPORT.
 */
pi_result device_usm_of(pi_device device, pi_device_info query, pi_uint64 *ret);

/* PI_FP_ bits for those of Level Zero. */
pi_uint64 device_fp_of(ze_device_fp_flags_t flags);

/* Execution units in all, at least 1. */
pi_uint32 device_units_of(pi_device device);

#endif
