/*
 * The seam between the objects of PI, which are written once (objects/), and the drivers
 * (plugins/<name>/). Each plugin has one driver, and the linker joins them: a driver defines every
 * verb below, and a missing one is a link error. The driver's part of an object is a structure
 * driver_<object>, the object's last member, called driver. Each driver declares its own in
 * driver_parts.h.
 *
 * Unless a verb says otherwise: handles are alive and checked, the object's other members are
 * filled in, and outputs are untouched after a failure, which has its message. A verb may be called
 * from any thread.
 */
#ifndef OBJECTS_DRIVER_H
#define OBJECTS_DRIVER_H

#include "../base/backend_option.h"
#include "device_info.h"

#include <pi/pi.h>

#include <stddef.h>

/* ---- The driver itself ---- */

/* The driver's name in messages ("CUDA"), and its plugin's file ("libpi_cuda.so"). */
extern const char driver_name[];
extern const char driver_file[];

/* Runtimes' own options in the words of the driver's compiler (piPluginGetBackendOption). */
extern const compiler_option driver_options[];
extern const size_t driver_option_count;

/* The backend that the driver's platforms report. */
pi_platform_backend driver_backend(void);

/* Loads the driver's library at the first call; later ones cost one load. false: there is none. */
bool driver_load(void);

/*
 * Reports by plugin_note what a person should know after piPlatformsGet has succeeded with so many
 * platforms: why there is none, say.
 */
void driver_note(pi_uint32 platform_count);

/* ---- Platforms and devices (platform.h, device.h) ---- */

/*
 * The native handles of the platforms, and of a platform's root devices or a device's parts
 * (parent, or NULL). If ret is NULL, *count receives how many there are; else ret takes *count,
 * which receives how many were written. Called with the driver loaded, by one thread.
 */
pi_result driver_platforms_list(pi_uint32 *count, pi_native_handle *ret);
pi_result driver_devices_list(pi_platform platform, pi_device parent, pi_uint32 *count,
                              pi_native_handle *ret);

/*
 * Fill in the driver's part of a platform, or a device whose type and driver's part are still to be
 * set. driver_platform_close follows a failure of driver_platform_open, too, and frees what is
 * there.
 */
pi_result driver_platform_open(pi_platform platform);
void driver_platform_close(pi_platform platform);
pi_result driver_device_open(pi_device device);
void driver_device_close(pi_device device);

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
 * Answers a query of piDeviceGetInfo that the objects cannot (device_info.h); asks the driver where
 * the answer may change. A query that it does not know gets a reason, which is no failure.
 */
pi_result driver_device_query(pi_device device, pi_device_info query, device_value *ret);

/* Chooses one of the images as piextDeviceSelectBinary does: see ../code/select_image.h. */
pi_result driver_device_select(pi_device device, pi_device_binary *images, pi_uint32 count,
                               pi_uint32 *ret);

/*
 * The targets of images that a device may take, as far as a target shows, the best one first and
 * NULL after the last: for runtimes that show nothing else of an image.
 */
const char *const *driver_device_targets(pi_device device);

/* Both clocks at one moment, in nanoseconds; the device's never goes back between calls. */
pi_result driver_device_time(pi_device device, pi_uint64 *device_time, pi_uint64 *host_time);

/* Reports whether a device has attr for the memory of another one. */
pi_result driver_peer_can(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                          bool *ret);

/*
 * Open and end the access of a device to the memory of another one, which it can reach. Each pair
 * is opened once; calls come one at a time.
 */
pi_result driver_peer_enable(pi_device command_device, pi_device peer_device);
pi_result driver_peer_disable(pi_device command_device, pi_device peer_device);

/* Reports whether a device has virtual memory: physical memory for reserved addresses. */
pi_result driver_device_maps_memory(pi_device device, bool *ret);

/* ---- Contexts (context.h) ---- */

/* Makes the driver's share of a new context: native, is_owned and the driver's part. */
pi_result driver_context_create(pi_context context);

/* The native handle of a context, which is made if there is none yet. */
pi_result driver_context_native(pi_context context, pi_native_handle *ret);

/* The device of a native handle, where the application names none. */
pi_result driver_context_device(pi_native_handle native, pi_device *ret);

/*
 * Takes in context->native, which is the application's, and fills in is_owned and the driver's
 * part. With ownership the context destroys the handle, or gives up the application's reference to
 * it; after a failure the application has what it had.
 */
