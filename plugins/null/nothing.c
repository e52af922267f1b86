/*
 * Verbs of ../objects/driver.h that do nothing here, or only return a value: this driver has no
 * library, no memory but the process's, and no objects but the plugin's.
 */
#include "command.h"

#include "../base/error.h"
#include "../objects/build.h"
#include "../objects/event.h"
#include "../objects/launch_kernel.h"

#define RETURNS(type, value, verb, ...)                                                            \
  type verb(__VA_ARGS__) { return value; }
#define SUCCEEDS(verb, ...) RETURNS(pi_result, PI_SUCCESS, verb, __VA_ARGS__)
#define NOTHING(verb, ...)                                                                         \
  void verb(__VA_ARGS__) {}
#define SETS(where, value, verb, ...)                                                              \
  pi_result verb(__VA_ARGS__) {                                                                    \
    where = value;                                                                                 \
    return PI_SUCCESS;                                                                             \
  }
/* Refuses a native handle. The caller has found out that the handle is not the plugin's own. */
#define FOREIGN(KIND, handle)                                                                      \
  plugin_error(PI_ERROR_INVALID_##KIND, "0x%zx is none of the null driver's", (size_t)(handle))

/* A driver with a library opens it in driver_load, and returns false if it is missing. */
RETURNS(bool, true, driver_load, void)
RETURNS(bool, true, driver_build_is_for, program_build *build, pi_uint32 root)
RETURNS(pi_result, event_allocate(context, ret), driver_event_create_user, pi_context context,
        pi_event *ret)
RETURNS(pi_result, FOREIGN(CONTEXT, context->native), driver_context_adopt, pi_context context,
        bool with_ownership)
RETURNS(pi_result, queue->origin ? PI_SUCCESS : FOREIGN(QUEUE, native->handle), driver_queue_adopt,
        pi_queue queue, const native_queue *native)
RETURNS(pi_result, FOREIGN(PROGRAM, native), driver_build_adopt, pi_context context,
        pi_native_handle native, bool is_owned, program_build **ret)
RETURNS(pi_result, FOREIGN(KERNEL, native), driver_kernel_adopt, pi_context context,
        pi_program program, pi_native_handle native, bool is_owned, pi_kernel *ret)
RETURNS(pi_result,
        size <= NULL_LOCAL_MEMORY
            ? PI_SUCCESS
            : refuse_local_memory(kernel->name, index, size, NULL_LOCAL_MEMORY),
        driver_kernel_set_local, pi_kernel kernel, pi_uint32 index, size_t size)

SUCCEEDS(driver_queue_open, pi_queue queue, pi_uint32 index)
SUCCEEDS(driver_command_buffer_open, pi_ext_command_buffer buffer)
SUCCEEDS(driver_command_buffer_finalize, pi_ext_command_buffer buffer)
SUCCEEDS(driver_command_update, pi_ext_command_buffer buffer, pi_uint32 number,
         const kernel_launch *launch)
SUCCEEDS(driver_kernel_copy_arguments, pi_kernel to, pi_kernel from)
SUCCEEDS(driver_usm_import, pi_context context, void *pointer, size_t size)
SUCCEEDS(driver_usm_release, pi_context context, void *pointer)
SUCCEEDS(driver_sampler_create, pi_sampler sampler, bool is_bindless)
SUCCEEDS(driver_kernel_set_value, pi_kernel kernel, pi_uint32 index, size_t size, const void *bytes)
SUCCEEDS(driver_kernel_set_memory, pi_kernel kernel, pi_uint32 index, pi_mem mem)
SUCCEEDS(driver_kernel_set_sampler, pi_kernel kernel, pi_uint32 index, pi_sampler sampler)
SUCCEEDS(driver_launch, sink *sink, const kernel_launch *launch)

NOTHING(driver_context_destroy, pi_context context)
NOTHING(driver_queue_close, pi_queue queue)
NOTHING(driver_event_adopt, pi_event event, pi_native_handle native)
NOTHING(driver_kernel_destroy, pi_kernel kernel)

SETS(device->type, PI_DEVICE_TYPE_CPU, driver_device_open, pi_device device)
SETS(*ret, attr == PI_PEER_ACCESS_SUPPORTED, driver_peer_can, pi_device command_device,
     pi_device peer_device, pi_peer_attr attr, bool *ret)
/* The device has the host's clock. */
SETS(*device_time, *host_time = null_now(), driver_device_time, pi_device device,
     pi_uint64 *device_time, pi_uint64 *host_time)
SETS(*ret, true, driver_usm_reaches_pages, pi_device device, bool *ret)
SETS(*ret, NULL_MAX_GROUPS, driver_launch_max_groups, const kernel_launch *launch,
     size_t local_memory, size_t *ret)
SETS(*ret, &kernel->driver.limits, driver_kernel_limits, pi_kernel kernel, pi_device device,
     const launch_range *range, kernel_limits **ret)
/* Variables have no address, because this driver runs no code. */
SETS(*ret, NULL, driver_build_find_variable, pi_program program, program_build *build,
     pi_uint32 root, const char *name, size_t *size, void **ret)

/* Native handles: an object's handle is the object's address. */
SETS(context->native, (pi_native_handle)context, driver_context_create, pi_context context)
SETS(*ret, (pi_native_handle)event, driver_event_native, pi_event event, pi_native_handle *ret)
SETS(*ret, (pi_native_handle)build, driver_build_native, pi_program program, program_build *build,
     pi_native_handle *ret)
SETS(*ret, (pi_native_handle)kernel, driver_kernel_native, pi_kernel kernel, pi_native_handle *ret)
SETS(*ret, ((void)(*desc = 0), (pi_native_handle)queue), driver_queue_native, pi_queue queue,
     pi_native_handle *ret, int32_t *desc)
