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
 * Tells by plugin_note what a person should know after piPlatformsGet has succeeded with so many
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
 * Fills in the driver's part of a platform, or a device whose type and driver's part are still to
 * be set. driver_platform_close follows a failure of the first one, too; it frees what is there.
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
 * Answers one of the queries of piDeviceGetInfo that the objects cannot (device_info.h), asked of
 * the driver where it may change. A query that it has no word for has a reason, and is no failure.
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

/* Both clocks at one moment, in nanoseconds; the device's never goes back from call to call. */
pi_result driver_device_time(pi_device device, pi_uint64 *device_time, pi_uint64 *host_time);

/* Reports whether a device has attr for the memory of another one. */
pi_result driver_peer_can(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                          bool *ret);

/*
 * Opens and ends the access of a device to the memory of another one, which it can reach. Each pair
 * is opened once; calls come one at a time.
 */
pi_result driver_peer_enable(pi_device command_device, pi_device peer_device);
pi_result driver_peer_disable(pi_device command_device, pi_device peer_device);

/* Reports whether a device has virtual memory: physical memory for reserved addresses. */
pi_result driver_device_maps_memory(pi_device device, bool *ret);

/* ---- Contexts (context.h) ---- */

/* Makes what the driver has for a context: native, is_owned and the driver's part. */
pi_result driver_context_create(pi_context context);

/* The native handle of a context, which is made if there is none yet. */
pi_result driver_context_native(pi_context context, pi_native_handle *ret);

/* The device of a native handle, where the application names none. */
pi_result driver_context_device(pi_native_handle native, pi_device *ret);

/*
 * Takes context->native in, which is the application's, and fills in is_owned and the driver's
 * part. With ownership the context destroys it, or gives up the application's reference to it;
 * after a failure the application has what it had.
 */
pi_result driver_context_adopt(pi_context context, bool with_ownership);

/* Ends what the two have made; nothing uses the context. Failures count for nothing. */
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
 * Begins a command of a queue: fills in sink->command, and has what follows wait for the events.
 * Allocates nothing once the pools are warm. After PI_SUCCESS the caller calls, on this thread, end
 * or cancel. Two threads that use one queue at the same time get no order among their commands.
 *
 * PI_ERROR_INVALID_CONTEXT: an event is of another context.
 * PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: an event is known to have failed. Otherwise
 * what the driver's failures are mapped to.
 */
pi_result driver_command_begin(sink *sink, sink_engine engine);

/*
 * Ends a command whose driver calls succeeded; returns the event if the caller wants it. Waits for
 * a blocking one: PI_ERROR_... of the event if it failed.
 */
pi_result driver_command_end(sink *sink);

/*
 * Gives up a command one of whose driver calls failed, and waits for those that succeeded if they
 * use memory of the caller; returns result, the failed call's.
 */
pi_result driver_command_cancel(sink *sink, pi_result result);

/*
 * The same for a command buffer, whose lock is held. begin: the sync points are checked. end: the
 * command gets the number buffer->command_count; after a failure, result's or its own, which it
 * returns, the command buffer is as it was before, or is_broken.
 */
pi_result driver_record_begin(sink *sink);
pi_result driver_record_end(sink *sink, pi_result result);

/*
 * A command that does nothing but keep its place: it ends when what it waits for has. joins: of a
 * queue, when all that was enqueued before has. A barrier is a queue's, and all commands that are
 * enqueued later wait for it. Between sink_begin with SINK_COMPUTE and sink_end.
 */
pi_result driver_marker(sink *sink, bool joins);
pi_result driver_barrier(sink *sink, bool joins);

/* Whose memory the sides of a copy are: the application's own is the host's, and may move. */
typedef enum copy_host { COPY_NO_HOST, COPY_TO_HOST, COPY_FROM_HOST } copy_host;

/*
 * The whole command that copies or fills, from sink_begin to sink_end. Ranges are checked; a width
 * or height of 0 is nothing but the command's place. host: the side that may be memory which the
 * driver does not know, and which the caller of PI keeps in place until the command has ended. A
 * pattern, of a size that divides the rows' width, is not needed any more afterwards.
 */
pi_result driver_copy(sink *sink, const transfer *transfer, copy_host host);
pi_result driver_fill(sink *sink, const fill_area *rows, const void *pattern, size_t pattern_size);

