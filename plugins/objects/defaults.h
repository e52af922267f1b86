/*
 * The verbs that a driver may leave out. defaults.c defines each of them weakly, for drivers that
 * have nothing of the kind: it succeeds, does nothing, or returns the value that its comment names.
 * A driver's own definition replaces the weak one. The rules of driver.h, which includes this file,
 * hold here, too.
 *
 * A default has to be right for every driver that lacks the feature. A verb whose absence would
 * make a driver wrong belongs to driver.h, so that the linker reports it.
 */
#ifndef OBJECTS_DEFAULTS_H
#define OBJECTS_DEFAULTS_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sink sink;
struct kernel_launch;
struct usm_pool;

/* ---- Platforms and devices (platform.h, device.h) ---- */

/* The backend that the driver's platforms report. Default: DRIVER_BACKEND. */
pi_platform_backend driver_backend(void);

/*
 * Called when piPlatformsGet has succeeded with so many platforms: prints hints for the user with
 * plugin_note, such as why there is no platform.
 */
void driver_note(pi_uint32 platform_count);

/*
 * Fill in the driver's part of a platform, and free it. When driver_platform_open fails, the caller
 * still calls driver_platform_close, which frees the members that were set.
 */
pi_result driver_platform_open(pi_platform platform);
void driver_platform_close(pi_platform platform);

/* Frees the driver's part of a device. */
void driver_device_close(pi_device device);

/* The number of a device's compute queues; a queue property selects one by index. Default: 1. */
pi_uint32 driver_device_compute_queues(pi_device device);

/*
 * Reports whether a device can map physical memory to reserved addresses (virtual memory). Default:
 * false.
 */
pi_result driver_device_maps_memory(pi_device device, bool *ret);

/*
 * Open and end the access of a device to a peer's memory. The caller has checked that the device
 * can reach the peer, opens each pair once, and makes one call at a time.
 */
pi_result driver_peer_enable(pi_device command_device, pi_device peer_device);
pi_result driver_peer_disable(pi_device command_device, pi_device peer_device);

/* ---- Contexts (context.h) ---- */

/*
 * The native handle of a context; makes it at the first call if the context has none. Default:
 * context->native.
 */
pi_result driver_context_native(pi_context context, pi_native_handle *ret);

/*
 * The device of a context's native handle, for an application that passes no devices. Default:
 * PI_ERROR_INVALID_VALUE, because the driver does not report the device.
 */
pi_result driver_context_device(pi_native_handle native, pi_device *ret);

/* ---- Queues, events and command buffers (queue.h, event.h, command_buffer.h) ---- */

/*
 * Called when PI's last reference is gone: gives up PI's use of the queue, at once or when the
 * driver's pending commands do not need the queue any more. Default: at once, which is right if
 * events and pending commands have uses of their own.
 */
void driver_queue_leave(pi_queue queue);

/* Submits the commands of the queue that the plugin has gathered and not yet passed on. */
pi_result driver_queue_flush(pi_queue queue);

/* Submits the event's command if the plugin has only gathered it. Cheap if it was submitted. */
pi_result driver_event_submit(pi_event event);

/*
 * Called when the last reference is gone: drops references that would keep queues until
 * driver_command_buffer_close.
 */
void driver_command_buffer_leave(pi_ext_command_buffer buffer);

/*
 * Replaces the launch with that number in a finalized buffer from the next run on. Neither launch
 * is empty; the caller holds the buffer's lock. Called only for drivers that can change launches
 * (DRIVER_UPDATES_LAUNCHES).
 */
pi_result driver_command_update(pi_ext_command_buffer buffer, pi_uint32 number,
                                const struct kernel_launch *launch);

/* ---- Memory objects and unified shared memory (memory.h, usm.h) ---- */

/*
 * Called for each new object, and when its last reference is gone; commands may still use it then.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result driver_memory_open(pi_mem mem);
void driver_memory_close(pi_mem mem);

/*
 * Fills a buffer that no command knows yet from host memory, and waits for the end. Called only for
 * buffers that are not is_host_memory.
 */
pi_result driver_memory_upload(pi_mem buffer, const void *from);

/* Pins buffer->host, which is the application's memory, if that makes maps faster. */
void driver_memory_pin_host(pi_mem buffer);

