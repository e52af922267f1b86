/* Puts commands into a queue, and finds out when they have ended. */
#include "queue.h"

#include "clock.h"
#include "event_pool.h"

/* Number of new commands after which a queue asks the driver which commands have ended. */
enum { SWEEP_EVERY = 32 };

/* Returns the device's time in nanoseconds; 0 if it cannot be read. */
static pi_uint64 time_of(pi_queue queue) {
  clock_reading now;
  if (clock_read(queue->device, &now) != PI_SUCCESS)
    return 0;
  return clock_nanoseconds(&queue->device->driver.clock, now.ticks);
}

/* Adds the application's wait list to an event, and submits its commands that other queues still
 * gather. */
static pi_result add_named_waits(pi_event event, pi_queue queue, pi_uint32 count,
                                 const pi_event *waits) {
  for (pi_uint32 i = 0; i < count; i++) {
    /* Must come before event_check. In the other order an event that fails between the two calls
     * would be skipped as ended. */
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

/* Takes an event for a new command. Its wait list has space for the application's events, one event
 * of the queue, and one for each lane that it joins. */
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

/* Executes the open batches of other lanes of the queue if they have a command that this event's
 * command waits for. The caller holds the lock. */
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
 * Adds the event that the queue's order requires: the last command in order, or the latest barrier
 * out of order. A command in the lane for kernels needs no event for a barrier, because barriers
 * are in the same list. The caller holds the lock.
 */
static void add_queue_wait(pi_queue queue, queue_engine engine, pi_event event) {
  pi_event wait = queue->driver.last;
  if (!queue->is_in_order)
    wait = engine == QUEUE_COMPUTE ? NULL : queue->driver.barrier;
  /* An event in doubt has a status, but its command may still be running. */
  if (wait &&
      (!event_is_known(wait) || atomic_load_explicit(&wait->driver.in_doubt, memory_order_relaxed)))
    event_add_wait(event, wait);
}

/* Appends a barrier to an in-order queue's list if the application has the list's native handle and
 * may have appended commands of its own. */
static pi_result order_behind_others(pi_queue queue, queue_lane *lane,
                                     ze_command_list_handle_t list) {
  if (queue->is_in_order && lane->immediate &&
      atomic_load_explicit(&lane->is_given_out, memory_order_relaxed))
    ZE_TRY(CommandListAppendBarrier, list, NULL, 0, NULL);
  return PI_SUCCESS;
}

/* Finds the list for a command, after adding and submitting the events that it waits for. The
 * caller holds the lock. */
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
 * Adds an event to the pending commands, which take over the caller's use. No failure of a user
 * event is missed: the thread that sets it either has recorded it before this call, or finds the
 * event in the list after it. The caller holds the lock.
 */
static void add_pending(pi_queue queue, pi_event event) {
  if (event->driver.named_count)
    (void)event_inherit_failure(event);
  *queue->driver.fresh_end = event;
  queue->driver.fresh_end = &event->next;
  queue->driver.fresh_count++;
  atomic_fetch_add_explicit(&queue->driver.pending, 1, memory_order_relaxed);
}

/* Makes the event the one that the next command waits for; returns its predecessor, whose use goes
 * to the caller. The caller holds the lock. */
static pi_event make_last(pi_queue queue, pi_event event) {
  const pi_event before = queue->driver.last;
  event_add_use(event);
  queue->driver.last = event;
  return before;
}

/*
 * Records a command that has been appended to its list, and releases the lock, which the caller
 * holds. is_kept: the caller gets a use of the event; otherwise the queue alone has the event from
 * now on.
 */
static pi_result add_command(sink *sink, bool is_kept) {
  const pi_queue queue = sink->queue;
  const pi_event event = sink->command.event;
  queue_lane *lane = &queue->driver.lanes[sink->command.engine];
  lane->is_used = true;
  if (is_kept)
    event_add_use(event);
  add_pending(queue, event);
  /* Nobody would drop the use of a queue that was left. */
  const bool is_chained = queue->is_in_order && !queue->driver.is_left;
  const pi_event before = is_chained ? make_last(queue, event) : NULL;
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
    /* The use that add_command returned becomes the use of the PI references. */
    object_init(&added->handle, OBJECT_EVENT);
    *sink->event = added;
  } else {
    event_drop_use(added);
  }
  return result;
}

/* Gives up a command. Steps that were already appended run, and this waits for them. */
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
    /* Steps appended without a signal can only be waited for by draining the whole list. */
    queue_lane_wait(lane);
    event_drop_use(event);
    return result;
  }
  (void)add_command(sink, true);
  (void)event_wait(event);
  event_drop_use(event);
  return result;
}

/* With profiling, the start time is recorded by an event of its own, driver.start. */
pi_result command_first_step(sink *sink) {
  const pi_queue queue = sink->queue;
  pi_event start = NULL;
  sink->command.is_several = true;
  if (sink->has_times)
    TRY(event_take(queue->context, queue, true, sink->type, &start));
  if (!start && sink->command.wait_count == 0)
    return PI_SUCCESS;
  /*
   * A barrier without a wait list waits for the whole list, which is more than needed. It is used
   * because zeCommandListAppendSignalEvent leaves the event's timestamps undefined.
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

/* Enqueues a marker in another lane, which ends when all earlier commands of that lane have ended.
 * The caller holds the lock. */
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

/* Makes the command wait for all commands of the other lanes. The caller holds the lock. */
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
 * Appends a marker. A barrier of Level Zero waits for its wait list, or for all earlier commands of
 * the command list if it has none. An event with timestamps needs a barrier even where a signal
 * would do, because a signal has no timestamps.
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
  /* A later marker need not join the same commands again: it waits for this one, which is in the
   * same list. */
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

/* Returns whether a command has ended. Asks the driver, unless the command is in an open batch. */
static bool is_over(pi_event event) {
  const bool is_gathered =
      event->driver.lane && atomic_load_explicit(&event->driver.lane->submitted,
                                                 memory_order_acquire) < event->driver.batch;
  return (event_is_known(event) || !is_gathered) && event_has_ended(event);
}

/*
 * Returns whether all commands of an in-order queue have ended, which the end of the last one
 * shows. It shows nothing after a failed command, because a failure may be known before the command
 * has ended.
 */
static bool are_all_over(pi_queue queue, pi_event last) {
  for (pi_event event = queue->driver.swept; event; event = event->next)
    if (atomic_load_explicit(&event->status, memory_order_acquire) < PI_EVENT_COMPLETE)
      return false;
  return is_over(last) &&
         atomic_load_explicit(&last->status, memory_order_acquire) == PI_EVENT_COMPLETE;
}

/*
 * Moves the ended commands of the swept list to ended, keeps the order of the rest, and returns
 * their number. last: the latest command of an in-order queue; else NULL.
 */
static unsigned take_ended(pi_queue queue, pi_event last, pi_event *ended) {
  unsigned left = 0;
  bool is_past_end = false; /* in order: no command from here on has ended */
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

/* Drops the queue's uses of ended commands, and those of their wait lists; returns how many. */
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
  /* Must hold no lock, because this may drop the last use of another queue. */
  const unsigned count = forget_events(ended);
  if (last)
    event_drop_use(last);
  atomic_fetch_sub_explicit(&queue->driver.pending, count, memory_order_release);
  queue_drop_use(queue);
}
