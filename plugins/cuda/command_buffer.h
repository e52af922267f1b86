/*
 * Command buffers are CUDA graphs: recording a command adds nodes that depend on those of its sync
 * points, finalizing instantiates the graph, and enqueueing launches it. command_buffer.c runs
 * them, command_node.c adds nodes.
 */
#ifndef CUDA_COMMAND_BUFFER_H
#define CUDA_COMMAND_BUFFER_H

#include "../objects/command_buffer.h"
#include "fill.h"
#include "kernel.h"
#include "memory.h"
#include "transfer.h"

/* Adds a copy. Memory unknown to the driver is the host's, and is used at each run. */
pi_result record_copy(sink *sink, const transfer *transfer);

/* Adds a fill as fill_begin describes it. The pattern is not needed after the call. */
pi_result record_fill(sink *sink, const fill_area *rows, const void *pattern, size_t pattern_size);

/* Adds a launch; the driver copies the arguments now. */
pi_result record_kernel(sink *sink, const kernel_launch *launch);

/* Adds a node that only keeps the order. */
pi_result record_empty(sink *sink);

#endif
