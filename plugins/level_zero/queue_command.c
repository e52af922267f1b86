/* Puts commands into a queue, and finds out that they have ended. */
#include "queue.h"

#include "clock.h"
#include "event_pool.h"

/* Pending commands that a queue asks for their state only when there are so many more. */
enum { SWEEP_EVERY = 32 };

/* The device's time, with profiling; 0 when it cannot be read. */
static pi_uint64 time_of(pi_queue queue) {
  clock_reading now;
  if (clock_read(queue->device, &now) != PI_SUCCESS)
    return 0;
  return clock_nanoseconds(&queue->device->driver.clock, now.ticks);
}

/* Notes what the application wants to be waited for, and has it executed where it is gathered. */
static pi_result add_named_waits(pi_event event, pi_queue queue, pi_uint32 count,
                                 const pi_event *waits) {
  for (pi_uint32 i = 0; i < count; i++) {
    /* Asked first: one that ends between the two questions is waited for, and may then fail. */
    const bool is_known = event_is_known(waits[i]);
    TRY(event_check(waits[i], queue->context));
    if (is_known)
      continue;
    if (waits[i]->queue != queue)
      TRY(driver_event_submit(waits[i]));
    event_add_wait(event, waits[i]);
  }
  event->driver.named_count = event->driver.wait_count;
  return PI_SUCCESS;
}

/* Reserves waits for the named events, one of the queue's, and a join of each other lane. */
static pi_result prepare_event(const sink *sink, pi_event *ret) {
  const pi_queue queue = sink->queue;
  pi_event event;
  TRY(event_take(queue->context, queue, sink->has_times, sink->type, &event));
  pi_result result = event_reserve_waits(event, sink->wait_count + 1 + QUEUE_ENGINES);
  if (result == PI_SUCCESS)
    result = add_named_waits(event, queue, sink->wait_count, sink->waits);
  if (result != PI_SUCCESS) {
    event_drop_use(event);
    return result;
  }
  event->driver.epoch = atomic_load_explicit(&queue->context->deferred.epoch, memory_order_acquire);
  if (sink->has_times)
    event->queued = time_of(queue);
  atomic_store_explicit(&event->submitted, event->queued, memory_order_relaxed);
  *ret = event;
  return PI_SUCCESS;
}

/* With the lock: has what a command of this lane waits for in other lanes executed. */
static pi_result submit_others(pi_queue queue, const queue_lane *lane, pi_event event) {
  for (pi_uint32 i = 0; i < event->driver.wait_count; i++) {
    const pi_event wait = event->driver.waits[i];
    if (wait->queue != queue || !wait->driver.lane || wait->driver.lane == lane)
      continue;
    if (atomic_load_explicit(&wait->driver.lane->submitted, memory_order_relaxed) <
        wait->driver.batch)
      TRY(queue_batch_execute(queue, wait->driver.lane, false));
  }
  return PI_SUCCESS;
}

/*
 * With the lock: what the queue itself has the command wait for. Barriers are in the lane for
 * kernels, whose list waits by itself.
 */
static void add_queue_wait(pi_queue queue, queue_engine engine, pi_event event) {
  pi_event wait = queue->driver.last;
  if (!queue->is_in_order)
    wait = engine == QUEUE_COMPUTE ? NULL : queue->driver.barrier;
  /* One of which the driver could not say whether it has ended may run on. */
  if (wait &&
      (!event_is_known(wait) || atomic_load_explicit(&wait->driver.in_doubt, memory_order_relaxed)))
    event_add_wait(event, wait);
}

/* Somebody else may append to a list that was given away; an in-order queue keeps order with it. */
static pi_result order_behind_others(pi_queue queue, queue_lane *lane,
                                     ze_command_list_handle_t list) {
  if (queue->is_in_order && lane->immediate &&
      atomic_load_explicit(&lane->is_given_out, memory_order_relaxed))
    ZE_TRY(CommandListAppendBarrier, list, NULL, 0, NULL);
  return PI_SUCCESS;
}

/* With the lock. */
static pi_result choose_list(pi_queue queue, queue_engine engine, pi_event event,
                             ze_command_list_handle_t *list) {
  queue_lane *lane;
  TRY(queue_lane_get(queue, engine, &lane));
  add_queue_wait(queue, engine, event);
  TRY(submit_others(queue, lane, event));
  TRY(queue_lane_list(queue, lane, list));
  return order_behind_others(queue, lane, *list);
}