pi_result driver_context_adopt(pi_context context, bool with_ownership);

/* Ends what create or adopt has made; nothing uses the context. Failures are ignored. */
void driver_context_destroy(pi_context context);

/*
 * The oldest epoch (deferred_free.h) in which a pending command of the context was enqueued:
 * UINT64_MAX without any, 0 where nothing may be freed now, whatever is pending. A driver whose
 * frees wait for the device answers 0 as long as they would wait for the application.
 */
pi_uint64 driver_context_oldest_epoch(pi_context context);

/* ---- Commands: sinks (sink.h) ---- */

typedef struct sink sink;
typedef struct transfer transfer;
typedef struct fill_area fill_area;

/*
 * The engine that a command needs. Kernels, and all other commands but copies, need the compute
 * engine. A copy whose memory is not all of the host may use a copy engine where the device has
 * one.
 */
typedef enum sink_engine { SINK_COMPUTE, SINK_COPY } sink_engine;

/*
 * Begins a command of a queue: fills in sink->command, and makes the calls that follow wait for the
 * events. Allocates nothing once the pools are warm. After PI_SUCCESS the caller calls end or
 * cancel, on this thread. Two threads that use one queue at the same time get no order among their
 * commands.
 *
 * PI_ERROR_INVALID_CONTEXT: an event is of another context.
 * PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: an event is known to have failed. Otherwise
 * the codes for the driver's failures.
 */
pi_result driver_command_begin(sink *sink, sink_engine engine);

/*
 * Ends a command whose driver calls succeeded; returns the event if the caller wants it. Waits for
 * a blocking one: PI_ERROR_... of the event if it failed.
 */
pi_result driver_command_end(sink *sink);

/*
 * Gives up a command after a failed driver call, and waits for the calls that succeeded if they use
 * memory of the caller; returns result, the failed call's.
 */
pi_result driver_command_cancel(sink *sink, pi_result result);

/*
 * The same for a command buffer, whose lock is held. begin: the sync points are checked. end: the
 * command gets the number buffer->command_count. A failure, result's or its own, is returned; the
 * command buffer is then as it was before, or is_broken.
 */
pi_result driver_record_begin(sink *sink);
pi_result driver_record_end(sink *sink, pi_result result);

/*
 * A command that only keeps its place: it ends when its waits have ended. joins: in a queue, when
 * all earlier commands have. A barrier exists in queues only; all later commands wait for it.
 * Between sink_begin with SINK_COMPUTE and sink_end.
 */
pi_result driver_marker(sink *sink, bool joins);
pi_result driver_barrier(sink *sink, bool joins);

/* The side of a copy in host memory: the application's own, which may move. */
typedef enum copy_host { COPY_NO_HOST, COPY_TO_HOST, COPY_FROM_HOST } copy_host;

/*
 * The whole command that copies or fills, from sink_begin to sink_end. Ranges are checked; a width
 * or height of 0 only keeps the command's place. host: the side whose memory the driver may not
 * know; the caller of PI keeps it in place until the command has ended. The pattern's size divides
 * the rows' width; it is not needed after the call.
 */
pi_result driver_copy(sink *sink, const transfer *transfer, copy_host host);
pi_result driver_fill(sink *sink, const fill_area *rows, const void *pattern, size_t pattern_size);

/*
 * The whole command that gives a hint about shared memory; size is 0 if there is nothing to hint.
 * to_host: the host will use it next, else the queue's device. advice: bits of pi_mem_advice that
 * do not contradict each other.
 */
pi_result driver_usm_prefetch(sink *sink, const void *pointer, size_t size, bool to_host);
pi_result driver_usm_advise(sink *sink, const void *pointer, size_t size, unsigned advice);

/* ---- Queues (queue.h) ---- */

/* The number of a device's queues for kernels, of which a property of a queue may choose one. */
pi_uint32 driver_device_compute_queues(pi_device device);

/*
 * Makes the driver's part of a new queue; index: QUEUE_ANY_INDEX, or one of the device's queues for
 * kernels. driver_queue_close follows a failure, too.
 */
pi_result driver_queue_open(pi_queue queue, pi_uint32 index);

/* A native handle of a queue, of the kind that piextQueueGetNativeHandle calls desc. */
typedef struct native_queue {
  pi_native_handle handle;
  int32_t desc;
  bool is_owned; /* the new queue takes over the handle, or the reference that came with it */
} native_queue;

