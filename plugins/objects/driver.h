/*
 * The interface between the objects of PI (objects/), which all plugins share, and the drivers
 * (plugins/<name>/), of which each plugin has one. A driver defines every verb below; a missing one
 * is a link error. Verbs that a driver may leave out are in defaults.h. The last member of an
 * object, called driver, is a structure driver_<object>: the driver's part of the object. Each
 * driver declares its parts in driver_parts.h.
 *
 * Unless a verb's comment says otherwise: the caller has checked all handles and filled in the
 * object's other members; a verb that fails leaves its outputs untouched and records a message; any
 * thread may call it.
 */
#ifndef OBJECTS_DRIVER_H
#define OBJECTS_DRIVER_H

#include "../base/backend_option.h"
#include "defaults.h"
#include "device_info.h"

#include <pi/pi.h>

#include <stddef.h>

/* ---- The driver itself ---- */

/* The driver's name in messages ("CUDA"), and its plugin's file ("libpi_cuda.so"). */
extern const char driver_name[];
extern const char driver_file[];

/* The runtimes' compiler options, each with the driver's option for piPluginGetBackendOption. */
extern const compiler_option driver_options[];
extern const size_t driver_option_count;

/* Loads the driver's library at the first call; later calls cost one load. false: no library. */
bool driver_load(void);

/* ---- Platforms and devices (platform.h, device.h) ---- */

/*
 * List the native handles of the platforms, and those of parent's parts or, if parent is NULL, of a
 * platform's root devices. If ret is NULL, *count receives how many there are; else *count is the
 * capacity of ret and receives how many were written. The driver is loaded; one thread calls these.
 */
pi_result driver_platforms_list(pi_uint32 *count, pi_native_handle *ret);
pi_result driver_devices_list(pi_platform platform, pi_device parent, pi_uint32 *count,
                              pi_native_handle *ret);

/* Fills in the driver's part of a device, and sets the device's type. */
pi_result driver_device_open(pi_device device);

/* Answers of piPlatformGetInfo; the texts live as long as the process. */
typedef struct platform_facts {
  const char *name;
  const char *vendor;
  const char *extensions;
  char version[64];
  pi_platform_backend backend;
} platform_facts;
void driver_platform_facts(pi_platform platform, platform_facts *ret);

/*
 * Answers the queries of piDeviceGetInfo that device_info.c does not; asks the driver each time if
 * the answer may change. For an unknown query it sets ret->reason and returns PI_SUCCESS.
 */
pi_result driver_device_query(pi_device device, pi_device_info query, device_value *ret);

/* Chooses one of the images as piextDeviceSelectBinary does: see ../code/select_image.h. */
pi_result driver_device_select(pi_device device, pi_device_binary *images, pi_uint32 count,
                               pi_uint32 *ret);

/*
 * The image targets that a device may accept, best first, ending in NULL: for runtimes that pass
 * only the targets of images, not the images.
 */
const char *const *driver_device_targets(pi_device device);

/* Both clocks at one moment, in nanoseconds; the device's never goes back between calls. */
pi_result driver_device_time(pi_device device, pi_uint64 *device_time, pi_uint64 *host_time);

/* Reports whether a device has attr for the memory of another one. */
pi_result driver_peer_can(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                          bool *ret);

/* ---- Contexts (context.h) ---- */

/* Fills in native, is_owned and the driver's part of a new context. */
pi_result driver_context_create(pi_context context);

/*
 * Fills in is_owned and the driver's part of a context around context->native, a handle from the
 * application. With ownership the context later destroys the handle, or gives up the application's
 * reference to it. After a failure the application still owns what it passed.
 */
pi_result driver_context_adopt(pi_context context, bool with_ownership);

/* Undoes create or adopt when nothing uses the context any more. Ignores the driver's failures. */
void driver_context_destroy(pi_context context);

/*
 * The oldest epoch (deferred_free.h) in which a pending command of the context was enqueued;
 * UINT64_MAX if no command is pending; 0 if nothing may be freed now. CUDA's frees wait for the
 * device, so CUDA returns 0 while an unset user event would make them wait for the application.
 */
pi_uint64 driver_context_oldest_epoch(pi_context context);

/* ---- Commands: sinks (sink.h) ---- */

typedef struct transfer transfer;
typedef struct fill_area fill_area;

