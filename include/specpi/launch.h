/*
 * Queues, memory, events, kernels and launches, for programs with a built bundle. Part of
 * specpi.h, which includes this file; docs/launch.md has a whole program.
 *
 * Conventions in addition to those of specpi.h:
 *  - Objects are made with one reference, which the matching Release function gives up; Retain adds
 *    one. Release and Retain ignore NULL. An object keeps the objects that it needs alive: a queue
 *    may be released while the caller still holds one of its events.
 *  - Commands take (wait_count, waits, event): the command starts when the events of waits are
 *    complete; waits may be NULL when wait_count is 0, and is not kept. event receives the
 *    command's event, which the caller releases; it may be NULL. All events and objects of a
 *    command must be of the queue's device.
 *  - Arguments are checked before a driver is called. A failed check is
 *    SPECPI_ERROR_INVALID_ARGUMENT; a failure of a driver is SPECPI_ERROR_DRIVER, and the message
 *    quotes the driver's. Every function that makes an object or an event can return
 *    SPECPI_ERROR_OUT_OF_MEMORY for host memory. These codes are not repeated at each function.
 *  - Commands allocate nothing, except that a queue whose events are all held by the caller
 *    allocates a few more.
 */
#ifndef SPECPI_LAUNCH_H
#define SPECPI_LAUNCH_H

#include <specpi/specpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef struct specpi_queue_object *specpi_queue;
typedef struct specpi_buffer_object *specpi_buffer;
typedef struct specpi_event_object *specpi_event;

/* ---- Queues ---- */

/*
 * X(NAME, bit, flag of PI): properties of a queue. Without flags commands run in the order in which
 * they were submitted.
 * OUT_OF_ORDER: only events order the commands.
 * PROFILING: specpiEventGetTimes works for the queue's events.
 */
#define SPECPI_QUEUE_FLAGS(X)                                                                      \
  X(OUT_OF_ORDER, 1, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE)                                  \
  X(PROFILING, 2, PI_QUEUE_FLAG_PROFILING_ENABLE)

typedef enum specpi_queue_flag {
#define SPECPI_QUEUE_FLAG(NAME, bit, flag) SPECPI_QUEUE_##NAME = (bit),
  SPECPI_QUEUE_FLAGS(SPECPI_QUEUE_FLAG)
#undef SPECPI_QUEUE_FLAG
} specpi_queue_flag;

/*
 * Makes a queue of a device, in the context of specpiDeviceGetContext. flags is a sum of
 * SPECPI_QUEUE_ bits. SPECPI_ERROR_DRIVER: the device does not support them.
 */
specpi_result specpiQueueCreate(specpi_device device, unsigned flags, specpi_queue *queue);
void specpiQueueRetain(specpi_queue queue);
/* Commands that were submitted still run. */
void specpiQueueRelease(specpi_queue queue);

/* Waits until all commands of the queue are complete. */
specpi_result specpiQueueFinish(specpi_queue queue);

specpi_device specpiQueueGetDevice(specpi_queue queue);
/* The flags that the queue was made with; 0 for NULL. */
unsigned specpiQueueGetFlags(specpi_queue queue);
/* PI's own handle, for calls through specpiDeviceGetFunctions. The reference stays the queue's. */
pi_queue specpiQueueGetHandle(specpi_queue queue);

/* ---- Events ---- */

/* X(NAME, name): the states of an event's command. FAILED: it will never be complete. */
#define SPECPI_EVENT_STATES(X)                                                                     \
  X(QUEUED, queued)                                                                                \
  X(SUBMITTED, submitted)                                                                          \
  X(RUNNING, running)                                                                              \
  X(COMPLETE, complete)                                                                            \
  X(FAILED, failed)

typedef enum specpi_event_state {
#define SPECPI_EVENT_STATE(NAME, name) SPECPI_EVENT_##NAME,
  SPECPI_EVENT_STATES(SPECPI_EVENT_STATE)
#undef SPECPI_EVENT_STATE
} specpi_event_state;

