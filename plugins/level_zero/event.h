/* Events of Level Zero, and the functions that count their uses. */
#ifndef LEVEL_ZERO_EVENT_H
#define LEVEL_ZERO_EVENT_H

#include "../objects/event.h"
#include "context.h"

/* Add a use and drop a use, possibly the last one. event must not be NULL. */
static inline void event_add_use(pi_event event) {
  atomic_fetch_add_explicit(&event->driver.uses, 1, memory_order_relaxed);
}
void event_drop_use(pi_event event);

/*
 * Checks that a command of a context may wait for the event. PI_ERROR_INVALID_CONTEXT: the event is
 * of another context. PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: the event has failed, or
 * is going to fail.
 */
pi_result event_check(pi_event event, pi_context context);

/* Returns whether an event has ended, without waiting. Its command must be with the driver. */
bool event_has_ended(pi_event event);

/* Records that an event has ended; returns its final status. */
pi_int32 event_complete(pi_event event);

/*
 * Waits until the event has ended. Returns the error of the driver or the command. A failure that
 * the application passed to a user event counts as success here, also for the commands that wait
 * for that event.
 */
pi_result event_finish(pi_event event);

/*
 * Returns whether a submitted command waits for something that the device cannot end: a user event
 * without a status, an adopted native event, or a semaphore of another interface. The command may
 * wait itself, through the commands that it waits for, or through an earlier command of its queue.
 * Never waits for the device; safe from any thread that holds no lock of a queue.
 */
bool event_is_held(pi_event event);

/* Returns whether any submitted command of a context waits so. */
bool event_any_is_held(pi_context context);

/*
 * Marks the event as failing if an event of its application's wait list has failed or is going to
 * fail. Returns whether this call marked it. The caller holds the lock of the list of pending
 * commands that has the event or is about to get it.
 */
bool event_inherit_failure(pi_event event);

/* Ends the event with a failure, in place of the driver's signal. */
void event_fail(pi_event event, pi_result code);

#endif
