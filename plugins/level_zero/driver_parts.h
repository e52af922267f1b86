/* Level Zero's parts of the objects in ../objects; see ../objects/driver.h. */
#ifndef LEVEL_ZERO_DRIVER_PARTS_H
#define LEVEL_ZERO_DRIVER_PARTS_H

#include "clock.h"
#include "level_zero.h"
#include "queue_lane.h"

#include "../checks/command_list.h"
#include "../checks/launch.h"
#include "../code/spirv_code.h"
#include "../objects/deferred_free.h"
#include "../objects/handle.h"
#include "../objects/watcher.h"

#include <pthread.h>

/* The backend that platforms report. */
enum { DRIVER_BACKEND = PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO };

/* Level Zero fills only contiguous memory. */
enum { DRIVER_FILLS_2D = false };

/* An image stays on the device that it was created for. */
enum { DRIVER_MOVES_IMAGES = false };

/* The ze_kernel_handle_t keeps arguments and sizes. */
enum { DRIVER_KEEPS_ARGUMENTS = true };

/* The plugin does not change a closed command list; few drivers can. */
enum { DRIVER_UPDATES_LAUNCHES = false };

/* A driver that the loader found. */
struct driver_platform {
  ze_driver_handle_t driver;
  ze_api_version_t api_version;
  level_zero_extensions extensions; /* functions that the loader does not have */
  bool has_module_program;          /* ZE_experimental_module_program: joins SPIR-V in one module */
  bool has_global_offset;           /* ZE_experimental_global_offset */
  ze_driver_extension_properties_t *driver_extensions; /* all extensions that the driver lists */
  uint32_t driver_extension_count;
};

/* Ordinal of a command queue group that the device does not have. */
#define DEVICE_NO_GROUP UINT32_MAX

struct driver_device {
  ze_device_handle_t device;
  ze_device_properties_t properties;
  ze_device_compute_properties_t compute;
  ze_device_module_properties_t module;
  uint32_t compute_group; /* the ordinal of the group that runs kernels */
  uint32_t compute_queues;
  uint32_t copy_group; /* the main copy engine's ordinal, or DEVICE_NO_GROUP */
  uint32_t copy_queues;
  uint32_t link_group; /* the ordinal of further copy ("link") engines, or DEVICE_NO_GROUP */
  uint32_t link_queues;
  bool has_cooperative;          /* compute_group runs cooperative kernels */
  size_t fill_pattern_size;      /* bytes: zeCommandListAppendMemoryFill's limit in compute_group */
  size_t copy_fill_pattern_size; /* bytes: the limit in copy_group */
  level_zero_clock clock;
  pthread_mutex_t clock_lock; /* guards the next two, see clock_read */
  bool has_clock_origin;
  clock_reading clock_origin;
};

struct driver_context {
  ze_context_handle_t context;
  bool shares_device_memory;  /* every root device can reach the memory of every other one */
  struct event_pools *events; /* see event_pool.h */
  _Atomic(struct driver_blocks *) blocks; /* list of the pools of memory, see blocks.h */
  atomic_ullong ended_epochs;             /* no command of an epoch below this one is pending */
  /* The application has the native handle of a queue, and may append commands of its own. */
  atomic_bool gave_queue;
};

/*
 * A buffer is in host memory if all devices are integrated, or if the context's root devices cannot
 * reach each other's memory. Any other buffer is in the memory of the context's only device, or of
 * its first root device. An image is in the memory of the first root device.
 */
struct driver_memory {
  char nothing;
};

/*
 * A sampler of Level Zero belongs to a root device, so the object has one for each root device of
 * the context. A bindless sampler has none, because there the sampler is a part of the image.
 */
struct driver_sampler {
  bool is_bindless;
  pi_uint32 count;               /* number of samplers; 0 if bindless */
  ze_sampler_handle_t *samplers; /* indexed by context_root */
};

/*
 * A queue sends its commands in one of two ways, with one list at a time per engine: through
 * immediate command lists, or gathered in command lists (batches). It executes a batch when the
 * batch is full or somebody waits for one of its commands. The queue's flags choose the way, else
 * SPECPI_LEVEL_ZERO_COMMAND_LISTS; the default is immediate lists.
 *
 * Each command has an event, even if the application did not ask for it. The event is in the fresh
 * or the swept list until the queue knows that the command has ended. It knows that of an event
 * that the application has waited for, and asks the driver about the others now and then
 * (queue_sweep). So the lists do not grow without bound.
 */
struct driver_queue {
  bool is_immediate;
  /* Guards the command lists, each of which Level Zero lets only one thread use at a time. It is
   * own_lock, or the lock of the queue whose native handle this queue adopted. */
  pthread_mutex_t *lock;
  pthread_mutex_t own_lock;
  queue_lane lanes[QUEUE_ENGINES];
  queue_engine copy_lane; /* QUEUE_COPY, or QUEUE_COMPUTE if copies use no copy engine */
  ze_command_queue_priority_t priority;
  uint32_t compute_index;
  bool has_compute_index;     /* the application asked for compute_index */
  pi_event last;              /* in order: event of the latest command; has a use of it */
  pi_event barrier;           /* out of order: event of the latest barrier; has a use of it */
  pi_event fresh, *fresh_end; /* commands enqueued since the latest sweep, the oldest first */
  unsigned fresh_count;       /* length of fresh */
  unsigned sweep_at;          /* value of fresh_count that starts a sweep */
  atomic_uint pending;        /* length of fresh and swept together */
  pthread_mutex_t sweep_lock; /* guards swept; taken before lock */
  pi_event swept, *swept_end; /* commands that were pending at the latest sweep */
  bool is_published;          /* the queue is in the context's list */
  bool is_left;               /* the application has released the queue; lock guards it */
  pi_queue next_in_context, previous_in_context;
  watched abandoned; /* the watcher's entry of a queue released with commands pending */
};