/*
 * Makes a new queue stand for a native handle. The handle is destroyed with the queue if native
 * owns it and it is not that of queue->origin. May change flags. driver_queue_close follows a
 * failure.
 */
pi_result driver_queue_adopt(pi_queue queue, const native_queue *native);

/* Destroys the driver's part of a queue without waiting: no command is pending, or CUDA's. */
void driver_queue_close(pi_queue queue);

/* PI's last reference is gone: gives up its use of the queue when the driver can do without. */
void driver_queue_leave(pi_queue queue);

/* Submits all commands of the queue to the driver, where they are gathered. */
pi_result driver_queue_flush(pi_queue queue);

/* As queue_finish. Waits for all commands, also after one of them failed. */
pi_result driver_queue_finish(pi_queue queue);

/* Checks whether no command is pending; may fail as a command did instead. */
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
 * Called when PI's last reference is gone: the event goes back to where it came from, or
 * event_destroy ends it, when the driver does not need it any more.
 */
void driver_event_leave(pi_event event);

/* Submits the event's command to the driver, where commands are gathered. Cheap if it did. */
pi_result driver_event_submit(pi_event event);

/* event_status of an event that was not known to have ended a moment ago. */
pi_int32 driver_event_status(pi_event event);

/*
 * Waits until such an event has ended, and sets its status, except for a native handle that may be
 * used again. Fails only when nothing can be waited for.
 */
pi_result driver_event_wait(pi_event event);

/* Ends a user event, which has not been set before; status is 0 or negative. */
pi_result driver_event_set(pi_event event, pi_int32 status);

/* Start and end of the command, in ns; it is complete and its event has times. */
pi_result driver_event_times(pi_event event, pi_uint64 *start, pi_uint64 *end);

/* The native handle; makes the event's command known to the driver. */
pi_result driver_event_native(pi_event event, pi_native_handle *ret);

/* ---- Memory objects (memory.h) ---- */

/*
 * Tell the driver of a new object, and of the end of its last reference, when commands may still
 * use it. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result driver_memory_open(pi_mem mem);
void driver_memory_close(pi_mem mem);

/* The bytes of the largest buffer that all devices of a context can have. */
pi_result driver_memory_limit(pi_context context, size_t *ret);

/* Makes the memory of a buffer: pointer, is_owned, and is_host_memory where the host reaches it. */
pi_result driver_memory_allocate(pi_mem buffer);

/* Fills a buffer that no command knows yet from host memory, and waits for the end. */
pi_result driver_memory_upload(pi_mem buffer, const void *from);

/* Makes buffer->host, which is shown by maps. One thread at a time for a buffer. */
pi_result driver_memory_allocate_host(pi_mem buffer);

/* Makes buffer->host, the application's, known to the driver if that makes maps faster. */
void driver_memory_pin_host(pi_mem buffer);

/*
 * Frees the driver's part of an object: pointer if it is owned, likewise host, and an image's
 * parts. Ignores what the driver refuses: that is lost already.
 */
void driver_memory_free(pi_mem mem);

/*
 * The bytes from a pointer to the end of its allocation, and whether the host reaches them, as
 * is_host_memory. PI_ERROR_INVALID_MEM_OBJECT: it is no memory of the context.
 */
pi_result driver_memory_describe(pi_context context, void *pointer, size_t *ret_size,
                                 bool *ret_is_host_memory);

/* ---- Unified shared memory, USM (usm.h) ---- */

struct usm_range;

/* Describes any pointer, NULL too. A pointer unknown to the driver is no failure. */
pi_result driver_usm_describe(pi_context context, const void *pointer, struct usm_range *ret);

/* Reports whether a device reaches pages of the process that were not imported. */
pi_result driver_usm_reaches_pages(pi_device device, bool *ret);

/*
 * Allocates, as usm_allocate_in; flags are those of PI_MEM_ALLOC_FLAGS. PI_ERROR_OUT_OF_RESOURCES,
 * PI_ERROR_INVALID_BUFFER_SIZE: there is no memory of that size; PI_ERROR_UNSUPPORTED_FEATURE:
 * none of that type; PI_ERROR_INVALID_VALUE: none of that alignment.
 */
pi_result driver_usm_allocate(pi_context context, pi_device device, pi_usm_type type,
                              pi_native_handle pool, unsigned flags, size_t size,
                              pi_uint32 alignment, void **ret);

