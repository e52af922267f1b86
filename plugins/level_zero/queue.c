/* Queues: creation, lifetime, and waiting for all commands. */
#include "queue.h"

#include "event_pool.h"
#include "settings.h"

pi_uint32 driver_device_compute_queues(pi_device device) {
  return device->driver.compute_queues;
}

static bool wants_immediate(pi_queue_properties flags) {
  if (flags & QUEUE_SUBMISSION_BITS)
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
         (device->driver.copy_group != DEVICE_NO_GROUP ||
          device->driver.link_group != DEVICE_NO_GROUP);
}

/* Returns the compute engine for a queue without a choice of its own: the engines take turns. */
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

void queue_prepare(pi_queue queue) {
  struct driver_queue *driver = &queue->driver;
  pthread_mutex_init(&driver->own_lock, NULL);
  pthread_mutex_init(&driver->sweep_lock, NULL);
  driver->lock = &driver->own_lock;
  driver->is_immediate = wants_immediate(queue->flags);
  driver->priority = priority_of(queue->flags);
  driver->copy_lane = has_copy_engine(queue->device) ? QUEUE_COPY : QUEUE_COMPUTE;
  driver->fresh_end = &driver->fresh;
  driver->swept_end = &driver->swept;
}

/* Makes the compute lane at once, so that creating the queue fails if the driver cannot make it. */
pi_result driver_queue_open(pi_queue queue, pi_uint32 index) {
  queue_prepare(queue);
  queue->driver.has_compute_index = index != QUEUE_ANY_INDEX;
  queue->driver.compute_index =
      queue->driver.has_compute_index ? index : next_compute_index(queue->device);
  queue_lane *lane;
  pthread_mutex_lock(queue->driver.lock);
  const pi_result result = queue_lane_get(queue, QUEUE_COMPUTE, &lane);
  pthread_mutex_unlock(queue->driver.lock);
  if (result == PI_SUCCESS)
    queue_publish(queue);
  return result;
}

void driver_queue_close(pi_queue queue) {
  unlink_queue(queue);
  for (int i = 0; i < QUEUE_ENGINES; i++)
    queue_lane_destroy(&queue->driver.lanes[i]);
  pthread_mutex_destroy(&queue->driver.own_lock);
  pthread_mutex_destroy(&queue->driver.sweep_lock);
}

/* Adds a use; returns false if the queue has none left and is about to be destroyed. */
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

/* Returns the oldest epoch of a command in the list; UINT64_MAX if the list is empty. */
static pi_uint64 oldest_epoch_of_list(pi_event list) {
  pi_uint64 oldest = UINT64_MAX;
  for (; list; list = list->next)
    if (list->driver.epoch < oldest)
      oldest = list->driver.epoch;
  return oldest;
}

static pi_uint64 oldest_epoch_of(pi_queue queue) {
  if (atomic_load_explicit(&queue->driver.pending, memory_order_acquire) == 0)
    return UINT64_MAX;
  queue_sweep(queue);
  pthread_mutex_lock(&queue->driver.sweep_lock);
  pthread_mutex_lock(queue->driver.lock);
  const pi_uint64 fresh = oldest_epoch_of_list(queue->driver.fresh);
  pthread_mutex_unlock(queue->driver.lock);
  const pi_uint64 swept = oldest_epoch_of_list(queue->driver.swept);
  pthread_mutex_unlock(&queue->driver.sweep_lock);
  return fresh < swept ? fresh : swept;
}

pi_uint64 driver_context_oldest_epoch(pi_context context) {
  pi_uint64 oldest = UINT64_MAX;
  for (pi_queue queue = queue_next(context, NULL); queue; queue = queue_next(context, queue)) {
    const pi_uint64 one = oldest_epoch_of(queue);
    if (one < oldest)
      oldest = one;
  }
  return oldest;
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

static bool was_left(pi_queue queue) {
  pthread_mutex_lock(queue->driver.lock);
  const bool is_left = queue->driver.is_left;
  pthread_mutex_unlock(queue->driver.lock);
  return is_left;
}

/*
 * Enqueues a marker for the commands of a lane that the application may have appended to. Skips a
 * queue that the application has released, because nobody would sweep the marker there. Returns
 * false if the driver fails, or if the application has released the queue meanwhile: then
 * queue_finish_all sweeps it.
 */
static bool mark_native(pi_queue queue) {
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_MARKER, 0, NULL, false, NULL);
  if (was_left(queue))
    return true;
  return sink_begin(&sink, SINK_COMPUTE) == PI_SUCCESS &&
         sink_end(&sink, driver_marker(&sink, true)) == PI_SUCCESS && !was_left(queue);
}

