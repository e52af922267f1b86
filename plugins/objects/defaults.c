/*
 * Weak definitions of the verbs of defaults.h. They are in a section of their own, by which
 * test/verbs.sh finds out which of them a plugin has. An OBJECT library has this file: in an
 * archive the linker would stop at a weak definition and never look for the driver's own.
 */
#include "../base/error.h"
#include "context.h"
#include "sink.h"
#include "usm_pool.h"

/* A driver without a feature has no use for most parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
// NOLINTBEGIN(misc-unused-parameters)

#define DEFAULT(type, verb, ...)                                                                   \
  __attribute__((weak, section("driver_defaults"))) type verb(__VA_ARGS__)
#define RETURNS(type, value, verb, ...)                                                            \
  DEFAULT(type, verb, __VA_ARGS__) { return value; }
#define SUCCEEDS(verb, ...) RETURNS(pi_result, PI_SUCCESS, verb, __VA_ARGS__)
#define NOTHING(verb, ...)                                                                         \
  DEFAULT(void, verb, __VA_ARGS__) {}
#define SETS(where, value, verb, ...)                                                              \
  DEFAULT(pi_result, verb, __VA_ARGS__) {                                                          \
    where = value;                                                                                 \
    return PI_SUCCESS;                                                                             \
  }
/* A verb that is not called, because the driver has reported that it lacks the feature. */
#define NEVER(feature, verb, ...)                                                                  \
  RETURNS(pi_result,                                                                               \
          plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "%s has no " feature, driver_name), verb,     \
          __VA_ARGS__)

/* ---- Platforms and devices ---- */

RETURNS(pi_platform_backend, (pi_platform_backend)DRIVER_BACKEND, driver_backend, void)
NOTHING(driver_note, pi_uint32 platform_count)
SUCCEEDS(driver_platform_open, pi_platform platform)
NOTHING(driver_platform_close, pi_platform platform)
NOTHING(driver_device_close, pi_device device)
RETURNS(pi_uint32, 1, driver_device_compute_queues, pi_device device)
SETS(*ret, false, driver_device_maps_memory, pi_device device, bool *ret)
SUCCEEDS(driver_peer_enable, pi_device command_device, pi_device peer_device)
SUCCEEDS(driver_peer_disable, pi_device command_device, pi_device peer_device)

/* ---- Contexts ---- */

SETS(*ret, context->native, driver_context_native, pi_context context, pi_native_handle *ret)
RETURNS(pi_result,
        plugin_error(PI_ERROR_INVALID_VALUE,
                     "num_devices is 0, and %s does not report the devices of a context",
                     driver_name),
        driver_context_device, pi_native_handle native, pi_device *ret)

/* ---- Queues, events and command buffers ---- */

NOTHING(driver_command_buffer_leave, pi_ext_command_buffer buffer)
DEFAULT(void, driver_queue_leave, pi_queue queue) {
  queue_drop_use(queue);
}
SUCCEEDS(driver_queue_flush, pi_queue queue)
SUCCEEDS(driver_event_submit, pi_event event)
NEVER("recorded launches that can be changed", driver_command_update, pi_ext_command_buffer buffer,
      pi_uint32 number, const struct kernel_launch *launch)

/* ---- Memory ---- */

SUCCEEDS(driver_memory_open, pi_mem mem)
NOTHING(driver_memory_close, pi_mem mem)
NEVER("buffers out of the host's reach", driver_memory_upload, pi_mem buffer, const void *from)
NOTHING(driver_memory_pin_host, pi_mem buffer)
SUCCEEDS(driver_usm_require_import, pi_context context)

RETURNS(pi_result, marker_enqueue(sink, false), driver_usm_prefetch, sink *sink,
        const void *pointer, size_t size, bool to_host)
RETURNS(pi_result, marker_enqueue(sink, false), driver_usm_advise, sink *sink, const void *pointer,
        size_t size, unsigned advice)

SETS(pool->native, 0, driver_usm_pool_open, usm_pool *pool)
NOTHING(driver_usm_pool_close, usm_pool *pool)
NEVER("pools", driver_usm_pool_reserved, usm_pool *pool, bool is_highest, size_t *ret)
NEVER("pools", driver_usm_pool_restart_highest, usm_pool *pool)
NEVER("pools", driver_usm_pool_keep, usm_pool *pool, size_t size)
NEVER("pools", driver_usm_pool_trim, usm_pool *pool, size_t size)
NEVER("pools", driver_usm_pool_allocate, sink *sink, usm_pool *pool, size_t size, void **ret)
NEVER("pools", driver_usm_pool_free, sink *sink, void *pointer)

/* ---- Bindless images and samplers ---- */

SUCCEEDS(driver_bindless_require, pi_device device, bindless_feature feature)
NOTHING(driver_sampler_destroy, pi_sampler sampler)

/* ---- Kernels and launches ---- */

NOTHING(driver_kernel_place_local, pi_kernel kernel, pi_uint32 index, size_t offset)
NEVER("arguments that can be copied", driver_kernel_copy_arguments, pi_kernel to, pi_kernel from)
RETURNS(pi_mem, NULL, driver_kernel_memory_of, const void *bytes)
SUCCEEDS(driver_kernel_set_cache, pi_kernel kernel, pi_uint32 config)
SUCCEEDS(driver_kernel_set_indirect, pi_kernel kernel, bool is_on)
SUCCEEDS(driver_launch_suggest, const struct kernel_launch *launch, pi_uint32 local[3],
         size_t *items)
// NOLINTEND(misc-unused-parameters)
