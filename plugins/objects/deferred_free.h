/*
 * Deferred frees of objects that commands may still use. PI lets the application release memory,
 * kernels, programs, images and samplers at any time; a driver must not destroy them before the
 * device is done with them.
 */
#ifndef OBJECTS_DEFERRED_FREE_H
#define OBJECTS_DEFERRED_FREE_H

#include "handle.h"

#include <pthread.h>

/*
 * A member of objects that may be freed later. A context has a number, its epoch, which grows each
 * time a free is deferred. A command records the epoch in which it was enqueued. Objects deferred
 * in an epoch are destroyed when no command of that epoch or an earlier one is pending in any queue
 * of the context.
 */
typedef struct deferred {
  struct deferred *next;
  pi_uint64 epoch;
  void (*destroy)(struct deferred *); /* frees the object that contains the member */
} deferred;

/* The deferred frees of a context, its member of that name. */
typedef struct deferred_frees {
  pthread_mutex_t lock; /* guards first */
  deferred *first;      /* the latest */
  atomic_bool is_any;
  atomic_ullong epoch;
} deferred_frees;

/* Makes the member of a new context. */
void deferred_frees_init(deferred_frees *frees);

/* Destroys what is left, and the member. The context ends, so no command of it is pending. */
void deferred_frees_end(pi_context context);

/*
 * Calls destroy(node) when no command can use node's object any more: at once if that is so now,
 * else later on some thread that has called the plugin, with no lock held, and at the end of the
 * context at the latest. The context lives longer if the object holds a reference to it, which
 * destroy gives up. Does not execute batches for it, never waits for commands that the application
 * holds back, allocates nothing.
 */
void deferred_free(pi_context context, deferred *node, void (*destroy)(deferred *node));

/*
 * The same, but not now: for a destroy that has found something still in use, and is to be called
 * again.
 */
void deferred_free_later(pi_context context, deferred *node, void (*destroy)(deferred *node));

/* Destroys what is due. The caller keeps the context alive, and holds no lock. */
void deferred_free_due(pi_context context);

#endif
