/*
 * A command buffer is a command list that is closed once and executed often, on a command queue of
 * its own. Each command signals an event of its own, which serves as its sync point. The list:
 *
 *   waits for begin and resets it
 *   command 0, signals event 0
 *   command 1, waits for event 0, signals event 1 ..
 *   when all of them have ended: resets their events, signals end
 *
 * Each run is two commands of the queue that it is enqueued in. The first one waits for the wait
 * list, resets end and signals begin. The second one, whose event is the run's, waits for end.
 *
 * A list must not be executed again while the device still runs it, so enqueueing a run waits on
 * the host for the previous run. Another thread cannot do that waiting: an engine may execute the
 * work of several command queues in order, and would be stuck at the second command before the list
 * arrives.
 */
#include "../objects/command_buffer.h"

#include "checks.h"
#include "event_pool.h"
#include "queue.h"

#include <stdlib.h>

/* Number of events in each pool of a command buffer. */
enum { EVENTS_OF_POOL = 64 };

/* ---- Events ---- */

static pi_result add_pool(pi_ext_command_buffer buffer) {
  ze_event_pool_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                      .count = EVENTS_OF_POOL};
  ze_device_handle_t device = buffer->device->driver.device;
  ze_event_pool_handle_t pool = NULL;
  ZE_TRY(EventPoolCreate, buffer->context->driver.context, &description, 1, &device, &pool);
  const pi_result result =
      command_list_add(&buffer->driver.pools, &pool, sizeof(ze_event_pool_handle_t));
  if (result != PI_SUCCESS)
    ze.EventPoolDestroy(pool);
  else
    buffer->driver.pool_used = 0;
  return result;
}

static pi_result make_event(pi_ext_command_buffer buffer, ze_event_handle_t *ret) {
  if (buffer->driver.pools.count == 0 || buffer->driver.pool_used == EVENTS_OF_POOL)
    TRY(add_pool(buffer));
  const ze_event_pool_handle_t *pools = buffer->driver.pools.items;
  const ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                       .index = buffer->driver.pool_used,
                                       .signal = ZE_EVENT_SCOPE_FLAG_DEVICE,
                                       .wait = ZE_EVENT_SCOPE_FLAG_DEVICE};
  ZE_TRY(EventCreate, pools[buffer->driver.pools.count - 1], &description, ret);
  buffer->driver.pool_used++;
  return PI_SUCCESS;
}

/* ---- Lifetime ---- */

static void destroy_events(pi_ext_command_buffer buffer) {
  const ze_event_handle_t *events = buffer->driver.events.items;
  for (size_t i = 0; i < buffer->driver.events.count; i++)
    ze.EventDestroy(events[i]);
  if (buffer->driver.begin)
    ze.EventDestroy(buffer->driver.begin);
  if (buffer->driver.end)
    ze.EventDestroy(buffer->driver.end);
  const ze_event_pool_handle_t *pools = buffer->driver.pools.items;
  for (size_t i = 0; i < buffer->driver.pools.count; i++)
    ze.EventPoolDestroy(pools[i]);
}

/* Synchronizes first: the device may still be finishing the list after the last event's signal. */
void driver_command_buffer_close(pi_ext_command_buffer buffer) {
  struct driver_command_buffer *driver = &buffer->driver;
  if (driver->queue) {
    ze.CommandQueueSynchronize(driver->queue, UINT64_MAX);
    ze.CommandQueueDestroy(driver->queue);
  }
  if (driver->list)
    ze.CommandListDestroy(driver->list);
  destroy_events(buffer);
  free(driver->pools.items);
  free(driver->events.items);
}

/* Releases the latest run's event, because an event keeps its queue alive. A running command still
 * keeps the objects that it uses. */
void driver_command_buffer_leave(pi_ext_command_buffer buffer) {
  if (buffer->driver.run)
    event_release(buffer->driver.run);
}