/*
 * The whole command that gives a hint about shared memory; size is 0 where there is nothing to
 * hint. to_host: the host will use it next, and otherwise the queue's device. advice: bits of
 * pi_mem_advice that do not contradict each other.
 */
pi_result driver_usm_prefetch(sink *sink, const void *pointer, size_t size, bool to_host);
pi_result driver_usm_advise(sink *sink, const void *pointer, size_t size, unsigned advice);

/* ---- Queues (queue.h) ---- */

/* The number of a device's queues for kernels, of which a property of a queue may choose one. */
pi_uint32 driver_device_compute_queues(pi_device device);

/*
 * Makes what the driver has for a new queue; index: QUEUE_ANY_INDEX, or which of the device's
 * queues for kernels it shall be. driver_queue_close follows a failure, too.
 */
pi_result driver_queue_open(pi_queue queue, pi_uint32 index);

/* A native handle of a queue, of the kind that piextQueueGetNativeHandle calls desc. */
typedef struct native_queue {
  pi_native_handle handle;
  int32_t desc;
  bool is_owned; /* the new queue gets it, or the reference that came with it */
} native_queue;

/*
 * Has a new queue stand for a native handle, which is destroyed with it if native owns it and
 * queue->origin is not whose it is. May change what the flags say. driver_queue_close follows a
 * failure.
 */
pi_result driver_queue_adopt(pi_queue queue, const native_queue *native);

/* Destroys what the driver has for a queue without waiting: no command is pending, or CUDA's. */
void driver_queue_close(pi_queue queue);

/* The last reference of PI is gone: gives up the use that it was when the driver can do without. */
void driver_queue_leave(pi_queue queue);

/* Has the driver know all commands of the queue, where they are gathered. */
pi_result driver_queue_flush(pi_queue queue);

/* As queue_finish. Waits for all commands, also after one of them failed. */
pi_result driver_queue_finish(pi_queue queue);

/* Reports whether no command is pending; may fail as a command did instead. */
pi_result driver_queue_is_empty(pi_queue queue, bool *ret);

/* The native handle, and its kind. */
pi_result driver_queue_native(pi_queue queue, pi_native_handle *ret, int32_t *desc);

/* ---- Events (event.h) ---- */

/* A new user event, with one reference. The errors are those of piEventCreate. */
pi_result driver_event_create_user(pi_context context, pi_event *ret);

/* Has a new event stand for a native handle. */
void driver_event_adopt(pi_event event, pi_native_handle native);

/* Destroys what the driver has for an event that event_allocate made. */
void driver_event_close(pi_event event);

/*
 * The last reference of PI is gone: the event goes back to where it came from, or event_destroy
 * ends it, when the driver does not need it any more.
 */
void driver_event_leave(pi_event event);

/* Has the driver know the event's command, where commands are gathered. Cheap when it does. */
pi_result driver_event_submit(pi_event event);

/* As event_status, of an event that was not known to have ended a moment ago. */
pi_int32 driver_event_status(pi_event event);

/*
 * Waits until such an event has ended, and sets its status, but not that of a native handle which
 * may be used again. Fails only when nothing can be waited for.
 */
pi_result driver_event_wait(pi_event event);

/* Ends a user event, which has not been set before; status is 0 or negative. */
pi_result driver_event_set(pi_event event, pi_int32 status);

/* When the command started and ended, in ns; it is complete and its event has times. */
pi_result driver_event_times(pi_event event, pi_uint64 *start, pi_uint64 *end);

/* The native handle, which has the event's command known to the driver. */
pi_result driver_event_native(pi_event event, pi_native_handle *ret);

/* ---- Memory objects (memory.h) ---- */

/*
 * Tells the driver of a new object, and that its last reference is gone, when commands may still
 * use it. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result driver_memory_open(pi_mem mem);
void driver_memory_close(pi_mem mem);

/* The bytes of the largest buffer which all devices of a context can have. */
pi_result driver_memory_limit(pi_context context, size_t *ret);

/* Makes the memory of a buffer: pointer, is_owned, and is_host_memory where the host reaches it. */
pi_result driver_memory_allocate(pi_mem buffer);

/* Fills a buffer that no command knows yet from memory of the host, and waits for the end. */
pi_result driver_memory_upload(pi_mem buffer, const void *from);