/*
 * The engine that a command needs. All commands but copies need the compute engine. A copy may use
 * the device's copy engine, if there is one, unless both sides are memory of the host.
 */
typedef enum sink_engine { SINK_COMPUTE, SINK_COPY } sink_engine;

/*
 * Begins a command of a queue: fills in sink->command, and makes the following calls of the driver
 * wait for the events of sink->waits. Allocates nothing once the pools are warm. After PI_SUCCESS
 * the caller calls driver_command_end or driver_command_cancel on the same thread. Commands that
 * two threads enqueue at the same time have no order.
 *
 * PI_ERROR_INVALID_CONTEXT: an event is of another context.
 * PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: an event is known to have failed. Otherwise
 * the codes for the driver's failures.
 */
pi_result driver_command_begin(sink *sink, sink_engine engine);

/*
 * Ends a command whose driver calls succeeded; returns the event if the caller wants it. Waits
 * until a blocking command is complete, and returns the failure of event_wait if it failed.
 */
pi_result driver_command_end(sink *sink);

/*
 * Gives up a command after a call of the driver failed with result, which it returns. Waits for the
 * command's earlier calls if they use memory of the caller.
 */
pi_result driver_command_cancel(sink *sink, pi_result result);

/*
 * Begin and end a command of a command buffer; the caller holds its lock and has checked the sync
 * points. driver_record_end gives the command the number buffer->command_count. If result is a
 * failure, or its own calls fail, it returns that failure, and the command buffer is as it was
 * before the command, or is_broken.
 */
pi_result driver_record_begin(sink *sink);
pi_result driver_record_end(sink *sink, pi_result result);

/*
 * A command without work, which ends when its wait list has ended or, if it joins (in queues only),
 * when all earlier commands have ended. All later commands wait for a barrier, which only queues
 * have. Called between sink_begin with SINK_COMPUTE and sink_end.
 */
pi_result driver_marker(sink *sink, bool joins);
pi_result driver_barrier(sink *sink, bool joins);

/* The side of a copy that is memory of the application, whose pages the system may move. */
typedef enum copy_host { COPY_NO_HOST, COPY_TO_HOST, COPY_FROM_HOST } copy_host;

/*
 * Copy or fill as a whole command, from sink_begin to sink_end. The caller has checked the ranges.
 * With a width or height of 0 the command has no work. host: the side whose memory the driver may
 * not know, and which the application keeps until the command has ended. The pattern's size divides
 * the rows' width; the pattern may be overwritten after the call.
 */
pi_result driver_copy(sink *sink, const transfer *transfer, copy_host host);
pi_result driver_fill(sink *sink, const fill_area *rows, const void *pattern, size_t pattern_size);

/* ---- Queues (queue.h) ---- */

/*
 * Makes the driver's part of a new queue. index: one of the device's compute queues, or
 * QUEUE_ANY_INDEX. The caller calls driver_queue_close even after a failure.
 */
pi_result driver_queue_open(pi_queue queue, pi_uint32 index);

/* A native handle of a queue, with the desc that piextQueueGetNativeHandle returns for it. */
typedef struct native_queue {
  pi_native_handle handle;
  int32_t desc;
  bool is_owned; /* the new queue takes over the handle, or the reference that came with it */
} native_queue;

/*
 * Makes a new queue stand for a native handle. The queue destroys the handle at its end if
 * native->is_owned, unless the handle is that of queue->origin. May change queue->flags. The caller
 * calls driver_queue_close even after a failure.
 */
pi_result driver_queue_adopt(pi_queue queue, const native_queue *native);

/* Destroys the driver's part of a queue without waiting. Only on CUDA may commands be pending. */
void driver_queue_close(pi_queue queue);

/* As queue_finish. Waits for all commands, even after one of them has failed. */
pi_result driver_queue_finish(pi_queue queue);

/* Reports whether no command is pending, or returns the failure of a command. */
pi_result driver_queue_is_empty(pi_queue queue, bool *ret);

/* The native handle, and its kind. */
pi_result driver_queue_native(pi_queue queue, pi_native_handle *ret, int32_t *desc);

/* ---- Events (event.h) ---- */

/* A new user event, with one reference. The errors are those of piEventCreate. */
pi_result driver_event_create_user(pi_context context, pi_event *ret);

/* Makes a new event stand for a native handle. */
void driver_event_adopt(pi_event event, pi_native_handle native);

