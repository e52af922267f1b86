#include "command.h"

#include "../base/error.h"
#include "../objects/context.h"
#include "../objects/event.h"
#include "fail.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct null_step {
  struct null_step *next;
  null_deed *deed;
  _Alignas(max_align_t) unsigned char data[];
} null_step;

typedef struct null_command {
  struct null_command *next;
  pi_queue queue; /* NULL for a recorded command */
  pi_event event; /* NULL if the command needs none */
  pi_uint64 epoch;
  bool waits_for_all;
  bool is_barrier;
  null_step *steps; /* functions to call, in order */
  pi_uint32 wait_count;
  pi_event waits[];
} null_command;

/* One lock for all queues and events, held also while the functions of commands run. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static null_command *pending; /* list of all queues' commands, in the order of enqueueing */

/* ---- Making ---- */

static void add_steps(null_step **list, null_step *steps) {
  while (*list)
    list = &(*list)->next;
  *list = steps;
}

static void free_steps(null_step *steps) {
  for (null_step *next; steps; steps = next) {
    next = steps->next;
    free(steps);
  }
}

static void run_steps(null_step *steps) {
  for (; steps; steps = steps->next)
    steps->deed(steps->data);
}

static void free_null_command(null_command *command) {
  free_steps(command->steps);
  free(command);
}

static pi_result allocate_command(sink *sink, pi_uint32 wait_count) {
  TRY(null_may(NULL_COMMAND));
  null_command *made = calloc(1, sizeof *made + wait_count * sizeof made->waits[0]);
  REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a command");
  made->queue = sink->queue;
  made->wait_count = wait_count;
  sink->command.made = made;
  return PI_SUCCESS;
}

static pi_result make_event(sink *sink) {
  pi_event event;
  TRY(event_allocate(sink->context, &event));
  event->type = sink->type;
  event->has_times = sink->has_times;
  event->queue = sink->queue;
  queue_add_use(sink->queue);
  event->queued = null_now();
  atomic_store(&event->submitted, event->queued);
  sink->command.made->event = event;
  return PI_SUCCESS;
}

pi_result driver_command_begin(sink *sink, sink_engine engine) {
  for (pi_uint32 i = 0; i < sink->wait_count; i++) {
    const pi_int32 status = event_status(sink->waits[i]);
    if (status < 0)
      return event_failure(sink->waits[i], status);
  }
  TRY(allocate_command(sink, sink->wait_count));
  for (pi_uint32 i = 0; i < sink->wait_count; i++)
    sink->command.made->waits[i] = sink->waits[i]->origin ? sink->waits[i]->origin : sink->waits[i];
  if (!sink->event && !sink->is_blocking)
    return PI_SUCCESS;
  const pi_result result = make_event(sink);
  if (result != PI_SUCCESS)
    free_null_command(sink->command.made);
  return result;
}

pi_result null_do(sink *sink, null_deed *deed, const void *data, size_t size) {
  null_step *made = malloc(sizeof *made + size);
  REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a command of %zu bytes", size);
  made->next = NULL;
  made->deed = deed;
  memcpy(made->data, data, size);
  add_steps(&sink->command.made->steps, made);
  return PI_SUCCESS;
}

/* A marker does nothing but wait. */
pi_result driver_marker(sink *sink, bool joins) {
  sink->command.made->waits_for_all = joins;
  return PI_SUCCESS;
}

pi_result driver_barrier(sink *sink, bool joins) {
  sink->command.made->is_barrier = true;
  return driver_marker(sink, joins);
}

/* ---- Running: the callers hold the lock ---- */

/* Returns whether a command of the list pending may run now. */
static bool is_ready(const null_command *command) {
  for (const null_command *before = pending; before != command; before = before->next)
    if (before->queue == command->queue &&
        (command->queue->is_in_order || command->waits_for_all || before->is_barrier))
      return false;
  for (pi_uint32 i = 0; i < command->wait_count; i++)
    if (!event_is_known(command->waits[i]))
      return false;
  return true;
}

/* Drops a use of an event. Adds an event that nobody uses any more to the list gone. */
static void leave_event(pi_event event, pi_event *gone) {
  if (--event->driver.users == 0 && event->driver.is_left) {
    event->next = *gone;
    *gone = event;
  }
}

static void run_command(null_command *command, pi_event *gone) {
  pi_int32 status = PI_EVENT_COMPLETE;
  for (pi_uint32 i = 0; i < command->wait_count; i++) {
    if (atomic_load(&command->waits[i]->status) < PI_EVENT_COMPLETE)
      status = PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    leave_event(command->waits[i], gone);
  }
  const pi_uint64 start = null_now();
  if (status == PI_EVENT_COMPLETE)
    run_steps(command->steps);
  if (command->event) {
    command->event->driver.start = start;
    command->event->driver.end = null_now();
    atomic_store_explicit(&command->event->status, status, memory_order_release);
    leave_event(command->event, gone);
  }
}

