/*
 * Deferred frees: destroying what commands may still use. PI lets the application release memory,
 * kernels, programs, images and samplers at any time; a driver must not destroy them before the
 * device is done with them.
 */
#ifndef OBJECTS_DEFERRED_FREE_H
#define OBJECTS_DEFERRED_FREE_H

#include "handle.h"

#include <pthread.h>

/*
 * A member of what may be freed later. A context has a number, its epoch, which grows each time a
 * free is deferred. A command notes the epoch it was enqueued in. What was deferred in an epoch is
 * destroyed when no command of that epoch or an earlier one is pending in any queue of the context.
 */
typedef struct deferred {
  struct deferred *next;
  pi_uint64 epoch;
  void (*destroy)(struct deferred *); /* frees what the member is of */
} deferred;

/* The deferred frees of a context, its member of that name. */
typedef struct deferred_frees {
  pthread_mutex_t lock; /* of first */
  deferred *first;      /* the latest */
  atomic_bool is_any;
  atomic_ullong epoch;
} deferred_frees;

/* Makes the member of a new context. */
void deferred_frees_init(deferred_frees *frees);

/* Destroys what is left, and the member. No command of the context is pending, as it ends. */
void deferred_frees_end(pi_context context);

/*
 * Calls destroy(node) when no command can use what it belongs to any more: at once if that is so
 * now, else later from some thread which has called the plugin, with no lock held, and with the end
 * of the context at the latest. The context lives longer if what is freed holds a reference to it,
 * which destroy gives up. Batches are not executed for it. Never waits for commands that the
 * application holds back, allocates nothing.
 */
void deferred_free(pi_context context, deferred *node, void (*destroy)(deferred *node));

/*
 * The same, but not now. For a destroy which has found that something is in use still, and is to be
 * called again.
 */
void deferred_free_later(pi_context context, deferred *node, void (*destroy)(deferred *node));

/* Destroys what is due. The caller keeps the context alive, and holds no lock. */
void deferred_free_due(pi_context context);

#endif