/* Times of a command, in nanoseconds of a clock of the device with an arbitrary start. */
typedef struct specpi_times {
  uint64_t queued;    /* the command was enqueued */
  uint64_t submitted; /* the driver passed it to the device */
  uint64_t started;
  uint64_t ended;
} specpi_times;

void specpiEventRetain(specpi_event event);
void specpiEventRelease(specpi_event event);

/*
 * Waits until all events are complete or failed; they may be of several devices. events may be NULL
 * when count is 0. SPECPI_ERROR_DRIVER: a command failed; the message names its event.
 */
specpi_result specpiEventWait(size_t count, const specpi_event *events);

/* The state now, without waiting. */
specpi_result specpiEventGetState(specpi_event event, specpi_event_state *state);
/* The state's name, e.g. "complete"; NULL for no state. */
const char *specpiEventStateGetName(specpi_event_state state);

/*
 * The times of a command that is complete.
 *
 * SPECPI_ERROR_NO_PROFILING: the event's queue was made without SPECPI_QUEUE_PROFILING.
 * SPECPI_ERROR_INVALID_STATE: the command is not complete, or failed.
 */
specpi_result specpiEventGetTimes(specpi_event event, specpi_times *times);

/* The queue of the event's command; NULL for NULL. The reference stays the event's. */
specpi_queue specpiEventGetQueue(specpi_event event);
/* PI's own handle. The reference stays the event's. */
pi_event specpiEventGetHandle(specpi_event event);

/* ---- Buffers ---- */

/*
 * Makes a buffer of size bytes that kernels read and write. Its initial content is a copy of the
 * size bytes at host_data; it is undefined when host_data is NULL.
 */
specpi_result specpiBufferCreate(specpi_device device, size_t size, const void *host_data,
                                 specpi_buffer *buffer);
void specpiBufferRetain(specpi_buffer buffer);
/* Submitted commands that use the buffer still run. */
void specpiBufferRelease(specpi_buffer buffer);

/* The size in bytes; 0 for NULL. */
size_t specpiBufferGetSize(specpi_buffer buffer);
specpi_device specpiBufferGetDevice(specpi_buffer buffer);
/* PI's own handle. The reference stays the buffer's. */
pi_mem specpiBufferGetHandle(specpi_buffer buffer);

/*
 * Copies size bytes at offset of a buffer to data, or from data. With event NULL the call returns
 * when the copy is complete; otherwise at once, and data must stay valid until the event is
 * complete. size is at least 1, and the range lies inside the buffer.
 */
specpi_result specpiBufferRead(specpi_queue queue, specpi_buffer buffer, size_t offset, size_t size,
                               void *data, size_t wait_count, const specpi_event *waits,
                               specpi_event *event);
specpi_result specpiBufferWrite(specpi_queue queue, specpi_buffer buffer, size_t offset,
                                size_t size, const void *data, size_t wait_count,
                                const specpi_event *waits, specpi_event *event);

/*
 * Fills size bytes at offset with a repeated pattern of pattern_size bytes, which is copied.
 * offset and size are multiples of pattern_size. Returns at once.
 */
specpi_result specpiBufferFill(specpi_queue queue, specpi_buffer buffer, const void *pattern,
                               size_t pattern_size, size_t offset, size_t size, size_t wait_count,
                               const specpi_event *waits, specpi_event *event);

/*
 * Copies size bytes from one buffer to another, or within one when the ranges do not
 * overlap. Returns at once.
 */
specpi_result specpiBufferCopy(specpi_queue queue, specpi_buffer source, size_t source_offset,
                               specpi_buffer destination, size_t destination_offset, size_t size,
                               size_t wait_count, const specpi_event *waits, specpi_event *event);

/* ---- Unified shared memory ---- */

/*
 * X(NAME, name, query of PI): kinds of memory. HOST: host memory that the device can access.
 * DEVICE: device memory that the host cannot access. SHARED: memory that moves to where it is used.
 */
