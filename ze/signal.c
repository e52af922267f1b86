#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "signal.h"

#include "../plugins/base/os.h"
#include "../plugins/objects/callback.h"

#include <stdlib.h>
#include <time.h>

void signal_open(ze_signal *signal, object_kind kind, pi_context context, bool has_times) {
  memset(signal, 0, sizeof *signal);
  object_init(&signal->handle, kind);
  pthread_mutex_init(&signal->lock, NULL);
  signal->context = context;
  signal->has_times = has_times;
}

/* Gives up the reference to the current event. Commands that wait for it go on. */
static void drop_event(ze_signal *signal) {
  if (signal->event)
    event_release(signal->event);
  signal->event = NULL;
  signal->is_awaited = false;
}

void signal_close(ze_signal *signal) {
  for (signal_waiters *one = signal->earlier, *next; one; one = next) {
    next = one->next;
    event_release(one->event);
    free(one);
  }
  drop_event(signal);
  pthread_mutex_destroy(&signal->lock);
}

/* ---- Waits of commands ---- */

/* The caller holds the lock. */
static pi_result await_locked(ze_signal *signal, pi_event *ret) {
  *ret = NULL;
  if (signal->is_set)
    return PI_SUCCESS;
  if (!signal->event) {
    TRY(event_create_user(signal->context, &signal->event));
    signal->is_awaited = true;
  }
  event_retain(signal->event);
  *ret = signal->event;
  return PI_SUCCESS;
}

pi_result signal_await(ze_signal *signal, pi_event *ret) {
  pthread_mutex_lock(&signal->lock);
  const pi_result result = await_locked(signal, ret);
  pthread_mutex_unlock(&signal->lock);
  return result;
}

/* ---- Signals ---- */

/* Sets a user event, and gives up its reference. */
static void set_awaited(pi_event event, pi_int32 status) {
  (void)event_set(event, status); /* cannot fail: nobody else sets it */
  event_release(event);
}

static void set_awaited_at_end(pi_event command, pi_int32 status, void *awaited) {
  (void)command;
  set_awaited(awaited, status);
}

/* Has the end of a command set a user event. Without memory for a callback it waits for the end. */
static void set_awaited_after(pi_event command, pi_event awaited) {
  if (callback_add(command, PI_EVENT_COMPLETE, set_awaited_at_end, awaited) == PI_SUCCESS)
    return;
  (void)events_wait(1, &command);
  set_awaited(awaited, event_status(command));
}

/*
 * Takes the user event of the oldest waiters from before a reset, or NULL if there are none. Those
 * from before a reset in the same queue are left: the signal follows the reset. The caller holds
 * the lock.
 */
static pi_event take_earlier(ze_signal *signal, const void *queue) {
  signal_waiters *const oldest = signal->earlier;
  if (!oldest || (queue && oldest->resetter == queue))
    return NULL;
  const pi_event event = oldest->event;
  signal->earlier = oldest->next;
  free(oldest);
  return event;
}

/*
 * Gives the signal to the oldest waiters, and returns their user event, or NULL if there are none.
 * event is the command's; NULL: the host's signal.
 */
static pi_event give_signal(ze_signal *signal, pi_event event, const void *queue) {
  pthread_mutex_lock(&signal->lock);
  pi_event awaited = take_earlier(signal, queue);
  if (!awaited) {
    if (signal->is_awaited)
      awaited = signal->event;
    else
      drop_event(signal);
    if (event)
      event_retain(event);
    signal->event = event;
    signal->is_awaited = false;
    signal->is_set = !event;
  }
  pthread_mutex_unlock(&signal->lock);
  return awaited;
}

void signal_by_command(ze_signal *signal, pi_event event, pi_queue queue) {
  const pi_event awaited = give_signal(signal, event, queue);
  if (awaited)
    set_awaited_after(event, awaited);
}

void signal_set(ze_signal *signal) {
  const pi_event awaited = give_signal(signal, NULL, NULL);
  if (awaited)
    set_awaited(awaited, PI_EVENT_COMPLETE);
}

/* ---- Resets ---- */

void signal_reset(ze_signal *signal) {
  pthread_mutex_lock(&signal->lock);
  signal->is_set = false;
  if (!signal->is_awaited)
    drop_event(signal);
  pthread_mutex_unlock(&signal->lock);
}

/* Moves the waiters to the end of the list of earlier ones. The caller holds the lock. */
static pi_result leave_waiters(ze_signal *signal, pi_queue queue) {
  signal_waiters *made = malloc(sizeof *made);
  REQUIRE_MEMORY(made, "the waiters of an event");
  *made = (signal_waiters){NULL, signal->event, queue};
  signal_waiters **place = &signal->earlier;
  while (*place)
    place = &(*place)->next;
  *place = made;
  signal->event = NULL;
  signal->is_awaited = false;
  return PI_SUCCESS;
}

pi_result signal_reset_by(ze_signal *signal, pi_queue queue) {
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&signal->lock);
  if (signal->is_awaited)
    result = leave_waiters(signal, queue);
  else
    drop_event(signal);
  if (result == PI_SUCCESS)
    signal->is_set = false;
  pthread_mutex_unlock(&signal->lock);
  return result;
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
  const pi_event event = signal->is_awaited ? NULL : signal->event;
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
