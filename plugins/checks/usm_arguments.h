/*
 * Arguments of USM functions, checked by PI's own rules. Each function returns PI_SUCCESS, or a
 * code with a message, and leaves its outputs then; none allocates, and all may be called from any
 * thread.
 */
#ifndef OBJECTS_USM_ARGUMENTS_H
#define OBJECTS_USM_ARGUMENTS_H

#include <pi/pi.h>

#include <stddef.h>

/* The properties of an allocation. */
typedef struct usm_properties {
  unsigned flags;    /* of PI_MEM_ALLOC_FLAGS; 0 without */
  bool has_location; /* PI_MEM_USM_ALLOC_BUFFER_LOCATION is there */
  pi_uint64 location;
} usm_properties;

/*
 * Reads a list of properties, which may be NULL. PI_ERROR_INVALID_VALUE: a property that PI does
 * not have, one twice, or flags that it does not have or that exclude each other.
 */
pi_result read_usm_properties(const pi_usm_mem_properties *properties, usm_properties *ret);

/*
 * Size and alignment of an allocation: PI_ERROR_INVALID_BUFFER_SIZE for a size of 0,
 * PI_ERROR_INVALID_VALUE for an alignment that is neither 0 nor a power of two.
 */
pi_result check_usm_alloc(size_t size, pi_uint32 alignment);

/*
 * Sizes of piextUSMPitchedAlloc: *ret_pitch receives the width, rounded up to a multiple of
 * alignment. PI_ERROR_INVALID_BUFFER_SIZE: one is 0, or the product exceeds the address space;
 * PI_ERROR_INVALID_VALUE: the element is no power of two.
 */
pi_result check_usm_pitched(size_t width_in_bytes, size_t height, unsigned element_size_bytes,
                            size_t alignment, size_t *ret_pitch);

/* Flags of piextUSMEnqueuePrefetch. PI_ERROR_INVALID_VALUE: any flag; none has a meaning yet. */
pi_result check_usm_migration(pi_usm_migration_flags flags);

/*
 * Reads advice, any combination of its bits. *ret receives those bits; for PI_MEM_ADVICE_RESET all
 * that undo another one, and none for PI_MEM_ADVICE_UNKNOWN. PI_ERROR_INVALID_VALUE: a bit and its
 * opposite, or both preferred locations at once.
 */
pi_result read_usm_advice(pi_mem_advice advice, unsigned *ret);

/*
 * Measures height rows of width bytes, pitch bytes apart: *ret receives the bytes from the first to
 * the last one, 0 without any. PI_ERROR_INVALID_VALUE: the pitch, called name, is less than the
 * width, or the rows leave the address space.
 */
pi_result rows_size(const char *name, const void *pointer, size_t pitch, size_t width,
                    size_t height, size_t *ret);

/*
 * Checks that size bytes from pointer on are bytes of the address space: PI_ERROR_INVALID_VALUE
 * with a message that begins with name.
 */
pi_result check_bytes(const char *name, const void *pointer, size_t size);

/*
 * The same, and checks that they lie in an allocation of whole bytes that begins at base; whole is
 * 0 where nothing is known about it.
 */
pi_result check_allocation(const char *name, const void *pointer, size_t size, uintptr_t base,
                           size_t whole);

#endif
