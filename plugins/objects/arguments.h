/*
 * Arguments that are right or wrong by PI's own rules, whatever the driver is. Each function
 * returns PI_SUCCESS, or a code with a sentence; none allocates, and all may be called from any
 * thread.
 */
#ifndef PI_OBJECTS_ARGUMENTS_H
#define PI_OBJECTS_ARGUMENTS_H

#include <pi/pi.h>

#include <stddef.h>

/*
 * Whether flags and host_ptr of piMemBufferCreate and piMemImageCreate belong together.
 * PI_ERROR_INVALID_VALUE: bits that PI does not have, or that exclude each other;
 * PI_ERROR_INVALID_HOST_PTR: host_ptr is missing, or there and the flags say nothing about it.
 */
pi_result pi_check_mem_flags(pi_mem_flags flags, const void *host_ptr);

/*
 * The flags and the kind of sub-buffer of piMemBufferPartition. PI_ERROR_INVALID_VALUE: bits that
 * PI does not have, that exclude each other or are about host memory; a kind that is no region.
 */
pi_result pi_check_sub_buffer(pi_mem_flags flags, pi_buffer_create_type type);

/*
 * A property of piextKernelSetArgMemObj for the argument of this index, not NULL.
 * PI_ERROR_INVALID_VALUE: it is not the one property that PI has, or has no access of PI's.
 */
pi_result pi_check_mem_access(const pi_mem_obj_property *property, pi_uint32 index);

/*
 * What piextCommandBufferCreate is given; desc may be NULL. PI_ERROR_INVALID_VALUE: another
 * structure, or one with a successor; PI_ERROR_INVALID_PROPERTY: any property, for PI has none.
 */
pi_result pi_check_command_buffer_desc(const pi_ext_command_buffer_desc *desc);

/*
 * What piDevicesGet is given besides the platform. PI_ERROR_INVALID_DEVICE_TYPE: no type of PI's;
 * PI_ERROR_INVALID_VALUE: nothing is asked for, or there is no room for what is.
 */
pi_result pi_check_devices_get(pi_device_type type, pi_uint32 num_entries, const pi_device *devices,
                               const pi_uint32 *num_devices);

/*
 * The flags and the size of piEnqueueMemBufferMap. PI_ERROR_INVALID_VALUE: bits that PI does not
 * have, or that exclude each other; nothing is to be mapped.
 */
pi_result pi_check_map(pi_map_flags flags, size_t size);

/*
 * A fill's pattern, and the size, offset or width called name: PI_ERROR_INVALID_VALUE when that is
 * no multiple of pattern_size, or pattern_size is 0.
 */
pi_result fill_check(size_t pattern_size, const char *name, size_t size);

/* The status that piEventSetCallback waits for. PI_ERROR_INVALID_VALUE: there is no such one. */
pi_result pi_check_callback_type(pi_int32 type);

/* Sizes as people write them, 64x4x1; dimensions is at most 3. */
typedef struct pi_sizes_text {
  char text[3 * 21 + 1];
} pi_sizes_text;

pi_sizes_text pi_text_of_sizes(const size_t *sizes, pi_uint32 dimensions);

#endif