pi_result driver_command_begin(sink *sink, sink_engine engine) {
  const pi_queue queue = sink->queue;
  pi_event event;
  TRY(prepare_event(sink, &event));
  const queue_engine chosen = engine == SINK_COPY ? queue->driver.copy_lane : QUEUE_COMPUTE;
  ze_command_list_handle_t list;
  pthread_mutex_lock(queue->driver.lock);
  const pi_result result = choose_list(queue, chosen, event, &list);
  if (result != PI_SUCCESS) {
    pthread_mutex_unlock(queue->driver.lock);
    event_drop_use(event);
    return result;
  }
  sink->command = (struct driver_command){
      .engine = chosen,
      .list = list,
      .signal = event->driver.event,
      .wait_count = event->driver.wait_count,
      .waits = event->driver.wait_count ? event->driver.wait_handles : NULL,
      .event = event,
  };
  return PI_SUCCESS;
}

/*
 * With the lock: gives the event's use to the queue. A thread that fails a user event looks at the
 * pending commands that wait for it after this, or has already recorded the failure before it.
 */
static void add_pending(pi_queue queue, pi_event event) {
  if (event->driver.named_count)
    (void)event_inherit_failure(event);
  *queue->driver.fresh_end = event;
  queue->driver.fresh_end = &event->next;
  queue->driver.fresh_count++;
  atomic_fetch_add_explicit(&queue->driver.pending, 1, memory_order_relaxed);
}

/* With the lock: the event becomes what the next command waits for; returns the one before. */
static pi_event make_last(pi_queue queue, pi_event event) {
  const pi_event before = queue->driver.last;
  event_add_use(event);
  queue->driver.last = event;
  return before;
}

/*
 * With the lock, which it gives up: the command is in the list. is_kept: its event has one use
 * more, the caller's; otherwise nobody but the queue has it from now on.
 */
static pi_result add_command(sink *sink, bool is_kept) {
  const pi_queue queue = sink->queue;
  const pi_event event = sink->command.event;
  queue_lane *lane = &queue->driver.lanes[sink->command.engine];
  lane->is_used = true;
  if (is_kept)
    event_add_use(event);
  add_pending(queue, event);
  const pi_event before = queue->is_in_order ? make_last(queue, event) : NULL;
  const pi_result result = queue_lane_add(queue, lane, event);
  const bool is_due = queue->driver.fresh_count >= queue->driver.sweep_at;
  pthread_mutex_unlock(queue->driver.lock);
  if (before)
    event_drop_use(before);
  if (is_due)
    queue_sweep(queue);
  return result;
}

pi_result driver_command_end(sink *sink) {
  const pi_event added = sink->command.event;
  const bool is_kept = sink->is_blocking || sink->event;
  pi_result result = add_command(sink, is_kept);
  if (!is_kept)
    return result;
  if (result == PI_SUCCESS && sink->is_blocking)
    result = event_wait(added);
  if (result == PI_SUCCESS && sink->event) {
    /* The caller's use becomes that of PI's references. */
    object_init(&added->handle, OBJECT_EVENT);
    *sink->event = added;
  } else {
    event_drop_use(added);
  }
  return result;
}

/* The steps already appended of a command of several calls are executed and waited for first. */
pi_result driver_command_cancel(sink *sink, pi_result result) {
  const pi_queue queue = sink->queue;
  const pi_event event = sink->command.event;
  if (!sink->command.is_several) {
    pthread_mutex_unlock(queue->driver.lock);
    event_drop_use(event);
    return result;
  }
  queue_lane *lane = &queue->driver.lanes[sink->command.engine];
  const ze_result_t code =
      ze.CommandListAppendBarrier(sink->command.list, sink->command.signal, 0, NULL);
  if (code != ZE_RESULT_SUCCESS) {
    (void)queue_batch_execute(queue, lane, false);
    pthread_mutex_unlock(queue->driver.lock);
    /* Without a signal nobody can wait for what was appended but by waiting for all of it. */
    queue_lane_wait(lane);
    event_drop_use(event);
    return result;
  }
  (void)add_command(sink, true);
  (void)event_wait(event);
  event_drop_use(event);
  return result;
}

