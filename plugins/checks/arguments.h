/*
 * Arguments that are right or wrong by PI's own rules, whatever the driver is. Each function
 * returns PI_SUCCESS, or a code with a message; none allocates, and all may be called from any
 * thread.
 */
#ifndef OBJECTS_ARGUMENTS_H
#define OBJECTS_ARGUMENTS_H

#include <pi/pi.h>

#include <stddef.h>

/*
 * Checks that flags and host_ptr of piMemBufferCreate and piMemImageCreate belong together.
 * PI_ERROR_INVALID_VALUE: bits that PI does not have, or that exclude each other;
 * PI_ERROR_INVALID_HOST_PTR: host_ptr is missing, or there and the flags say nothing about it.
 */
pi_result check_mem_flags(pi_mem_flags flags, const void *host_ptr);

/*
 * Flags and kind of sub-buffer of piMemBufferPartition. PI_ERROR_INVALID_VALUE: bits that PI does
 * not have, that exclude each other or are about host memory; a kind that is no region.
 */
pi_result check_sub_buffer(pi_mem_flags flags, pi_buffer_create_type type);

/*
 * A property of piextKernelSetArgMemObj for the argument of this index, not NULL.
 * PI_ERROR_INVALID_VALUE: it is not PI's one property, or its access is not PI's.
 */
pi_result check_mem_access(const pi_mem_obj_property *property, pi_uint32 index);

/*
 * Arguments of piextCommandBufferCreate; desc may be NULL. PI_ERROR_INVALID_VALUE: another
 * structure, or one with a successor; PI_ERROR_INVALID_PROPERTY: any property, for PI has none.
 */
pi_result check_command_buffer_desc(const pi_ext_command_buffer_desc *desc);

/*
 * Arguments of piDevicesGet besides the platform. PI_ERROR_INVALID_DEVICE_TYPE: no type of PI's;
 * PI_ERROR_INVALID_VALUE: nothing is asked for, or there is no space for the devices.
 */
pi_result check_devices_get(pi_device_type type, pi_uint32 num_entries, const pi_device *devices,
                            const pi_uint32 *num_devices);

/*
 * Flags and size of piEnqueueMemBufferMap. PI_ERROR_INVALID_VALUE: bits that PI does not have, or
 * that exclude each other; the size is 0.
 */
pi_result check_map(pi_map_flags flags, size_t size);

/*
 * A fill's pattern, and the size, offset or width called name: PI_ERROR_INVALID_VALUE when that is
 * no multiple of pattern_size, or pattern_size is 0.
 */
pi_result fill_check(size_t pattern_size, const char *name, size_t size);

/* Checks that size bytes from offset on lie in a buffer of so many: PI_ERROR_INVALID_VALUE. */
pi_result check_buffer_range(size_t offset, size_t size, size_t all);

/* The key of a property of piMemBufferCreate. PI_ERROR_INVALID_VALUE: PI has no such key. */
pi_result check_buffer_property(pi_mem_properties key);

/*
 * Arguments of piPlatformsGet. PI_ERROR_INVALID_VALUE: nothing is asked for, or there is no space.
 */
pi_result check_platforms_get(pi_uint32 num_entries, const pi_platform *platforms,
                              const pi_uint32 *num_platforms);

/* Outputs of piDevicePartition. PI_ERROR_INVALID_VALUE: nothing is asked for. */
pi_result check_partition_get(const pi_device *out_devices, const pi_uint32 *out_num_devices);

/* A callback, which may be absent, and its argument. PI_ERROR_INVALID_VALUE. */
pi_result check_notify(bool has_notify, const void *user_data);

/*
 * The value of an argument that may not be NULL, and the one of piextKernelSetArgPointer.
 * PI_ERROR_INVALID_VALUE; PI_ERROR_INVALID_ARG_SIZE: not the size of a pointer.
 */
pi_result check_argument_value(pi_uint32 index, const void *value);
pi_result refuse_argument_pointer(pi_uint32 index, size_t size, const void *value)
    __attribute__((cold));
static inline pi_result check_argument_pointer(pi_uint32 index, size_t size, const void *value) {
  if (__builtin_expect(value && size == sizeof(void *), 1))
    return PI_SUCCESS;
  return refuse_argument_pointer(index, size, value);
}

/* The failure for a name that no kernel of a program has: PI_ERROR_INVALID_KERNEL_NAME. */
pi_result refuse_kernel_name(const char *name) __attribute__((cold));

/*
 * A new status of an event; is_user: the application has made the event. PI_ERROR_INVALID_VALUE: no
 * status of an end; PI_ERROR_INVALID_EVENT: it is a command's.
 */
pi_result check_event_set(pi_int32 status, bool is_user);

/*
 * A command to record in a command buffer that has so many, after a list of sync points.
 * PI_ERROR_INVALID_OPERATION: it is finalized; PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR.
 */
pi_result check_recording(bool is_finalized, pi_uint32 commands, pi_uint32 count,
                          const pi_ext_sync_point *sync_points);

/* PI_ERROR_INVALID_OPERATION: a command buffer to finalize is finalized already. */
pi_result check_finalizing(bool is_finalized);

/* A call for a finalized command buffer. PI_ERROR_INVALID_OPERATION. */
pi_result check_finalized(bool is_finalized);

/*
 * A command buffer to run in a queue. PI_ERROR_INVALID_OPERATION: it is not finalized;
 * PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR: the queue is of another context or device.
 */
pi_result check_running(bool is_finalized, bool is_same_context, bool is_same_device);

/* The status that piEventSetCallback waits for. PI_ERROR_INVALID_VALUE: there is no such status. */
pi_result check_callback_type(pi_int32 type);

/* Sizes as people write them, 64x4x1; dimensions is at most 3. */
typedef struct sizes_text {
  char text[3 * 21 + 1];
} sizes_text;

sizes_text text_of_sizes(const size_t *sizes, pi_uint32 dimensions);

#endif
