/* The Level Zero driver's parts of the objects in ../objects; see ../objects/driver.h. */
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

/* Level Zero fills in one piece only. */
enum { DRIVER_FILLS_2D = false };

/* An image is a device's. */
enum { DRIVER_MOVES_IMAGES = false };

/* Arguments and sizes are in the ze_kernel_handle_t. */
enum { DRIVER_KEEPS_ARGUMENTS = true };

/* A command list that is closed is as it is; drivers that can change one are rare. */
enum { DRIVER_UPDATES_LAUNCHES = false };

/* A driver that the loader found. */
struct driver_platform {
  ze_driver_handle_t driver;
  ze_api_version_t api_version;
  level_zero_extensions extensions; /* functions that only drivers have */
  bool has_module_program;          /* ZE_experimental_module_program: several SPIR-V in a module */
  bool has_global_offset;           /* ZE_experimental_global_offset */
  ze_driver_extension_properties_t *driver_extensions; /* all that the driver lists */
  uint32_t driver_extension_count;
};

/* A group of command queues of a device, by its ordinal; DEVICE_NO_GROUP where there is none. */
#define DEVICE_NO_GROUP UINT32_MAX

struct driver_device {
  ze_device_handle_t device;
  ze_device_properties_t properties;
  ze_device_compute_properties_t compute;
  ze_device_module_properties_t module;
  uint32_t compute_group; /* the ordinal of the queues that run kernels */
  uint32_t compute_queues;
  uint32_t copy_group; /* the main copy engine's, or DEVICE_NO_GROUP: kernels' queues copy, too */
  uint32_t copy_queues;
  uint32_t link_group; /* further copy engines' ("link"), or DEVICE_NO_GROUP */
  uint32_t link_queues;
  bool has_cooperative;          /* compute_group runs cooperative kernels */
  size_t fill_pattern_size;      /* the largest one of zeCommandListAppendMemoryFill, compute */
  size_t copy_fill_pattern_size; /* the same of copy_group */
  level_zero_clock clock;
  pthread_mutex_t clock_lock; /* of the next two, see clock_read */
  bool has_clock_origin;
  clock_reading clock_origin;
};

struct driver_context {
  ze_context_handle_t context;
  bool shares_device_memory;  /* every root can reach the memory of every other one */
  struct event_pools *events; /* of event.c */
};

/*
 * A buffer is memory of the host on integrated devices and in a context whose root devices cannot
 * reach each other's memory, else memory of the (first) device. An image is of the first one.
 */
struct driver_memory {
  char nothing;
};

/*
 * Level Zero's samplers are a root device's, so there is one for each of the context. Bindless ones
 * have none: there the sampler is a part of the image.
 */
struct driver_sampler {
  bool is_bindless;
  pi_uint32 count;               /* the context's roots, or 0 */
  ze_sampler_handle_t *samplers; /* by context_root */
};

/*
 * A queue sends its commands through immediate command lists, or gathers them in command lists
 * (batches) which it executes when they are full, or somebody waits for one of their commands; one
 * of each per engine. Which way: the queue's flags, else SPECPI_LEVEL_ZERO_COMMAND_LISTS, else
 * immediate ones.
 *
 * Each command has an event, asked for or not, which is in one of the two lists below until it is
 * known to have ended. What the application waited for is known; others are asked for their state
 * now and then (queue_sweep), so that the lists have a length which does not grow.
 */
struct driver_queue {
  bool is_immediate;
  pthread_mutex_t *lock; /* of the lists: Level Zero takes one thread at a time; origin's or own */
  pthread_mutex_t own_lock;
  queue_lane lanes[QUEUE_ENGINES];
  queue_engine copy_lane; /* QUEUE_COMPUTE where there is no copy engine */
  ze_command_queue_priority_t priority;
  uint32_t compute_index;
  bool has_compute_index;     /* the application asked for that one */
  pi_event last;              /* in order: what the next command waits for; a use */
  pi_event barrier;           /* out of order: what all later commands wait for; a use */
  pi_event fresh, *fresh_end; /* pending commands, the oldest first */
  unsigned fresh_count;       /* of those */
  unsigned sweep_at;          /* the count at which they are asked */
  atomic_uint pending;        /* commands in both lists */
  pthread_mutex_t sweep_lock; /* of the list that follows; taken before lock */
  pi_event swept, *swept_end; /* pending when they were asked last */
  bool is_published;          /* the context's list has it */
  pi_queue next_in_context, previous_in_context;
  watched abandoned; /* released by the application with commands pending */
};

/* Events that a command can wait for before its event needs memory for more of them. */
enum { EVENT_WAITS = 6 };

/*
 * Events of commands and user events come from pools of their context, which grow (event_pool.h),
 * and go back there when nothing can refer to them any more.
 *
 * A ze_event_handle_t may be reset only when no command that waits for it is pending. That is known
 * from uses: all references of PI together are one use, the queue of the command has one until it
 * knows that the command has ended, and every command that waits for the event has one until its
 * queue knows that this command has ended. The last use puts the event back, and only who takes it
 * out again resets it. There are 0 references when the application did not ask for the event.
 */
