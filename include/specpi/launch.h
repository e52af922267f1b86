/*
 * Queues, memory, events, kernels and launches: what a program does with a built bundle. Part of
 * specpi.h, which includes this file; docs/launch.md has a whole program.
 *
 * Conventions in addition to those of specpi.h:
 *  - Objects are made with one reference, which the matching Release function gives up; Retain adds
 *    one. Release and Retain ignore NULL. An object keeps what it needs: a queue may be released
 *    while the caller still holds one of its events.
 *  - Commands take (wait_count, waits, event): the command starts when the events of waits are
 *    complete; waits may be NULL when wait_count is 0, and is not kept. event receives the
 *    command's event, which the caller releases; it may be NULL. All events and objects of a
 *    command must be of the queue's device.
 *  - Everything is checked before a driver is called. A failed check is
 *    SPECPI_ERROR_INVALID_ARGUMENT; a driver's refusal is SPECPI_ERROR_DRIVER, with the driver's
 *    own words in the message. Every function that makes an object or an event can return
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
 * X(NAME, bit, flag of PI): what a queue can be made with. Without flags commands run in the
 * order in which they were given.
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
 * SPECPI_QUEUE_ bits. A device that cannot do what they ask for: SPECPI_ERROR_DRIVER.
 */
specpi_result specpiQueueCreate(specpi_device device, unsigned flags, specpi_queue *queue);
void specpiQueueRetain(specpi_queue queue);
/* Commands that were given are still carried out. */
void specpiQueueRelease(specpi_queue queue);

/* Waits until all commands of the queue are complete. */
specpi_result specpiQueueFinish(specpi_queue queue);

specpi_device specpiQueueGetDevice(specpi_queue queue);
/* The flags it was made with; 0 for NULL. */
unsigned specpiQueueGetFlags(specpi_queue queue);
/* PI's own handle, for calls through specpiDeviceGetFunctions. The reference stays the queue's. */
pi_queue specpiQueueGetHandle(specpi_queue queue);

/* ---- Events ---- */

/* X(NAME, name): how far the command of an event is. FAILED: it will never be complete. */
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

/* When what happened to a command, in nanoseconds of a clock of the device, which begins anywhere.
 */
typedef struct specpi_times {
  uint64_t queued;    /* the command was given */
  uint64_t submitted; /* the driver handed it to the device */
  uint64_t started;
  uint64_t ended;
} specpi_times;

void specpiEventRetain(specpi_event event);
void specpiEventRelease(specpi_event event);

/*
 * Waits until all events are complete; they may be of several devices. events may be NULL when
 * count is 0. SPECPI_ERROR_DRIVER: a command failed; the message says which event's. When this
 * returns, the others are complete or failed, too.
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

/* The queue of its command. The reference stays the event's; NULL for NULL. */
specpi_queue specpiEventGetQueue(specpi_event event);
/* PI's own handle. The reference stays the event's. */
pi_event specpiEventGetHandle(specpi_event event);

/* ---- Buffers ---- */

/*
 * Makes a buffer of size bytes that kernels read and write. Its first content are the size
 * bytes at host_data, which are copied; it is undefined when host_data is NULL.
 */
specpi_result specpiBufferCreate(specpi_device device, size_t size, const void *host_data,
                                 specpi_buffer *buffer);
void specpiBufferRetain(specpi_buffer buffer);
/* Commands that use it are still carried out. */
void specpiBufferRelease(specpi_buffer buffer);

/* Bytes; 0 for NULL. */
size_t specpiBufferGetSize(specpi_buffer buffer);
specpi_device specpiBufferGetDevice(specpi_buffer buffer);
/* PI's own handle. The reference stays the buffer's. */
pi_mem specpiBufferGetHandle(specpi_buffer buffer);

/*
 * Copies size bytes at offset of a buffer to data, or from data. With event NULL the call returns
 * when that is done; otherwise at once, and data must stay until the event is complete.
 * size is at least 1, and the range lies inside of the buffer.
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
 * X(NAME, name, query of PI): where an allocation lies.
 * HOST: in host memory, which the device reaches. DEVICE: in the device's, which the host does not
 * reach. SHARED: it moves to where it is used.
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
 * Allocates size bytes, at least 1, that kernels on the device reach through the pointer.
 * alignment is a power of two in bytes, or 0 for the driver's. The caller frees it with
 * specpiMemoryFree.
 *
 * SPECPI_ERROR_UNSUPPORTED: the device has no memory of that kind.
 */