/* The same for usm_allocate_rows. */
pi_result driver_usm_allocate_rows(pi_context context, pi_device device, unsigned flags,
                                   size_t width, size_t height, unsigned element_size, void **ret,
                                   size_t *ret_pitch);

/*
 * Frees the allocation at pointer when everything in the context is complete, because kernels may
 * use any USM. Failures of commands are reported by their events.
 */
pi_result driver_usm_free(pi_context context, pi_usm_type type, void *pointer);

/* PI_ERROR_UNSUPPORTED_FEATURE: the driver cannot import the application's memory. */
pi_result driver_usm_require_import(pi_context context);

/* Import memory of the application, and end that. Both get the same pointers as the calls of PI. */
pi_result driver_usm_import(pi_context context, void *pointer, size_t size);
pi_result driver_usm_release(pi_context context, void *pointer);

/* ---- Pools of USM (usm_pool.h): usm_unpooled.c defines these for drivers that have none ---- */

struct usm_pool;

/*
 * Makes native, the driver's own pool for the device memory of a new pool; 0 where the device has
 * none, and then the following verbs are not called. close: all of its memory is given up, but
 * frees may be pending.
 */
pi_result driver_usm_pool_open(struct usm_pool *pool);
void driver_usm_pool_close(struct usm_pool *pool);

/*
 * The device's bytes that the driver's pool has, free ones included: now, or the most since the
 * pool was made, or since .._restart_highest.
 */
pi_result driver_usm_pool_reserved(struct usm_pool *pool, bool is_highest, size_t *ret);
pi_result driver_usm_pool_restart_highest(struct usm_pool *pool);

/*
 * keep: so many free bytes stay in the driver's pool; the rest goes back to the device after a
 * wait. trim: gives back now all but so many bytes.
 */
pi_result driver_usm_pool_keep(struct usm_pool *pool, size_t size);
pi_result driver_usm_pool_trim(struct usm_pool *pool, size_t size);

/*
 * Allocate from the driver's pool and free, in the order of the sink's command, as its part between
 * sink_begin and sink_end. A free may also come after sink_end, for an allocation that it gives up.
 * Zeros are written where the pool says so. A failed allocation leaves nothing.
 * PI_ERROR_OUT_OF_RESOURCES: there is no memory of that size.
 */
pi_result driver_usm_pool_allocate(sink *sink, struct usm_pool *pool, size_t size, void **ret);
pi_result driver_usm_pool_free(sink *sink, void *pointer);

/* ---- Virtual memory (virtual_memory.h), on devices that have it ---- */

struct physical_memory;

/* Access of the context's devices to mapped memory, each more than the one before. */
typedef enum virtual_access {
  VIRTUAL_NO_ACCESS,
  VIRTUAL_READ_ONLY,
  VIRTUAL_READ_WRITE
} virtual_access;

/* The least unit of sizes and addresses on a device, or the recommended one: a power of two. */
pi_result driver_virtual_granularity(pi_device device, bool is_recommended, size_t *ret);

/*
 * Reserve addresses, from wish on if possible, which may be NULL, and give back all that one call
 * has reserved, where nothing is mapped. PI_ERROR_OUT_OF_RESOURCES: there are not so many.
 */
pi_result driver_virtual_reserve(pi_context context, const void *wish, size_t size, void **ret);
pi_result driver_virtual_free(pi_context context, void *start, size_t size);

/* Make the driver's part of new physical memory, and free memory that nothing maps any more. */
pi_result driver_physical_create(struct physical_memory *memory);
void driver_physical_destroy(struct physical_memory *memory);

/*
 * Maps a range of the memory at addresses that are free. PI_ERROR_UNSUPPORTED_FEATURE: the driver
 * maps no part of a memory. Nothing is mapped after a failure.
 */
pi_result driver_virtual_map(pi_context context, void *start, size_t size,
                             const struct physical_memory *memory, size_t offset,
                             virtual_access access);

/*
 * For one or more whole mappings, without a gap. Unmaps when the context's commands are complete.
 */
pi_result driver_virtual_unmap(pi_context context, void *start, size_t size);
pi_result driver_virtual_set_access(pi_context context, void *start, size_t size,
                                    virtual_access access);

/* ---- Images (image.h, image_shape.h) ---- */

typedef struct image_form image_form;
typedef struct image_part image_part;
typedef struct image_pitched image_pitched;

