/* Events, which report whether a command has ended, and when. */
#ifndef OBJECTS_EVENT_H
#define OBJECTS_EVENT_H

#include "../base/info.h"
#include "driver.h"
#include "driver_parts.h"
#include "handle.h"
#include "registry.h"

/*
 * An event: of a command, of the application (a user event), or around a native handle. The
 * driver's code allocates and recycles the events of commands.
 */
struct pi_event_object {
  object_head handle; /* its count is of PI's references only */
  atomic_int status;  /* > 0: not known to have ended; 0: complete; < 0: the failure's code */
  pi_command_type type;
  bool is_user;            /* made by piEventCreate */
  bool has_times;          /* the driver records the command's times */
  atomic_bool is_set;      /* of a user event: its status is set or can no longer be set */
  bool is_owned;           /* of an event without a queue: it destroys the driver's object */
  pi_context context;      /* a reference if the event has no queue */
  pi_queue queue;          /* kept by a use; NULL for a user event or one around a native handle */
  pi_event next;           /* in a list of the driver's code */
  pi_uint64 queued;        /* with profiling: when the command was enqueued, in ns */
  atomic_ullong submitted; /* with profiling: when it was passed to the driver, in ns */
  pi_event origin; /* a reference to the event whose native handle this one stands for; or NULL */
  registry_link noted;
  struct driver_event driver;
};

/* A new user event with one reference, at PI_EVENT_SUBMITTED until event_set ends it. */
pi_result event_create_user(pi_context context, pi_event *ret);

/* A user event that is complete. Errors of driver_event_create_user. */
pi_result event_create_complete(pi_context context, pi_event *ret);

/*
 * An event around a native handle. If event_native returned the handle, the new event holds a
 * reference to that event: the one that came with the handle if is_owned, else a new one.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result event_adopt(pi_context context, pi_native_handle native, bool is_owned, pi_event *ret);

/* The event's native handle. Errors of driver_event_native. */
pi_result event_native(pi_event event, pi_native_handle *ret);

/*
 * For the drivers' code: make an event with one reference and the status PI_EVENT_SUBMITTED, its
 * other members 0, and destroy it. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result event_allocate(pi_context context, pi_event *ret);
void event_destroy(pi_event event);

/* Add or drop a reference of PI. */
static inline void event_retain(pi_event event) {
  object_retain(&event->handle);
}
static inline void event_release(pi_event event) {
  if (!object_release(&event->handle))
    return;
  registry_forget(&event->noted);
  driver_event_leave(event);
}

/* Returns whether the event is known to have ended. Never calls the driver. */
static inline bool event_is_known(pi_event event) {
  return atomic_load_explicit(&event->status, memory_order_acquire) <= PI_EVENT_COMPLETE;
}

/*
 * Returns the event's state without waiting: PI_EVENT_COMPLETE, PI_EVENT_RUNNING,
 * PI_EVENT_SUBMITTED, or the negative code of a failure, for which it records the message.
 */
static inline pi_int32 event_status(pi_event event) {
  const pi_int32 known = atomic_load_explicit(&event->status, memory_order_acquire);
  return known <= PI_EVENT_COMPLETE ? known : driver_event_status(event);
}

/*
 * Waits until the event has ended. PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: the event
 * has failed; every later call returns this, too.
 */
pi_result event_wait(pi_event event);

/*
 * Waits for all events, which may be of several queues, devices and contexts. Goes on after a
 * failure, because the caller may then free memory that the other commands use. Returns the first
 * failure.
 */
pi_result events_wait(pi_uint32 count, const pi_event *events);

/* Records the failure of a wait for an event whose status is below 0, and returns its code. */
pi_result event_failure(pi_event event, pi_int32 status) __attribute__((cold));

/*
 * Ends a user event with PI_EVENT_COMPLETE, or with a negative status, which makes waits for the
 * event fail. Errors of piEventSetStatus.
 */
pi_result event_set(pi_event event, pi_int32 status);

/* The answers of piEventGetInfo and of piEventGetProfilingInfo; answer is checked. */
pi_result event_answer(pi_event event, const info_answer *answer, pi_event_info query);
pi_result event_answer_time(pi_event event, const info_answer *answer, pi_profiling_info query);

/*
 * Finds the host's time at which an event's command was enqueued or submitted. Returns false if the
 * time is unknown, or for another query. UR reports these times before the command is complete; PI
 * does not.
 */
bool event_host_time(pi_event event, pi_profiling_info query, pi_uint64 *ret);

#endif
