/* Events as Level Zero has them, and what follows from their uses. */
#ifndef LEVEL_ZERO_EVENT_H
#define LEVEL_ZERO_EVENT_H

#include "../objects/event.h"
#include "context.h"

/* A use more, and one less, which may be the last. NULL is not fine. */
static inline void event_add_use(pi_event event) {
  atomic_fetch_add_explicit(&event->driver.uses, 1, memory_order_relaxed);
}
void event_drop_use(pi_event event);

/*
 * Checks that a command of a context may wait for the event. PI_ERROR_INVALID_CONTEXT: it is of
 * another context; PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: it has failed, or will.
 */
pi_result event_check(pi_event event, pi_context context);

/* Asks the driver without waiting, of an event whose command was given to it; whether it ended. */
bool event_has_ended(pi_event event);

/* Notes that the event of a command has ended; its status. Foreign ones may be used again. */
pi_int32 event_complete(pi_event event);

/*
 * Waits until the event has ended; a failure that the application itself brought about is none
 * here. What the driver says, or what the command failed with.
 */
pi_result event_finish(pi_event event);

/*
 * Returns whether a command that was given to the driver waits for something that the device cannot
 * bring about: by itself, through what it waits for, or through an earlier command of its queue.
 * That is a user event without a status, an event around somebody else's native handle, or a
 * semaphore of another interface. Never waits for the device; safe from any thread that holds no
 * lock of a queue.
 */
bool event_is_held(pi_event event);

/*
 * Marks the event of a command that is to fail because one which the application named in its wait
 * list has failed, or will. Whether it was not marked before. The caller holds the lock of the list
 * of pending commands that the event is in, or is put into.
 */
bool event_inherit_failure(pi_event event);

/* Ends the event with a failure that the driver's signal will not tell of. */
void event_fail(pi_event event, pi_result code);

#endif
