/*
 * Command buffers are CUDA graphs. Recording a command adds nodes that depend on the nodes of its
 * sync points, finalizing instantiates the graph, and enqueueing launches it. command_node.c adds
 * the nodes; command_buffer.c does the rest.
 */
#ifndef CUDA_COMMAND_BUFFER_H
#define CUDA_COMMAND_BUFFER_H

#include "../objects/command_buffer.h"
#include "fill.h"
#include "kernel.h"
#include "memory.h"
#include "transfer.h"

/* Adds a copy. Memory that the driver does not know is host memory; each run accesses it anew. */
pi_result record_copy(sink *sink, const transfer *transfer);

/* Adds a fill (fill_begin). The pattern is not needed after the call. */
pi_result record_fill(sink *sink, const fill_area *rows, const void *pattern, size_t pattern_size);

/* Adds a launch; the driver copies the arguments in this call. */
pi_result record_kernel(sink *sink, const kernel_launch *launch);

/* Adds a node that does nothing, for dependencies only. */
pi_result record_empty(sink *sink);

#endif
