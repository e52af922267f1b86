/* Queues: an in-order queue is a stream, one out of order has a pool of them (queue_pool.c). */
#include "queue.h"

#include "checks.h"
#include "native.h"

#include <stdlib.h>

#define FLAG_BITS                                                                                  \
  ((pi_queue_properties)(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE |                             \
                         PI_QUEUE_FLAG_PROFILING_ENABLE | PI_QUEUE_FLAG_ON_DEVICE |                \
                         PI_QUEUE_FLAG_ON_DEVICE_DEFAULT |                                         \
                         PI_EXT_ONEAPI_QUEUE_FLAG_DISCARD_EVENTS |                                 \
                         PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW |                                   \
                         PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH |                                  \
                         PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE |                               \
                         PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE))
#define DEVICE_BITS                                                                                \
  ((pi_queue_properties)(PI_QUEUE_FLAG_ON_DEVICE | PI_QUEUE_FLAG_ON_DEVICE_DEFAULT))
#define PRIORITY_BITS                                                                              \
  ((pi_queue_properties)(PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW |                                   \
                         PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH))
#define SUBMISSION_BITS                                                                            \
  ((pi_queue_properties)(PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE |                               \
                         PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE))

/* Discarded events and the kind of submission are hints which CUDA has no use for. */
static pi_result check_flags(pi_queue_properties flags) {
  PI_REQUIRE(!(flags & ~FLAG_BITS), PI_ERROR_INVALID_VALUE,
             "bits 0x%llx of the queue's flags have no meaning",
             (unsigned long long)(flags & ~FLAG_BITS));
  PI_REQUIRE((flags & PRIORITY_BITS) != PRIORITY_BITS, PI_ERROR_INVALID_QUEUE_PROPERTIES,
             "the queue's flags ask for low and for high priority");
  PI_REQUIRE((flags & SUBMISSION_BITS) != SUBMISSION_BITS, PI_ERROR_INVALID_QUEUE_PROPERTIES,
             "the queue's flags ask for immediate and for other submission");
  PI_REQUIRE(!(flags & DEVICE_BITS), PI_ERROR_INVALID_QUEUE_PROPERTIES,
             "the queue's flags ask for a queue on the device, which CUDA does not have");
  return PI_SUCCESS;
}

/* The flags of a list of properties, which may be NULL. */
static pi_result read_properties(const pi_queue_properties *properties,
                                 pi_queue_properties *flags) {
  *flags = 0;
  for (const pi_queue_properties *p = properties; p && *p != 0; p += 2) {
    if (*p == PI_QUEUE_FLAGS)
      *flags = p[1];
    else if (*p == PI_QUEUE_COMPUTE_INDEX)
      PI_REQUIRE(p[1] == 0, PI_ERROR_INVALID_VALUE,
                 "the compute index is %llu, the device has only index 0",
                 (unsigned long long)p[1]);
    else
      return pi_error(PI_ERROR_INVALID_VALUE, "0x%llx is not a key of a queue's properties",
                      (unsigned long long)*p);
  }
  return check_flags(*flags);
}

static pi_result check_device(pi_context context, pi_device device) {
  PI_REQUIRE(device == context->devices[0], PI_ERROR_INVALID_DEVICE,
             "device is not the one of the context");
  return PI_SUCCESS;
}

