/* Unified shared memory (USM): allocations and pointers. The driver knows all allocations. */
#ifndef OBJECTS_USM_H
#define OBJECTS_USM_H

#include "context.h"

/* The driver's description of a pointer. */
typedef struct usm_range {
  pi_usm_type type; /* PI_MEM_TYPE_UNKNOWN: the driver does not know it; then all else is 0 */
  uintptr_t base;   /* start of the allocation */
  size_t size;      /* of the allocation, in bytes; 0 if the driver does not know it */
  pi_device device; /* device of the allocation; NULL for host memory, or without a fixed device */
  bool is_foreign;  /* of another context, though commands may use it */
  /*
   * The pointer is a reserved address (virtual_memory.h). base and size are then those of the
   * accessible memory that is mapped around it without a gap. If there is none, type is
   * PI_MEM_TYPE_UNKNOWN.
   */
  bool is_reserved;
  bool is_freed;   /* the application has freed the allocation, and the plugin keeps its memory */
  size_t writable; /* number of writable bytes from a reserved address on */
} usm_range;

/*
 * Describes any range of bytes, and checks that it lies in its allocation. PI_ERROR_INVALID_VALUE:
 * it does not; the message begins with name. Of memory of type PI_MEM_TYPE_UNKNOWN, only a range
 * beyond the last address is refused.
 */
pi_result usm_check(pi_context context, const char *name, const void *pointer, size_t size,
                    usm_range *ret);

/*
 * Checks that commands may write size bytes of range, from usm_check. PI_ERROR_INVALID_OPERATION:
 * some of them are mapped for reading only.
 */
pi_result usm_check_written(const char *name, const usm_range *range, size_t size);

/*
 * usm_check for memory that a device itself accesses: also refuses PI_MEM_TYPE_UNKNOWN if the
 * device cannot access the process's memory.
 */
pi_result usm_check_reached(pi_context context, pi_device device, const char *name,
                            const void *pointer, size_t size, usm_range *ret);

/*
 * Allocates memory of a type for a device; device is NULL for host memory and may be NULL for
 * shared memory. pool is the driver's pool for device memory (usm_pool.h), or 0. Errors of PI's
 * entries; PI_ERROR_INVALID_BUFFER_SIZE: the driver's allocation failed, and size is more than the
 * context's devices can have in one piece.
 */
pi_result usm_allocate_in(pi_native_handle pool, pi_context context, pi_device device,
                          pi_usm_type type, const pi_usm_mem_properties *properties, size_t size,
                          pi_uint32 alignment, void **ret);

/* usm_allocate_in without a pool. */
static inline pi_result usm_allocate(pi_context context, pi_device device, pi_usm_type type,
                                     const pi_usm_mem_properties *properties, size_t size,
                                     pi_uint32 alignment, void **ret) {
  return usm_allocate_in(0, context, device, type, properties, size, alignment, ret);
}

/* The result of usm_allocate for result, which is that of the driver's allocation. */
pi_result usm_allocation_result(pi_context context, size_t size, pi_result result);

/* Allocates device memory for rows with the pitch *ret_pitch, in bytes. */
pi_result usm_allocate_rows(pi_context context, pi_device device,
                            const pi_usm_mem_properties *properties, size_t width, size_t height,
                            unsigned element_size, void **ret, size_t *ret_pitch);

/* Frees an allocation, which commands enqueued before may still use. Errors of piextUSMFree. */
pi_result usm_free(pi_context context, void *pointer);

/*
 * Import memory of the application, so that copies need no staging memory, and end the import. The
 * memory does not become USM: the driver describes pointers into it as before. Errors of
 * piextUSMImport and piextUSMRelease.
 */
pi_result usm_import(pi_context context, void *pointer, size_t size);
pi_result usm_release(pi_context context, void *pointer);

/* Describes a pointer; memory of another context gets the type PI_MEM_TYPE_UNKNOWN. */
pi_result usm_describe(pi_context context, const void *pointer, usm_range *ret);

/* The answers of piextUSMGetMemAllocInfo; answer is checked. */
pi_result usm_answer(pi_context context, const void *pointer, pi_mem_alloc_info query,
                     const info_answer *answer);

#endif
