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

/* An image has an array on each device that used it, and its pixels move along. */
enum { DRIVER_MOVES_IMAGES = true };

/* A CUfunction belongs to its module, has no arguments and is not freed. */
enum { DRIVER_KEEPS_ARGUMENTS = false };

/* The nodes of a graph that is instantiated can be given other parameters. */
enum { DRIVER_UPDATES_LAUNCHES = true };

struct driver_platform {
  const struct cuda_backend_entry *backend; /* that the platform reports */
};

/* X(name, CU_DEVICE_ATTRIBUTE_..): attributes that are read once, because a launch must not ask. */
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
  pi_uint64 latest_time;          /* the latest result of piGetDeviceAndHostTimer */
  unsigned clock_users;           /* holders of the clock, which exists while there are any */
  struct memory_pool *kept_pools; /* for reuse, see memory_pool.c */
  struct block_pool *blocks;      /* of the primary context, under clock_lock; NULL: none */
  CUdevice ordinal;
#define CUDA_LIMIT(name, attribute) int name;
  CUDA_DEVICE_LIMITS(CUDA_LIMIT)
#undef CUDA_LIMIT
};

/*
 * One CUcontext: the device's primary one or one of the application's. A context of several root
 * devices has none, but members: a context of each device (context.h).
 */
struct driver_context {
  CUcontext context;
  _Atomic(pi_context) *members; /* by context_root; NULL in a context of one device */
  pthread_mutex_t members_lock; /* held while one is made */
  bool is_primary;              /* the device's; a reference of cuDevicePrimaryCtxRetain */
  const cuda_clock *clock;      /* the device's for its primary context, else own_clock */
  cuda_clock own_clock;
  struct context_gates *gates;    /* of user events, see gate.h */
  struct transfer_staged *staged; /* copies under way, see transfer_host.c */
  deferred staged_free;           /* frees those that are complete */
  struct block_pool *blocks;      /* see block_pool.h; the device's for its primary context */
  cache builds;                   /* of generated code, see build_cache.h */
  bool is_ending;                 /* only its own end still uses the context */
};

/* A device's part of an image in a context of several devices. */
typedef struct image_replica {
  CUarray array; /* NULL: nothing */
  uint64_t surface;
} image_replica;

struct driver_memory {
  _Atomic(pi_device) home; /* in a context of several devices: the one that used it last */
  image_replica *replicas; /* of an image in such a context: by context_root */
  bool host_is_registered; /* the application's host, pinned by cuMemHostRegister */
  /* A kernel's argument for an image; a bindless image's handle. */
  uint64_t surface;
};

struct driver_physical {
  CUmemGenericAllocationHandle handle;
};

/* CUDA has no samplers: kernels get a number (sampler_properties), and sampled images a texture. */
struct driver_sampler {
  pi_uint32 properties;
};

/*
 * Uses of a stream that are still to be waited for: a bit for each kind of waiter, which clears it.
 * All are set when the driver has a command: earlier, another thread might clear them without
 * waiting for the command.
 */
enum { UNBARRED = 1, UNFENCED = 2, UNFINISHED = 4, STREAM_USED = 7 };
typedef struct stream_use {
  atomic_uchar bits;
  atomic_bool is_given_out; /* as a native handle, whose holder may use it at any time */
} stream_use;

/*
 * An in-order queue is a stream; an out-of-order one has a pool of them (queue.h). Events of
 * commands go back to their queue, with their CUevents.
 */
struct driver_queue {
  pi_context member;       /* the context's member for the queue's device */
  CUstream stream;         /* of an in-order queue; NULL in one that is out of order */
  struct queue_pool *pool; /* of a queue out of order; NULL in an in-order queue */
  atomic_flag events_lock;
  pi_event events;     /* the free ones */
  pi_queue next_open;  /* in the list of the CUcontext, see fence.h */
  stream_use use;      /* of the stream */
  atomic_uint waiters; /* threads in driver_queue_finish */
  int priority;
  bool is_owned; /* the stream is destroyed with the queue */
};

struct driver_event {
  CUstream stream; /* the command's; later commands in it need no event to follow */
  CUevent end;     /* recorded after the command; NULL for a user event that nobody asked for */
  CUevent start;   /* with profiling: recorded before the command; NULL without */
  struct queue_stream *place; /* of the stream, in an out-of-order queue */
  unsigned serial;            /* of the command in that stream */
  struct event_gate *gate;    /* of a user event: gate.h */
};

/* A command between sink_begin and sink_end. */
struct driver_command {
  CUstream stream;
  struct queue_stream *place; /* of the stream, in a queue out of order */
  unsigned serial;            /* of the command in that stream */
  bool is_several; /* driver calls on the caller's memory, of which only some may succeed */
  pi_event event;  /* taken from the queue's pool when one is wanted; NULL otherwise */
  /* In a command buffer: */
  CUgraphNode *dependencies; /* of the first node: the nodes of the sync points, each once */
  size_t dependency_count;
  CUgraphNode last;  /* the latest node, on which the next one depends; NULL before the first */
  size_t node_count; /* nodes that the graph had before */
};

/* A graph while it is open, and its executable form once it is finalized. */
struct driver_command_buffer {
  pi_context member; /* the context's member for the buffer's device */
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
  const char *kernel; /* the only kernel in it, of text_keep; NULL: all */
  size_t code_size;   /* bytes of the driver's input for the module */
  char *log;          /* of a cached build; NULL: empty */
  /*
   * The module lacks the entries for launches with an offset, because they would take as long to
   * compile as all else; build_offsets has them.
   */
  bool offsets_are_apart;
  jit_options options;
  unsigned char *values;       /* the built-in ones, laid out as in the program's constants */
  CUdeviceptr constants;       /* the device's copy of them, for kernels with a buffer; else 0 */
  pthread_mutex_t lock;        /* guards the next four */
  struct program_build *whole; /* of a divided build: all kernels, once wanted; NULL before */
  unsigned char *binary;       /* piProgramGetInfo's BINARIES, made when asked for */
  size_t binary_size;
  CUmodule offsets; /* see build_offsets; NULL before */
};

/* A function of the driver, and its limits, whose address a launch has. */
typedef struct kernel_function {
  kernel_limits limits;
  CUfunction function;          /* NULL: there is none */
  bool has_own_parameters;      /* see launch_own_parameters */
  atomic_size_t dynamic_shared; /* dynamic bytes possible without another call of the driver */
} kernel_function;

/* A kernel's code for one device. */
typedef struct kernel_instance {
  struct program_build *build; /* with the code, a reference; NULL: there is none */
  pi_device device;
  kernel_function plain;
  kernel_function with_offset; /* for launches with an offset */
  bool offset_is_apart;        /* it exists only after kernel_load_offset */
  atomic_bool offset_is_loaded;
  CUdeviceptr constants; /* the argument of kernels with a buffer of constants */
  /* The same with fewer registers, for larger work-groups (kernel_load_larger), or NULL */
  _Atomic(struct kernel_instance *) larger;
} kernel_instance;

struct driver_kernel {
  kernel_instance *instances; /* by context_root */
  pi_uint32 count;            /* of those; 0 before they are made */
  CUfunc_cache cache;         /* how a multiprocessor's memory is divided for its functions */
  const code_kernel *code;    /* the code's facts about it, in a build's info; NULL without */
  void **pointers; /* to the arguments' values, for the driver; after them one for the offset */
};

#endif
