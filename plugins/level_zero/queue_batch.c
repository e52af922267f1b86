/* Batches: command lists that gather commands, are executed, and are then reused. */
#include "clock.h"
#include "queue.h"
#include "settings.h"

#include <stdlib.h>

/* Limits of the batch size in commands, if the environment does not fix it. */
enum { SMALLEST_BATCH = 2, LARGEST_BATCH = 256 };

/* Takes the oldest executed batch if the device has finished it, else returns NULL. */
static queue_batch *take_executed(queue_lane *lane) {
  queue_batch *batch = lane->executed;
  if (!batch || ze.FenceQueryStatus(batch->fence) != ZE_RESULT_SUCCESS)
    return NULL;
  lane->executed = batch->next;
  if (!lane->executed)
    lane->executed_end = &lane->executed;
  return batch;
}

static void destroy_batch(queue_batch *batch) {
  if (batch->fence)
    ze.FenceDestroy(batch->fence);
  if (batch->list)
    ze.CommandListDestroy(batch->list);
  free(batch);
}

static pi_result make_objects(pi_queue queue, queue_lane *lane, queue_batch *made) {
  const ze_command_list_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
      .commandQueueGroupOrdinal = lane->group,
  };
  const ze_fence_desc_t fence = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ZE_TRY(CommandListCreate, queue->context->driver.context, queue->device->driver.device,
         &description, &made->list);
  ZE_TRY(FenceCreate, lane->queue, &fence, &made->fence);
  return PI_SUCCESS;
}

static pi_result make_batch(pi_queue queue, queue_lane *lane, queue_batch **ret) {
  queue_batch *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a batch of %zu bytes", sizeof *made);
  const pi_result result = make_objects(queue, lane, made);
  if (result != PI_SUCCESS) {
    destroy_batch(made);
    return result;
  }
  *ret = made;
  return PI_SUCCESS;
}

/* Resets the list and the fence. */
static pi_result renew(queue_batch *batch) {
  ZE_TRY(CommandListReset, batch->list);
  ZE_TRY(FenceReset, batch->fence);
  return PI_SUCCESS;
}

pi_result queue_batch_open(pi_queue queue, queue_lane *lane) {
  queue_batch *batch = lane->spare;
  if (batch)
    lane->spare = batch->next;
  else
    batch = take_executed(lane);
  if (!batch) {
    TRY(make_batch(queue, lane, &batch));
  } else {
    const pi_result result = renew(batch);
    if (result != PI_SUCCESS) {
      destroy_batch(batch);
      return result;
    }
  }
  batch->next = NULL;
  batch->number = ++lane->opened;
  batch->count = 0;
  batch->events = NULL;
  batch->events_end = &batch->events;
  lane->open = batch;
  return PI_SUCCESS;
}

/*
 * Adapts the batch size. A batch that fills up before anybody waits is too small, because each
 * execution costs more than gathering. A batch that is less than half full when somebody waits is
 * too large, because the device was idle meanwhile.
 */
static void adapt(queue_lane *lane, const queue_batch *batch, bool is_full) {
  if (level_zero_get_settings()->batch_size)
    return;
  if (is_full && lane->batch_size < LARGEST_BATCH)
    lane->batch_size *= 2;
  else if (!is_full && batch->count * 2 < lane->batch_size && lane->batch_size > SMALLEST_BATCH)
    lane->batch_size /= 2;
}

/* Records the time of submission in the batch's events, if the queue has profiling. */
static void note_submission(pi_queue queue, const queue_batch *batch) {
  clock_reading now;
  if (!queue->has_profiling || clock_read(queue->device, &now) != PI_SUCCESS)
    return;
  const pi_uint64 time = clock_nanoseconds(&queue->device->driver.clock, now.ticks);
  for (pi_event event = batch->events; event; event = event->driver.next_in_batch)
    atomic_store_explicit(&event->submitted, time, memory_order_relaxed);
}

/*
 * Fails the events of a batch that the driver has refused. Signals each one first, because commands
 * of other lists may already wait for it. The status is set last: another thread that sees the
 * failure may drop the event, so the event must not be touched after that.
 */
static void fail_events(const queue_batch *batch, pi_result code) {
  for (pi_event event = batch->events, next; event; event = next) {
    next = event->driver.next_in_batch;
    ze.EventHostSignal(event->driver.event);
    event_fail(event, code);
  }
}

/*
 * Makes the next command of an in-order queue wait for the last command before the refused batch,
 * which may still be running. The use dropped here is not the last one, because the queue has a use
 * of each pending command.
 */
static void step_back(pi_queue queue, const queue_lane *lane, const queue_batch *batch) {
  const pi_event lost = queue->driver.last;
  const pi_event first = batch->events;
  if (!first || !lost || lost->driver.lane != lane || lost->driver.batch != batch->number)
    return;
  pi_event before = NULL;
  if (first->driver.wait_count > first->driver.named_count)
    before = first->driver.waits[first->driver.named_count];
  if (before)
    event_add_use(before);
  queue->driver.last = before;
  event_drop_use(lost);
}

static pi_result execute(queue_lane *lane, queue_batch *batch) {
  ZE_TRY(CommandListClose, batch->list);
  ZE_TRY(CommandQueueExecuteCommandLists, lane->queue, 1, &batch->list, batch->fence);
  return PI_SUCCESS;
}

pi_result queue_batch_execute(pi_queue queue, queue_lane *lane, bool is_full) {
  queue_batch *batch = lane->open;
  if (!batch)
    return PI_SUCCESS;
  lane->open = NULL;
  adapt(lane, batch, is_full);
  note_submission(queue, batch);
  const pi_result result = execute(lane, batch);
  batch->next = NULL;
  if (result == PI_SUCCESS) {
    *lane->executed_end = batch;
    lane->executed_end = &batch->next;
  } else {
    step_back(queue, lane, batch);
    fail_events(batch, result);
    batch->next = lane->spare;
    lane->spare = batch;
  }
  batch->events = NULL;
  /* Must be last: a thread that sees this number asks the driver without the lock. */
  atomic_store_explicit(&lane->submitted, batch->number, memory_order_release);
  return result;
}

static void destroy_all(queue_batch *batch) {
  for (queue_batch *next; batch; batch = next) {
    next = batch->next;
    destroy_batch(batch);
  }
}

void queue_batches_destroy(queue_lane *lane) {
  destroy_all(lane->open);
  destroy_all(lane->executed);
  destroy_all(lane->spare);
}
