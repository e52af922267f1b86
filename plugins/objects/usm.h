/*
 * Unified shared memory (USM): allocations and pointers. The driver knows each pointer.
 */
#ifndef OBJECTS_USM_H
#define OBJECTS_USM_H

#include "context.h"

/* The driver's description of a pointer. */
typedef struct usm_range {
  pi_usm_type type; /* PI_MEM_TYPE_UNKNOWN: no memory of the driver's; all else is 0 then */
  uintptr_t base;   /* start of the allocation */
  size_t size;      /* of the allocation, in bytes; 0 when the driver does not know */
  pi_device device; /* that it was made for; NULL: none in particular, and the host's */
  bool is_foreign;  /* of another context, whose memory commands may use all the same */
  /*
   * A reserved address (virtual_memory.h). base and size are then those of the memory mapped around
   * it without a gap, which devices can access; type is PI_MEM_TYPE_UNKNOWN without any.
   */
  bool is_reserved;
  bool is_freed;   /* of a freed allocation, whose memory the plugin keeps */
  size_t writable; /* bytes from a reserved address on that may be written */
} usm_range;

/*
 * Describes any range of bytes, and checks that it lies in its allocation: PI_ERROR_INVALID_VALUE
 * with a message that begins with name when it does not. Memory of type PI_MEM_TYPE_UNKNOWN cannot
 * be checked, but for an end beyond the last address.
 */
pi_result usm_check(pi_context context, const char *name, const void *pointer, size_t size,
                    usm_range *ret);

/*
 * Checks that commands may write these bytes, which usm_check has described:
 * PI_ERROR_INVALID_OPERATION where they are mapped for reading only.
 */
pi_result usm_check_written(const char *name, const usm_range *range, size_t size);

/*
 * The same for memory that a device has to reach by itself: also refuses PI_MEM_TYPE_UNKNOWN, where
 * the device cannot reach the pages of the process.
 */
pi_result usm_check_reached(pi_context context, pi_device device, const char *name,
                            const void *pointer, size_t size, usm_range *ret);

/*
 * Allocates memory of a type for a device; device is NULL for host memory and may be for shared
 * memory. Device memory may come from a pool of the driver's (usm_pool.h), 0: from none. The errors
 * are those of PI's entries; PI_ERROR_INVALID_BUFFER_SIZE: the driver has not got it, and size is
 * more than the context's devices have in one piece.
 */
pi_result usm_allocate_in(pi_native_handle pool, pi_context context, pi_device device,
                          pi_usm_type type, const pi_usm_mem_properties *properties, size_t size,
                          pi_uint32 alignment, void **ret);

/* The same from no pool. */
static inline pi_result usm_allocate(pi_context context, pi_device device, pi_usm_type type,
                                     const pi_usm_mem_properties *properties, size_t size,
                                     pi_uint32 alignment, void **ret) {
  return usm_allocate_in(0, context, device, type, properties, size, alignment, ret);
}

/* The result of usm_allocate for that of the driver's allocation. */
pi_result usm_allocation_result(pi_context context, size_t size, pi_result result);

/* The same in rows, whose first bytes are *ret_pitch apart. */
pi_result usm_allocate_rows(pi_context context, pi_device device,
                            const pi_usm_mem_properties *properties, size_t width, size_t height,
                            unsigned element_size, void **ret, size_t *ret_pitch);

/* Frees an allocation, when everything in the context is complete. The errors of piextUSMFree. */
pi_result usm_free(pi_context context, void *pointer);

/*
 * Import memory of the application, so that copies need no other memory on their way, and end that.
 * It does not become USM: the driver describes pointers into it as before. The errors are those of
 * piextUSMImport and piextUSMRelease.
 */
pi_result usm_import(pi_context context, void *pointer, size_t size);
pi_result usm_release(pi_context context, void *pointer);

/* Describes a pointer; memory of another context is unknown to this one. */
pi_result usm_describe(pi_context context, const void *pointer, usm_range *ret);

/* The answers of piextUSMGetMemAllocInfo; answer is checked. */
pi_result usm_answer(pi_context context, const void *pointer, pi_mem_alloc_info query,
                     const info_answer *answer);

#endif
