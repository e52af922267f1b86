/*
 * Checks of arguments of USM functions by PI's own rules. Each function returns PI_SUCCESS or fails
 * with a message and leaves its outputs unchanged. None allocates. Any thread.
 */
#ifndef OBJECTS_USM_ARGUMENTS_H
#define OBJECTS_USM_ARGUMENTS_H

#include <pi/pi.h>

#include <stddef.h>

/* The properties of an allocation. */
typedef struct usm_properties {
  unsigned flags;    /* value of PI_MEM_ALLOC_FLAGS; 0 if missing */
  bool has_location; /* PI_MEM_USM_ALLOC_BUFFER_LOCATION is given */
  pi_uint64 location;
} usm_properties;

/*
 * Reads a list of properties, which may be NULL. PI_ERROR_INVALID_VALUE: a property is unknown or
 * occurs twice, or flags are unknown or exclude each other.
 */
pi_result read_usm_properties(const pi_usm_mem_properties *properties, usm_properties *ret);

/*
 * Checks size and alignment of an allocation. PI_ERROR_INVALID_BUFFER_SIZE: size is 0.
 * PI_ERROR_INVALID_VALUE: alignment is neither 0 nor a power of two.
 */
pi_result check_usm_alloc(size_t size, pi_uint32 alignment);

/*
 * Checks the sizes of piextUSMPitchedAlloc. *ret_pitch receives the width, rounded up to a multiple
 * of alignment. PI_ERROR_INVALID_BUFFER_SIZE: width or height is 0, or the memory would exceed the
 * address space. PI_ERROR_INVALID_VALUE: the element size is not a power of two.
 */
pi_result check_usm_pitched(size_t width_in_bytes, size_t height, unsigned element_size_bytes,
                            size_t alignment, size_t *ret_pitch);

/* Checks that piextUSMEnqueuePrefetch has no flags; PI defines none yet. PI_ERROR_INVALID_VALUE. */
pi_result check_usm_migration(pi_usm_migration_flags flags);

/*
 * Reads advice, which may combine several bits. *ret receives the bits. For PI_MEM_ADVICE_RESET it
 * receives all bits that undo others, and for PI_MEM_ADVICE_UNKNOWN none. PI_ERROR_INVALID_VALUE:
 * advice contains a bit and its opposite, or both preferred locations.
 */
pi_result read_usm_advice(pi_mem_advice advice, unsigned *ret);

/*
 * Measures height rows of width bytes with this pitch. *ret receives the number of bytes from the
 * first to the last one, or 0. name is the pitch's name in messages. PI_ERROR_INVALID_VALUE: the
 * pitch is less than the width, or the rows exceed the address space.
 */
pi_result rows_size(const char *name, const void *pointer, size_t pitch, size_t width,
                    size_t height, size_t *ret);

/*
 * Checks that size bytes from pointer on lie in the address space. PI_ERROR_INVALID_VALUE with a
 * message that begins with name.
 */
pi_result check_bytes(const char *name, const void *pointer, size_t size);

/*
 * Does check_bytes, and also checks that the bytes lie in an allocation of `whole` bytes that
 * starts at base. whole is 0 if the allocation is unknown.
 */
pi_result check_allocation(const char *name, const void *pointer, size_t size, uintptr_t base,
                           size_t whole);

#endif