#define SPECPI_MEMORY_KINDS(X)                                                                     \
  X(HOST, host, PI_DEVICE_INFO_USM_HOST_SUPPORT)                                                   \
  X(DEVICE, device, PI_DEVICE_INFO_USM_DEVICE_SUPPORT)                                             \
  X(SHARED, shared, PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT)

typedef enum specpi_memory_kind {
#define SPECPI_MEMORY_KIND(NAME, name, query) SPECPI_MEMORY_##NAME,
  SPECPI_MEMORY_KINDS(SPECPI_MEMORY_KIND)
#undef SPECPI_MEMORY_KIND
      SPECPI_MEMORY_KIND_COUNT
} specpi_memory_kind;

/*
 * Allocates size bytes, at least 1, that kernels on the device can access through the pointer.
 * alignment is a power of two in bytes, or 0 for the driver's. The caller frees it with
 * specpiMemoryFree.
 *
 * SPECPI_ERROR_UNSUPPORTED: the device has no memory of that kind.
 */
specpi_result specpiMemoryAllocate(specpi_device device, specpi_memory_kind kind, size_t size,
                                   size_t alignment, void **pointer);
/*
 * Frees memory that specpiMemoryAllocate returned for this device. Waits for commands that use it.
 * NULL is allowed. SPECPI_ERROR_DRIVER: the driver refuses the pointer.
 */
specpi_result specpiMemoryFree(specpi_device device, void *pointer);

/*
 * Returns the kind of memory that a pointer points to, whoever allocated it;
 * SPECPI_MEMORY_KIND_COUNT: the device's driver does not know the memory in the context of
 * specpiDeviceGetContext. On CUDA all libraries of a process share that context, so that memory of
 * the CUDA runtime, or of a SYCL runtime on CUDA, is known.
 */
specpi_result specpiMemoryGetKind(specpi_device device, const void *pointer,
                                  specpi_memory_kind *kind);

/*
 * Copies size bytes, at least 1, between allocations or plain host memory. With event NULL the call
 * returns when the copy is complete; otherwise at once, and both sides must stay valid until the
 * event is complete. The ranges must not overlap.
 */
specpi_result specpiMemoryCopy(specpi_queue queue, void *destination, const void *source,
                               size_t size, size_t wait_count, const specpi_event *waits,
                               specpi_event *event);

/* Sets size bytes, at least 1, of an allocation to a value. Returns at once. */
specpi_result specpiMemoryFill(specpi_queue queue, void *pointer, unsigned char value, size_t size,
                               size_t wait_count, const specpi_event *waits, specpi_event *event);

/* ---- Kernels ---- */

/*
 * Properties of a kernel on its device; 0 for those that the driver does not report. On CUDA a
 * work-group above group_size may run, too: more slowly, because the kernel is built again with
 * fewer registers (docs/cuda.md, Larger work-groups).
 */
typedef struct specpi_kernel_info {
  size_t argument_count;     /* number of arguments that specpiKernelLaunch takes */
  size_t group_size;         /* a work-group of so many work-items always runs; see below */
  size_t required[3];        /* the only local size that is allowed; zeros when any is */
  size_t preferred_multiple; /* group sizes that are multiples of this are fastest */
  uint64_t local_memory;     /* bytes for each work-group, without arguments */
  uint64_t private_memory;   /* bytes for each work-item */
} specpi_kernel_info;

/*
 * Makes a kernel from an executable bundle. The kernel keeps the program alive: the bundle may be
 * released, and its images unregistered.
 *
 * SPECPI_ERROR_INVALID_STATE: the bundle is not executable. SPECPI_ERROR_UNKNOWN_KERNEL: it has no
 * kernel of that name. SPECPI_ERROR_INVALID_IMAGE: the image's description of the kernel's
 * arguments or work-groups contradicts the program.
 */
specpi_result specpiKernelCreate(specpi_bundle bundle, const char *name, specpi_kernel *kernel);
void specpiKernelRetain(specpi_kernel kernel);
/* Launches that were submitted still run. */
void specpiKernelRelease(specpi_kernel kernel);