pi_result driver_command_buffer_open(pi_ext_command_buffer buffer) {
  const ze_context_handle_t context = buffer->context->driver.context;
  const ze_device_handle_t device = buffer->device->driver.device;
  const ze_command_queue_desc_t queue = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = buffer->device->driver.compute_group,
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
  };
  const ze_command_list_desc_t list = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
      .commandQueueGroupOrdinal = buffer->device->driver.compute_group,
  };
  ZE_TRY(CommandQueueCreate, context, device, &queue, &buffer->driver.queue);
  ZE_TRY(CommandListCreate, context, device, &list, &buffer->driver.list);
  TRY(make_event(buffer, &buffer->driver.begin));
  TRY(make_event(buffer, &buffer->driver.end));
  ZE_TRY(CommandListAppendBarrier, buffer->driver.list, NULL, 1, &buffer->driver.begin);
  ZE_TRY(CommandListAppendEventReset, buffer->driver.list, buffer->driver.begin);
  return PI_SUCCESS;
}

/* Appends the list's last part and closes the list. The caller holds the lock. */
static pi_result append_end(pi_ext_command_buffer buffer) {
  const ze_event_handle_t *events = buffer->driver.events.items;
  ZE_TRY(CommandListAppendBarrier, buffer->driver.list, NULL, 0, NULL);
  for (size_t i = 0; i < buffer->driver.events.count; i++)
    ZE_TRY(CommandListAppendEventReset, buffer->driver.list, events[i]);
  ZE_TRY(CommandListAppendBarrier, buffer->driver.list, buffer->driver.end, 0, NULL);
  ZE_TRY(CommandListClose, buffer->driver.list);
  return PI_SUCCESS;
}

pi_result driver_command_buffer_finalize(pi_ext_command_buffer buffer) {
  const pi_result result = append_end(buffer);
  buffer->is_broken = result != PI_SUCCESS;
  return result;
}

/* ---- Recording ---- */

/* Collects the events of the sync points, in memory that driver_record_end frees. */
static pi_result read_sync_points(sink *sink) {
  const ze_event_handle_t *events = sink->buffer->driver.events.items;
  ze_event_handle_t *waits = malloc(sink->wait_count * sizeof(ze_event_handle_t));
  REQUIRE_MEMORY(waits, "%u sync points", sink->wait_count);
  for (pi_uint32 i = 0; i < sink->wait_count; i++)
    waits[i] = events[sink->sync_points[i]];
  sink->command.wait_count = sink->wait_count;
  sink->command.waits = sink->command.sync_events = waits;
  return PI_SUCCESS;
}

pi_result driver_record_begin(sink *sink) {
  const pi_ext_command_buffer buffer = sink->buffer;
  struct driver_command *command = &sink->command;
  *command = (struct driver_command){.engine = QUEUE_COMPUTE, .list = buffer->driver.list};
  if (sink->wait_count)
    TRY(read_sync_points(sink));
  pi_result result = make_event(buffer, &command->signal);
  if (result == PI_SUCCESS) {
    result = command_list_add(&buffer->driver.events, &command->signal, sizeof(ze_event_handle_t));
    if (result != PI_SUCCESS)
      ze.EventDestroy(command->signal);
  }
  if (result != PI_SUCCESS)
    free(command->sync_events);
  return result;
}

pi_result driver_record_end(sink *sink, pi_result result) {
  const pi_ext_command_buffer buffer = sink->buffer;
  if (result != PI_SUCCESS && sink->command.is_several) {
    /* Part of the command is in the list, so the list must never run. The event and the objects
     * stay, because that part refers to them. */
    buffer->is_broken = true;
  } else if (result != PI_SUCCESS) {
    ze.EventDestroy(sink->command.signal);
    buffer->driver.events.count--;
    buffer->driver.pool_used--;
  }
  free(sink->command.sync_events);
  return result;
}

/* ---- Running ---- */

static pi_result append_begin(pi_ext_command_buffer buffer, sink *run) {
  TRY(command_first_step(run));
  ZE_TRY(CommandListAppendEventReset, run->command.list, buffer->driver.end);
  ZE_TRY(CommandListAppendBarrier, run->command.list, buffer->driver.begin, 0, NULL);
  return PI_SUCCESS;
}

