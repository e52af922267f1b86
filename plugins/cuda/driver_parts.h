/* The members that the CUDA driver adds to the objects of ../objects; see ../objects/driver.h. */
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

/* The backend that stands for CUDA itself. */
enum { DRIVER_BACKEND = PI_EXT_PLATFORM_BACKEND_CUDA };

/* CUDA fills rectangles with patterns of 1, 2 or 4 bytes, so a 2D memset is one command. */
enum { DRIVER_FILLS_2D = true };

/* In a context of several devices an image's pixels move to the device that uses them. */
enum { DRIVER_MOVES_IMAGES = true };

/* CUDA has no kernel objects with arguments: a CUfunction belongs to its module. */
enum { DRIVER_KEEPS_ARGUMENTS = false };

/* CUDA can change the parameters of a launch in an instantiated graph. */
enum { DRIVER_UPDATES_LAUNCHES = true };

struct driver_platform {
  const struct cuda_backend_entry *backend; /* the one that the platform reports */
};

/* X(name, CU_DEVICE_ATTRIBUTE_..): attributes read in advance, because launches need them. */
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
  pthread_mutex_t clock_lock;     /* guards the next three */
  cuda_clock clock;               /* of the primary context */
  pi_uint64 latest_time;          /* the latest result of piGetDeviceAndHostTimer */
  unsigned clock_users;           /* holders of the clock; 0: there is no clock */
  struct memory_pool *kept_pools; /* unused pools for reuse, see memory_pool.c */
  struct driver_blocks *blocks;   /* the primary context's pool, or NULL */
  CUdevice ordinal;
#define CUDA_LIMIT(name, attribute) int name;
  CUDA_DEVICE_LIMITS(CUDA_LIMIT)
#undef CUDA_LIMIT
};

/*
 * A context of one device has a CUcontext: the device's primary context or one of the application.
 * A context of several root devices has a member context for each device instead (context.h).
 */
struct driver_context {
  CUcontext context;
  _Atomic(pi_context) *members; /* indexed by context_root; NULL in a context of one device */
  pthread_mutex_t members_lock; /* held while a member is made */
  bool is_primary;              /* context is the primary one, retained by this object */
  const cuda_clock *clock;      /* the device's clock for its primary context, else own_clock */
  cuda_clock own_clock;
  struct context_gates *gates;    /* of user events, see gate.h */
  struct transfer_staged *staged; /* staged copies, see transfer_host.c */
  deferred staged_free;           /* frees the staged copies that are complete */
  struct driver_blocks *blocks;   /* the pool of the CUcontext, see blocks.h */
  cache builds;                   /* loaded modules, see build_cache.h */
  bool is_ending;                 /* the context is being destroyed */
};

/* One device's copy of an image in a context of several devices. */
typedef struct image_replica {
  CUarray array; /* NULL until the device uses the image */
  uint64_t surface;
} image_replica;

struct driver_memory {
  _Atomic(pi_device) home; /* in a context of several devices: the device that used it last */
  image_replica *replicas; /* of an image in such a context, indexed by context_root */
  bool host_is_registered; /* cuMemHostRegister has pinned the application's host memory */
  /* The handle by which kernels use an image: a surface, or a bindless image's handle. */
  uint64_t surface;
};

struct driver_physical {
  CUmemGenericAllocationHandle handle;
};

/* CUDA has no samplers. Kernels get a number (sampler.h), and bindless sampled images a texture. */
struct driver_sampler {
  pi_uint32 properties;
};

/*
 * Bits of a stream that has commands to be waited for. Each kind of waiter (barriers, fences,
 * piQueueFinish) has a bit and clears it when it waits. A command sets all bits, but only once the
 * driver has it: otherwise a waiter in another thread could clear the bit and miss the command.
 */
enum { UNBARRED = 1, UNFENCED = 2, UNFINISHED = 4, STREAM_USED = 7 };
typedef struct stream_use {
  atomic_uchar bits;
  atomic_bool is_given_out; /* the application has the native handle, and may use it unseen */
} stream_use;

/*
 * An in-order queue has one stream; an out-of-order queue has a pool of streams (queue.h). A
 * command's event, with its CUevents, returns to its queue for reuse.
 */
struct driver_queue {
  pi_context member;       /* the context's member for the queue's device */
  CUstream stream;         /* of an in-order queue; else NULL */
  struct queue_pool *pool; /* of an out-of-order queue; else NULL */
  atomic_flag events_lock;
  pi_event events;     /* unused events, for reuse */
  pi_queue next_open;  /* the next queue in the list of the CUcontext, see fence.h */
  stream_use use;      /* of stream */
  atomic_uint waiters; /* threads in driver_queue_finish */
  int priority;
  bool is_owned; /* the stream is destroyed with the queue */
};