/* Makes buffer->host, which maps show. One thread at a time for a buffer. */
pi_result driver_memory_allocate_host(pi_mem buffer);

/* Has the driver know buffer->host, the application's, if that makes maps faster. */
void driver_memory_pin_host(pi_mem buffer);

/*
 * Frees what the driver has for an object: pointer if it is owned, and so host, and an image's
 * parts. What the driver refuses here it has lost already.
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

/* Describes any pointer, NULL too. A pointer that the driver does not know is no failure. */
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
 * Frees what begins at pointer when everything in the context is complete: kernels may use any USM.
 * A failure of a command is its event's to tell.
 */
pi_result driver_usm_free(pi_context context, pi_usm_type type, void *pointer);

/* PI_ERROR_UNSUPPORTED_FEATURE: the driver cannot import the application's memory. */
pi_result driver_usm_require_import(pi_context context);

/* Tells the driver of memory of the application, and ends that. Pointers are those of the calls. */
pi_result driver_usm_import(pi_context context, void *pointer, size_t size);
pi_result driver_usm_release(pi_context context, void *pointer);

/* ---- Pools of USM (usm_pool.h): usm_unpooled.c defines these for drivers that have none ---- */

struct usm_pool;

/*
 * Makes native, the driver's own pool for the device memory of a new pool; 0 where there is none
 * for the device, and then none of the following verbs is called. close: all of its memory is
 * given up, but frees may be pending.
 */
pi_result driver_usm_pool_open(struct usm_pool *pool);
void driver_usm_pool_close(struct usm_pool *pool);

/*
 * The bytes that the driver's pool has of the device, those that are free included: now, or the
 * most since the pool was made, or since .._restart_highest.
 */
pi_result driver_usm_pool_reserved(struct usm_pool *pool, bool is_highest, size_t *ret);
pi_result driver_usm_pool_restart_highest(struct usm_pool *pool);

/*
 * keep: so many bytes stay in the driver's pool when they are free; what is more goes back to the
 * device, when something was waited for. trim: has it go back now, but for so many bytes.
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

/* The least unit of sizes and addresses on a device, or the best one: a power of two. */
pi_result driver_virtual_granularity(pi_device device, bool is_recommended, size_t *ret);

/*
 * Reserves addresses, from wish on if it can be, or NULL, and gives back all that one call has
 * reserved, where nothing is mapped. PI_ERROR_OUT_OF_RESOURCES: there are not so many.
 */
pi_result driver_virtual_reserve(pi_context context, const void *wish, size_t size, void **ret);
pi_result driver_virtual_free(pi_context context, void *start, size_t size);

/* Makes the driver's part of new physical memory, and frees what nothing maps any more. */
pi_result driver_physical_create(struct physical_memory *memory);
void driver_physical_destroy(struct physical_memory *memory);

/*
 * Maps what lies in the memory, at addresses that are free. PI_ERROR_UNSUPPORTED_FEATURE: the
 * driver maps no part of a memory. Nothing is mapped after a failure.
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
 * Reads what an image of a context is made of; is_writable: kernels write it, too.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED, PI_ERROR_UNSUPPORTED_FEATURE: the driver has none of that
 * format, or kind; PI_ERROR_INVALID_IMAGE_SIZE: the device has none as large. Else the errors of
 * image_format_read and image_shape_of.
 */
pi_result driver_image_form(pi_context context, const pi_image_format *format,
                            const pi_image_desc *desc, bool is_writable, image_form *ret);

/* The same of a native handle, as far as the driver can tell; format and desc say the rest. */
pi_result driver_image_describe(pi_context context, pi_native_handle native,
                                const pi_image_format *format, const pi_image_desc *desc,
                                image_form *ret);

/*
 * Makes the driver's image of a new object, its pointer, which begins with the pixels in memory;
 * NULL: with any. Nothing is left after a failure.
 */
pi_result driver_image_create(pi_mem image, const image_pitched *memory);

/* Takes a native handle in, which becomes its pointer. */
pi_result driver_image_adopt(pi_mem image, pi_native_handle native);

/*
 * The whole command, from sink_begin to sink_end, on parts and memory that are checked. pixel: as
 * bytes.
 */
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
 * As driver_image_form, of image memory, or of plain memory: limits of sizes are for those who make
 * something. is_written: kernels write it, and not only if its format lets them.
 */