/* Returns PI_ERROR_UNSUPPORTED_FEATURE if the driver cannot import the application's memory. */
pi_result driver_usm_require_import(pi_context context);

/*
 * Give a hint about shared memory as a whole command, from sink_begin to sink_end; size is 0 if
 * there is nothing to hint. to_host: the host will use the memory next, else the queue's device.
 * advice: bits of pi_mem_advice that do not contradict each other. Default: a command without work.
 */
pi_result driver_usm_prefetch(sink *sink, const void *pointer, size_t size, bool to_host);
pi_result driver_usm_advise(sink *sink, const void *pointer, size_t size, unsigned advice);

/* ---- Pools of USM (usm_pool.h) ---- */

/*
 * Open and close pool->native, the driver's own pool for device memory. If the device has no such
 * pools open sets native to 0, which is the default, and no other verb of pools is called. All
 * allocations of the pool are given up before close, but their frees may still be pending.
 */
pi_result driver_usm_pool_open(struct usm_pool *pool);
void driver_usm_pool_close(struct usm_pool *pool);

/*
 * The size of the driver's pool in bytes, free memory included: now, or its maximum since the pool
 * was made or since the latest driver_usm_pool_restart_highest.
 */
pi_result driver_usm_pool_reserved(struct usm_pool *pool, bool is_highest, size_t *ret);
pi_result driver_usm_pool_restart_highest(struct usm_pool *pool);

/*
 * keep: sets how many free bytes the driver's pool keeps; the driver gives the rest back to the
 * device when it synchronizes. trim: gives back all free memory beyond size bytes at once.
 */
pi_result driver_usm_pool_keep(struct usm_pool *pool, size_t size);
pi_result driver_usm_pool_trim(struct usm_pool *pool, size_t size);

/*
 * Allocate from the driver's pool, and free, as parts of the sink's command: the device does it in
 * the order of the queue. Called between sink_begin and sink_end; if sink_end fails, the caller
 * frees the allocation after it. Fills with zeros if the pool is_zeroed. After a failure nothing is
 * allocated. PI_ERROR_OUT_OF_RESOURCES: there is no memory of that size.
 */
pi_result driver_usm_pool_allocate(sink *sink, struct usm_pool *pool, size_t size, void **ret);
pi_result driver_usm_pool_free(sink *sink, void *pointer);

/* ---- Bindless images and samplers (bindless.h, sampler.h) ---- */

/* Features for driver_bindless_require. PI_ERROR_UNSUPPORTED_FEATURE: the device lacks feature. */
typedef enum bindless_feature {
  BINDLESS_IMAGES,
  BINDLESS_LEVELS,
  BINDLESS_IMPORTED_MEMORY,
  BINDLESS_SEMAPHORES
} bindless_feature;
pi_result driver_bindless_require(pi_device device, bindless_feature feature);

/* Destroys the driver's part of a sampler; no command uses the sampler. */
void driver_sampler_destroy(pi_sampler sampler);

/* ---- Kernels and launches (kernel.h) ---- */

/*
 * Sets the offset of an argument's local memory, which may change when another argument is set; for
 * drivers that do not place it themselves.
 */
void driver_kernel_place_local(pi_kernel kernel, pi_uint32 index, size_t offset);

/*
 * Copies all arguments to a new kernel from another kernel of the same function. Called only for
 * drivers that can change launches (DRIVER_UPDATES_LAUNCHES).
 */
pi_result driver_kernel_copy_arguments(pi_kernel to, pi_kernel from);

/*
 * The memory object whose handle is in bytes, which have a pointer's size; NULL, the default, if
 * there is none. Runtimes set memory objects in this way on platforms of OpenCL.
 */
pi_mem driver_kernel_memory_of(const void *bytes);

/*
 * Set a kernel's pi_kernel_cache_config, and whether it follows pointers that it finds in memory.
 */
pi_result driver_kernel_set_cache(pi_kernel kernel, pi_uint32 config);
pi_result driver_kernel_set_indirect(pi_kernel kernel, bool is_on);

/*
 * Suggests a local size for a launch without one. A driver that suggests a size sets local, which
 * is all 0 before; one that suggests a number of work-items sets *items, which is the maximum
 * before. The caller checks whether the suggestion fits the range.
 */
pi_result driver_launch_suggest(const struct kernel_launch *launch, pi_uint32 local[3],
                                size_t *items);

#endif
