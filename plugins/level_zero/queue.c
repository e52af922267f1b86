/* Queues: what they are made of, and the entries of PI but those of queue_native.c. */
#include "queue.h"

#include "checks.h"
#include "event_pool.h"
#include "settings.h"

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

/* Discarded events are a hint, which would save nothing here. */
static pi_result check_flags(pi_queue_properties flags) {
  PI_REQUIRE(!(flags & ~FLAG_BITS), PI_ERROR_INVALID_VALUE,
             "bits 0x%llx of the queue's flags have no meaning",
             (unsigned long long)(flags & ~FLAG_BITS));
  PI_REQUIRE((flags & PRIORITY_BITS) != PRIORITY_BITS, PI_ERROR_INVALID_QUEUE_PROPERTIES,
             "the queue's flags ask for low and for high priority");
  PI_REQUIRE((flags & SUBMISSION_BITS) != SUBMISSION_BITS, PI_ERROR_INVALID_QUEUE_PROPERTIES,
             "the queue's flags ask for immediate and for other submission");
  PI_REQUIRE(!(flags & DEVICE_BITS), PI_ERROR_INVALID_QUEUE_PROPERTIES,
             "the queue's flags ask for a queue on the device, which Level Zero does not have");
  return PI_SUCCESS;
}

pi_result queue_read_properties(pi_device device, const pi_queue_properties *properties,
                                pi_queue_properties *flags, uint32_t *index) {
  *flags = 0;
  *index = UINT32_MAX;
  for (const pi_queue_properties *p = properties; p && *p != 0; p += 2) {
    if (*p == PI_QUEUE_FLAGS) {
      *flags = p[1];
    } else if (*p == PI_QUEUE_COMPUTE_INDEX) {
      PI_REQUIRE(p[1] < device->driver.compute_queues, PI_ERROR_INVALID_VALUE,
                 "the compute index is %llu, the device has %u queues for kernels",
                 (unsigned long long)p[1], device->driver.compute_queues);
      *index = (uint32_t)p[1];
    } else {
      return pi_error(PI_ERROR_INVALID_VALUE, "0x%llx is not a key of a queue's properties",
                      (unsigned long long)*p);
    }
  }
  return check_flags(*flags);
}

static bool wants_immediate(pi_queue_properties flags) {
  if (flags & SUBMISSION_BITS)
    return flags & PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE;
  return level_zero_get_settings()->is_immediate;
}

static ze_command_queue_priority_t priority_of(pi_queue_properties flags) {
  if (flags & PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH)
    return ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH;
  if (flags & PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW)
    return ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW;
  return ZE_COMMAND_QUEUE_PRIORITY_NORMAL;
}

static bool has_copy_engine(pi_device device) {
  return level_zero_get_settings()->has_copy_engine &&
         (device->driver.copy_group != DEVICE_NO_GROUP || device->driver.link_group != DEVICE_NO_GROUP);
}

/* A queue that was not given an engine takes the next one. */
static uint32_t next_compute_index(pi_device device) {
  static atomic_uint turn;
  const unsigned number = atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed);
  return device->driver.compute_queues ? number % device->driver.compute_queues : 0;
}

void queue_publish(pi_queue queue) {
  struct event_pools *pools = queue->context->driver.events;
  queue->driver.is_published = true;
  pthread_mutex_lock(&pools->queues_lock);
  queue->driver.next_in_context = pools->queues;
  if (pools->queues)
    pools->queues->driver.previous_in_context = queue;
  pools->queues = queue;
  pthread_mutex_unlock(&pools->queues_lock);
}

static void unlink_queue(pi_queue queue) {
  struct event_pools *pools = queue->context->driver.events;
  if (!queue->driver.is_published)
    return;
  pthread_mutex_lock(&pools->queues_lock);
  if (queue->driver.previous_in_context)
    queue->driver.previous_in_context->driver.next_in_context = queue->driver.next_in_context;
  else
    pools->queues = queue->driver.next_in_context;
  if (queue->driver.next_in_context)
    queue->driver.next_in_context->driver.previous_in_context = queue->driver.previous_in_context;
  pthread_mutex_unlock(&pools->queues_lock);
}

