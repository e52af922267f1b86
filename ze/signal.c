#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "signal.h"

#include "../plugins/base/os.h"

#include <stdlib.h>
#include <time.h>

void signal_open(ze_signal *signal, object_kind kind, pi_context context, bool has_times) {
  memset(signal, 0, sizeof *signal);
  object_init(&signal->handle, kind);
  pthread_mutex_init(&signal->lock, NULL);
  signal->context = context;
  signal->has_times = has_times;
}

/* Frees waiters whose user event is set, or whom nothing will signal any more. */
static void free_waiters(signal_waiters *waiters) {
  if (waiters->command)
    event_release(waiters->command);
  event_release(waiters->event);
  free(waiters);
}

/* Gives up the reference to the latest command's event. */
static void drop_event(ze_signal *signal) {
  if (signal->event)
    event_release(signal->event);
  signal->event = NULL;
}

/* The commands that still wait go on, because nobody refers to their user events any more. */
void signal_close(ze_signal *signal) {
  for (signal_waiters *one = signal->earlier, *next; one; one = next) {
    next = one->next;
    free_waiters(one);
  }
  if (signal->waiters)
    free_waiters(signal->waiters);
  drop_event(signal);
  pthread_mutex_destroy(&signal->lock);
}

/* ---- Waits of commands ---- */

static pi_result make_waiters(pi_context context, signal_waiters **ret) {
  signal_waiters *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "waits for an event");
  const pi_result result = event_create_user(context, &made->event);
  if (result == PI_SUCCESS)
    *ret = made;
  else
    free(made);
  return result;
}

/* The caller holds the lock. */
static pi_result await_locked(ze_signal *signal, pi_event *ret) {
  if (signal->is_set) {
    *ret = NULL;
    return PI_SUCCESS;
  }
  if (!signal->event && !signal->waiters)
    TRY(make_waiters(signal->context, &signal->waiters));
  *ret = signal->event ? signal->event : signal->waiters->event;
  event_retain(*ret);
  return PI_SUCCESS;
}

pi_result signal_await(ze_signal *signal, pi_event *ret) {
  pthread_mutex_lock(&signal->lock);
  const pi_result result = await_locked(signal, ret);
  pthread_mutex_unlock(&signal->lock);
  return result;
}

/* ---- Signals ---- */

/* Lets the waiters go on, after a command that ended with status or after the host. */
static void end_waiters(signal_waiters *waiters, pi_int32 status) {
  (void)event_set(waiters->event, status); /* cannot fail: nobody else sets it */
  free_waiters(waiters);
}

/* The watcher's function: lets the waiters go on if their command has ended. */
static bool end_waiters_due(watched *watched) {
  signal_waiters *waiters = (signal_waiters *)(void *)watched;
  const pi_int32 status = event_status(waiters->command);
  if (status > PI_EVENT_COMPLETE)
    return false;
  end_waiters(waiters, status);
  return true;
}

/* Has a command's end let the waiters go on. Without a thread for that it waits for the end. */
static void end_waiters_after(signal_waiters *waiters, pi_event command) {
  event_retain(command);
  waiters->command = command;
  if (watcher_add(&waiters->watched, end_waiters_due) == PI_SUCCESS)
    return;
  (void)events_wait(1, &command);
  end_waiters(waiters, event_status(command));
}

/*
 * Takes the oldest waiters from before a reset, or NULL if there are none. Those from before a
 * reset in the same queue are left: the signal follows the reset. The caller holds the lock.
 */
static signal_waiters *take_earlier(ze_signal *signal, const void *queue) {
  signal_waiters *const oldest = signal->earlier;
  if (!oldest || (queue && oldest->resetter == queue))
    return NULL;
  signal->earlier = oldest->next;
  return oldest;
}

/*
 * Gives the signal to the oldest waiters, and returns them, or NULL if there are none. event is the
 * command's; NULL: the host's signal.
 */
