/* Copies of rectangles, between any two places of memory. */
#ifndef CUDA_TRANSFER_H
#define CUDA_TRANSFER_H

#include "../checks/rect.h"
#include "../objects/sink.h"
#include "context.h"

/*
 * Passes the copy to the driver, in one call unless CUDA cannot express the pitches. The context of
 * the stream is current. A failure may leave a part of the copy under way.
 */
pi_result transfer_enqueue(pi_context context, CUstream stream, const transfer *transfer);

/*
 * driver_copy lets CUDA's call wait for the stream when the application's memory is not pinned.
 * That wait ends, unless an event of the application holds back the stream. Then the copy goes
 * through pinned memory of the plugin, and the application's memory is read and written in the
 * order of the stream. Otherwise a copy from the application's memory may also be read before the
 * return; the result is the same.
 *
 * Returns whether a copy between host, of the application, and the device needs that detour. The
 * context is current.
 */
bool transfer_needs_stage(CUdeviceptr host, bool blocking);

typedef struct transfer_staged transfer_staged;

/*
 * Takes pinned memory for the rectangle of a copy that is on the host; *ret_pinned is its place
 * there, without gaps. is_to_host: the rectangle is host->to, and the copy is to fill the pinned
 * memory; else it is host->from, which the stream reads before what is enqueued next. The other
 * side is ignored. transfer_stage_end must follow the driver's calls, with their result, which it
 * returns when they failed: then the application's memory is not used any more.
 * PI_ERROR_OUT_OF_HOST_MEMORY, or the driver's code when it has no memory.
 */
pi_result transfer_stage_begin(pi_context context, CUstream stream, const transfer *host,
                               bool is_to_host, transfer_staged **ret, CUdeviceptr *ret_pinned);
pi_result transfer_stage_end(CUstream stream, transfer_staged *staged, bool is_to_host,
                             pi_result result);

/*
 * Frees all that pinned memory, of a context that ends and is current. Memory of complete copies is
 * freed before that, as deferred_free.h says.
 */
void transfer_free_staged(pi_context context);

#endif
