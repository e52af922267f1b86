/* Queues: an in-order queue has one stream, an out-of-order queue a pool of them (queue_pool.c). */
#include "queue.h"
#include "blocks.h"

#include <stdlib.h>

static pi_result read_priority(pi_queue queue) {
  if (!(queue->flags & QUEUE_PRIORITY_BITS))
    return PI_SUCCESS;
  int least = 0, greatest = 0;
  CU_TRY(CtxGetStreamPriorityRange, &least, &greatest);
  queue->driver.priority = queue->flags & PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH ? greatest : least;
  return PI_SUCCESS;
}

/* Opens a queue. Its streams do not wait for CUDA's default stream, which other code may use. */
pi_result driver_queue_open(pi_queue queue, pi_uint32 index) {
  (void)index;
  atomic_flag_clear(&queue->driver.events_lock);
  TRY(context_member(queue->context, queue->device, &queue->driver.member));
  TRY(cuda_enter(queue->driver.member));
  TRY(read_priority(queue));
  if (queue->is_in_order) {
    CU_TRY(StreamCreateWithPriority, &queue->driver.stream, CU_STREAM_NON_BLOCKING,
           queue->driver.priority);
    queue->driver.is_owned = true;
  } else {
    TRY(queue_pool_create(queue));
  }
  blocks_add_queue(queue);
  return PI_SUCCESS;
}

void queue_event_destroy(pi_event event) {
  cu.EventDestroy(event->driver.end);
  if (event->driver.start)
    cu.EventDestroy(event->driver.start);
  free(event);
}

/*
 * Does not wait for commands, because the driver completes the commands of a destroyed stream.
 * Their failures are not reported, but commands fail only if the context is lost.
 */
void driver_queue_close(pi_queue queue) {
  if (!queue->driver.member)
    return;
  (void)cuda_enter(queue->driver.member);
  blocks_remove_queue(queue);
  for (pi_event event = queue->driver.events, next; event; event = next) {
    next = event->next;
    queue_event_destroy(event);
  }
  if (queue->driver.is_owned)
    cu.StreamDestroy(queue->driver.stream);
  queue_pool_destroy(queue);
}

/* Sets *empty to whether all streams are idle, or returns the failure of a command. */
pi_result driver_queue_is_empty(pi_queue queue, bool *empty) {
  TRY(cuda_enter(queue->driver.member));
  *empty = true;
  CUstream stream;
  for (unsigned place = 0; *empty && queue_next_stream(queue, &place, &stream, NULL);) {
    const CUresult code = cu.StreamQuery(stream);
    if (code == CUDA_ERROR_NOT_READY)
      *empty = false;
    else
      TRY(cu_result(code, "cuStreamQuery"));
  }
  return PI_SUCCESS;
}

/*
 * Waits for every stream that was used since the latest wait. It goes on after a failure, because
 * then the caller may free memory that the streams use. If another thread is already waiting, it
 * has cleared bits of streams that are still busy, so this thread waits for all streams.
 */
pi_result driver_queue_finish(pi_queue queue) {
  TRY(cuda_enter(queue->driver.member));
  pi_result result = PI_SUCCESS;
  CUstream stream;
  stream_use *use;
  const bool is_first = atomic_fetch_add(&queue->driver.waiters, 1) == 0;
  for (unsigned place = 0; queue_next_stream(queue, &place, &stream, &use);) {
    if (!stream_take_use(use, UNFINISHED) && is_first)
      continue;
    const CUresult code = cu.StreamSynchronize(stream);
    const pi_result one =
        code == CUDA_SUCCESS ? PI_SUCCESS : cu_error_in(code, "cuStreamSynchronize", queue);
    if (one != PI_SUCCESS)
      stream_return_use(use, UNFINISHED);
    if (result == PI_SUCCESS)
      result = one;
  }
  atomic_fetch_sub(&queue->driver.waiters, 1);
  return result;
}

/*
 * Returns the CUstream; for an out-of-order queue the first stream of the pool. That stream is not
 * ordered with the others, but it waits for the latest barrier, and later barriers and markers wait
 * for its commands.
 */
pi_result driver_queue_native(pi_queue queue, pi_native_handle *ret, int32_t *desc) {
  CUstream stream = queue->driver.stream;
  if (queue->driver.pool) {
    TRY(cuda_enter(queue->driver.member));
    TRY(queue_pool_give_out(queue, &stream));
  }
  atomic_store_explicit(&queue->driver.use.is_given_out, true, memory_order_relaxed);
  *ret = (pi_native_handle)(uintptr_t)stream;
  *desc = 0;
  return PI_SUCCESS;
}

/* Checks that a stream is of the queue's context. */
static pi_result check_stream(pi_context member, CUstream stream) {
  TRY(cuda_enter(member));
  CUcontext owner = NULL;
  CU_TRY(StreamGetCtx, stream, &owner);
  REQUIRE(owner == member->driver.context, PI_ERROR_INVALID_CONTEXT,
          "native_handle is a stream of another context");
  return PI_SUCCESS;
}

/* Makes a queue of a CUstream. The queue is in-order even if its properties say otherwise. */
pi_result driver_queue_adopt(pi_queue queue, const native_queue *native) {
  const CUstream stream = (CUstream)(uintptr_t)native->handle;
  atomic_flag_clear(&queue->driver.events_lock);
  TRY(context_member(queue->context, queue->device, &queue->driver.member));
  TRY(check_stream(queue->driver.member, stream));
  queue->flags &= ~(pi_queue_properties)PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  queue->is_in_order = true;
  queue->driver.stream = stream;
  queue->driver.is_owned = native->is_owned && !queue->origin;
  blocks_add_queue(queue);
  return PI_SUCCESS;
}