static signal_waiters *give_signal(ze_signal *signal, pi_event event, const void *queue) {
  pthread_mutex_lock(&signal->lock);
  signal_waiters *waiters = take_earlier(signal, queue);
  if (!waiters) {
    waiters = signal->waiters;
    signal->waiters = NULL;
    drop_event(signal);
    if (event)
      event_retain(event);
    signal->event = event;
    signal->is_set = !event;
  }
  pthread_mutex_unlock(&signal->lock);
  return waiters;
}

void signal_by_command(ze_signal *signal, pi_event event, pi_queue queue) {
  signal_waiters *const waiters = give_signal(signal, event, queue);
  if (waiters)
    end_waiters_after(waiters, event);
}

void signal_set(ze_signal *signal) {
  signal_waiters *const waiters = give_signal(signal, NULL, NULL);
  if (waiters)
    end_waiters(waiters, PI_EVENT_COMPLETE);
}

/* ---- Resets ---- */

void signal_reset(ze_signal *signal) {
  pthread_mutex_lock(&signal->lock);
  signal->is_set = false;
  drop_event(signal);
  pthread_mutex_unlock(&signal->lock);
}

/* Moves the waiters to the end of the list of earlier ones. The caller holds the lock. */
static void leave_waiters(ze_signal *signal, pi_queue queue) {
  signal_waiters **place = &signal->earlier;
  while (*place)
    place = &(*place)->next;
  *place = signal->waiters;
  signal->waiters->resetter = queue;
  signal->waiters = NULL;
}

void signal_reset_by(ze_signal *signal, pi_queue queue) {
  pthread_mutex_lock(&signal->lock);
  signal->is_set = false;
  drop_event(signal);
  if (signal->waiters)
    leave_waiters(signal, queue);
  pthread_mutex_unlock(&signal->lock);
}

/* ---- The host ---- */

ze_result_t signal_event_status(pi_event event) {
  const pi_int32 status = event_status(event);
  if (status == PI_EVENT_COMPLETE)
    return ZE_RESULT_SUCCESS;
  return status > PI_EVENT_COMPLETE ? ZE_RESULT_NOT_READY : ze_answer((pi_result)status);
}

/* Returns the event of the latest command with the signal, with a reference; NULL if none. */
static pi_event take_command(ze_signal *signal, bool *is_set) {
  pthread_mutex_lock(&signal->lock);
  const pi_event event = signal->event;
  if (event)
    event_retain(event);
  *is_set = signal->is_set;
  pthread_mutex_unlock(&signal->lock);
  return event;
}

ze_result_t signal_status(ze_signal *signal) {
  bool is_set;
  const pi_event event = take_command(signal, &is_set);
  if (!event)
    return is_set ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
  const ze_result_t result = signal_event_status(event);
  event_release(event);
  return result;
}

pi_event signal_command(ze_signal *signal) {
  bool is_set;
  return take_command(signal, &is_set);
}

ze_result_t signal_poll(ze_result_t (*ask)(void *object), void *object, uint64_t timeout) {
  const uint64_t start = os_time_ns();
  ze_result_t result;
  while ((result = ask(object)) == ZE_RESULT_NOT_READY &&
         (timeout == UINT64_MAX || os_time_ns() - start < timeout))
    nanosleep(&(struct timespec){0, 20000}, NULL);
  return result;
}

static ze_result_t ask_event(void *event) {
  return signal_event_status(event);
}

ze_result_t signal_event_wait(pi_event event, uint64_t timeout) {
  if (timeout != UINT64_MAX)
    return signal_poll(ask_event, event, timeout);
  return ze_answer(events_wait(1, &event));
}

static ze_result_t ask_signal(void *signal) {
  return signal_status(signal);
}

/* Without a limit it polls until there is a command to wait for. */
ze_result_t signal_wait(ze_signal *signal, uint64_t timeout) {
  const pi_event event = timeout == UINT64_MAX ? signal_command(signal) : NULL;
  if (!event)
    return signal_poll(ask_signal, signal, timeout);
  const ze_result_t result = signal_event_wait(event, timeout);
  event_release(event);
  return result;
}