pi_result driver_image_memory_form(pi_device device, const pi_image_format *format,
                                   const pi_image_desc *desc, bool is_written, image_form *ret);

/* Makes image, or mipmap, of new image memory; over imported memory, unless that is NULL. */
pi_result driver_image_memory_create(image_memory *memory, const external *import);

/* The image of a mip-map's level. */
pi_result driver_image_memory_level(const image_memory *mipmap, unsigned level, void **ret);

/* Makes handle, and image, of a new view, and the driver's part of mem, which tells of it. */
pi_result driver_image_view_create(const image_source *source, pi_mem mem, image_view *view);

/*
 * Imports by it->file_descriptor, which is the driver's or the plugin's from now on.
 * PI_ERROR_INVALID_VALUE: it is no memory, or no semaphore.
 */
pi_result driver_external_memory_open(external *external);
pi_result driver_semaphore_open(external *external);

/*
 * Gives back what the functions above have made, and frees it by registry_free: now, or when no
 * command uses it. After a failure it is as it was.
 */
pi_result driver_image_memory_destroy(image_memory *memory);
pi_result driver_image_view_destroy(image_view *view);
pi_result driver_external_memory_close(external *external);
pi_result driver_semaphore_close(external *external);

/* The whole command: what follows it waits, and it tells of all that came before. */
pi_result driver_semaphore_wait(sink *sink, const external *semaphore);
pi_result driver_semaphore_signal(sink *sink, const external *semaphore);

/* ---- Samplers (sampler.h) ---- */

/*
 * Makes what the driver has for a new sampler, whose state is read. is_bindless: for
 * piextBindlessImageSamplerCreate, not for a kernel's argument. PI_ERROR_UNSUPPORTED_FEATURE: the
 * driver has nothing like the state.
 */
pi_result driver_sampler_create(pi_sampler sampler, bool is_bindless);

/* Destroys it; no command uses the sampler. */
void driver_sampler_destroy(pi_sampler sampler);

/* ---- Programs (program.h, build.h) ---- */

struct binary_array;
struct program_build;
struct build_outcome;
struct code_form;
struct code_head;
struct kernel_names;
struct driver_compilation;

/* The forms of code that it takes (../code/form.h), and NULL. */
extern const struct code_form *const driver_forms[];

/* Checks by its head that the context's devices take code of one of these forms. */
pi_result driver_check_code(pi_context context, const struct code_head *head);

/*
 * Fills in a new program from binaries, as piProgramCreateWithBinary does, whose output status is
 * (or NULL): PI_ERROR_INVALID_BINARY. What a failure leaves is
 * released with the program.
 */
pi_result driver_program_load(pi_program program, const struct binary_array *all, pi_int32 *status);

/* Returns whether a build is for a root device of its context, by context_root. */
bool driver_build_is_for(struct program_build *build, pi_uint32 root);

/* Reads build options to *ret, which is all 0: refused if one of them is no option. */
pi_result driver_compilation_begin(const char *options, pi_result refused,
                                   struct driver_compilation *ret);

/* Frees what is in it; all 0 is fine. */
void driver_compilation_end(struct driver_compilation *compilation);

/*
 * Builds, or compiles, for it->asked. What the driver says of it goes to it->log, the result to
 * it->build, or to it->compiled. The failure for code that the driver does not take is
 * PI_ERROR_BUILD_PROGRAM_FAILURE, or PI_ERROR_COMPILE_PROGRAM_FAILURE. One call at a time for each
 * program, with the build_lock held.
 */
pi_result driver_program_build(pi_program program, struct build_outcome *outcome);
pi_result driver_program_compile(pi_program program, struct build_outcome *outcome);

/* The same of linking programs of one context to a new one: PI_ERROR_LINK_PROGRAM_FAILURE. */
pi_result driver_program_link(pi_program linked, pi_uint32 count, const pi_program *programs,
                              struct build_outcome *outcome);

/* Unloads the code of a build, of which there may be nothing, and frees what the driver has. */
void driver_build_destroy(struct program_build *build);

/* Adds the names of the kernels of a program's build. */
pi_result driver_build_name_kernels(pi_program program, struct program_build *build,
                                    struct kernel_names *names);

