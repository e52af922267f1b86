/* Copies of rectangles between any kinds of memory. */
#ifndef CUDA_TRANSFER_H
#define CUDA_TRANSFER_H

#include "../checks/rect.h"
#include "../objects/sink.h"
#include "context.h"

/*
 * Enqueues a copy, by one driver call unless CUDA cannot express the pitches. The context of the
 * stream is current. After a failure a part of the copy may be under way.
 */
pi_result transfer_enqueue(pi_context context, CUstream stream, const transfer *transfer);

/*
 * Returns whether a copy between the device and host, memory of the application, has to be staged:
 * to go through pinned memory of the plugin. If host is pageable, CUDA's copy call may wait for the
 * stream. Usually that is fine, because the wait ends. But while an unset user event holds a stream
 * back, the call could block the thread that is to set the event. A staged copy does not wait: a
 * host function in the stream reads or writes the application's memory. The context is current.
 */
bool transfer_needs_stage(CUdeviceptr host, bool blocking);

typedef struct transfer_staged transfer_staged;

/*
 * Begin and end a staged copy. transfer_stage_begin takes pinned memory for the copy's rectangle on
 * the host. *ret_pinned is its address; its rows have no gaps. The caller then enqueues the copies
 * between the pinned memory and the device, and passes their result to transfer_stage_end.
 *
 * is_to_host: the rectangle is host->to, and transfer_stage_end enqueues the copy from the pinned
 * memory to it. Otherwise the rectangle is host->from, and transfer_stage_begin enqueues the copy
 * from it to the pinned memory. The other side of host is ignored.
 *
 * If result is a failure, transfer_stage_end returns it, and the application's memory is not used
 * any more. transfer_stage_begin: PI_ERROR_OUT_OF_HOST_MEMORY, or the driver's code if that has no
 * memory.
 */
pi_result transfer_stage_begin(pi_context context, CUstream stream, const transfer *host,
                               bool is_to_host, transfer_staged **ret, CUdeviceptr *ret_pinned);
pi_result transfer_stage_end(CUstream stream, transfer_staged *staged, bool is_to_host,
                             pi_result result);

/*
 * Frees the pinned memory of all staged copies at the end of a context, which is current. Memory of
 * complete copies may be freed earlier, by way of deferred_free.h.
 */
void transfer_free_staged(pi_context context);

#endif