/* A queue without any stream yet, in use once; the caller fills in the stream or the pool. */
static pi_result allocate(pi_context context, pi_queue_properties flags, pi_queue *queue) {
  pi_queue made = calloc(1, sizeof *made);
  PI_REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a queue of %zu bytes", sizeof *made);
  pi_handle_init(&made->handle, PI_HANDLE_QUEUE);
  atomic_init(&made->users, 1);
  atomic_flag_clear(&made->driver.events_lock);
  context_retain(context);
  made->context = context;
  made->device = context->devices[0];
  made->flags = flags;
  made->is_in_order = !(flags & PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  made->has_profiling = flags & PI_QUEUE_FLAG_PROFILING_ENABLE;
  *queue = made;
  return PI_SUCCESS;
}

static pi_result read_priority(pi_queue queue) {
  if (!(queue->flags & PRIORITY_BITS))
    return PI_SUCCESS;
  int least = 0, greatest = 0;
  CU_TRY(CtxGetStreamPriorityRange, &least, &greatest);
  queue->driver.priority = queue->flags & PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH ? greatest : least;
  return PI_SUCCESS;
}

/* Streams do not wait for the driver's default stream, which belongs to other users of CUDA. */
static pi_result make_streams(pi_queue queue) {
  PI_TRY(cuda_enter(queue->context));
  PI_TRY(read_priority(queue));
  if (!queue->is_in_order)
    return queue_pool_create(queue);
  CU_TRY(StreamCreateWithPriority, &queue->driver.stream, CU_STREAM_NON_BLOCKING,
         queue->driver.priority);
  queue->driver.is_owned = true;
  return PI_SUCCESS;
}

static pi_result create(pi_context context, pi_device device, pi_queue_properties flags,
                        pi_queue *queue) {
  PI_TRY(check_device(context, device));
  pi_queue made;
  PI_TRY(allocate(context, flags, &made));
  const pi_result result = make_streams(made);
  if (result != PI_SUCCESS) {
    queue_drop_use(made);
    return result;
  }
  *queue = made;
  return PI_SUCCESS;
}

pi_result piQueueCreate(pi_context context, pi_device device, pi_queue_properties properties,
                        pi_queue *queue) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(queue);
  PI_TRY(check_flags(properties));
  return create(context, device, properties, queue);
}

pi_result piextQueueCreate(pi_context context, pi_device device, pi_queue_properties *properties,
                           pi_queue *queue) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(properties);
  REQUIRE_POINTER(queue);
  pi_queue_properties flags;
  PI_TRY(read_properties(properties, &flags));
  return create(context, device, flags, queue);
}

static void destroy_event(pi_event event) {
  cu.EventDestroy(event->driver.end);
  if (event->driver.start)
    cu.EventDestroy(event->driver.start);
  free(event);
}

/*
 * Without waiting: the driver carries out what a destroyed stream was given. Its failures have
 * nobody to be told to, and happen only when the context is lost.
 */
static void destroy(pi_queue queue) {
  native_forget(queue->driver.stream, &queue->handle);
  (void)cuda_enter(queue->context);
  for (pi_event event = queue->driver.events, next; event; event = next) {
    next = event->next;
    destroy_event(event);
  }
  if (queue->driver.is_owned)
    cu.StreamDestroy(queue->driver.stream);
  queue_pool_destroy(queue);
  free(queue->driver.pool);
  if (queue->origin)
    piQueueRelease(queue->origin);
  context_release(queue->context);
  free(queue);
}

void queue_drop_use(pi_queue queue) {
  if (atomic_fetch_sub_explicit(&queue->users, 1, memory_order_acq_rel) == 1)
    destroy(queue);
}

/* Whether all streams are idle: PI_SUCCESS, and *is_empty; or the failure of a command. */
static pi_result is_empty(pi_queue queue, bool *empty) {
  PI_TRY(cuda_enter(queue->context));
  *empty = true;
  CUstream stream;
  for (unsigned place = 0; *empty && queue_next_stream(queue, &place, &stream);) {
    const CUresult code = cu.StreamQuery(stream);
    if (code == CUDA_ERROR_NOT_READY)
      *empty = false;
    else
      PI_TRY(cu_result(code, "cuStreamQuery"));
  }
  return PI_SUCCESS;
}

pi_result piQueueGetInfo(pi_queue queue, pi_queue_info param_name, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_QUEUE(queue);
  PI_TRY(pi_answer_check(&answer));
  bool empty;
  switch (param_name) {
  case PI_QUEUE_INFO_CONTEXT:
    return pi_answer_handle(&answer, queue->context);
  case PI_QUEUE_INFO_DEVICE:
    return pi_answer_handle(&answer, queue->device);
  case PI_QUEUE_INFO_REFERENCE_COUNT:
    return pi_answer_uint32(&answer, pi_handle_references(&queue->handle));
  case PI_QUEUE_INFO_PROPERTIES:
    return pi_answer_uint64(&answer, queue->flags);
  case PI_QUEUE_INFO_SIZE:
  case PI_QUEUE_INFO_DEVICE_DEFAULT:
    return pi_answer_unsupported("pi_queue_info", param_name, "the queue is not one on the device");
  case PI_EXT_ONEAPI_QUEUE_INFO_EMPTY:
    PI_TRY(is_empty(queue, &empty));
    return pi_answer_bool(&answer, empty);
  }
  return pi_answer_unknown("pi_queue_info", param_name);
}