/* With profiling an event of its own tells when the first step began. */
pi_result command_first_step(sink *sink) {
  const pi_queue queue = sink->queue;
  pi_event start = NULL;
  sink->command.is_several = true;
  if (sink->has_times)
    TRY(event_take(queue->context, queue, true, sink->type, &start));
  if (!start && sink->command.wait_count == 0)
    return PI_SUCCESS;
  /*
   * A barrier without events waits for all that is in the list, which no wait list asks for. But
   * zeCommandListAppendSignalEvent leaves the time undefined.
   */
  const ze_result_t code =
      ze.CommandListAppendBarrier(sink->command.list, start ? start->driver.event : NULL,
                                  sink->command.wait_count, sink->command.waits);
  if (code != ZE_RESULT_SUCCESS) {
    if (start)
      event_drop_use(start);
    return ze_result(code, "zeCommandListAppendBarrier");
  }
  if (start)
    sink->command.event->driver.start = start;
  sink->command.wait_count = 0;
  sink->command.waits = NULL;
  return PI_SUCCESS;
}

pi_result command_order_steps(sink *sink) {
  ZE_TRY(CommandListAppendBarrier, sink->command.list, NULL, 0, NULL);
  return PI_SUCCESS;
}

pi_result command_last_step(sink *sink) {
  ZE_TRY(CommandListAppendBarrier, sink->command.list, sink->command.signal, 0, NULL);
  return PI_SUCCESS;
}

/* With the lock: a command of its own in another lane, which ends when all before has. */
static pi_result join_lane(pi_queue queue, queue_engine engine, pi_event *ret) {
  queue_lane *lane = &queue->driver.lanes[engine];
  ze_command_list_handle_t list;
  pi_event join;
  TRY(event_take(queue->context, queue, queue->has_profiling, PI_COMMAND_TYPE_MARKER, &join));
  join->driver.epoch = atomic_load_explicit(&queue->context->deferred.epoch, memory_order_acquire);
  pi_result result = queue_lane_list(queue, lane, &list);
  if (result == PI_SUCCESS)
    result = ZE_CALL(CommandListAppendBarrier, list, join->driver.event, 0, NULL);
  if (result != PI_SUCCESS) {
    event_drop_use(join);
    return result;
  }
  event_add_use(join);
  add_pending(queue, join);
  result = queue_lane_add(queue, lane, join);
  if (result == PI_SUCCESS)
    result = queue_batch_execute(queue, lane, false);
  if (result != PI_SUCCESS) {
    event_drop_use(join);
    return result;
  }
  *ret = join;
  return PI_SUCCESS;
}

/* With the lock: the command waits for all that the other lanes were given. */
static pi_result join_others(sink *sink) {
  const pi_queue queue = sink->queue;
  for (int i = 0; i < QUEUE_ENGINES; i++) {
    if (i == (int)sink->command.engine || !queue->driver.lanes[i].is_made ||
        !queue->driver.lanes[i].is_used)
      continue;
    pi_event join;
    TRY(join_lane(queue, (queue_engine)i, &join));
    event_add_wait(sink->command.event, join);
    event_drop_use(join);
  }
  sink->command.wait_count = sink->command.event->driver.wait_count;
  sink->command.waits = sink->command.wait_count ? sink->command.event->driver.wait_handles : NULL;
  return PI_SUCCESS;
}

/*
 * A barrier of Level Zero waits for what is before it in the list when it has no wait list, and for
 * that list alone when it has one. With times it stands for a signal, too, which has none.
 */
pi_result driver_marker(sink *sink, bool joins) {
  const pi_queue queue = sink->queue;
  const bool joins_lanes = joins && !queue->is_in_order;
  if (joins_lanes) {
    sink->command.is_several = true;
    TRY(join_others(sink));
    if (sink->command.wait_count)
      TRY(command_order_steps(sink));
  } else if (sink->command.wait_count == 0 && !sink->has_times) {
    ZE_TRY(CommandListAppendSignalEvent, sink->command.list, sink->command.signal);
    return PI_SUCCESS;
  }
  ZE_TRY(CommandListAppendBarrier, sink->command.list, sink->command.signal,
         sink->command.wait_count, sink->command.waits);
  /* The next one waits for this one, which is in the same list. */
  for (int i = 0; joins_lanes && i < QUEUE_ENGINES; i++)
    queue->driver.lanes[i].is_used = false;
  return PI_SUCCESS;
}

