/* Events: what tells that a command has finished, and when. */
#ifndef PI_LEVEL_ZERO_EVENT_H
#define PI_LEVEL_ZERO_EVENT_H

#include "context.h"

/* Events that a command can wait for before its event needs memory for more of them. */
enum { EVENT_WAITS = 6 };

struct queue_lane;
struct event_pool;

/*
 * Of a command, of the application (a user event), or around a native ze_event_handle_t. Those of
 * commands and user events come from pools of their context, which grow (event_pool.h), and go back
 * there when nothing can refer to them any more.
 *
 * A ze_event_handle_t may be reset only when no command that waits for it is pending. That is known
 * from uses: all references of PI together are one use, the queue of the command has one until it
 * knows that the command has ended, and every command that waits for the event has one until its
 * queue knows that this command has ended. The last use puts the event back, and only who takes it
 * out again resets it.
 */
struct pi_event_object {
  pi_handle handle; /* references of PI; 0 when the application did not ask for the event */
  atomic_uint uses;
  pi_context context; /* a reference, for events without a queue */
  pi_queue queue;     /* kept in use; NULL: a user event, or one made from a native handle */
  pi_command_type type;
  atomic_int status; /* above 0: not known to have ended; 0: complete; below: the failure's */
  /* The driver failed to say whether the command has ended: it may run on. Set before status. */
  atomic_bool in_doubt;
  atomic_int failure; /* what status becomes at the end: 0, or below; known before it has ended */
  ze_event_handle_t event; /* signalled by the command's end */
  struct event_pool *pool; /* where the event goes back to; NULL: a native handle */
  bool is_owned;           /* of a native handle: the event is destroyed with the object */
  bool has_timestamps;     /* the event is of a pool with kernel timestamps */
  bool is_user;            /* made by piEventCreate */
  bool was_used;           /* the event is to be reset before its next use */
  atomic_bool is_set;      /* of a user event: it has its status */
  pi_event origin;         /* of a native handle that is of one of ours: a reference of PI to it */
  pi_uint64 queued;        /* with profiling: when the command was enqueued, in ns of the device */
  atomic_ullong
      submitted;  /* with profiling: when it was given to the driver, in ns of the device */
  pi_event start; /* with profiling, of several driver calls: the first one's; a use */
  struct queue_lane *lane; /* the list that the command is in; NULL: it was given to the driver */
  pi_uint64 batch;         /* the number of its batch there */
  pi_uint64 epoch;         /* see deferred_free.h */
  bool is_external;        /* the device waits in the command for what only others can end */
  pi_uint64 held_mark;     /* see event_held.c */
  pi_event next;           /* in a pool, or among the commands of a queue */
  pi_event next_in_batch;
  /* What the command waits for, each a use: first what the application named, then the queue's. */
  pi_uint32 wait_count, named_count, wait_room;
  pi_event *waits;
  ze_event_handle_t *wait_handles; /* what the driver gets: those not known to have ended */
  pi_event few_waits[EVENT_WAITS];
  ze_event_handle_t few_handles[EVENT_WAITS];
};

/* A use more, and one less, which may be the last. NULL is not fine. */
static inline void event_retain(pi_event event) {
  atomic_fetch_add_explicit(&event->uses, 1, memory_order_relaxed);
}
void event_release(pi_event event);

/*
 * A reference of PI less; the last one gives up the use that all of them together are. A user event
 * without a status, which nobody can set any more, then lets those go on that wait for it.
 */
void event_release_reference(pi_event event);

/*
 * Whether the event has ended, without waiting; executes the batch it is in. PI_EVENT_COMPLETE,
 * PI_EVENT_SUBMITTED, or the negative code of a failure, whose sentence is then recorded the first
 * time. Level Zero does not tell which commands run: PI_EVENT_RUNNING is never seen.
 */
pi_int32 event_status(pi_event event);

/*
 * Waits until the event has ended; executes the batch it is in.
 * PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST with a sentence when it failed, now and at
 * every later call.
 */
pi_result event_wait(pi_event event);

/*
 * Has the driver know the event's command: executes the batch it is in. Cheap when there is none.
 * Fails as the driver does; the event has then failed, too.
 */
pi_result event_submit(pi_event event);

/*
 * Whether a command of a context may wait for the event. PI_ERROR_INVALID_CONTEXT: it is of another
 * one; PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: it has failed, or will.
 */
pi_result event_check(pi_event event, pi_context context);

/* Whether the event is known to have ended. Never calls the driver. */
static inline bool event_is_known(pi_event event) {
  return atomic_load_explicit(&event->status, memory_order_acquire) <= PI_EVENT_COMPLETE;
}

/* Asks the driver without waiting, of an event whose command was given to it; whether it ended. */
bool event_has_ended(pi_event event);

/* Notes that the event of a command has ended, which is known without the driver. */
void event_complete(pi_event event);

/*
 * Waits until the event has ended; a failure that the application itself brought about is none
 * here. What the driver says, or what the command failed with.
 */
pi_result event_finish(pi_event event);

/*
 * Whether a command, which was given to the driver, waits for something that the device cannot
 * bring about: by itself, by what it waits for, or by what is before it in its queue. That is a
 * user event without a status, an event around a native handle of somebody else, or a semaphore of
 * another interface. Never waits for the device; safe from any thread that holds no lock of a
 * queue.
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
