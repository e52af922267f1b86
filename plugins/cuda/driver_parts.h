/* The CUDA driver's parts of the objects of ../objects; see ../objects/driver.h. */
#ifndef CUDA_DRIVER_PARTS_H
#define CUDA_DRIVER_PARTS_H

#include "../base/cache.h"
#include "../code/code_info.h"
#include "clock.h"
#include "jit.h"

#include "../checks/command_list.h"
#include "../checks/launch.h"
#include "../objects/deferred_free.h"
#include "../objects/handle.h"

#include <pthread.h>
#include <stdatomic.h>

/* The backend that platforms report under the driver's own name. */
enum { DRIVER_BACKEND = PI_EXT_PLATFORM_BACKEND_CUDA };

/* CUDA fills rectangles with 1, 2 or 4 bytes: enough for a memset. */
enum { DRIVER_FILLS_2D = true };

/* An image has an array on each device that used it, and its pixels go along. */
enum { DRIVER_MOVES_IMAGES = true };

/* A CUfunction belongs to its module, has no arguments and is not freed. */
enum { DRIVER_KEEPS_ARGUMENTS = false };

/* The nodes of a graph that is instantiated can be given other parameters. */
enum { DRIVER_UPDATES_LAUNCHES = true };

struct driver_platform {
  const struct cuda_backend_entry *backend; /* what it says it is */
};

/* X(name, CU_DEVICE_ATTRIBUTE_..): what is asked once and used where a launch must not ask. */
#define CUDA_DEVICE_LIMITS(X)                                                                      \
  X(max_threads, MAX_THREADS_PER_BLOCK)                                                            \
  X(max_block_x, MAX_BLOCK_DIM_X)                                                                  \
  X(max_block_y, MAX_BLOCK_DIM_Y)                                                                  \
  X(max_block_z, MAX_BLOCK_DIM_Z)                                                                  \
  X(max_grid_x, MAX_GRID_DIM_X)                                                                    \
  X(max_grid_y, MAX_GRID_DIM_Y)                                                                    \
  X(max_grid_z, MAX_GRID_DIM_Z)                                                                    \
  X(max_registers, MAX_REGISTERS_PER_BLOCK)                                                        \
  X(max_pitch, MAX_PITCH)                                                                          \
  X(max_shared, MAX_SHARED_MEMORY_PER_BLOCK)                                                       \
  X(max_shared_optin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)                                           \
  X(multiprocessors, MULTIPROCESSOR_COUNT)                                                         \
  X(warp_size, WARP_SIZE)                                                                          \
  X(major, COMPUTE_CAPABILITY_MAJOR)                                                               \
  X(minor, COMPUTE_CAPABILITY_MINOR)

struct driver_device {
  pthread_mutex_t clock_lock;     /* for the next three */
  cuda_clock clock;               /* of the primary context */
  pi_uint64 latest_time;          /* that piGetDeviceAndHostTimer gave out */
  unsigned clock_users;           /* how many hold the clock; it exists while there are any */
  struct memory_pool *kept_pools; /* for the next that are made, see memory_pool.c */
  struct block_pool *blocks;      /* of the primary context, under clock_lock; NULL: none */
  CUdevice ordinal;
#define CUDA_LIMIT(name, attribute) int name;
  CUDA_DEVICE_LIMITS(CUDA_LIMIT)
#undef CUDA_LIMIT
};

/*
 * One CUcontext, the device's primary one or one of the application's. A context of several root
 * devices has none itself, but members: a context of each device (context.h).
 */
struct driver_context {
  CUcontext context;
  _Atomic(pi_context) *members; /* by context_root; NULL in a context of one device */
  pthread_mutex_t members_lock; /* of making them */
  bool is_primary;              /* the device's; a reference of cuDevicePrimaryCtxRetain */
  const cuda_clock *clock;      /* the device's for its primary context, else own_clock */
  cuda_clock own_clock;
  struct context_gates *gates;    /* of user events, see gate.h */
  struct transfer_staged *staged; /* copies under way, see transfer_host.c */
  deferred staged_free;           /* of those that are complete */
  struct block_pool *blocks;      /* see block_pool.h; the device's for its primary context */
  cache builds;                   /* of generated code, see build_cache.h */
  bool is_ending;                 /* nobody has the context but its own end */
};

/* A device's part of an image in a context of several devices. */
typedef struct image_replica {
  CUarray array; /* NULL: nothing */
  uint64_t surface;
} image_replica;

struct driver_memory {
  _Atomic(pi_device) home; /* of a context of several devices: which one used it last */
  image_replica *replicas; /* of an image there: by context_root */
  bool host_is_registered; /* the application's host, pinned by cuMemHostRegister */
  /* A kernel's argument for an image; a bindless image's handle. */
  uint64_t surface;
};

struct driver_physical {
  CUmemGenericAllocationHandle handle;
};

/* CUDA has no samplers: a kernel gets a number, see sampler_properties, and an image a texture. */
struct driver_sampler {
  pi_uint32 properties;
};

/*
 * The uses of a stream which somebody has not waited for yet: a bit for each who waits, which that
 * one takes back. All are set when the driver has a command: earlier, another thread might take
 * them back without waiting for the command.
 */