/* Runs commands until none is ready. Then releases the lock, and frees the commands that ran. */
static void advance_and_unlock(void) {
  pi_event gone = NULL;
  null_command *done = NULL;
  for (null_command **link = &pending; *link;) {
    null_command *command = *link;
    if (!is_ready(command)) {
      link = &command->next;
      continue;
    }
    *link = command->next;
    run_command(command, &gone);
    command->next = done;
    done = command;
    link = &pending;
  }
  pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&lock);
  for (pi_event next; gone; gone = next) {
    next = gone->next;
    event_destroy(gone);
  }
  for (null_command *next; done; done = next) {
    next = done->next;
    deferred_free_due(done->queue->context);
    queue_drop_use(done->queue);
    free_null_command(done);
  }
}

/* ---- Ending ---- */

pi_result driver_command_cancel(sink *sink, pi_result result) {
  null_command *made = sink->command.made;
  if (made->event)
    event_release(made->event);
  free_null_command(made);
  return result;
}

pi_result driver_command_end(sink *sink) {
  null_command *made = sink->command.made;
  const pi_event event = made->event;
  made->epoch = atomic_load(&sink->context->deferred.epoch);
  queue_add_use(sink->queue);
  if (event)
    event->driver.users++;
  pthread_mutex_lock(&lock);
  for (pi_uint32 i = 0; i < made->wait_count; i++)
    made->waits[i]->driver.users++;
  null_command **end = &pending;
  while (*end)
    end = &(*end)->next;
  *end = made;
  advance_and_unlock();
  pi_result result = sink->is_blocking ? event_wait(event) : PI_SUCCESS;
  if (result == PI_SUCCESS && sink->event)
    *sink->event = event;
  else if (event)
    event_release(event);
  return result;
}

/* ---- Recording ---- */

pi_result driver_record_begin(sink *sink) {
  return allocate_command(sink, 0);
}

pi_result driver_record_end(sink *sink, pi_result result) {
  null_command *made = sink->command.made;
  if (result == PI_SUCCESS) {
    add_steps(&sink->buffer->driver.steps, made->steps);
    made->steps = NULL;
  }
  free_null_command(made);
  return result;
}

void driver_command_buffer_close(pi_ext_command_buffer buffer) {
  free_steps(buffer->driver.steps);
}

static void run_buffer(void *data) {
  run_steps((*(pi_ext_command_buffer *)data)->driver.steps);
}

pi_result driver_command_buffer_run(pi_ext_command_buffer buffer, sink *sink) {
  TRY(sink_begin(sink, SINK_COMPUTE));
  return sink_end(sink, null_do(sink, run_buffer, &buffer, sizeof buffer));
}

pi_uint64 driver_context_oldest_epoch(pi_context context) {
  pi_uint64 oldest = UINT64_MAX;
  pthread_mutex_lock(&lock);
  for (const null_command *command = pending; command; command = command->next)
    if (command->queue->context == context && command->epoch < oldest)
      oldest = command->epoch;
  pthread_mutex_unlock(&lock);
  return oldest;
}

/* ---- Queues ---- */

/* Returns whether a queue has pending commands. The caller holds the lock. */
static bool is_busy(pi_queue queue) {
  for (const null_command *command = pending; command; command = command->next)
    if (command->queue == queue)
      return true;
  return false;
}

pi_result driver_queue_finish(pi_queue queue) {
  pthread_mutex_lock(&lock);
  while (is_busy(queue))
    pthread_cond_wait(&ended, &lock);
  pthread_mutex_unlock(&lock);
  return PI_SUCCESS;
}

pi_result driver_queue_is_empty(pi_queue queue, bool *ret) {
  pthread_mutex_lock(&lock);
  *ret = !is_busy(queue);
  pthread_mutex_unlock(&lock);
  return PI_SUCCESS;
}

/* ---- Events ---- */

void driver_event_close(pi_event event) {
  if (event->queue)
    queue_drop_use(event->queue);
}

void driver_event_leave(pi_event event) {
  pthread_mutex_lock(&lock);
  event->driver.is_left = true;
  const bool is_used = event->driver.users;
  pthread_mutex_unlock(&lock);
  if (!is_used)
    event_destroy(event);
}

/* An event made from a native handle has the status of origin, the event with that handle. */
pi_int32 driver_event_status(pi_event event) {
  if (event->origin)
    atomic_store(&event->status, event_status(event->origin));
  return atomic_load(&event->status);
}

pi_result driver_event_wait(pi_event event) {
  if (event->origin) {
    const pi_result result = driver_event_wait(event->origin);
    driver_event_status(event);
    return result;
  }
  pthread_mutex_lock(&lock);
  while (!event_is_known(event))
    pthread_cond_wait(&ended, &lock);
  pthread_mutex_unlock(&lock);
  return PI_SUCCESS;
}

pi_result driver_event_set(pi_event event, pi_int32 status) {
  pthread_mutex_lock(&lock);
  atomic_store_explicit(&event->status, status, memory_order_release);
  advance_and_unlock();
  return PI_SUCCESS;
}

pi_result driver_event_times(pi_event event, pi_uint64 *start, pi_uint64 *end) {
  *start = event->driver.start;
  *end = event->driver.end;
  return PI_SUCCESS;
}
