/* What CUDA tells of its devices. */
#ifndef PI_CUDA_DEVICE_H
#define PI_CUDA_DEVICE_H

#include "../objects/device.h"

/* The newest version of PTX that the driver takes, 84 for 8.4; see code.h. */
int cuda_ptx_version(void);

/* An attribute of a device; fallback when the driver does not know it. */
int cuda_attribute(pi_device device, CUdevice_attribute attribute, int fallback);

/* What atomics on a device can do: PI_MEMORY_ORDER_ and PI_MEMORY_SCOPE_ bits, fences too. */
pi_uint64 cuda_atomic_orders(pi_device device);
pi_uint64 cuda_atomic_scopes(pi_device device);

/*
 * What kernels and the host can do with USM of a kind, as PI_USM_ bits: query is one of
 * PI_DEVICE_INFO_USM_*_SUPPORT. Errors are the driver's.
 */
pi_result cuda_usm_abilities(pi_device device, pi_device_info query, pi_uint64 *ret);

/* Bytes of the device's memory that nobody uses now. Errors are the driver's. */
pi_result cuda_free_memory(pi_device device, pi_uint64 *ret);

#endif