/* Destroys the driver's part of an event that event_allocate made. */
void driver_event_close(pi_event event);

/*
 * Called when PI's last reference is gone: once the driver's commands do not need the event, puts
 * it back into its pool or calls event_destroy.
 */
void driver_event_leave(pi_event event);

/* event_status for an event that event_is_known has just returned false for. */
pi_int32 driver_event_status(pi_event event);

/*
 * Waits until such an event has ended, and sets its status, except for an event around the
 * application's native handle, which the application may reset and use again. Fails only when it
 * could not wait; the failure of the command is in the status.
 */
pi_result driver_event_wait(pi_event event);

/* Ends a user event, whose status was never set before; status is 0 or negative. */
pi_result driver_event_set(pi_event event, pi_int32 status);

/* Start and end of the event's command, in ns. The command is complete and event->has_times. */
pi_result driver_event_times(pi_event event, pi_uint64 *start, pi_uint64 *end);

/* The native handle; submits the event's command first, so that waits for the handle can end. */
pi_result driver_event_native(pi_event event, pi_native_handle *ret);

/* ---- Memory objects (memory.h) ---- */

/*
 * Allocates a buffer's memory; sets pointer, is_owned, and is_host_memory if the host reaches it.
 */
pi_result driver_memory_allocate(pi_mem buffer);

/* Allocates buffer->host, which maps show. One thread at a time calls it for a buffer. */
pi_result driver_memory_allocate_host(pi_mem buffer);

/*
 * Frees the driver's part of an object: pointer and host, each only if the object owns it, and an
 * image's parts. Ignores the driver's failures, because a caller could do nothing about them.
 */
void driver_memory_free(pi_mem mem);

/*
 * Finds the number of bytes from pointer to the end of its allocation, and whether the host reaches
 * them (is_host_memory). PI_ERROR_INVALID_MEM_OBJECT: pointer is not into memory of the context.
 */
pi_result driver_memory_describe(pi_context context, void *pointer, size_t *ret_size,
                                 bool *ret_is_host_memory);

/* ---- Unified shared memory, USM (usm.h) ---- */

struct usm_range;

/* Describes any pointer, even NULL. Succeeds for a pointer that the driver does not know. */
pi_result driver_usm_describe(pi_context context, const void *pointer, struct usm_range *ret);

/* Reports whether a device can access the process's memory without driver_usm_import. */
pi_result driver_usm_reaches_pages(pi_device device, bool *ret);

/*
 * Allocates, as usm_allocate_in; flags are those of PI_MEM_ALLOC_FLAGS. PI_ERROR_OUT_OF_RESOURCES,
 * PI_ERROR_INVALID_BUFFER_SIZE: the driver has no memory of that size;
 * PI_ERROR_UNSUPPORTED_FEATURE: it has no memory of that type; PI_ERROR_INVALID_VALUE: it does not
 * support the alignment.
 */
pi_result driver_usm_allocate(pi_context context, pi_device device, pi_usm_type type,
                              pi_native_handle pool, unsigned flags, size_t size,
                              pi_uint32 alignment, void **ret);

/* The same for usm_allocate_rows. */
pi_result driver_usm_allocate_rows(pi_context context, pi_device device, unsigned flags,
                                   size_t width, size_t height, unsigned element_size, void **ret,
                                   size_t *ret_pitch);

/*
 * Frees the allocation at pointer. Kernels may use any USM, so the driver waits until all commands
 * of the context are complete, or reuses the memory only then. Leaves failures of the commands to
 * their events.
 */
pi_result driver_usm_free(pi_context context, pi_usm_type type, void *pointer);

/*
 * Import memory of the application, and end the import, with the pointers passed to PI's entries.
 */
pi_result driver_usm_import(pi_context context, void *pointer, size_t size);
pi_result driver_usm_release(pi_context context, void *pointer);

/* ---- Virtual memory (virtual_memory.h), on devices that have it ---- */

struct physical_memory;

/* Access of the context's devices to mapped memory, in ascending order. */
typedef enum virtual_access {
  VIRTUAL_NO_ACCESS,
  VIRTUAL_READ_ONLY,
  VIRTUAL_READ_WRITE
} virtual_access;

/* The smallest unit of sizes and addresses on a device, or the recommended one: a power of two. */
pi_result driver_virtual_granularity(pi_device device, bool is_recommended, size_t *ret);