struct driver_event {
  atomic_uint uses;
  /* The driver failed to say whether the command has ended: it may run on. Set before status. */
  atomic_bool in_doubt;
  bool was_used;           /* the event is to be reset before its next use */
  atomic_int failure;      /* what status becomes at the end: 0, or below; known before that */
  ze_event_handle_t event; /* signalled by the command's end */
  struct event_pool *pool; /* where the event goes back to; NULL: a native handle */
  struct queue_lane *lane; /* the list that the command is in; NULL: it was given to the driver */
  pi_uint64 batch;         /* the number of its batch there */
  pi_uint64 epoch;         /* see deferred_free.h */
  pi_event start;          /* with profiling, of several driver calls: the first one's; a use */
  bool is_external;        /* the device waits in the command for what only others can end */
  pi_uint64 held_mark;     /* see event_held.c */
  pi_event next_in_batch;
  /* Events that the command waits for, each with a use: first those that the application named,
   * then the queue's. */
  pi_uint32 wait_count, named_count, wait_room;
  pi_event *waits;
  ze_event_handle_t *wait_handles; /* what the driver gets: those not known to have ended */
  pi_event few_waits[EVENT_WAITS];
  ze_event_handle_t few_handles[EVENT_WAITS];
};

/* A command between sink_begin and sink_end. */
struct driver_command {
  queue_engine engine; /* whose lane it is in: QUEUE_COPY only on a copy engine */
  ze_command_list_handle_t list;
  ze_event_handle_t signal;       /* what the call is to signal: hSignalEvent; not NULL */
  uint32_t wait_count;            /* and what it is to wait for: numWaitEvents, phWaitEvents */
  ze_event_handle_t *waits;       /* NULL when the count is 0 */
  pi_event event;                 /* the event of signal; NULL in a command buffer */
  bool is_several;                /* of several driver calls, the first of which was begun */
  ze_event_handle_t *sync_events; /* of a recorded command: the memory of waits */
};

struct driver_command_buffer {
  ze_command_list_handle_t list;
  ze_command_queue_handle_t queue;
  ze_event_handle_t begin, end;
  command_list pools;  /* ze_event_pool_handle_t */
  command_list events; /* ze_event_handle_t: of each command, by its sync point */
  unsigned pool_used;  /* events of the latest pool */
  pi_event run;        /* of the latest run, a reference of PI; NULL before the first */
};

/* The result of a compilation, kept for a link. */
struct driver_compilation {
  char *flags;      /* what its options are to the driver */
  spirv_code *code; /* with the values as defaults, a reference; NULL: it was not compiled */
};

/* Modules for each root device of the context that a build is for. */
struct driver_build {
  bool is_owned;        /* the modules are destroyed with the build */
  pi_uint32 roots;      /* of the context */
  pi_uint32 parts;      /* modules of a root: several where zeModuleDynamicLink joined them */
  spirv_code **codes;   /* what tells the arguments of kernels: references */
  pi_uint32 code_count; /* 0 for native code */
  ze_module_handle_t *modules; /* parts for each context_root; NULL: not built for that device */
};

/*
 * The value of an argument. Level Zero keeps arguments in the ze_kernel_handle_t. They are kept
 * here, too: a context may have several devices, each with a ze_kernel_handle_t of its own, which
 * gets the arguments before its next launch.
 */
typedef struct kernel_value {
  bool is_null;         /* the driver gets no value: local memory, or no object */
  bool is_of_devices;   /* bytes has a handle for each root device */
  pi_uint64 serial;     /* the kernel's when it was set */
  size_t size;          /* bytes of the value, or of local memory */
  unsigned char *bytes; /* memory for capacity bytes */
  size_t capacity;
} kernel_value;

/* A kernel on a root device: what the driver's object has now; a launch has the limits' address. */
typedef struct kernel_instance {
  kernel_limits limits;
  ze_kernel_handle_t kernel; /* NULL: the build has no module for that device */
  uint32_t group[3];         /* 0 before the first launch */
  uint32_t offset[3];
  pi_uint64 serial; /* all arguments up to this one are set in it */
} kernel_instance;

/*
 * PI leaves the order of setting arguments and launching to the caller (pi.h); the lock is there
 * because Level Zero keeps arguments, group size and offset in the ze_kernel_handle_t, so that a
 * launch is several driver calls which belong together.
 */
struct driver_kernel {
  bool is_owned;              /* the driver's objects are destroyed with it */
  bool has_lock;              /* it is made */
  pthread_mutex_t lock;       /* of what follows */
  kernel_value *values;       /* of the arguments */
  unsigned char *room;        /* for values of arguments whose sizes are known */
  pi_uint64 serial;           /* grows with each argument that is set */
  kernel_instance *latest;    /* that of the latest launch, or the first one */
  pi_uint32 count;            /* the context's roots */
  kernel_instance *instances; /* by context_root */
};

#endif
