#include "queue.h"

#include "../base/error.h"
#include "context.h"
#include "deferred_free.h"
#include "native.h"

#include <stdlib.h>

/* Makes a queue without the driver's part, with one use. */
static pi_result allocate_queue(pi_context context, pi_device device, pi_queue_properties flags,
                                pi_queue *ret) {
  TRY(queue_check_flags(flags));
  REQUIRE(!(flags & QUEUE_DEVICE_BITS), PI_ERROR_INVALID_QUEUE_PROPERTIES,
          "the queue's flags ask for a queue on the device, which only OpenCL has");
  pi_queue queue = calloc(1, sizeof *queue);
  REQUIRE_MEMORY(queue, "a queue of %zu bytes", sizeof *queue);
  object_init(&queue->handle, OBJECT_QUEUE);
  atomic_init(&queue->users, 1);
  pthread_mutex_init(&queue->lists, NULL);
  context_retain(context);
  queue->context = context;
  queue->device = device;
  queue->flags = flags;
  queue->is_in_order = !(flags & PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  queue->has_profiling = flags & PI_QUEUE_FLAG_PROFILING_ENABLE;
  *ret = queue;
  return PI_SUCCESS;
}

/* Returns a queue if its opening succeeded, or destroys it. */
static pi_result conclude_opening(pi_queue queue, pi_result result, pi_queue *ret) {
  if (result == PI_SUCCESS)
    *ret = queue;
  else
    queue_drop_use(queue);
  return result;
}

pi_result queue_create(pi_context context, pi_device device, pi_queue_properties flags,
                       pi_uint32 index, pi_queue *ret) {
  pi_queue queue;
  TRY(allocate_queue(context, device, flags, &queue));
  return conclude_opening(queue, driver_queue_open(queue, index), ret);
}

/* Checks that origin, the queue of a native handle, is of the context; origin may be NULL. */
static pi_result check_origin(pi_queue origin, pi_context context) {
  REQUIRE(!origin || origin->context->native == context->native, PI_ERROR_INVALID_CONTEXT,
          "native_handle is of a queue of another context");
  return PI_SUCCESS;
}

/* Returns the queue whose pointer is a handle. After a failure the caller keeps its reference. */
static pi_result adopt_itself(pi_context context, pi_device device, const native_queue *native,
                              pi_queue *ret) {
  object_head *found;
  TRY(native_find(OBJECT_QUEUE, "queue", native->handle, native->is_owned, &found));
  const pi_queue queue = (pi_queue)(void *)found;
  pi_result result = check_origin(queue, context);
  if (result == PI_SUCCESS && queue->device != device)
    result = plugin_error(PI_ERROR_INVALID_DEVICE, "native_handle is of a queue of another device");
  if (result == PI_SUCCESS)
    *ret = queue;
  else if (!native->is_owned)
    queue_release(queue);
  return result;
}

pi_result queue_adopt(pi_context context, pi_device device, const native_queue *native,
                      pi_queue_properties flags, pi_queue *ret) {
  if (native_is_foreign())
    return adopt_itself(context, device, native, ret);
  const pi_queue origin =
      (pi_queue)(void *)registry_find(OBJECT_QUEUE, native->handle, native->is_owned);
  pi_queue queue;
  pi_result result = check_origin(origin, context);
  if (result == PI_SUCCESS)
    result = allocate_queue(context, device, flags, &queue);
  if (result != PI_SUCCESS) {
    if (origin && !native->is_owned)
      queue_release(origin);
    return result;
  }
  queue->origin = origin;
  result = driver_queue_adopt(queue, native);
  if (result == PI_SUCCESS && native->is_owned && !origin)
    registry_note(&queue->noted, native->handle, &queue->handle);
  /* After a failure the caller keeps the reference that came with the handle. */
  if (result != PI_SUCCESS && native->is_owned)
    queue->origin = NULL;
  return conclude_opening(queue, result, ret);
}

pi_result queue_native(pi_queue queue, pi_native_handle *ret, int32_t *desc) {
  pi_native_handle native;
  if (native_is_foreign()) {
    TRY(native_of_object("queue", &queue->noted, &queue->handle, &native));
    *ret = native;
    *desc = QUEUE_NATIVE_LIST;
    return PI_SUCCESS;
  }
  TRY(driver_queue_native(queue, &native, desc));
  registry_note(&queue->noted, native, &queue->handle);
  *ret = native;
  return PI_SUCCESS;
}

void queue_destroy(pi_queue queue) {
  const pi_context context = queue->context;
  driver_queue_close(queue);
  if (queue->origin)
    queue_release(queue->origin);
  pthread_mutex_destroy(&queue->lists);
  free(queue);
  /* Deferred frees that waited for the queue's commands may be due now. */
  deferred_free_due(context);
  context_release(context);
}

pi_result queue_finish(pi_queue queue) {
  const pi_result result = driver_queue_finish(queue);
  deferred_free_due(queue->context);
  return result;
}

pi_result queue_answer(pi_queue queue, const info_answer *answer, pi_queue_info query) {
  bool is_empty;
  switch (query) {
  case PI_QUEUE_INFO_CONTEXT:
    return answer_handle(answer, queue->context);
  case PI_QUEUE_INFO_DEVICE:
    return answer_handle(answer, queue->device);
  case PI_QUEUE_INFO_REFERENCE_COUNT:
    return answer_uint32(answer, object_references(&queue->handle));
  case PI_QUEUE_INFO_PROPERTIES:
    return answer_uint64(answer, queue->flags);
  case PI_QUEUE_INFO_SIZE:
  case PI_QUEUE_INFO_DEVICE_DEFAULT:
    return answer_unsupported("pi_queue_info", query, QUEUE_NOT_ON_DEVICE);
  case PI_EXT_ONEAPI_QUEUE_INFO_EMPTY:
    TRY(driver_queue_is_empty(queue, &is_empty));
    return answer_bool(answer, is_empty);
  }
  return answer_unknown("pi_queue_info", query);
}