/* Enqueues the queue's command that lets the list start. The caller holds the lock. */
static pi_result enqueue_begin(pi_ext_command_buffer buffer, const sink *run, pi_event *ret) {
  sink sink =
      sink_of_queue(run->queue, PI_COMMAND_TYPE_MARKER, run->wait_count, run->waits, false, ret);
  TRY(sink_begin(&sink, SINK_COMPUTE));
  pi_result result = append_begin(buffer, &sink);
  const bool has_signal = result == PI_SUCCESS;
  if (result == PI_SUCCESS)
    result = command_last_step(&sink);
  result = sink_end(&sink, result);
  /* sink_end has waited for the appended steps. The list will not run, so it cannot reset
   * driver.begin. */
  if (has_signal && result != PI_SUCCESS)
    ze.EventHostReset(buffer->driver.begin);
  return result;
}

/*
 * Waits until the device has finished the list. Refuses if the latest run is held back by the
 * application: the calling thread may be the one that has to let the run go on. The caller holds
 * the lock.
 */
static pi_result finish_latest(pi_ext_command_buffer buffer) {
  if (!buffer->driver.run)
    return PI_SUCCESS;
  (void)driver_event_submit(buffer->driver.run); /* The run's event reports a failure. */
  REQUIRE(!event_is_held(buffer->driver.run), PI_ERROR_INVALID_OPERATION,
          "an earlier run of the command buffer waits for a user event that has no status yet, "
          "or for something else that the application or another interface has to end; Level "
          "Zero cannot run the same commands again before that run has ended");
  /* The run's event reports how it ended. */
  (void)event_finish(buffer->driver.run);
  /* The device may still be finishing the list after the event's signal. */
  ZE_TRY(CommandQueueSynchronize, buffer->driver.queue, UINT64_MAX);
  return PI_SUCCESS;
}

static pi_result append_wait(pi_ext_command_buffer buffer, sink *run) {
  TRY(command_first_step(run));
  ZE_TRY(CommandListAppendBarrier, run->command.list, NULL, 1, &buffer->driver.end);
  return command_last_step(run);
}

/* Enqueues the queue's command that waits for the end of the list. The caller holds the lock. */
static pi_result enqueue_end(pi_ext_command_buffer buffer, pi_queue queue, pi_event begun,
                             pi_event *ret) {
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_EXT_COMMAND_BUFFER, 1, &begun, false, ret);
  TRY(sink_begin(&sink, SINK_COMPUTE));
  return sink_end(&sink, append_wait(buffer, &sink));
}

/*
 * Submits the list between the two commands of the queue. The driver must get them in this order:
 * an engine shared by several command queues may execute them in the order of submission, and a
 * command that waited for a later one would wait for ever.
 */
static pi_result run_list(pi_ext_command_buffer buffer, pi_queue queue, pi_event begun,
                          pi_event *ret) {
  pi_result result = driver_event_submit(begun);
  if (result == PI_SUCCESS)
    result = ZE_CALL(CommandQueueExecuteCommandLists, buffer->driver.queue, 1, &buffer->driver.list,
                     NULL);
  if (result != PI_SUCCESS) {
    /* The list did not run, so it did not reset driver.begin. */
    (void)event_finish(begun);
    ze.EventHostReset(buffer->driver.begin);
    return result;
  }
  result = enqueue_end(buffer, queue, begun, ret);
  /* The run has no event to wait for later, so wait now. */
  if (result != PI_SUCCESS)
    ze.CommandQueueSynchronize(buffer->driver.queue, UINT64_MAX);
  return result;
}

pi_result driver_command_buffer_run(pi_ext_command_buffer buffer, sink *sink) {
  TRY(finish_latest(buffer));
  pi_event begun = NULL;
  TRY(enqueue_begin(buffer, sink, &begun));
  pi_event run = NULL;
  const pi_result result = run_list(buffer, sink->queue, begun, &run);
  event_release(begun);
  TRY(result);
  if (buffer->driver.run)
    event_release(buffer->driver.run);
  buffer->driver.run = run;
  if (sink->event) {
    event_retain(run);
    *sink->event = run;
  }
  return PI_SUCCESS;
}
