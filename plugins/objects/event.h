/* Events: whether a command has finished, and when. */
#ifndef OBJECTS_EVENT_H
#define OBJECTS_EVENT_H

#include "../base/info.h"
#include "driver.h"
#include "driver_parts.h"
#include "handle.h"
#include "registry.h"

/*
 * An event of a command, of the application (a user event), or around a native handle. The driver
 * decides where events of commands come from and go back to.
 */
struct pi_event_object {
  object_head handle; /* references of PI */
  atomic_int status;  /* above 0: not known to have ended; 0: complete; below: the failure's code */
  pi_command_type type;
  bool is_user;            /* made by piEventCreate */
  bool has_times;          /* of a command whose times are recorded */
  atomic_bool is_set;      /* of a user event: its status is set, or nobody can set it any more */
  bool is_owned;           /* the driver's object is destroyed with the event, which has no queue */
  pi_context context;      /* a reference, for events without a queue */
  pi_queue queue;          /* kept in use; NULL: a user event, or one made from a native handle */
  pi_event next;           /* in a list of the driver's */
  pi_uint64 queued;        /* with profiling: when the command was enqueued, in ns */
  atomic_ullong submitted; /* with profiling: when it was passed to the driver, in ns */
  pi_event origin; /* the event of ours whose native handle this is made from: a reference */
  registry_link noted;
  struct driver_event driver;
};

/* A new user event with one reference, at PI_EVENT_SUBMITTED until event_set ends it. */
pi_result event_create_user(pi_context context, pi_event *ret);

/*
 * An event around a native handle. If the handle is of an event of ours, the new event holds a
 * reference to that one: the reference that comes with the handle if is_owned, or its own.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result event_adopt(pi_context context, pi_native_handle native, bool is_owned, pi_event *ret);

/* The event's native handle. Errors are driver_event_native's. */
pi_result event_native(pi_event event, pi_native_handle *ret);

/*
 * For drivers: make a new event with one reference, all 0 but a status of PI_EVENT_SUBMITTED, and
 * destroy such an event. PI_ERROR_OUT_OF_HOST_MEMORY.
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
 * PI_EVENT_SUBMITTED, or the negative code of a failure, whose message is then recorded.
 */
static inline pi_int32 event_status(pi_event event) {
  const pi_int32 known = atomic_load_explicit(&event->status, memory_order_acquire);
  return known <= PI_EVENT_COMPLETE ? known : driver_event_status(event);
}

/*
 * Waits until the event has ended. PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST with a
 * message when it failed, now and at every later call.
 */
pi_result event_wait(pi_event event);

/*
 * Waits for all of them, even after one failed, because then the caller may free what their
 * commands use. They may be of any queues, devices and contexts. Returns the first failure.
 */
pi_result events_wait(pi_uint32 count, const pi_event *events);

/* The failure of waiting for an event that ended with a status below 0. */
pi_result event_failure(pi_event event, pi_int32 status) __attribute__((cold));

/*
 * Ends a user event with PI_EVENT_COMPLETE, or with a negative status: an error for those who wait
 * for the event from then on. Errors of piEventSetStatus.
 */
pi_result event_set(pi_event event, pi_int32 status);

/* The answers of piEventGetInfo and of piEventGetProfilingInfo; answer is checked. */
pi_result event_answer(pi_event event, const info_answer *answer, pi_event_info query);
pi_result event_answer_time(pi_event event, const info_answer *answer, pi_profiling_info query);

/*
 * The host's time at which an incomplete command came in, or was passed to the driver; false where
 * that is not known, or the query is another one. PI has no such times before the end; UR has.
 */
bool event_host_time(pi_event event, pi_profiling_info query, pi_uint64 *ret);

#endif