/*
 * Reads the form of an image of a context; is_writable: kernels write it, too.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED, PI_ERROR_UNSUPPORTED_FEATURE: the driver has no such format,
 * or kind; PI_ERROR_INVALID_IMAGE_SIZE: the device has none as large. Else the errors of
 * image_format_read and image_shape_of.
 */
pi_result driver_image_form(pi_context context, const pi_image_format *format,
                            const pi_image_desc *desc, bool is_writable, image_form *ret);

/* The same for a native handle, as far as the driver knows; format and desc add the rest. */
pi_result driver_image_describe(pi_context context, pi_native_handle native,
                                const pi_image_format *format, const pi_image_desc *desc,
                                image_form *ret);

/*
 * Makes pointer, the driver's image of a new object, filled from the pixels in memory; NULL: with
 * any pixels. Nothing is left after a failure.
 */
pi_result driver_image_create(pi_mem image, const image_pitched *memory);

/* Takes in a native handle, which becomes its pointer. */
pi_result driver_image_adopt(pi_mem image, pi_native_handle native);

/* The whole command, from sink_begin to sink_end, on checked parts and memory. pixel: its bytes. */
pi_result driver_image_transfer(sink *sink, const image_part *image, const image_pitched *memory,
                                bool is_to_memory);
pi_result driver_image_copy(sink *sink, const image_part *to, const image_part *from);
pi_result driver_image_fill(sink *sink, const image_part *image, const unsigned char *pixel);

/* ---- Bindless images (bindless.h) and what other interfaces share (interop.h) ---- */

typedef struct image_memory image_memory;
typedef struct image_source image_source;
typedef struct image_view image_view;
typedef struct external external;

/* Features of a device. Without one: PI_ERROR_UNSUPPORTED_FEATURE with a message. */
typedef enum bindless_feature {
  BINDLESS_IMAGES,
  BINDLESS_LEVELS,
  BINDLESS_IMPORTED_MEMORY,
  BINDLESS_SEMAPHORES
} bindless_feature;
pi_result driver_bindless_require(pi_device device, bindless_feature feature);

/*
 * As driver_image_form, for image memory, or for plain memory: limits of sizes are for those who
 * make something. is_written: kernels write it, whatever its format allows.
 */
pi_result driver_image_memory_form(pi_device device, const pi_image_format *format,
                                   const pi_image_desc *desc, bool is_written, image_form *ret);

/* Makes image, or mipmap, of new image memory; over imported memory, unless that is NULL. */
pi_result driver_image_memory_create(image_memory *memory, const external *import);

/* The image of a mip-map's level. */
pi_result driver_image_memory_level(const image_memory *mipmap, unsigned level, void **ret);

/* Makes handle, and image, of a new view, and the driver's part of mem, which describes it. */
pi_result driver_image_view_create(const image_source *source, pi_mem mem, image_view *view);

/*
 * Import external->file_descriptor, which is the driver's or the plugin's from now on.
 * PI_ERROR_INVALID_VALUE: it is no memory, or no semaphore.
 */
pi_result driver_external_memory_open(external *external);
pi_result driver_semaphore_open(external *external);

/*
 * Destroy what the functions above have made, and free it by registry_free: now, or when no command
 * uses it. After a failure it is as it was.
 */
pi_result driver_image_memory_destroy(image_memory *memory);
pi_result driver_image_view_destroy(image_view *view);
pi_result driver_external_memory_close(external *external);
pi_result driver_semaphore_close(external *external);

/* The whole commands. wait: later commands wait for it. signal: it reports all earlier ones. */
pi_result driver_semaphore_wait(sink *sink, const external *semaphore);
pi_result driver_semaphore_signal(sink *sink, const external *semaphore);

/* ---- Samplers (sampler.h) ---- */

/*
 * Makes the driver's part of a new sampler, whose state is read. is_bindless: for
 * piextBindlessImageSamplerCreate, not for a kernel's argument. PI_ERROR_UNSUPPORTED_FEATURE: the
 * driver has nothing like the state.
 */
pi_result driver_sampler_create(pi_sampler sampler, bool is_bindless);

/* Destroys the driver's part; no command uses the sampler. */
void driver_sampler_destroy(pi_sampler sampler);

/* ---- Programs (program.h, build.h) ---- */

struct binary_array;
struct program_build;
struct build_outcome;
struct code_form;
struct code_head;
struct kernel_names;
struct driver_compilation;