pi_result queue_allocate(pi_context context, pi_device device, pi_queue_properties flags,
                         pi_queue *queue) {
  pi_queue made = calloc(1, sizeof *made);
  PI_REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a queue of %zu bytes", sizeof *made);
  pi_handle_init(&made->handle, PI_HANDLE_QUEUE);
  atomic_init(&made->users, 1);
  pthread_mutex_init(&made->driver.own_lock, NULL);
  pthread_mutex_init(&made->driver.sweep_lock, NULL);
  made->driver.lock = &made->driver.own_lock;
  context_retain(context);
  made->context = context;
  made->device = device;
  made->flags = flags;
  made->is_in_order = !(flags & PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  made->has_profiling = flags & PI_QUEUE_FLAG_PROFILING_ENABLE;
  made->driver.is_immediate = wants_immediate(flags);
  made->driver.priority = priority_of(flags);
  made->driver.copy_lane = has_copy_engine(device) ? QUEUE_COPY : QUEUE_COMPUTE;
  made->driver.fresh_end = &made->driver.fresh;
  made->driver.swept_end = &made->driver.swept;
  *queue = made;
  return PI_SUCCESS;
}

/* The compute lane is made at once, so that what the driver cannot do is known here. */
static pi_result create(pi_context context, pi_device device, pi_queue_properties flags,
                        uint32_t index, pi_queue *queue) {
  pi_queue made;
  PI_TRY(queue_allocate(context, device, flags, &made));
  made->driver.has_compute_index = index != UINT32_MAX;
  made->driver.compute_index = made->driver.has_compute_index ? index : next_compute_index(device);
  queue_lane *lane;
  pthread_mutex_lock(made->driver.lock);
  const pi_result result = queue_lane_get(made, QUEUE_COMPUTE, &lane);
  pthread_mutex_unlock(made->driver.lock);
  if (result != PI_SUCCESS) {
    queue_drop_use(made);
    return result;
  }
  queue_publish(made);
  *queue = made;
  return PI_SUCCESS;
}

pi_result piQueueCreate(pi_context context, pi_device device, pi_queue_properties properties,
                        pi_queue *queue) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(queue);
  PI_TRY(check_flags(properties));
  return create(context, device, properties, UINT32_MAX, queue);
}

pi_result piextQueueCreate(pi_context context, pi_device device, pi_queue_properties *properties,
                           pi_queue *queue) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(properties);
  REQUIRE_POINTER(queue);
  pi_queue_properties flags;
  uint32_t index;
  PI_TRY(queue_read_properties(device, properties, &flags, &index));
  return create(context, device, flags, index, queue);
}

/* What was deferred while the queue's commands were pending may be due now. */
static void destroy(pi_queue queue) {
  const pi_context context = queue->context;
  unlink_queue(queue);
  for (int i = 0; i < QUEUE_ENGINES; i++)
    queue_lane_destroy(&queue->driver.lanes[i]);
  if (queue->origin)
    piQueueRelease(queue->origin);
  pthread_mutex_destroy(&queue->driver.own_lock);
  pthread_mutex_destroy(&queue->driver.sweep_lock);
  free(queue);
  deferred_free_due(context);
  context_release(context);
}

void queue_drop_use(pi_queue queue) {
  if (atomic_fetch_sub_explicit(&queue->users, 1, memory_order_acq_rel) == 1)
    destroy(queue);
}

/* One use more, of a queue that may be about to be destroyed: then false. */
static bool try_retain(pi_queue queue) {
  unsigned users = atomic_load_explicit(&queue->users, memory_order_relaxed);
  while (users != 0)
    if (atomic_compare_exchange_weak_explicit(&queue->users, &users, users + 1,
                                              memory_order_acq_rel, memory_order_relaxed))
      return true;
  return false;
}

pi_queue queue_next(pi_context context, pi_queue latest) {
  struct event_pools *pools = context->driver.events;
  pthread_mutex_lock(&pools->queues_lock);
  pi_queue next = latest ? latest->driver.next_in_context : pools->queues;
  while (next && !try_retain(next))
    next = next->driver.next_in_context;
  pthread_mutex_unlock(&pools->queues_lock);
  if (latest)
    queue_drop_use(latest);
  return next;
}

bool queue_leave(pi_queue queue) {
  queue_sweep(queue);
  if (atomic_load_explicit(&queue->driver.pending, memory_order_acquire) != 0)
    return false;
  pthread_mutex_lock(queue->driver.lock);
  const pi_event last = queue->driver.last;
  const pi_event barrier = queue->driver.barrier;
  queue->driver.last = NULL;
  queue->driver.barrier = NULL;
  pthread_mutex_unlock(queue->driver.lock);
  if (last)
    event_drop_use(last);
  if (barrier)
    event_drop_use(barrier);
  queue_drop_use(queue);
  return true;
}