specpi_result specpiMemoryAllocate(specpi_device device, specpi_memory_kind kind, size_t size,
                                   size_t alignment, void **pointer);
/*
 * Frees what specpiMemoryAllocate made for this device; commands that use it are complete first.
 * NULL is allowed. Another pointer: SPECPI_ERROR_DRIVER, where the driver finds out.
 */
specpi_result specpiMemoryFree(specpi_device device, void *pointer);

/*
 * Finds out what kind of memory a pointer leads to, whoever allocated it: SPECPI_MEMORY_KIND_COUNT
 * if it is none that the device's driver knows in the context of specpiDeviceGetContext. On CUDA
 * all libraries of a process share that context, so that memory of the CUDA runtime, or of a SYCL
 * runtime on CUDA, is known.
 */
specpi_result specpiMemoryGetKind(specpi_device device, const void *pointer,
                                  specpi_memory_kind *kind);

/*
 * Copies size bytes, at least 1, between allocations or plain host memory. With event NULL the
 * call returns when that is done; otherwise at once, and both sides must stay until the event
 * is complete. The ranges must not overlap.
 */
specpi_result specpiMemoryCopy(specpi_queue queue, void *destination, const void *source,
                               size_t size, size_t wait_count, const specpi_event *waits,
                               specpi_event *event);

/* Sets size bytes, at least 1, of an allocation to a value. Returns at once. */
specpi_result specpiMemoryFill(specpi_queue queue, void *pointer, unsigned char value, size_t size,
                               size_t wait_count, const specpi_event *waits, specpi_event *event);

/* ---- Kernels ---- */

/* A kernel's facts on its device; 0 where the driver does not report one. */
typedef struct specpi_kernel_info {
  size_t argument_count;     /* what specpiKernelLaunch takes */
  size_t group_size;         /* the most work-items of one work-group */
  size_t required[3];        /* the only local size it can have; zeros when it may have any */
  size_t preferred_multiple; /* of the work-items of a group, for speed */
  uint64_t local_memory;     /* bytes for each work-group, without arguments */
  uint64_t private_memory;   /* bytes for each work-item */
} specpi_kernel_info;

/*
 * Makes a kernel from an executable bundle. It keeps the program: the bundle may be released,
 * and its images unregistered.
 *
 * SPECPI_ERROR_INVALID_STATE: the bundle is not executable. SPECPI_ERROR_UNKNOWN_KERNEL: it has
 * no kernel of that name. SPECPI_ERROR_INVALID_IMAGE: what the image says of the kernel's
 * arguments or work-groups contradicts the program.
 */
specpi_result specpiKernelCreate(specpi_bundle bundle, const char *name, specpi_kernel *kernel);
void specpiKernelRetain(specpi_kernel kernel);
/* Launches that were given are still carried out. */
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
  size_t size;          /* VALUE, LOCAL: bytes */
  const void *value;    /* VALUE: copied by the launch; POINTER: the address itself */
  specpi_buffer buffer; /* BUFFER */
} specpi_argument;

static inline specpi_argument specpiArgumentValue(size_t size, const void *value) {
  const specpi_argument argument = {SPECPI_ARGUMENT_VALUE, size, value, NULL};
  return argument;
}

/* The value of a variable. */
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

/* The work-items of a launch; entries from dimensions on are ignored. */
typedef struct specpi_range {
  unsigned dimensions; /* 1 to 3 */
  size_t global[3];    /* work-items, at least 1 */
  size_t local[3];     /* work-items of a group; all 0: the runtime chooses */
  size_t offset[3];    /* added to the global ids */
} specpi_range;

/*
 * Runs a kernel with these arguments. They come in the order of the source, all of them: the
 * places of arguments which the compiler removed are filled with anything and not looked at,
 * and the buffer of constants of an emulated image is no argument here.
 *
 * Any number of threads may launch one kernel at the same time; each launch has its own
 * arguments. Returns when the command is given, before it is complete.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT, among others: dimensions is not 1 to 3; a global size is 0, or
 * with its offset more than an address reaches; more than SIZE_MAX work-items in all; a local size
 * that does not divide the global one, is more than the device or the kernel allows, or is not the
 * one that the kernel requires; another number of arguments than the kernel has; an argument
 * without bytes; a buffer of another device; more local memory than the device has.
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
