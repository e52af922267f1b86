/* The platform and its devices: made by the first piPlatformsGet, and never freed. */
#ifndef PI_CUDA_DEVICE_H
#define PI_CUDA_DEVICE_H

#include "clock.h"

#include <pthread.h>

/* X(name, CU_DEVICE_ATTRIBUTE_..): what is asked once and used where a launch must not ask. */
#define CUDA_DEVICE_LIMITS(X)                                                                      \
  X(max_threads, MAX_THREADS_PER_BLOCK)                                                            \
  X(max_block_x, MAX_BLOCK_DIM_X)                                                                  \
  X(max_block_y, MAX_BLOCK_DIM_Y)                                                                  \
  X(max_block_z, MAX_BLOCK_DIM_Z)                                                                  \
  X(max_grid_x, MAX_GRID_DIM_X)                                                                    \
  X(max_grid_y, MAX_GRID_DIM_Y)                                                                    \
  X(max_grid_z, MAX_GRID_DIM_Z)                                                                    \
  X(max_pitch, MAX_PITCH)                                                                          \
  X(max_shared, MAX_SHARED_MEMORY_PER_BLOCK)                                                       \
  X(max_shared_optin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)                                           \
  X(multiprocessors, MULTIPROCESSOR_COUNT)                                                         \
  X(warp_size, WARP_SIZE)                                                                          \
  X(major, COMPUTE_CAPABILITY_MAJOR)                                                               \
  X(minor, COMPUTE_CAPABILITY_MINOR)

/* How many devices are listed at most; more than CUDA itself takes. */
enum { CUDA_MOST_DEVICES = 128 };

struct pi_platform_object {
  pi_handle handle;
};

struct pi_device_object {
  pi_handle handle;
  pi_platform platform;
  pthread_mutex_t clock_lock; /* for the next three */
  cuda_clock clock;           /* of the primary context */
  pi_uint64 latest_time;      /* that piGetDeviceAndHostTimer gave out */
  unsigned clock_users;       /* how many hold the clock; it exists while there are any */
  CUdevice ordinal;
  bool peers[CUDA_MOST_DEVICES]; /* whose memory piextEnablePeerAccess opened; see peer.c */
#define CUDA_LIMIT(name, attribute) int name;
  CUDA_DEVICE_LIMITS(CUDA_LIMIT)
#undef CUDA_LIMIT
};

/* The platform; NULL before piPlatformsGet has made it, and without a device. */
pi_platform cuda_platform(void);

/* How many devices it has, and one of them, in the driver's order; NULL when there is none. */
int cuda_devices(void);
pi_device cuda_device(int index);

/* What the platform reports as its backend (SPECPI_CUDA_BACKEND, read once). */
pi_platform_backend cuda_backend(void);

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

/* The newest version of PTX that the driver takes, 84 for 8.4; see code.h. */
int cuda_ptx_version(void);

/* An attribute of a device; fallback when the driver does not know it. */
int cuda_attribute(pi_device device, CUdevice_attribute attribute, int fallback);

#endif