specpi_result specpiKernelGetInfo(specpi_kernel kernel, specpi_kernel_info *info);
const char *specpiKernelGetName(specpi_kernel kernel);
specpi_device specpiKernelGetDevice(specpi_kernel kernel);
/*
 * PI's own handle. The reference stays the kernel's. Setting arguments and launching through
 * it is not safe while other threads launch the kernel.
 */
pi_kernel specpiKernelGetHandle(specpi_kernel kernel);

/*
 * X(NAME, name): kinds of arguments. VALUE: size bytes at value, by value. BUFFER: a buffer,
 * or none with buffer NULL. POINTER: an address of unified shared memory, or NULL. LOCAL: size
 * bytes of memory for each work-group.
 */
#define SPECPI_ARGUMENT_KINDS(X)                                                                   \
  X(VALUE, value)                                                                                  \
  X(BUFFER, buffer)                                                                                \
  X(POINTER, pointer)                                                                              \
  X(LOCAL, local)

typedef enum specpi_argument_kind {
#define SPECPI_ARGUMENT_KIND(NAME, name) SPECPI_ARGUMENT_##NAME,
  SPECPI_ARGUMENT_KINDS(SPECPI_ARGUMENT_KIND)
#undef SPECPI_ARGUMENT_KIND
      SPECPI_ARGUMENT_KIND_COUNT
} specpi_argument_kind;

/* One argument; the functions below make them. */
typedef struct specpi_argument {
  specpi_argument_kind kind;
  size_t size;          /* VALUE, LOCAL: number of bytes */
  const void *value;    /* VALUE: address of the bytes, which are copied; POINTER: the pointer */
  specpi_buffer buffer; /* BUFFER: the buffer or NULL */
} specpi_argument;

static inline specpi_argument specpiArgumentValue(size_t size, const void *value) {
  const specpi_argument argument = {SPECPI_ARGUMENT_VALUE, size, value, NULL};
  return argument;
}

/* Passes the value of a variable. */
#define SPECPI_ARGUMENT_OF(variable) specpiArgumentValue(sizeof(variable), &(variable))

static inline specpi_argument specpiArgumentBuffer(specpi_buffer buffer) {
  const specpi_argument argument = {SPECPI_ARGUMENT_BUFFER, 0, NULL, buffer};
  return argument;
}

static inline specpi_argument specpiArgumentPointer(const void *pointer) {
  const specpi_argument argument = {SPECPI_ARGUMENT_POINTER, 0, pointer, NULL};
  return argument;
}

static inline specpi_argument specpiArgumentLocal(size_t size) {
  const specpi_argument argument = {SPECPI_ARGUMENT_LOCAL, size, NULL, NULL};
  return argument;
}

/* The work-items of a launch. Only the first dimensions entries of each array are used. */
typedef struct specpi_range {
  unsigned dimensions; /* 1 to 3 */
  size_t global[3];    /* work-items, at least 1 */
  size_t local[3];     /* work-items of a group; all 0: the runtime chooses */
  size_t offset[3];    /* added to the global ids */
} specpi_range;

/*
 * Launches a kernel. The arguments are all those of the source, in its order. Arguments that the
 * compiler removed need an entry, too, which is ignored. The buffer of constants of an emulated
 * image is not among the arguments.
 *
 * Any number of threads may launch a kernel at the same time; each launch has its own arguments.
 * Returns when the command is submitted, before it is complete.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT, among others: dimensions is not 1 to 3; a global size is 0;
 * a global size plus its offset exceeds SIZE_MAX; there are more than SIZE_MAX work-items in all; a
 * local size does not divide the global one, is more than the device or the kernel allows, or is
 * not the one that the kernel requires; the number of arguments is not the kernel's; an argument
 * has no bytes; a buffer is of another device; the device has too little local memory.
 */
specpi_result specpiKernelLaunch(specpi_kernel kernel, specpi_queue queue,
                                 const specpi_range *range, size_t argument_count,
                                 const specpi_argument *arguments, size_t wait_count,
                                 const specpi_event *waits, specpi_event *event);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