/* The forms of code that the driver takes (../code/form.h), and NULL. */
extern const struct code_form *const driver_forms[];

/* Checks by its head that the context's devices take code of one of these forms. */
pi_result driver_check_code(pi_context context, const struct code_head *head);

/*
 * Fills in a new program from binaries, as piProgramCreateWithBinary does; status is that entry's
 * output, or NULL. PI_ERROR_INVALID_BINARY. The parts that a failure leaves are released with the
 * program.
 */
pi_result driver_program_load(pi_program program, const struct binary_array *all, pi_int32 *status);

/* Returns whether a build is for a root device of its context, by context_root. */
bool driver_build_is_for(struct program_build *build, pi_uint32 root);

/* Reads build options to *ret, which is all 0: fails with refused if one of them is no option. */
pi_result driver_compilation_begin(const char *options, pi_result refused,
                                   struct driver_compilation *ret);

/* Frees the parts of compilation; all 0 is fine. */
void driver_compilation_end(struct driver_compilation *compilation);

/*
 * Builds, or compiles, for outcome->asked. The driver's output goes to outcome->log, the result to
 * outcome->build, or to outcome->compiled. Code that the driver does not take fails with
 * PI_ERROR_BUILD_PROGRAM_FAILURE, or PI_ERROR_COMPILE_PROGRAM_FAILURE. One call at a time for each
 * program, with the build_lock held.
 */
pi_result driver_program_build(pi_program program, struct build_outcome *outcome);
pi_result driver_program_compile(pi_program program, struct build_outcome *outcome);

/* The same for linking programs of one context to a new one: PI_ERROR_LINK_PROGRAM_FAILURE. */
pi_result driver_program_link(pi_program linked, pi_uint32 count, const pi_program *programs,
                              struct build_outcome *outcome);

/* Unloads a build's code, if there is any, and frees the driver's part. */
void driver_build_destroy(struct program_build *build);

/* Adds the names of the kernels of a program's build. */
pi_result driver_build_name_kernels(pi_program program, struct program_build *build,
                                    struct kernel_names *names);

/*
 * The size of the build's code as a binary for piProgramCreateWithBinary; 0 for a root device that
 * the build is not for. The code is copied to place, unless that is NULL.
 */
pi_result driver_build_binary(pi_program program, struct program_build *build, pi_uint32 root,
                              unsigned char *place, size_t *size);

/* The native handle of a program's build, whose code is made if it is missing. */
pi_result driver_build_native(pi_program program, struct program_build *build,
                              pi_native_handle *ret);

/*
 * The address of a variable of a program's build on a root device, and its size; NULL: there is
 * none of that name. PI_ERROR_INVALID_PROGRAM_EXECUTABLE: the build is not for the device.
 */
pi_result driver_build_find_variable(pi_program program, struct program_build *build,
                                     pi_uint32 root, const char *name, size_t *size, void **ret);

/*
 * The address of a function there; 0: the driver has no addresses, and *is_there says whether there
 * is a function of that name. Errors as above.
 */
pi_result driver_build_find_function(struct program_build *build, pi_uint32 root, const char *name,
                                     bool *is_there, pi_uint64 *ret);

/* A build around the code of a native handle of the application, which ends it if is_owned. */
pi_result driver_build_adopt(pi_context context, pi_native_handle native, bool is_owned,
                             struct program_build **ret);

/* ---- Kernels and launches (kernel.h) ---- */

struct kernel_limits;
struct kernel_launch;
struct launch_range;

/*
 * Fills in the driver's part of a new kernel, by its name, and its arguments.
 * PI_ERROR_INVALID_KERNEL_NAME. driver_kernel_destroy follows a failure, too.
 */
pi_result driver_kernel_create(pi_kernel kernel);

/* Frees the driver's part of a kernel, if there is any; no command uses it. */
void driver_kernel_destroy(pi_kernel kernel);

/*
 * The limits of a kernel on a device of its context, which live as long as the kernel. range is of
 * a launch, which may need another function where it has an offset; its local memory and the offset
 * are found to be possible. NULL: for a query. Asks the library for nothing twice.
 *
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE: its program is not built for the device.
 * PI_ERROR_INVALID_GLOBAL_OFFSET: there are no launches with an offset, or none with so large a
 * one. PI_ERROR_OUT_OF_RESOURCES: too much local memory.
 */
