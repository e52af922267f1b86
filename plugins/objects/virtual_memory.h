/*
 * Virtual memory: addresses that the application reserves, and physical memory that it maps to
 * them, as in Unified Runtime; PI has no word for it. The driver keeps all of it. It is listed
 * here, too, so that bad input is refused before the driver meets it, and so that commands know how
 * far the memory reaches from an address. Only for drivers that have it: for
 * specpi_object_plugin(name WITH_VIRTUAL_MEMORY ..).
 *
 * Sizes, addresses and offsets are multiples of the context's granularity:
 * PI_ERROR_INVALID_BUFFER_SIZE for a size, or an offset, that is not, PI_ERROR_INVALID_VALUE for an
 * address. A range is of the context when one that stands for the same of the driver's has reserved
 * it. PI_ERROR_UNSUPPORTED_FEATURE: a device of the context has no virtual memory. All is safe from
 * any thread.
 */
#ifndef OBJECTS_VIRTUAL_MEMORY_H
#define OBJECTS_VIRTUAL_MEMORY_H

#include "driver.h"
#include "driver_parts.h"
#include "usm.h"

/* Memory of a device without an address. */
typedef struct physical_memory {
  object_head handle;
  pi_context context; /* a reference */
  pi_device device;
  size_t size;
  pi_uint32 flags; /* as the application gave them */
  struct driver_physical driver;
} physical_memory;

/*
 * New physical memory with one reference. PI_ERROR_OUT_OF_RESOURCES: the device has too little;
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result physical_memory_create(pi_context context, pi_device device, size_t size, pi_uint32 flags,
                                 physical_memory **ret);

/* Add or drop a reference. Each mapping has one. */
static inline void physical_memory_retain(physical_memory *memory) {
  object_retain(&memory->handle);
}
void physical_memory_release(physical_memory *memory);

/* The least or recommended granularity of a device; NULL: of all the context's devices. */
pi_result virtual_granularity(pi_context context, pi_device device, bool is_recommended,
                              size_t *ret);

/*
 * Reserves addresses, from wish on if possible, which may be NULL. They hold a reference to the
 * context. PI_ERROR_OUT_OF_RESOURCES: there are not so many; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result virtual_reserve(pi_context context, const void *wish, size_t size, void **ret);

/*
 * Gives back all addresses of one reservation: PI_ERROR_INVALID_VALUE for anything else,
 * PI_ERROR_INVALID_OPERATION where something is mapped.
 */
pi_result virtual_free(pi_context context, const void *start, size_t size);

/*
 * Maps physical memory of the context, from offset on, to addresses. PI_ERROR_INVALID_CONTEXT: it
 * is of another context; PI_ERROR_INVALID_BUFFER_SIZE: the memory ends before; .._INVALID_VALUE:
 * the addresses are not of one reservation; .._INVALID_OPERATION: something is mapped there;
 * .._UNSUPPORTED_FEATURE: the driver maps no part of a memory; .._OUT_OF_HOST_MEMORY.
 */
pi_result virtual_map(pi_context context, const void *start, size_t size, physical_memory *memory,
                      size_t offset, virtual_access access);

/*
 * Both take one or more mappings as a whole, without gaps: PI_ERROR_INVALID_VALUE for anything
 * else, PI_ERROR_INVALID_OPERATION where another thread is in a call about one. Unmapping waits
 * until everything in the context is complete.
 */
pi_result virtual_unmap(pi_context context, const void *start, size_t size);
pi_result virtual_set_access(pi_context context, const void *start, size_t size,
                             virtual_access access);

/* The access to mapped bytes, which is the same for all; PI_ERROR_INVALID_VALUE otherwise. */
pi_result virtual_get_access(pi_context context, const void *start, size_t size,
                             virtual_access *ret);

/*
 * Returns whether an address is reserved; then *ret describes it as usm_range says. Costs one load
 * while nothing is reserved.
 */
bool virtual_describe(pi_context context, const void *pointer, usm_range *ret);

#endif
