/*
 * Command buffers. The plugin records the commands itself and replays them in a queue, because
 * drivers rarely have cl_khr_command_buffer. command_buffer.c has the object and its lifetime. The
 * function of a command that can be recorded does both, as its sink says, and its replay function
 * calls it again with the sink of a queue.
 */
#ifndef OPENCL_COMMAND_BUFFER_H
#define OPENCL_COMMAND_BUFFER_H

#include "sink.h"

#include "../checks/rect.h"

/* The arguments of a kernel launch. Only the first `dimensions` entries of each array are used. */
typedef struct launch_command {
  pi_uint32 dimensions;
  bool has_offset;
  bool has_local;
  size_t offset[3];
  size_t global[3];
  size_t local[3];
} launch_command;

/* A range of bytes in one place, or in two for a copy. */
typedef struct range_command {
  size_t from;
  size_t to;
  size_t size;
  void *destination;
  const void *source;
} range_command;

/* A rectangle copied between two places. offsets has what each side's offset points to. */
typedef struct rect_command {
  rect_side sides[2];
  pi_buff_rect_offset_struct offsets[2];
  pi_buff_rect_region_struct region;
  void *destination;
  const void *source;
} rect_command;

typedef struct fill_command {
  size_t offset;
  size_t size;
  size_t pattern_size;
  void *pointer;
} fill_command;

typedef struct hint_command {
  const void *pointer;
  size_t size;
  pi_mem_advice advice;
} hint_command;

typedef struct command command;

/* Enqueues a command in the sink's queue. */
typedef pi_result command_replay(const command *command, sink *sink);

struct command {
  command_replay *replay;
  /* Objects that the command uses. A recorded command owns a copy of kernel, and retains mems. */
  cl_kernel kernel;
  cl_mem mems[2];
  void *pattern; /* owned, with fill.pattern_size bytes */
  union {
    launch_command launch;
    range_command range;
    rect_command rect;
    fill_command fill;
    hint_command hint;
  };
  /* Sync points that the command waits for, all smaller than its own. */
  pi_uint32 wait_count;
  pi_ext_sync_point *waits; /* owned */
  bool is_waited_for;       /* a later command waits for this one */
};

/*
 * Records a command in the sink's command buffer: checks the sync points, copies the kernel,
 * retains the memory objects, and copies pattern unless it is NULL (fill.pattern_size bytes).
 *
 * PI_ERROR_INVALID_OPERATION: already finalized.
 * PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR. PI_ERROR_UNSUPPORTED_FEATURE: the command has a
 * kernel, and the driver cannot copy kernels. PI_ERROR_OUT_OF_HOST_MEMORY. Errors of OpenCL's
 * retain calls.
 */
pi_result command_buffer_append(const sink *sink, const command *command, const void *pattern);

/* If the sink is a command buffer, records a command with these members in it, and returns from the
 * calling function. */
#define RECORD(pattern, ...)                                                                       \
  do {                                                                                             \
    if (sink->buffer)                                                                              \
      return command_buffer_append(sink, &(command){__VA_ARGS__}, pattern);                        \
  } while (0)

#endif