/* Waits for every stream, also after one of them failed: what they use may be freed then. */
pi_result piQueueFinish(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  PI_TRY(cuda_enter(queue->context));
  pi_result result = PI_SUCCESS;
  CUstream stream;
  for (unsigned place = 0; queue_next_stream(queue, &place, &stream);) {
    const pi_result one = cu_result(cu.StreamSynchronize(stream), "cuStreamSynchronize");
    if (result == PI_SUCCESS)
      result = one;
  }
  return result;
}

/* CUDA hands commands to the device when they are enqueued. */
pi_result piQueueFlush(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  return PI_SUCCESS;
}

pi_result piQueueRetain(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  pi_handle_retain(&queue->handle);
  return PI_SUCCESS;
}

pi_result piQueueRelease(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  if (pi_handle_release(&queue->handle))
    queue_drop_use(queue);
  return PI_SUCCESS;
}

/*
 * A CUstream; of a queue out of order the first one of the pool, which has no order to others, but
 * barriers and markers wait for what is in it.
 */
pi_result piextQueueGetNativeHandle(pi_queue queue, pi_native_handle *native_handle,
                                    int32_t *native_handle_desc) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(native_handle);
  CUstream stream = queue->driver.stream;
  if (queue->driver.pool) {
    PI_TRY(cuda_enter(queue->context));
    PI_TRY(queue_stream_get(queue, &queue->driver.pool->streams[0], &stream));
  }
  PI_TRY(native_remember(stream, &queue->handle));
  if (queue->driver.pool)
    atomic_store_explicit(&queue->driver.pool->streams[0].is_given_out, true, memory_order_relaxed);
  *native_handle = (pi_native_handle)(uintptr_t)stream;
  if (native_handle_desc)
    *native_handle_desc = 0;
  return PI_SUCCESS;
}

/* The stream must be one of the context: commands of another one would land elsewhere. */
static pi_result check_stream(pi_context context, CUstream stream) {
  PI_TRY(cuda_enter(context));
  CUcontext owner = NULL;
  CU_TRY(StreamGetCtx, stream, &owner);
  PI_REQUIRE(owner == context->driver.context, PI_ERROR_INVALID_CONTEXT,
             "native_handle is a stream of another context");
  return PI_SUCCESS;
}

/*
 * A CUstream, used in order whatever the properties say. One that plugin_owns_native_handle hands
 * over is destroyed with the queue. A stream that piextQueueGetNativeHandle gave stays that
 * queue's: then the reference to that queue is what is handed over, or taken.
 */
pi_result piextQueueCreateWithNativeHandle(pi_native_handle native_handle,
                                           int32_t native_handle_desc, pi_context context,
                                           pi_device device, bool plugin_owns_native_handle,
                                           pi_queue_properties *properties, pi_queue *queue) {
  (void)native_handle_desc;
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_QUEUE, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  if (device) {
    REQUIRE_DEVICE(device);
    PI_TRY(check_device(context, device));
  }
  REQUIRE_POINTER(queue);
  pi_queue_properties flags;
  PI_TRY(read_properties(properties, &flags));
  const CUstream stream = (CUstream)(uintptr_t)native_handle;
  PI_TRY(check_stream(context, stream));
  pi_queue made;
  const pi_queue_properties out_of_order = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  PI_TRY(allocate(context, flags & ~out_of_order, &made));
  made->driver.stream = stream;
  made->origin = (pi_queue)(void *)native_find(stream, PI_HANDLE_QUEUE, plugin_owns_native_handle);
  made->driver.is_owned = plugin_owns_native_handle && !made->origin;
  *queue = made;
  return PI_SUCCESS;
}