enum { UNBARRED = 1, UNFENCED = 2, UNFINISHED = 4, STREAM_USED = 7 };
typedef struct stream_use {
  atomic_uchar bits;
  atomic_bool is_given_out; /* as a native handle: who has it may use it at any time */
} stream_use;

/*
 * An in-order queue is a stream, one out of order has a pool of them (queue.h). Events of commands
 * go back to their queue, with their CUevents.
 */
struct driver_queue {
  pi_context member;       /* the context's of the queue's device */
  CUstream stream;         /* of an in-order queue; NULL in one that is out of order */
  struct queue_pool *pool; /* of a queue out of order; NULL in an in-order queue */
  atomic_flag events_lock;
  pi_event events;     /* the free ones */
  pi_queue next_open;  /* of the CUcontext, see fence.h */
  stream_use use;      /* of the stream */
  atomic_uint waiters; /* threads in driver_queue_finish */
  int priority;
  bool is_owned; /* the stream is destroyed with the queue */
};

struct driver_event {
  CUstream stream; /* the command's; the stream itself is order enough for what follows there */
  CUevent end;     /* recorded after the command; NULL for a user event that nobody asked for */
  CUevent start;   /* with profiling: recorded before the command; NULL without */
  struct queue_stream *place; /* in a queue out of order: the stream's, with its number then */
  unsigned serial;            /* of the command in that stream */
  struct event_gate *gate;    /* of a user event: gate.h */
};

/* A command between sink_begin and sink_end. */
struct driver_command {
  CUstream stream;
  struct queue_stream *place; /* of the stream, in a queue out of order */
  unsigned serial;            /* of the command in that stream */
  bool is_several; /* of driver calls of which some may succeed, on the caller's memory */
  pi_event event;  /* taken from the queue's pool when one is wanted; NULL otherwise */
  /* In a command buffer: */
  CUgraphNode *dependencies; /* of the first node: those of the sync points, each once */
  size_t dependency_count;
  CUgraphNode last;  /* the latest node, on which the next one depends; NULL before the first */
  size_t node_count; /* how many the graph had before */
};

/* A graph while it is open, and what that was made into once it is finalized. */
struct driver_command_buffer {
  pi_context member; /* the context's of the buffer's device */
  CUgraph graph;
  command_list nodes;    /* CUgraphNode: all, so that a failed command can be taken out again */
  command_list commands; /* CUgraphNode: the last one of each command, by its sync point */
  CUgraphExec exec;
  CUevent run; /* after the latest launch, under the lock; NULL before the first */
};

/* A compilation's results for a link. */
struct driver_compilation {
  jit_options options;
  unsigned char *values; /* of the program's constants; NULL: it was not compiled */
};

struct driver_build {
  struct program_build **parts; /* of a context of several devices: a build of each root device
                                   that it is for, a reference; NULL in one of one device */
  CUmodule module;
  code_info *info;    /* of its kernels, a reference; NULL for a module of the application */
  bool is_owned;      /* the module is unloaded with the build */
  bool is_divided;    /* each kernel's code is a build of its own, see build_of_kernel */
  const char *kernel; /* whose code it is, of text_keep; NULL: of all */
  size_t code_size;   /* of what the driver was given for the module */
  char *log;          /* of a build that the cache has; NULL: there is nothing in it */
  /*
   * The entries for launches with an offset are left out of the module, because they would take as
   * long to compile as all else; build_offsets has them.
   */
  bool offsets_are_apart;
  jit_options options;
  unsigned char *values;       /* those that were built in, as in the program's constants */
  CUdeviceptr constants;       /* the device's copy of them, for kernels with a buffer; else 0 */
  pthread_mutex_t lock;        /* of the next four */
  struct program_build *whole; /* of a divided one, when all is wanted; NULL before */
  unsigned char *binary;       /* what piProgramGetInfo gives for BINARIES; made when it is asked */
  size_t binary_size;
  CUmodule offsets; /* see build_offsets; NULL before */
};

/* A function as the driver has it, and what it allows; a launch has the address of its limits. */
typedef struct kernel_function {
  kernel_limits limits;
  CUfunction function;          /* NULL: there is none */
  bool has_own_parameters;      /* see launch_own_parameters */
  atomic_size_t dynamic_shared; /* bytes that may come on top without another call of the driver */
} kernel_function;

/* A kernel's code for one device. */
typedef struct kernel_instance {
  struct program_build *build; /* whose code it is, a reference; NULL: there is none */
  pi_device device;
  kernel_function plain;
  kernel_function with_offset; /* what a launch with an offset runs */
  bool offset_is_apart;        /* and is there after kernel_load_offset only */
  atomic_bool offset_is_loaded;
  CUdeviceptr constants; /* the argument of kernels with a buffer of constants */
  /* The same of fewer registers, for larger work-groups, see kernel_load_larger; NULL: not there */
  _Atomic(struct kernel_instance *) larger;
} kernel_instance;

struct driver_kernel {
  kernel_instance *instances; /* by context_root */
  pi_uint32 count;            /* of those; 0 before they are made */
  CUfunc_cache cache;         /* how its functions divide a multiprocessor's memory */
  const code_kernel *code;    /* what the code says of it, in a build's info; NULL without that */
  void **pointers; /* to the arguments' values, for the driver; after them one for the offset */
};

#endif