pi_result driver_barrier(sink *sink, bool joins) {
  const pi_queue queue = sink->queue;
  TRY(driver_marker(sink, joins));
  if (queue->is_in_order)
    return PI_SUCCESS;
  const pi_event before = queue->driver.barrier;
  event_add_use(sink->command.event);
  queue->driver.barrier = sink->command.event;
  if (before)
    event_drop_use(before);
  return PI_SUCCESS;
}

pi_result driver_queue_flush(pi_queue queue) {
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(queue->driver.lock);
  for (int i = 0; i < QUEUE_ENGINES; i++) {
    const pi_result one = queue_batch_execute(queue, &queue->driver.lanes[i], false);
    if (result == PI_SUCCESS)
      result = one;
  }
  pthread_mutex_unlock(queue->driver.lock);
  return result;
}

/* Returns whether a command has ended; asks the driver if it has the command. */
static bool is_over(pi_event event) {
  const bool is_gathered =
      event->driver.lane && atomic_load_explicit(&event->driver.lane->submitted,
                                                 memory_order_acquire) < event->driver.batch;
  return (event_is_known(event) || !is_gathered) && event_has_ended(event);
}

/*
 * In order, a command ends after all those before it. Not so after one that failed: its failure may
 * be known before it has ended.
 */
static bool are_all_over(pi_queue queue, pi_event last) {
  for (pi_event event = queue->driver.swept; event; event = event->next)
    if (atomic_load_explicit(&event->status, memory_order_acquire) < PI_EVENT_COMPLETE)
      return false;
  return is_over(last) &&
         atomic_load_explicit(&last->status, memory_order_acquire) == PI_EVENT_COMPLETE;
}

/*
 * Takes those out of a list that have ended; the others stay in their order. last: that of a queue
 * in order, after all in the list; or NULL.
 */
static unsigned take_ended(pi_queue queue, pi_event last, pi_event *ended) {
  unsigned left = 0;
  bool is_past_end = false; /* in order: nothing from here on has ended */
  pi_event *end = ended;
  const bool is_all = last && are_all_over(queue, last);
  for (pi_event *link = &queue->driver.swept; *link;) {
    const pi_event event = *link;
    if (is_all && !event_is_known(event))
      (void)event_complete(event);
    if (is_past_end || !is_over(event)) {
      is_past_end = last != NULL;
      link = &event->next;
      left++;
      continue;
    }
    *link = event->next;
    if (!*link)
      queue->driver.swept_end = link;
    event->next = NULL;
    *end = event;
    end = &event->next;
  }
  return left;
}

/* Drops the ended commands' waits, and the queue's use of them. */
static unsigned forget_events(pi_event ended) {
  unsigned count = 0;
  for (pi_event next; ended; ended = next, count++) {
    next = ended->next;
    ended->next = NULL;
    event_drop_waits(ended);
    event_drop_use(ended);
  }
  return count;
}

void queue_sweep(pi_queue queue) {
  if (atomic_load_explicit(&queue->driver.pending, memory_order_acquire) == 0)
    return;
  queue_add_use(queue);
  pi_event ended = NULL;
  pthread_mutex_lock(&queue->driver.sweep_lock);
  pthread_mutex_lock(queue->driver.lock);
  const pi_event last = queue->is_in_order ? queue->driver.last : NULL;
  if (last)
    event_add_use(last);
  if (queue->driver.fresh) {
    *queue->driver.swept_end = queue->driver.fresh;
    queue->driver.swept_end = queue->driver.fresh_end;
  }
  queue->driver.fresh = NULL;
  queue->driver.fresh_end = &queue->driver.fresh;
  queue->driver.fresh_count = 0;
  pthread_mutex_unlock(queue->driver.lock);
  const unsigned left = take_ended(queue, last, &ended);
  pthread_mutex_lock(queue->driver.lock);
  queue->driver.sweep_at = SWEEP_EVERY + left;
  pthread_mutex_unlock(queue->driver.lock);
  pthread_mutex_unlock(&queue->driver.sweep_lock);
  /* Without a lock: what is given up here may be the last use of another queue. */
  const unsigned count = forget_events(ended);
  if (last)
    event_drop_use(last);
  atomic_fetch_sub_explicit(&queue->driver.pending, count, memory_order_release);
  queue_drop_use(queue);
}