/*
 * Reserve addresses, and give back a whole reservation without mappings. The reservation starts at
 * wish if wish is not NULL and the addresses are free. PI_ERROR_OUT_OF_RESOURCES: there is no free
 * range of that size.
 */
pi_result driver_virtual_reserve(pi_context context, const void *wish, size_t size, void **ret);
pi_result driver_virtual_free(pi_context context, void *start, size_t size);

/* Make the driver's part of new physical memory, and free it when no mapping is left. */
pi_result driver_physical_create(struct physical_memory *memory);
void driver_physical_destroy(struct physical_memory *memory);

/*
 * Maps size bytes of memory from offset on to reserved addresses without a mapping.
 * PI_ERROR_UNSUPPORTED_FEATURE: the driver maps only the whole of a physical memory. After a
 * failure nothing is mapped.
 */
pi_result driver_virtual_map(pi_context context, void *start, size_t size,
                             const struct physical_memory *memory, size_t offset,
                             virtual_access access);

/*
 * Unmap, and set the access; the range is one or more whole mappings without a gap. Unmapping waits
 * until the context's commands are complete.
 */
pi_result driver_virtual_unmap(pi_context context, void *start, size_t size);
pi_result driver_virtual_set_access(pi_context context, void *start, size_t size,
                                    virtual_access access);

/* ---- Images (image.h, image_shape.h) ---- */

typedef struct image_form image_form;
typedef struct image_part image_part;
typedef struct image_pitched image_pitched;

/*
 * Reads the form of an image of a context; is_writable: kernels also write the image.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: the driver lacks the format; PI_ERROR_UNSUPPORTED_FEATURE:
 * it lacks the kind of image; PI_ERROR_INVALID_IMAGE_SIZE: the image is too large for the device;
 * else the errors of image_format_read and image_shape_of.
 */
pi_result driver_image_form(pi_context context, const pi_image_format *format,
                            const pi_image_desc *desc, bool is_writable, image_form *ret);

/* The same for a native handle; format and desc provide what the driver does not report. */
pi_result driver_image_describe(pi_context context, pi_native_handle native,
                                const pi_image_format *format, const pi_image_desc *desc,
                                image_form *ret);

/*
 * Makes the driver's image of a new object, image->pointer, and fills it from memory; if memory is
 * NULL its pixels are undefined. Frees everything after a failure.
 */
pi_result driver_image_create(pi_mem image, const image_pitched *memory);

/* Makes a native handle the driver's image of a new object: image->pointer. */
pi_result driver_image_adopt(pi_mem image, pi_native_handle native);

/*
 * Copy between an image and memory, copy between images, and fill, as whole commands from
 * sink_begin to sink_end. Parts and memory are checked. pixel: the bytes of one pixel.
 */
pi_result driver_image_transfer(sink *sink, const image_part *image, const image_pitched *memory,
                                bool is_to_memory);
pi_result driver_image_copy(sink *sink, const image_part *to, const image_part *from);
pi_result driver_image_fill(sink *sink, const image_part *image, const unsigned char *pixel);

/* ---- Bindless images (bindless.h), memory and semaphores of other interfaces (interop.h) ---- */

typedef struct image_memory image_memory;
typedef struct image_source image_source;
typedef struct image_view image_view;
typedef struct external external;

/*
 * As driver_image_form, for image memory or plain memory. A driver may leave the check of the
 * device's size limits to the functions that create images. is_written: kernels write the image.
 */
pi_result driver_image_memory_form(pi_device device, const pi_image_format *format,
                                   const pi_image_desc *desc, bool is_written, image_form *ret);

/* Sets image or mipmap of new image memory, which lies in imported memory unless import is NULL. */
pi_result driver_image_memory_create(image_memory *memory, const external *import);

/* The image of a mip-map's level. */
pi_result driver_image_memory_level(const image_memory *mipmap, unsigned level, void **ret);

/* Sets handle and image of a new view, and the driver's part of mem, which describes the view. */
pi_result driver_image_view_create(const image_source *source, pi_mem mem, image_view *view);

/*
 * Import external->file_descriptor; from a success on it belongs to the driver or the plugin.
 * PI_ERROR_INVALID_VALUE: the descriptor is not of memory, or not of a semaphore.
 */
