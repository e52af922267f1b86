/*
 * Arguments of USM functions, checked by PI's own rules. Each function returns PI_SUCCESS, or a
 * code with a sentence, and leaves its outputs then; none allocates, and all may be called from any
 * thread.
 */
#ifndef PI_OBJECTS_USM_ARGUMENTS_H
#define PI_OBJECTS_USM_ARGUMENTS_H

#include <pi/pi.h>

#include <stddef.h>

/*
 * A list of properties, which may be NULL: *ret_flags receives the value of PI_MEM_ALLOC_FLAGS, 0
 * without. PI_ERROR_INVALID_VALUE: a property that PI does not have, one twice, or flags that it
 * does not have or that exclude each other. PI_ERROR_UNSUPPORTED_FEATURE:
 * PI_MEM_USM_ALLOC_BUFFER_LOCATION; memory of a device of the backend ("CUDA") has one location.
 */
pi_result pi_read_usm_properties(const pi_usm_mem_properties *properties, const char *backend,
                                 unsigned *ret_flags);

/*
 * The same, and the size and alignment of an allocation: PI_ERROR_INVALID_BUFFER_SIZE for a size
 * of 0, PI_ERROR_INVALID_VALUE for an alignment that is neither 0 nor a power of two.
 */
pi_result pi_check_usm_alloc(const pi_usm_mem_properties *properties, const char *backend,
                             size_t size, pi_uint32 alignment, unsigned *ret_flags);

/*
 * The sizes of piextUSMPitchedAlloc. PI_ERROR_INVALID_BUFFER_SIZE: one is 0, or the product is more
 * than an address reaches; PI_ERROR_INVALID_VALUE: the element is no power of two.
 */
pi_result pi_check_usm_pitched(size_t width_in_bytes, size_t height, unsigned element_size_bytes);

/*
 * height rows of width bytes, pitch bytes apart: *ret receives the bytes from the first to the last
 * one, 0 without any. PI_ERROR_INVALID_VALUE: the pitch, called name, is less than the width, or
 * the rows leave the address space.
 */
pi_result pi_rows_size(const char *name, const void *pointer, size_t pitch, size_t width,
                       size_t height, size_t *ret);

/*
 * Whether size bytes from pointer on are bytes of the address space: PI_ERROR_INVALID_VALUE with a
 * sentence that begins with name.
 */
pi_result pi_check_bytes(const char *name, const void *pointer, size_t size);

/*
 * The same, and whether they lie in an allocation of whole bytes that begins at base; whole is 0
 * where nothing is known about it.
 */
pi_result pi_check_allocation(const char *name, const void *pointer, size_t size, uintptr_t base,
                              size_t whole);

#endif