struct driver_event {
  CUstream stream; /* the command's; a later command in it follows without waiting for the event */
  CUevent end;     /* recorded after the command; a user event's is made on request, else NULL */
  CUevent start;   /* recorded before the command; NULL without profiling */
  struct queue_stream *place; /* the stream's place in the pool of an out-of-order queue */
  unsigned serial;            /* the command's number in that stream */
  struct event_gate *gate;    /* of a user event, see gate.h */
};

/* A command between sink_begin and sink_end. */
struct driver_command {
  CUstream stream;
  struct queue_stream *place; /* the stream's place in the pool of an out-of-order queue */
  unsigned serial;            /* the command's number in that stream */
  bool is_several; /* the command takes several driver calls, of which only some may succeed */
  pi_event event;  /* taken from the queue; NULL if the command needs none */
  /* In a command buffer: */
  CUgraphNode *dependencies; /* nodes that the command's first node depends on, each once */
  size_t dependency_count;
  CUgraphNode last;  /* the command's latest node, or NULL; its next node depends on it */
  size_t node_count; /* number of the graph's nodes before the command */
};

/* A graph, to which commands are added, and its executable form once it is finalized. */
struct driver_command_buffer {
  pi_context member; /* the context's member for the buffer's device */
  CUgraph graph;
  command_list nodes;    /* all nodes (CUgraphNode), so that a failed command's can be removed */
  command_list commands; /* each command's last node (CUgraphNode), indexed by sync point */
  CUgraphExec exec;
  CUevent run; /* recorded after the latest launch; NULL before the first; the lock guards it */
};

/* The results of piProgramCompile, for a link. */
struct driver_compilation {
  jit_options options;
  unsigned char *values; /* of the program's constants; NULL if the program was not compiled */
};

struct driver_build {
  struct program_build **parts; /* in a context of several devices: a build for each root device,
                                   or NULL; in a context of one device there is no list */
  CUmodule module;
  code_info *info;    /* facts about the kernels, a reference; NULL for an application's module */
  bool is_owned;      /* the module is unloaded with the build */
  bool is_divided;    /* each kernel has a build of its own, see build_of_kernel */
  const char *kernel; /* the build's only kernel, from text_keep; NULL if it has all kernels */
  size_t code_size;   /* bytes of the code that the driver loaded as the module */
  char *log;          /* of a cached build; NULL if empty */
  /*
   * The module lacks the entries for launches with an offset, because they would double the time of
   * compiling. build_offsets builds them.
   */
  bool offsets_are_apart;
  jit_options options;
  unsigned char *values;       /* of the constants in this build, laid out as in the program's */
  CUdeviceptr constants;       /* a copy of values for kernels that read them from a buffer, or 0 */
  pthread_mutex_t lock;        /* guards the next four */
  struct program_build *whole; /* a divided build's kernels built together, or NULL */
  unsigned char *binary;       /* the answer to PI_PROGRAM_INFO_BINARIES; NULL until requested */
  size_t binary_size;
  CUmodule offsets; /* the result of build_offsets, or NULL */
};

/* A CUfunction and its limits. launch_function finds it by the address of limits. */
typedef struct kernel_function {
  kernel_limits limits;
  CUfunction function;          /* NULL if there is none */
  bool has_own_parameters;      /* each launch has a parameter list of its own, see kernel.h */
  atomic_size_t dynamic_shared; /* bytes of dynamic shared memory that the driver allows now */
} kernel_function;

/* A kernel's functions for one device. */
typedef struct kernel_instance {
  struct program_build *build; /* has the code; a reference; NULL if not built for the device */
  pi_device device;
  kernel_function plain;
  kernel_function with_offset; /* for launches with an offset */
  bool offset_is_apart;        /* kernel_load_offset has to make with_offset */
  atomic_bool offset_is_loaded;
  CUdeviceptr constants; /* the buffer of constants, for kernels that have it as an argument */
  /* An instance with fewer registers, for larger work-groups (kernel_load_larger), or NULL */
  _Atomic(struct kernel_instance *) larger;
  /* An instance with more registers, for work-groups of one warp (kernel_load_one_warp), or NULL */
  _Atomic(struct kernel_instance *) one_warp;
  atomic_uint one_warp_launches; /* launches in such work-groups before one_warp was tried */
} kernel_instance;

struct driver_kernel {
  kernel_instance *instances; /* indexed by context_root */
  pi_uint32 count;            /* number of instances; 0 before they are made */
  CUfunc_cache cache;         /* preferred split between L1 cache and shared memory */
  const code_kernel *code; /* facts about the kernel, in a build's info; NULL if there are none */
  void **pointers;         /* the driver's parameter list: pointers to the arguments' values */
};

#endif
