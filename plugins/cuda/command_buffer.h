/*
 * Command buffers are CUDA graphs: recording a command adds nodes that depend on those of its sync
 * points, finalizing instantiates the graph, and enqueueing launches it. The object and its life
 * are in command_buffer.c, nodes in command_node.c, the entries that record in command_record.c and
 * command_kernel.c.
 */
#ifndef PI_CUDA_COMMAND_BUFFER_H
#define PI_CUDA_COMMAND_BUFFER_H

#include "../objects/command_buffer.h"
#include "fill.h"
#include "kernel.h"
#include "memory.h"
#include "transfer.h"

/* A command that is being recorded; lives on the caller's stack. */
typedef struct recording {
  pi_ext_command_buffer buffer;
  CUgraphNode *dependencies; /* of the first node: those of the sync points, each once */
  size_t dependency_count;
  CUgraphNode last; /* the latest node, on which the next one depends; NULL before the first */
  /* How much there was before the command. */
  size_t node_count, object_count;
} recording;

/*
 * Starts a command: checks that the buffer is open and the sync points are its own, locks it, and
 * makes its context current. With PI_SUCCESS recording_end must follow.
 * PI_ERROR_INVALID_OPERATION, PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR,
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result recording_begin(pi_ext_command_buffer buffer, pi_uint32 num_sync_points_in_wait_list,
                          const pi_ext_sync_point *sync_point_wait_list, recording *ret);

/*
 * Ends it. result is what became of its nodes: after a failure they are taken out again, and it is
 * returned. A command without nodes gets an empty one. sync_point may be NULL.
 */
pi_result recording_end(recording *recording, pi_result result, pi_ext_sync_point *sync_point);

/*
 * Keeps an object until the buffer ends, when release(object) is called; by itself this takes no
 * reference. The same object may be given several times. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result recording_hold(recording *recording, void *object, void (*release)(void *object));

/* The same for a memory object, a part of a buffer or an image, too, with a reference. */
pi_result recording_hold_memory(recording *recording, pi_mem mem);

/* Adds a copy. Memory that the driver does not know is the host's, and used at each run. */
pi_result recording_copy(recording *recording, const transfer *transfer);

/* Adds a fill, as fill_begin describes it, with a pattern that is not needed any more afterwards.
 */
pi_result recording_fill(recording *recording, const fill_rows *rows, const void *pattern,
                         size_t pattern_size);

/* Adds a launch; the driver copies the arguments now. */
pi_result recording_kernel(recording *recording, const kernel_launch *launch);

/* Adds a node that only keeps the order. */
pi_result recording_empty(recording *recording);

#endif
