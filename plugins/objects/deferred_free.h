/*
 * Deferred frees of objects that commands may still use. The application may release memory,
 * kernels, programs, images and samplers at any time, but they must not be destroyed while the
 * device uses them.
 */
#ifndef OBJECTS_DEFERRED_FREE_H
#define OBJECTS_DEFERRED_FREE_H

#include "handle.h"

#include <pthread.h>

/*
 * A member of objects whose free may be deferred. Each context counts its deferred frees: the count
 * is its epoch. A command records the epoch in which it was enqueued. An object deferred in an
 * epoch is destroyed when no command of that epoch or an earlier one is pending in any queue of the
 * context.
 */
typedef struct deferred {
  struct deferred *next;
  pi_uint64 epoch;
  void (*destroy)(struct deferred *); /* frees the object that contains the member */
} deferred;

/* The deferred frees of a context: context->deferred. */
typedef struct deferred_frees {
  pthread_mutex_t lock; /* guards first */
  deferred *first;      /* the latest */
  atomic_bool is_any;
  atomic_ullong epoch;
} deferred_frees;

/* Initializes the member of a new context. */
void deferred_frees_init(deferred_frees *frees);

/* Destroys all objects left and the member, at the end of a context without pending commands. */
void deferred_frees_end(pi_context context);

/*
 * Calls destroy(node) once no command can use node's object any more: at once, or later on a thread
 * that calls the plugin, with no lock held. The end of the context calls it at the latest; an
 * object that holds a reference to the context, which destroy gives up, keeps the context alive.
 * This function submits no gathered commands, never waits for commands and allocates nothing.
 */
void deferred_free(pi_context context, deferred *node, void (*destroy)(deferred *node));

/*
 * The same, but never at once: for a destroy that found its object still in use and has to be
 * called again.
 */
void deferred_free_later(pi_context context, deferred *node, void (*destroy)(deferred *node));

/* Destroys the objects that are due. The caller holds a reference to the context, and no lock. */
void deferred_free_due(pi_context context);

#endif
