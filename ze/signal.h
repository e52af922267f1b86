/*
 * Signals: the state of Level Zero's events and fences.
 *
 * Level Zero's event is signaled by commands or by the host, and reset by either; commands may wait
 * for it before anything is to signal it. An event of PI belongs to one command and is complete
 * once. So a signal refers to the event of the command that was enqueued last with it; before there
 * is one, waiting commands wait for a user event, which the signal sets later. A command that is
 * enqueued after another one sees what that one makes of the signal, as if it had been executed.
 *
 * Any thread may call all functions.
 */
#ifndef ZE_SIGNAL_H
#define ZE_SIGNAL_H

#include "../plugins/objects/event.h"
#include "../plugins/objects/queue.h"
#include "../plugins/objects/watcher.h"
#include "ze.h"

#include <pthread.h>

/*
 * Commands that wait for a signal which nothing signals yet. Allocated with the user event, so that
 * neither a signal nor a reset needs memory.
 */
typedef struct signal_waiters {
  watched
      watched; /* first, because the watcher's function casts it; used once there is a command */
  struct signal_waiters *next; /* in the list of those from before a reset */
  pi_event event;              /* the user event that they wait for; a reference */
  pi_event command;            /* a reference to the event whose end sets it; or NULL */
  const void *resetter;        /* the queue with the reset, for comparison only */
} signal_waiters;

struct ze_signal {
  object_head handle; /* OBJECT_SIGNAL or OBJECT_FENCE */
  registry_link noted;
  ze_signal_pool *pool; /* of an event; NULL for a fence */
  pi_context context;   /* kept by the pool or the fence */
  bool has_times;       /* commands with the signal record their times */
  pthread_mutex_t lock;
  bool is_set;             /* by the host */
  pi_event event;          /* a reference to the latest command's event; or NULL */
  signal_waiters *waiters; /* since the latest reset; NULL if is_set, or with an event */
  signal_waiters *earlier; /* from before resets that are enqueued, the oldest first */
};

/* Add and drop a reference to a pool, which keeps the memory of its events. */
void signal_pool_retain(ze_signal_pool *pool);
void signal_pool_release(ze_signal_pool *pool);

/* Makes a signal that is not set, and gives up all its references. */
void signal_open(ze_signal *signal, object_kind kind, pi_context context, bool has_times);
void signal_close(ze_signal *signal);

/*
 * Finds the event of PI that a command has to wait for, with a reference for the caller. *ret is
 * NULL if the signal is set. Errors of event_create_user; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result signal_await(ze_signal *signal, pi_event *ret);

/* Has the end of an enqueued command of a queue set the signal. */
void signal_by_command(ze_signal *signal, pi_event event, pi_queue queue);

/* Sets the signal from the host. */
void signal_set(ze_signal *signal);

/* Resets the signal from the host, or by a reset that was enqueued in a queue. */
void signal_reset(ze_signal *signal);
void signal_reset_by(ze_signal *signal, pi_queue queue);

/*
 * Return ZE_RESULT_SUCCESS if the signal is set, or the event complete, ZE_RESULT_NOT_READY, or the
 * failure of the command.
 */
ze_result_t signal_status(ze_signal *signal);
ze_result_t signal_event_status(pi_event event);

/* Wait for at most timeout nanoseconds, or without a limit if timeout is UINT64_MAX. */
ze_result_t signal_wait(ze_signal *signal, uint64_t timeout);
ze_result_t signal_event_wait(pi_event event, uint64_t timeout);

/* The event of the latest command with the signal, with a reference for the caller; or NULL. */
pi_event signal_command(ze_signal *signal);

/*
 * Calls ask(object) until it does not return ZE_RESULT_NOT_READY, for at most timeout nanoseconds,
 * because drivers have no wait with a limit. Returns the latest result.
 */
ze_result_t signal_poll(ze_result_t (*ask)(void *object), void *object, uint64_t timeout);

#endif
