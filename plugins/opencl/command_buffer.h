/*
 * Command buffers. The plugin records the commands itself and replays them with its own enqueue
 * functions, because drivers rarely have cl_khr_command_buffer. command_buffer.c has the object and
 * its lifetime, command_record.c the commands that can be recorded.
 */
#ifndef OPENCL_COMMAND_BUFFER_H
#define OPENCL_COMMAND_BUFFER_H

#include "opencl.h"

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

/* A rectangle copied between two places. The host is the second place of a read or write. */
typedef struct rect_command {
  pi_buff_rect_offset_struct first;
  pi_buff_rect_offset_struct second;
  pi_buff_rect_region_struct region;
  size_t first_row_pitch;
  size_t first_slice_pitch;
  size_t second_row_pitch;
  size_t second_slice_pitch;
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
  pi_usm_migration_flags flags;
  pi_mem_advice advice;
} hint_command;

typedef struct command command;

/*
 * Enqueues a command. The wait list is NULL if and only if the count is 0. event is never NULL and
 * receives the command's event.
 */
typedef pi_result command_replay(const command *command, pi_queue queue, pi_uint32 wait_count,
                                 const pi_event *wait_list, pi_event *event);

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

/* The sync points that a recording call passes, and the place for the new one (or NULL). */
typedef struct command_sync {
  pi_uint32 count;
  const pi_ext_sync_point *list;
  pi_ext_sync_point *ret;
} command_sync;

/*
 * Records a command: checks the command buffer and the sync points, copies the kernel, retains the
 * memory objects, and copies pattern unless it is NULL (fill.pattern_size bytes).
 *
 * PI_ERROR_INVALID_COMMAND_BUFFER_KHR. PI_ERROR_INVALID_OPERATION: already finalized.
 * PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR. PI_ERROR_UNSUPPORTED_FEATURE: the command has a
 * kernel, and the driver cannot copy kernels. PI_ERROR_OUT_OF_HOST_MEMORY. Errors of OpenCL's
 * retain calls.
 */
pi_result command_buffer_append(pi_ext_command_buffer command_buffer, const command *command,
                                const void *pattern, const command_sync *sync);

#endif