static bool is_given_out(const queue_lane *lane) {
  return atomic_load_explicit(&lane->is_given_out, memory_order_relaxed);
}

/* A command for the end of all: nobody asked for its event, which is waited for. */
static pi_result finish_by_marker(pi_queue queue) {
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MARKER, QUEUE_COMPUTE, 0, NULL, true, &command));
  const pi_event event = command.event;
  event_add_use(event);
  pi_result result = queue_conclude_started(&command, queue_marker(&command, true), false, NULL);
  if (result == PI_SUCCESS)
    result = event_finish(event);
  event_drop_use(event);
  return result;
}

static pi_event hold_last(pi_queue queue) {
  pthread_mutex_lock(queue->driver.lock);
  const pi_event last = queue->driver.last;
  if (last)
    event_add_use(last);
  pthread_mutex_unlock(queue->driver.lock);
  return last;
}

static pi_result finish_in_order(pi_queue queue) {
  const pi_event last = hold_last(queue);
  if (!last)
    return PI_SUCCESS;
  const pi_result result = event_finish(last);
  event_drop_use(last);
  return result;
}

pi_result queue_finish(pi_queue queue) {
  const queue_lane *lane = &queue->driver.lanes[QUEUE_COMPUTE];
  const bool is_pending = atomic_load_explicit(&queue->driver.pending, memory_order_acquire) != 0;
  pi_result result = PI_SUCCESS;
  if ((lane->immediate && is_given_out(lane)) || (!queue->is_in_order && is_pending))
    result = finish_by_marker(queue);
  else if (queue->is_in_order)
    result = finish_in_order(queue);
  if (result == PI_SUCCESS && lane->queue && is_given_out(lane))
    result =
        ze_result(ze.CommandQueueSynchronize(lane->queue, UINT64_MAX), "zeCommandQueueSynchronize");
  queue_sweep(queue);
  return result;
}

pi_result queue_finish_all(pi_context context) {
  pi_result result = PI_SUCCESS;
  for (pi_queue queue = queue_next(context, NULL); queue; queue = queue_next(context, queue)) {
    pi_result one = queue_flush(queue);
    if (one == PI_SUCCESS)
      one = queue_finish(queue);
    if (result == PI_SUCCESS)
      result = one;
  }
  return result;
}

/*
 * What the application itself has put into an immediate list that it was given cannot be asked for.
 */
static pi_result is_empty(pi_queue queue, bool *empty) {
  PI_TRY(queue_flush(queue));
  queue_sweep(queue);
  *empty = atomic_load_explicit(&queue->driver.pending, memory_order_acquire) == 0;
  const queue_lane *lane = &queue->driver.lanes[QUEUE_COMPUTE];
  if (!*empty || !lane->queue || !is_given_out(lane))
    return PI_SUCCESS;
  const ze_result_t code = ze.CommandQueueSynchronize(lane->queue, 0);
  *empty = code == ZE_RESULT_SUCCESS;
  return code == ZE_RESULT_NOT_READY ? PI_SUCCESS : ze_result(code, "zeCommandQueueSynchronize");
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

pi_result piQueueFinish(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  const pi_result result = queue_finish(queue);
  deferred_free_due(queue->context);
  return result;
}

pi_result piQueueFlush(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  return queue_flush(queue);
}

pi_result piQueueRetain(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  pi_handle_retain(&queue->handle);
  return PI_SUCCESS;
}

static bool leave_abandoned(watched *watched) {
  return queue_leave(DEFERRED_OWNER(watched, struct pi_queue_object, driver.abandoned));
}

/*
 * Commands that are pending are carried out: the queue stays as long as that takes, and the
 * driver's objects behind it may only then be destroyed. Waits for that itself where no thread can
 * be made.
 */
pi_result piQueueRelease(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  if (!pi_handle_release(&queue->handle))
    return PI_SUCCESS;
  (void)queue_flush(queue);
  if (queue_leave(queue) || watcher_add(&queue->driver.abandoned, leave_abandoned) == PI_SUCCESS)
    return PI_SUCCESS;
  (void)queue_finish(queue);
  (void)queue_leave(queue);
  return PI_SUCCESS;
}
