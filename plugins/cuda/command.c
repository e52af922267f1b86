/* A command on its way into a queue: what stands before and behind its driver call. */
#include "checks.h"
#include "clock.h"
#include "gate.h"
#include "queue.h"

#include <sched.h>
#include <stdlib.h>

/* Held for a few instructions only, never across a driver call. */
static inline void lock_events(pi_queue queue) {
  while (atomic_flag_test_and_set_explicit(&queue->driver.events_lock, memory_order_acquire))
    sched_yield();
}

static inline void unlock_events(pi_queue queue) {
  atomic_flag_clear_explicit(&queue->driver.events_lock, memory_order_release);
}

static pi_result make_cu_event(pi_queue queue, CUevent *event) {
  CU_TRY(EventCreate, event, queue->has_profiling ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING);
  return PI_SUCCESS;
}

/* An event with its CUevents; the queue's context is current. */
__attribute__((noinline)) static pi_result make_event(pi_queue queue, pi_event *event) {
  pi_event made = calloc(1, sizeof *made);
  PI_REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for an event of %zu bytes",
             sizeof *made);
  pi_result result = make_cu_event(queue, &made->driver.end);
  if (result == PI_SUCCESS && queue->has_profiling)
    result = make_cu_event(queue, &made->driver.start);
  if (result != PI_SUCCESS) {
    if (made->driver.end)
      cu.EventDestroy(made->driver.end);
    free(made);
    return result;
  }
  made->context = queue->context;
  made->queue = queue;
  *event = made;
  return PI_SUCCESS;
}

pi_result queue_event_take(pi_queue queue, pi_command_type type, pi_event *event) {
  lock_events(queue);
  pi_event taken = queue->driver.events;
  if (taken)
    queue->driver.events = taken->next;
  unlock_events(queue);
  if (__builtin_expect(!taken, 0))
    PI_TRY(make_event(queue, &taken));
  pi_handle_init(&taken->handle, PI_HANDLE_EVENT);
  atomic_init(&taken->status, PI_EVENT_SUBMITTED);
  taken->type = type;
  queue_add_use(queue);
  *event = taken;
  return PI_SUCCESS;
}

void queue_event_put(pi_queue queue, pi_event event) {
  atomic_store_explicit(&event->handle.kind, PI_HANDLE_RELEASED, memory_order_relaxed);
  lock_events(queue);
  event->next = queue->driver.events;
  queue->driver.events = event;
  unlock_events(queue);
  queue_drop_use(queue);
}

static pi_result hold(queue_command *command, pi_uint32 num_events, const pi_event *events) {
  for (pi_uint32 i = 0; i < num_events; i++)
    PI_TRY(event_hold(events[i], command->stream));
  return PI_SUCCESS;
}

/* Behind the waiting and before the command, so that its time does not contain the wait. */
static pi_result start(queue_command *command) {
  if (!command->event)
    return PI_SUCCESS;
  command->event->driver.stream = command->stream;
  command->event->driver.place = command->place;
  command->event->driver.serial = command->serial;
  if (!command->event->driver.start)
    return PI_SUCCESS;
  CU_TRY(EventRecord, command->event->driver.start, command->stream);
  atomic_store_explicit(&command->event->submitted, clock_host(), memory_order_relaxed);
  return PI_SUCCESS;
}

pi_result queue_begin(pi_queue queue, pi_command_type type, pi_uint32 num_events_in_wait_list,
                      const pi_event *event_wait_list, bool wants_event, queue_command *command) {
  command->queue = queue;
  command->stream = queue->driver.stream;
  command->place = NULL;
  command->serial = 0;
  command->event = NULL;
  command->type = type;
  PI_TRY(cuda_enter(queue->context));
  if (wants_event) {
    PI_TRY(queue_event_take(queue, type, &command->event));
    if (queue->has_profiling)
      command->event->queued = clock_host();
  }
  pi_result result = PI_SUCCESS;
  if (queue->driver.pool)
    result = queue_pool_pick(queue, num_events_in_wait_list, event_wait_list, command);
  if (result == PI_SUCCESS)
    result = hold(command, num_events_in_wait_list, event_wait_list);
  if (result == PI_SUCCESS)
    result = start(command);
  return result == PI_SUCCESS ? PI_SUCCESS : queue_cancel(command, result);
}

pi_result queue_cancel(queue_command *command, pi_result result) {
  queue_mark_used(command);
  if (command->event)
    queue_event_put(command->queue, command->event);
  return result;
}

/*
 * An event of the application may hold the stream back, and only the caller's thread may be the one
 * to set it: then there is nothing to wait for that is sure to come.
 */
static void settle(const queue_command *command) {
  if (!gate_is_any_closed())
    cu.StreamSynchronize(command->stream);
}

pi_result queue_cancel_started(queue_command *command, pi_result result) {
  settle(command);
  return queue_cancel(command, result);
}

static pi_result record(queue_command *command, bool blocking) {
  if (blocking && !command->event)
    PI_TRY(queue_event_take(command->queue, command->type, &command->event));
  if (command->event)
    CU_TRY(EventRecord, command->event->driver.end, command->stream);
  return PI_SUCCESS;
}

pi_result queue_end(queue_command *command, bool blocking, pi_event *event) {
  queue_mark_used(command);
  pi_result result = record(command, blocking);
  if (__builtin_expect(result != PI_SUCCESS, 0))
    return queue_cancel_started(command, result);
  /* Not the stream: another thread may go on to give it work. */
  if (blocking)
    result = event_wait(command->event);
  if (result == PI_SUCCESS && event)
    *event = command->event;
  else if (command->event)
    queue_event_put(command->queue, command->event);
  return result;
}