/* Capacity of a wait list without an allocation. */
enum { EVENT_WAITS = 6 };

/*
 * Events of commands and user events come from pools of their context (event_pool.h). They return
 * to the pool when nothing refers to them any more.
 *
 * A ze_event_handle_t may be reset only when no command that waits for it is pending. The event
 * therefore counts uses. All PI references together are one use; there is none if the application
 * did not ask for the event. The queue of the command has a use until it knows that the command has
 * ended. Every command that waits for the event has a use until its queue knows that this command
 * has ended. Dropping the last use returns the event to the pool; event_take resets it.
 */
struct driver_event {
  atomic_uint uses;
  /* The driver could not report whether the command has ended, so it may still run. Set before
   * status. */
  atomic_bool in_doubt;
  bool was_used;           /* the event must be reset when it is taken again */
  atomic_int failure;      /* final status, known before the command ends: 0 or an error */
  ze_event_handle_t event; /* signalled at the end of the command */
  struct event_pool *pool; /* the event's home; NULL for an adopted native handle */
  struct queue_lane *lane; /* lane of the command's batch; NULL: the command is with the driver */
  pi_uint64 batch;         /* number of the command's batch in lane */
  pi_uint64 epoch;         /* see deferred_free.h */
  pi_event start;          /* event of the first step, for profiling; has a use of it */
  bool is_external;        /* the command waits for something that the device cannot end */
  pi_uint64 held_mark;     /* see event_held.c */
  pi_event next_in_batch;
  /* Events that the command waits for, each with a use: named_count events of the application's
   * wait list, then events that the queue has added. */
  pi_uint32 wait_count, named_count, wait_room;
  pi_event *waits;
  ze_event_handle_t *wait_handles; /* the driver's handles of waits */
  pi_event few_waits[EVENT_WAITS];
  ze_event_handle_t few_handles[EVENT_WAITS];
};

/* A command between sink_begin and sink_end. */
struct driver_command {
  queue_engine engine; /* lane of the command; QUEUE_COPY only if there is a copy engine */
  ze_command_list_handle_t list;
  ze_event_handle_t signal;       /* the driver call's hSignalEvent; not NULL */
  uint32_t wait_count;            /* the driver call's numWaitEvents */
  ze_event_handle_t *waits;       /* the driver call's phWaitEvents; NULL if wait_count is 0 */
  pi_event event;                 /* the event that owns signal; NULL in a command buffer */
  bool is_several;                /* of several driver calls, some of which may be appended */
  ze_event_handle_t *sync_events; /* memory of waits in a command buffer */
};

struct driver_command_buffer {
  ze_command_list_handle_t list;
  ze_command_queue_handle_t queue;
  ze_event_handle_t begin, end;
  command_list pools;  /* of ze_event_pool_handle_t */
  command_list events; /* ze_event_handle_t of each command, indexed by sync point */
  unsigned pool_used;  /* number of events taken from the latest pool */
  pi_event run;        /* event of the latest run, a PI reference; NULL before the first run */
};

/* The result of a compilation, kept for a link. */
struct driver_compilation {
  char *flags;      /* the options translated for the driver */
  spirv_code *code; /* a reference, with constants' values as defaults; NULL: not compiled */
};

/* The modules of a build, for each root device of the context that it was built for. */
struct driver_build {
  bool is_owned;        /* the modules are destroyed with the build */
  pi_uint32 roots;      /* number of root devices of the context */
  pi_uint32 parts;      /* modules per root device: several if zeModuleDynamicLink joined them */
  spirv_code **codes;   /* references to the code that describes the arguments of kernels */
  pi_uint32 code_count; /* 0 for native code */
  ze_module_handle_t *modules; /* parts handles for each context_root; NULL: not built for it */
};

/*
 * The value of an argument. Each root device of the context has a ze_kernel_handle_t of its own,
 * which keeps arguments. The plugin keeps a copy of the values here, and gives it to a device's
 * handle before the next launch there.
 */
typedef struct kernel_value {
  bool is_null;         /* the driver gets NULL as the value: local memory, or no memory object */
  bool is_of_devices;   /* bytes has a handle for each root device */
  pi_uint64 serial;     /* the kernel's serial when the argument was set */
  size_t size;          /* bytes of the value, or of local memory */
  unsigned char *bytes; /* memory for capacity bytes */
  size_t capacity;
} kernel_value;

/* A kernel on a root device, and what its ze_kernel_handle_t has now. Launches point to limits. */
typedef struct kernel_instance {
  kernel_limits limits;
  ze_kernel_handle_t kernel; /* NULL: the build has no module for that device */
  uint32_t group[3];         /* work-group size; 0 before the first launch */
  uint32_t offset[3];
  pi_uint64 serial; /* the handle has every argument whose serial is not above this one */
} kernel_instance;

/*
 * The driver's part of a kernel. A launch needs the lock, because it is several driver calls that
 * set the group size, offset and arguments of one ze_kernel_handle_t. Setting arguments and
 * launching in the right order is the caller's task (pi.h).
 */
struct driver_kernel {
  bool is_owned;              /* the driver's objects are destroyed with the kernel */
  bool has_lock;              /* lock is initialized */
  pthread_mutex_t lock;       /* guards all that follows */
  kernel_value *values;       /* values of the arguments */
  unsigned char *room;        /* memory for the values of arguments with known sizes */
  pi_uint64 serial;           /* number of times that an argument was set */
  kernel_instance *latest;    /* instance of the latest launch, or the first instance */
  pi_uint32 count;            /* number of instances */
  kernel_instance *instances; /* indexed by context_root */
};

#endif
