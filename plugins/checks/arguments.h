/*
 * Checks of arguments by PI's own rules, for all drivers. Each function returns PI_SUCCESS or fails
 * with a message. None allocates. Any thread.
 */
#ifndef OBJECTS_ARGUMENTS_H
#define OBJECTS_ARGUMENTS_H

#include <pi/pi.h>

#include <stddef.h>

/*
 * Checks that flags and host_ptr of piMemBufferCreate or piMemImageCreate are consistent.
 * PI_ERROR_INVALID_VALUE: flags has unknown bits, or bits that exclude each other.
 * PI_ERROR_INVALID_HOST_PTR: flags needs host_ptr and it is NULL, or the reverse.
 */
pi_result check_mem_flags(pi_mem_flags flags, const void *host_ptr);

/*
 * Checks flags and type of piMemBufferPartition. PI_ERROR_INVALID_VALUE: flags has bits that are
 * unknown, exclude each other or concern host memory, or type is not a region.
 */
pi_result check_sub_buffer(pi_mem_flags flags, pi_buffer_create_type type);

/*
 * Checks the property, which is not NULL, of piextKernelSetArgMemObj for the argument with this
 * index. PI_ERROR_INVALID_VALUE: its type or its access is unknown, or another property follows it.
 */
pi_result check_mem_access(const pi_mem_obj_property *property, pi_uint32 index);

/*
 * Checks the description of piextCommandBufferCreate, which may be NULL. PI_ERROR_INVALID_VALUE:
 * its type is wrong, or pNext is set. PI_ERROR_INVALID_PROPERTY: it has a property, and PI defines
 * none.
 */
pi_result check_command_buffer_desc(const pi_ext_command_buffer_desc *desc);

/*
 * Checks the arguments of piDevicesGet except the platform. PI_ERROR_INVALID_DEVICE_TYPE: unknown
 * type. PI_ERROR_INVALID_VALUE: both outputs are NULL, or num_entries is 0 with devices not NULL.
 */
pi_result check_devices_get(pi_device_type type, pi_uint32 num_entries, const pi_device *devices,
                            const pi_uint32 *num_devices);

/*
 * Checks flags and size of piEnqueueMemBufferMap. PI_ERROR_INVALID_VALUE: flags has unknown bits,
 * or bits that exclude each other, or size is 0.
 */
pi_result check_map(pi_map_flags flags, size_t size);

/*
 * Checks that a size, offset or width of a fill is a multiple of pattern_size. name is its name in
 * the message. PI_ERROR_INVALID_VALUE: it is no multiple, or pattern_size is 0.
 */
pi_result fill_check(size_t pattern_size, const char *name, size_t size);

/* Returns the bytes of the shortest start of the pattern that, repeated, is the whole pattern. */
size_t fill_period(const void *pattern, size_t size);

/* Checks that size bytes from offset on lie in a buffer of `all` bytes. PI_ERROR_INVALID_VALUE. */
pi_result check_buffer_range(size_t offset, size_t size, size_t all);

/* Checks the key of a property of piMemBufferCreate. PI_ERROR_INVALID_VALUE: unknown key. */
pi_result check_buffer_property(pi_mem_properties key);

/*
 * Checks the arguments of piPlatformsGet. PI_ERROR_INVALID_VALUE: both outputs are NULL, or
 * num_entries is 0 with platforms not NULL.
 */
pi_result check_platforms_get(pi_uint32 num_entries, const pi_platform *platforms,
                              const pi_uint32 *num_platforms);

/* Checks the outputs of piDevicePartition. PI_ERROR_INVALID_VALUE: both are NULL. */
pi_result check_partition_get(const pi_device *out_devices, const pi_uint32 *out_num_devices);

/* Checks the argument of a callback. PI_ERROR_INVALID_VALUE: user_data without a callback. */
pi_result check_notify(bool has_notify, const void *user_data);

/*
 * Check a kernel argument's value, and the one of piextKernelSetArgPointer. PI_ERROR_INVALID_VALUE:
 * value is NULL. PI_ERROR_INVALID_ARG_SIZE: size is not that of a pointer.
 */
pi_result check_argument_value(pi_uint32 index, const void *value);
pi_result refuse_argument_pointer(pi_uint32 index, size_t size, const void *value)
    __attribute__((cold));
static inline pi_result check_argument_pointer(pi_uint32 index, size_t size, const void *value) {
  if (__builtin_expect(value && size == sizeof(void *), 1))
    return PI_SUCCESS;
  return refuse_argument_pointer(index, size, value);
}

/* Fails with PI_ERROR_INVALID_KERNEL_NAME because a program has no kernel with this name. */
pi_result refuse_kernel_name(const char *name) __attribute__((cold));

/*
 * Checks a new status for an event. is_user: the event is a user event. PI_ERROR_INVALID_VALUE: the
 * status is neither complete nor an error. PI_ERROR_INVALID_EVENT: the event is a command's.
 */
pi_result check_event_set(pi_int32 status, bool is_user);

/*
 * Checks that a command which waits for count sync points may be added to a command buffer, which
 * has this number of commands. PI_ERROR_INVALID_OPERATION: the command buffer is finalized.
 * PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR: the list is wrong, or a sync point is unknown.
 */
pi_result check_recording(bool is_finalized, pi_uint32 commands, pi_uint32 count,
                          const pi_ext_sync_point *sync_points);

/* Checks that a command buffer may be finalized. PI_ERROR_INVALID_OPERATION: it already is. */
pi_result check_finalizing(bool is_finalized);

/* Checks that a command buffer is finalized. PI_ERROR_INVALID_OPERATION. */
pi_result check_finalized(bool is_finalized);

/*
 * Checks that a command buffer may run in a queue. PI_ERROR_INVALID_OPERATION: the command buffer
 * is not finalized. PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR: the queue has another context or
 * device.
 */
pi_result check_running(bool is_finalized, bool is_same_context, bool is_same_device);

/* Checks the status for which piEventSetCallback waits. PI_ERROR_INVALID_VALUE: unknown status. */
pi_result check_callback_type(pi_int32 type);

/* Text of up to 3 sizes, such as 64x4x1. */
typedef struct sizes_text {
  char text[3 * 21 + 1];
} sizes_text;

sizes_text text_of_sizes(const size_t *sizes, pi_uint32 dimensions);

#endif