pi_result driver_external_memory_open(external *external);
pi_result driver_semaphore_open(external *external);

/*
 * Destroy the results of the functions above and free their entries with registry_free: now, or
 * when no command uses them any more. A failure changes nothing.
 */
pi_result driver_image_memory_destroy(image_memory *memory);
pi_result driver_image_view_destroy(image_view *view);
pi_result driver_external_memory_close(external *external);
pi_result driver_semaphore_close(external *external);

/*
 * Wait for a semaphore and signal it, as whole commands from sink_begin to sink_end. Commands that
 * are enqueued later wait for the wait; the signal waits for all commands enqueued earlier.
 */
pi_result driver_semaphore_wait(sink *sink, const external *semaphore);
pi_result driver_semaphore_signal(sink *sink, const external *semaphore);

/* ---- Samplers (sampler.h) ---- */

/*
 * Makes the driver's part of a new sampler, whose state is filled in. is_bindless: the sampler is
 * of piextBindlessImageSamplerCreate, not an argument of kernels. PI_ERROR_UNSUPPORTED_FEATURE: the
 * driver has no sampler with such a state.
 */
pi_result driver_sampler_create(pi_sampler sampler, bool is_bindless);

/* ---- Programs (program.h, build.h) ---- */

struct binary_array;
struct program_build;
struct build_outcome;
struct code_form;
struct code_head;
struct kernel_names;
struct driver_compilation;

/* The forms of code that the driver takes (../code/form.h), ending in NULL. */
extern const struct code_form *const driver_forms[];

/* Checks that the context's devices take the code with this head. */
pi_result driver_check_code(pi_context context, const struct code_head *head);

/*
 * Fills in a new program from binaries, as piProgramCreateWithBinary does; status is that entry's
 * binary_status and may be NULL. PI_ERROR_INVALID_BINARY. After a failure the caller releases the
 * program, which frees the members that were set.
 */
pi_result driver_program_load(pi_program program, const struct binary_array *all, pi_int32 *status);

/* Returns whether a build is for the root device with the index root (context_root). */
bool driver_build_is_for(struct program_build *build, pi_uint32 root);

/* Reads build options into *ret, which is all 0; fails with refused if one of them is unknown. */
pi_result driver_compilation_begin(const char *options, pi_result refused,
                                   struct driver_compilation *ret);

/* Frees the parts of compilation; all 0 is fine. */
void driver_compilation_end(struct driver_compilation *compilation);

/*
 * Build to outcome->build, or compile to outcome->compiled, for the devices of outcome->asked. The
 * driver's output goes to outcome->log. PI_ERROR_BUILD_PROGRAM_FAILURE,
 * PI_ERROR_COMPILE_PROGRAM_FAILURE: the driver refused the code. The caller holds the program's
 * build_lock.
 */
pi_result driver_program_build(pi_program program, struct build_outcome *outcome);
pi_result driver_program_compile(pi_program program, struct build_outcome *outcome);

/*
 * Links programs of one context to a new program, in the same way. PI_ERROR_LINK_PROGRAM_FAILURE.
 */
pi_result driver_program_link(pi_program linked, pi_uint32 count, const pi_program *programs,
                              struct build_outcome *outcome);

/* Unloads a build's code, if there is any, and frees the driver's part. */
void driver_build_destroy(struct program_build *build);

/* Adds the names of the kernels of a program's build. */
pi_result driver_build_name_kernels(pi_program program, struct program_build *build,
                                    struct kernel_names *names);

/*
 * The size of the build's code as a binary for piProgramCreateWithBinary; 0 if the build is not for
 * the root device. Copies the code to place unless place is NULL.
 */
pi_result driver_build_binary(pi_program program, struct program_build *build, pi_uint32 root,
                              unsigned char *place, size_t *size);

/* The native handle of a program's build; makes the build's code first if it is missing. */
pi_result driver_build_native(pi_program program, struct program_build *build,
                              pi_native_handle *ret);

/*
 * The address and size of a variable of a program's build on a root device. The address is NULL if
 * no variable has the name. PI_ERROR_INVALID_PROGRAM_EXECUTABLE: the build is not for the device.
 */
pi_result driver_build_find_variable(pi_program program, struct program_build *build,
                                     pi_uint32 root, const char *name, size_t *size, void **ret);