/*
 * The size of what the code of a program's build is to piProgramCreateWithBinary, 0 for a root
 * device that it is not for; the code is copied to place, unless that is NULL.
 */
pi_result driver_build_binary(pi_program program, struct program_build *build, pi_uint32 root,
                              unsigned char *place, size_t *size);

/* The native handle of a program's build, whose code is made if it is not there. */
pi_result driver_build_native(pi_program program, struct program_build *build,
                              pi_native_handle *ret);

/*
 * Where a variable of a program's build is on a root device, and its size; NULL: there is none of
 * that name. PI_ERROR_INVALID_PROGRAM_EXECUTABLE: the build is not for the device.
 */
pi_result driver_build_find_variable(pi_program program, struct program_build *build,
                                     pi_uint32 root, const char *name, size_t *size, void **ret);

/*
 * The address of a function there; 0: the driver gives out none, and *is_there says whether there
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

/* Frees what the driver has for a kernel, of which there may be nothing; no command uses it. */
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
 * Set an argument, which is as it was after a failure, to the bytes of a value; to a memory object,
 * or none; to a sampler; or to local memory, of which size says how much. Index, size and kind are
 * checked as far as they are known. driver_kernel_place_local: where local memory begins, with all
 * that the arguments have; it may change when another argument does.
 */
pi_result driver_kernel_set_value(pi_kernel kernel, pi_uint32 index, size_t size,
                                  const void *bytes);
pi_result driver_kernel_set_memory(pi_kernel kernel, pi_uint32 index, pi_mem mem);
pi_result driver_kernel_set_sampler(pi_kernel kernel, pi_uint32 index, pi_sampler sampler);
pi_result driver_kernel_set_local(pi_kernel kernel, pi_uint32 index, size_t size);
void driver_kernel_place_local(pi_kernel kernel, pi_uint32 index, size_t offset);

/*
 * Sets all arguments of a new kernel as another one of the same function has them. Only where
 * launches can be changed (DRIVER_UPDATES_LAUNCHES).
 */
pi_result driver_kernel_copy_arguments(pi_kernel to, pi_kernel from);

/*
 * The memory object whose handle the bytes of a pointer's size are, where runtimes set memory
 * objects so, as they do on OpenCL; else NULL.
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
 * Has the driver launch what is checked and not empty, with the arguments that the kernel has now.
 * Between sink_begin with SINK_COMPUTE and sink_end; allocates nothing for a queue. Several threads
 * may launch one kernel.
 */
pi_result driver_launch(sink *sink, const struct kernel_launch *launch);

/*
 * The native handle, and a kernel around one that is none of ours; program may be NULL. Where the
 * driver's object has the arguments (DRIVER_KEEPS_ARGUMENTS), a handle of ours is the kernel
 * itself; else driver_kernel_create makes another one like kernel->origin.
 */
pi_result driver_kernel_native(pi_kernel kernel, pi_native_handle *ret);
pi_result driver_kernel_adopt(pi_context context, pi_program program, pi_native_handle native,
                              bool is_owned, pi_kernel *ret);

/* ---- Command buffers (command_buffer.h) ---- */

/* Makes what the driver has for a new one; driver_command_buffer_close follows a failure, too. */
pi_result driver_command_buffer_open(pi_ext_command_buffer buffer);

/* Destroys it, after the latest run: no command that is pending uses it. */
void driver_command_buffer_close(pi_ext_command_buffer buffer);

/* The last reference is gone: gives up what would keep a queue until the buffer is closed. */
void driver_command_buffer_leave(pi_ext_command_buffer buffer);

/* With the lock: makes the recorded commands ready to run. After a failure it may be is_broken. */
pi_result driver_command_buffer_finalize(pi_ext_command_buffer buffer);

/*
 * With the lock, of a finalized one: has the next runs launch something else as that command, which
 * is a launch and not empty, as the new one. Only where launches can be changed.
 */
pi_result driver_command_update(pi_ext_command_buffer buffer, pi_uint32 number,
                                const struct kernel_launch *launch);

/* With the lock: enqueues them as one command, or more; the whole command, from begin to end. */
pi_result driver_command_buffer_run(pi_ext_command_buffer buffer, sink *sink);

#endif