pi_result driver_kernel_limits(pi_kernel kernel, pi_device device, const struct launch_range *range,
                               struct kernel_limits **ret);

/*
 * Set an argument to the bytes of a value; to a memory object, or none; to a sampler; or to size
 * bytes of local memory. After a failure the argument is as it was. Index, size and kind are
 * checked as far as they are known. driver_kernel_place_local: the place of local memory among that
 * of all arguments; it may change when another argument does.
 */
pi_result driver_kernel_set_value(pi_kernel kernel, pi_uint32 index, size_t size,
                                  const void *bytes);
pi_result driver_kernel_set_memory(pi_kernel kernel, pi_uint32 index, pi_mem mem);
pi_result driver_kernel_set_sampler(pi_kernel kernel, pi_uint32 index, pi_sampler sampler);
pi_result driver_kernel_set_local(pi_kernel kernel, pi_uint32 index, size_t size);
void driver_kernel_place_local(pi_kernel kernel, pi_uint32 index, size_t offset);

/*
 * Sets all arguments of a new kernel as those of another one of the same function. Only where
 * launches can be changed (DRIVER_UPDATES_LAUNCHES).
 */
pi_result driver_kernel_copy_arguments(pi_kernel to, pi_kernel from);

/*
 * The memory object whose handle the bytes are, which have a pointer's size, where runtimes set
 * memory objects so, as they do on OpenCL; else NULL.
 */
pi_mem driver_kernel_memory_of(const void *bytes);

/* A pi_kernel_cache_config of PI's; and whether a kernel reaches memory by pointers in memory. */
pi_result driver_kernel_set_cache(pi_kernel kernel, pi_uint32 config);
pi_result driver_kernel_set_indirect(pi_kernel kernel, bool is_on);

/*
 * Suggests sizes for a range that comes without a local size. Sets local, which is 0, where the
 * driver suggests one; or sets items, which is the most that there may be, to the work-items of a
 * work-group that run best. Neither need fit.
 */
pi_result driver_launch_suggest(const struct kernel_launch *launch, pi_uint32 local[3],
                                size_t *items);

/*
 * The number of work-groups of the launch's size that run at the same time, when their arguments
 * have so many bytes of local memory. PI_ERROR_UNSUPPORTED_FEATURE: the device has no cooperative
 * launches.
 */
pi_result driver_launch_max_groups(const struct kernel_launch *launch, size_t local_memory,
                                   size_t *ret);

/*
 * Launches a checked range that is not empty, with the arguments that the kernel has now. Between
 * sink_begin with SINK_COMPUTE and sink_end; allocates nothing for a queue. Several threads may
 * launch one kernel.
 */
pi_result driver_launch(sink *sink, const struct kernel_launch *launch);

/*
 * The native handle, and a kernel around one that is not ours; program may be NULL. Where the
 * driver's object has the arguments (DRIVER_KEEPS_ARGUMENTS), a handle of ours is the kernel
 * itself; else driver_kernel_create makes another kernel like kernel->origin.
 */
pi_result driver_kernel_native(pi_kernel kernel, pi_native_handle *ret);
pi_result driver_kernel_adopt(pi_context context, pi_program program, pi_native_handle native,
                              bool is_owned, pi_kernel *ret);

/* ---- Command buffers (command_buffer.h) ---- */

/* Makes the driver's part of a new one; driver_command_buffer_close follows a failure, too. */
pi_result driver_command_buffer_open(pi_ext_command_buffer buffer);

/* Destroys the driver's part, after the latest run: no pending command uses it. */
void driver_command_buffer_close(pi_ext_command_buffer buffer);

/* Called when the last reference is gone: gives up what would keep a queue until the close. */
void driver_command_buffer_leave(pi_ext_command_buffer buffer);

/* With the lock: makes the recorded commands ready to run. After a failure it may be is_broken. */
pi_result driver_command_buffer_finalize(pi_ext_command_buffer buffer);

/*
 * With the lock: makes the next runs of a finalized buffer launch something else as that command.
 * Both launches are not empty. Only where launches can be changed.
 */
pi_result driver_command_update(pi_ext_command_buffer buffer, pi_uint32 number,
                                const struct kernel_launch *launch);

/* With the lock: the whole command that enqueues them, as one command or more. */
pi_result driver_command_buffer_run(pi_ext_command_buffer buffer, sink *sink);

#endif