/*
 * The address of a function of a build on a root device; *is_there receives whether a function has
 * the name. The address is 0 if the driver has no addresses of functions. Errors as above.
 */
pi_result driver_build_find_function(struct program_build *build, pi_uint32 root, const char *name,
                                     bool *is_there, pi_uint64 *ret);

/* A build around the code of the application's native handle; destroys the code if is_owned. */
pi_result driver_build_adopt(pi_context context, pi_native_handle native, bool is_owned,
                             struct program_build **ret);

/* ---- Kernels and launches (kernel.h) ---- */

struct kernel_limits;
struct kernel_launch;
struct launch_range;

/*
 * Fills in the driver's part and the arguments of a new kernel, which it finds by kernel->name.
 * PI_ERROR_INVALID_KERNEL_NAME. The caller calls driver_kernel_destroy even after a failure.
 */
pi_result driver_kernel_create(pi_kernel kernel);

/* Frees the driver's part of a kernel, if there is any; no command uses it. */
void driver_kernel_destroy(pi_kernel kernel);

/*
 * The limits of a kernel on a device of its context; *ret lives as long as the kernel. range is
 * that of a launch, or NULL for a query. For a launch the verb also selects the kernel's function,
 * which may differ with an offset, and checks the offset and the local memory. It asks the driver's
 * library for each fact once.
 *
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE: the kernel's program is not built for the device.
 * PI_ERROR_INVALID_GLOBAL_OFFSET: launches cannot have an offset, or the offset is too large.
 * PI_ERROR_OUT_OF_RESOURCES: too much local memory.
 */
pi_result driver_kernel_limits(pi_kernel kernel, pi_device device, const struct launch_range *range,
                               struct kernel_limits **ret);

/*
 * Set an argument to the bytes of a value, a memory object (NULL: to none), a sampler, or size
 * bytes of local memory. A failure leaves the argument unchanged. The caller has checked index,
 * size and kind as far as the code declares them.
 */
pi_result driver_kernel_set_value(pi_kernel kernel, pi_uint32 index, size_t size,
                                  const void *bytes);
pi_result driver_kernel_set_memory(pi_kernel kernel, pi_uint32 index, pi_mem mem);
pi_result driver_kernel_set_sampler(pi_kernel kernel, pi_uint32 index, pi_sampler sampler);
pi_result driver_kernel_set_local(pi_kernel kernel, pi_uint32 index, size_t size);

/*
 * The number of work-groups of the launch's size, with local_memory bytes for their arguments, that
 * fit on the device at the same time. PI_ERROR_UNSUPPORTED_FEATURE: the device has no cooperative
 * launches.
 */
pi_result driver_launch_max_groups(const struct kernel_launch *launch, size_t local_memory,
                                   size_t *ret);

/*
 * Launches a checked range that is not empty, with the kernel's current arguments. Called between
 * sink_begin with SINK_COMPUTE and sink_end. Allocates nothing for a queue. Several threads may
 * launch one kernel.
 */
pi_result driver_launch(sink *sink, const struct kernel_launch *launch);

/*
 * The native handle of a kernel, and a kernel around a native handle that the application made;
 * program may be NULL. driver_kernel_adopt is not called for handles of the plugin's kernels: they
 * return the kernel itself if the driver's object has the arguments (DRIVER_KEEPS_ARGUMENTS), else
 * a copy of it (kernel->origin).
 */
pi_result driver_kernel_native(pi_kernel kernel, pi_native_handle *ret);
pi_result driver_kernel_adopt(pi_context context, pi_program program, pi_native_handle native,
                              bool is_owned, pi_kernel *ret);

/* ---- Command buffers (command_buffer.h) ---- */

/* Makes the driver's part of a new one; the caller calls .._close even after a failure. */
pi_result driver_command_buffer_open(pi_ext_command_buffer buffer);

/* Destroys the driver's part, after the latest run: no pending command uses it. */
void driver_command_buffer_close(pi_ext_command_buffer buffer);

/*
 * Makes the recorded commands ready to run. After a failure the buffer may be is_broken. The caller
 * of this verb and the next holds the buffer's lock.
 */
pi_result driver_command_buffer_finalize(pi_ext_command_buffer buffer);

/* Enqueues the recorded commands as a whole command, from sink_begin to sink_end. */
pi_result driver_command_buffer_run(pi_ext_command_buffer buffer, sink *sink);

#endif
