/* A command on its way into a queue: the steps before and after its driver call. */
#include "checks.h"
#include "clock.h"
#include "gate.h"
#include "queue.h"

#include <sched.h>
#include <stdlib.h>

/* The lock is held for a few instructions only, never across a driver call. */
static inline void lock_events(pi_queue queue) {
  while (atomic_flag_test_and_set_explicit(&queue->driver.events_lock, memory_order_acquire))
    sched_yield();
}

static inline void unlock_events(pi_queue queue) {
  atomic_flag_clear_explicit(&queue->driver.events_lock, memory_order_release);
}

static pi_result make_cu_event(bool has_times, CUevent *event) {
  CU_TRY(EventCreate, event, has_times ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING);
  return PI_SUCCESS;
}

/* Makes an event with its CUevents; the queue's context is current. */
__attribute__((noinline)) static pi_result make_event(pi_queue queue, bool has_times,
                                                      pi_event *event) {
  pi_event made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "an event of %zu bytes", sizeof *made);
  pi_result result = make_cu_event(has_times, &made->driver.end);
  if (result == PI_SUCCESS && has_times)
    result = make_cu_event(has_times, &made->driver.start);
  if (result != PI_SUCCESS) {
    if (made->driver.end)
      cu.EventDestroy(made->driver.end);
    free(made);
    return result;
  }
  made->has_times = has_times;
  made->context = queue->context;
  made->queue = queue;
  *event = made;
  return PI_SUCCESS;
}

/* Takes a kept event, unless the event needs times and the queue has no profiling. */
pi_result queue_event_take(pi_queue queue, pi_command_type type, bool has_times, pi_event *event) {
  pi_event taken = NULL;
  if (__builtin_expect(has_times == queue->has_profiling, 1)) {
    lock_events(queue);
    taken = queue->driver.events;
    if (taken)
      queue->driver.events = taken->next;
    unlock_events(queue);
  }
  if (__builtin_expect(!taken, 0))
    TRY(make_event(queue, has_times, &taken));
  object_init(&taken->handle, OBJECT_EVENT);
  atomic_init(&taken->status, PI_EVENT_SUBMITTED);
  taken->type = type;
  queue_add_use(queue);
  *event = taken;
  return PI_SUCCESS;
}

void queue_event_put(pi_queue queue, pi_event event) {
  atomic_store_explicit(&event->handle.kind, OBJECT_RELEASED, memory_order_relaxed);
  if (__builtin_expect(event->has_times == queue->has_profiling, 1)) {
    lock_events(queue);
    event->next = queue->driver.events;
    queue->driver.events = event;
    unlock_events(queue);
  } else {
    (void)cuda_enter(queue->driver.member);
    queue_event_destroy(event);
  }
  queue_drop_use(queue);
}

static pi_result hold_events(sink *sink) {
  for (pi_uint32 i = 0; i < sink->wait_count; i++)
    TRY(event_hold(sink->waits[i], sink->command.stream));
  return PI_SUCCESS;
}

/* Records the start. Called after the waits, so that the command's time does not contain them. */
static pi_result start_event(sink *sink) {
  const pi_event event = sink->command.event;
  if (!event)
    return PI_SUCCESS;
  event->driver.stream = sink->command.stream;
  event->driver.place = sink->command.place;
  event->driver.serial = sink->command.serial;
  if (!event->driver.start)
    return PI_SUCCESS;
  CU_TRY(EventRecord, event->driver.start, sink->command.stream);
  atomic_store_explicit(&event->submitted, clock_host(), memory_order_relaxed);
  return PI_SUCCESS;
}

static pi_result start_on_stream(sink *sink) {
  if (sink->queue->driver.pool)
    TRY(queue_pool_pick(sink));
  TRY(hold_events(sink));
  return start_event(sink);
}

/* Makes the queue's context current. engine has no effect, because CUDA chooses the engine. */
pi_result driver_command_begin(sink *sink, sink_engine engine) {
  const pi_queue queue = sink->queue;
  (void)engine;
  sink->command.stream = queue->driver.stream;
  sink->command.place = NULL;
  sink->command.serial = 0;
  sink->command.is_several = false;
  sink->command.event = NULL;
  TRY(cuda_enter(queue->driver.member));
  if (sink->event) {
    TRY(queue_event_take(queue, sink->type, sink->has_times, &sink->command.event));
    if (sink->has_times)
      sink->command.event->queued = clock_host();
  }
  const pi_result result = start_on_stream(sink);
  return result == PI_SUCCESS ? PI_SUCCESS : driver_command_cancel(sink, result);
}

/*
 * Waits for the driver calls of the command that were enqueued, because they use the caller's
 * memory. It does not wait while an unset user event may hold the stream back, because perhaps only
 * the caller's thread would set that event.
 */
pi_result driver_command_cancel(sink *sink, pi_result result) {
  if (sink->command.is_several && !gate_is_any_closed())
    cu.StreamSynchronize(sink->command.stream);
  queue_mark_used(sink);
  if (sink->command.event)
    queue_event_put(sink->queue, sink->command.event);
  return result;
}

static pi_result record_event(sink *sink) {
  if (sink->is_blocking && !sink->command.event)
    TRY(queue_event_take(sink->queue, sink->type, sink->has_times, &sink->command.event));
  if (sink->command.event)
    CU_TRY(EventRecord, sink->command.event->driver.end, sink->command.stream);
  return PI_SUCCESS;
}

pi_result driver_command_end(sink *sink) {
  queue_mark_used(sink);
  pi_result result = record_event(sink);
  if (__builtin_expect(result != PI_SUCCESS, 0)) {
    sink->command.is_several = true;
    return driver_command_cancel(sink, result);
  }
  /* Waits for the event, not the stream, to which another thread may keep adding work. */
  if (sink->is_blocking)
    result = event_wait(sink->command.event);
  if (result == PI_SUCCESS && sink->event)
    *sink->event = sink->command.event;
  else if (sink->command.event)
    queue_event_put(sink->queue, sink->command.event);
  return result;
}