bool queue_mark_natives(pi_context context) {
  bool all = true;
  if (!atomic_load_explicit(&context->driver.gave_queue, memory_order_acquire))
    return true;
  for (pi_queue queue = queue_next(context, NULL); queue; queue = queue_next(context, queue)) {
    const queue_lane *lane = &queue->driver.lanes[QUEUE_COMPUTE];
    if (is_given_out(lane))
      all = lane->immediate && mark_native(queue) && all;
  }
  return all;
}

/* Enqueues a marker for all commands and waits for its event. */
static pi_result finish_by_marker(pi_queue queue) {
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_MARKER, 0, NULL, false, NULL);
  TRY(sink_begin(&sink, SINK_COMPUTE));
  const pi_event event = sink.command.event;
  event_add_use(event);
  pi_result result = sink_end(&sink, driver_marker(&sink, true));
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

pi_result driver_queue_finish(pi_queue queue) {
  const queue_lane *lane = &queue->driver.lanes[QUEUE_COMPUTE];
  const bool is_pending = atomic_load_explicit(&queue->driver.pending, memory_order_acquire) != 0;
  pi_result result = PI_SUCCESS;
  if ((lane->immediate && is_given_out(lane)) || (!queue->is_in_order && is_pending))
    result = finish_by_marker(queue);
  else if (queue->is_in_order)
    result = finish_in_order(queue);
  if (result == PI_SUCCESS && lane->queue && is_given_out(lane))
    result = ZE_CALL(CommandQueueSynchronize, lane->queue, UINT64_MAX);
  queue_sweep(queue);
  return result;
}

void queue_flush_all(pi_context context) {
  for (pi_queue queue = queue_next(context, NULL); queue; queue = queue_next(context, queue))
    (void)driver_queue_flush(queue);
}

static pi_result flush_and_finish(pi_queue queue) {
  TRY(driver_queue_flush(queue));
  return driver_queue_finish(queue);
}

pi_result queue_finish_all(pi_context context) {
  pi_result result = PI_SUCCESS;
  for (pi_queue queue = queue_next(context, NULL); queue; queue = queue_next(context, queue)) {
    const pi_result one = flush_and_finish(queue);
    result = result == PI_SUCCESS ? one : result;
  }
  return result;
}

/*
 * Also asks the driver if the application has the native command queue, because it may have
 * executed lists there that the plugin does not know of.
 */
pi_result driver_queue_is_empty(pi_queue queue, bool *empty) {
  TRY(driver_queue_flush(queue));
  queue_sweep(queue);
  *empty = atomic_load_explicit(&queue->driver.pending, memory_order_acquire) == 0;
  const queue_lane *lane = &queue->driver.lanes[QUEUE_COMPUTE];
  if (!*empty || !lane->queue || !is_given_out(lane))
    return PI_SUCCESS;
  const ze_result_t code = ze.CommandQueueSynchronize(lane->queue, 0);
  *empty = code == ZE_RESULT_SUCCESS;
  return code == ZE_RESULT_NOT_READY ? PI_SUCCESS : ze_result(code, "zeCommandQueueSynchronize");
}

static bool leave_abandoned(watched *watched) {
  return queue_leave(OWNER_OF(watched, struct pi_queue_object, driver.abandoned));
}

/*
 * Leaves the queue and its driver objects alive until all pending commands have ended. A watcher
 * thread waits for that; this function waits itself if there can be no such thread.
 */
void driver_queue_leave(pi_queue queue) {
  pthread_mutex_lock(queue->driver.lock);
  queue->driver.is_left = true;
  pthread_mutex_unlock(queue->driver.lock);
  (void)driver_queue_flush(queue);
  if (queue_leave(queue) || watcher_add(&queue->driver.abandoned, leave_abandoned) == PI_SUCCESS)
    return;
  (void)driver_queue_finish(queue);
  (void)queue_leave(queue);
}
