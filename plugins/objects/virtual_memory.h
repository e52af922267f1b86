/*
 * Virtual memory: addresses that the application reserves, and physical memory that it maps to
 * them, as in Unified Runtime; PI has no such entries. The reservations and mappings are also
 * listed here, so that wrong arguments are refused before the driver gets them, and commands can be
 * checked against the mapped ranges. Only for specpi_object_plugin(name WITH_VIRTUAL_MEMORY ..).
 *
 * Sizes, addresses and offsets must be multiples of the context's granularity:
 * PI_ERROR_INVALID_BUFFER_SIZE for a size or an offset, PI_ERROR_INVALID_VALUE for an address.
 * Contexts that share the driver's context share their reservations. PI_ERROR_UNSUPPORTED_FEATURE:
 * a device of the context has no virtual memory. Any thread may call all functions.
 */
#ifndef OBJECTS_VIRTUAL_MEMORY_H
#define OBJECTS_VIRTUAL_MEMORY_H

#include "driver.h"
#include "driver_parts.h"
#include "usm.h"

/* Physical memory of a device, which has no address until it is mapped. */
typedef struct physical_memory {
  object_head handle;
  pi_context context; /* a reference */
  pi_device device;
  size_t size;
  pi_uint32 flags; /* as the application passed them */
  struct driver_physical driver;
} physical_memory;

/*
 * New physical memory with one reference. PI_ERROR_OUT_OF_RESOURCES: the device has too little;
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result physical_memory_create(pi_context context, pi_device device, size_t size, pi_uint32 flags,
                                 physical_memory **ret);

/* Add or drop a reference to physical memory. Each mapping has one. */
static inline void physical_memory_retain(physical_memory *memory) {
  object_retain(&memory->handle);
}
void physical_memory_release(physical_memory *memory);

/* The minimum or recommended granularity of a device; NULL: of all devices of the context. */
pi_result virtual_granularity(pi_context context, pi_device device, bool is_recommended,
                              size_t *ret);

/*
 * Reserves size bytes of addresses, starting at wish if that is not NULL and the driver can. The
 * reservation has a reference to the context. PI_ERROR_OUT_OF_RESOURCES: there is no free range of
 * that size; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result virtual_reserve(pi_context context, const void *wish, size_t size, void **ret);

/*
 * Gives back a whole reservation. PI_ERROR_INVALID_VALUE: the range is not exactly one reservation;
 * PI_ERROR_INVALID_OPERATION: something is mapped in it.
 */
pi_result virtual_free(pi_context context, const void *start, size_t size);

/*
 * Maps size bytes of physical memory, from offset on, to addresses. PI_ERROR_INVALID_CONTEXT: the
 * memory is of another context; PI_ERROR_INVALID_BUFFER_SIZE: the memory is smaller than offset +
 * size; PI_ERROR_INVALID_VALUE: the addresses are not of one reservation;
 * PI_ERROR_INVALID_OPERATION: something is mapped there already; PI_ERROR_UNSUPPORTED_FEATURE: the
 * driver maps only the whole of a physical memory; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result virtual_map(pi_context context, const void *start, size_t size, physical_memory *memory,
                      size_t offset, virtual_access access);

/*
 * Unmap, and set the access. PI_ERROR_INVALID_VALUE: the range is not one or more whole mappings
 * without gaps; PI_ERROR_INVALID_OPERATION: another thread changes one of the mappings. Unmapping
 * waits until all commands of the context are complete.
 */
pi_result virtual_unmap(pi_context context, const void *start, size_t size);
pi_result virtual_set_access(pi_context context, const void *start, size_t size,
                             virtual_access access);

/* The access to a mapped range. PI_ERROR_INVALID_VALUE: it is not the same in the whole range. */
pi_result virtual_get_access(pi_context context, const void *start, size_t size,
                             virtual_access *ret);

/*
 * Returns whether an address is reserved, and if so describes it (usm_range). Costs one load while
 * nothing is reserved.
 */
bool virtual_describe(pi_context context, const void *pointer, usm_range *ret);

#endif
