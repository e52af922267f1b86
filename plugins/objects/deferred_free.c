#include "deferred_free.h"

#include "context.h"
#include "driver.h"

void deferred_frees_init(deferred_frees *frees) {
  pthread_mutex_init(&frees->lock, NULL);
}

/* Takes out the objects with an epoch before oldest, and lists them oldest first. */
static deferred *take_due(deferred_frees *frees, pi_uint64 oldest) {
  deferred *due = NULL;
  pthread_mutex_lock(&frees->lock);
  for (deferred **link = &frees->first; *link;) {
    deferred *node = *link;
    if (node->epoch >= oldest) {
      link = &node->next;
      continue;
    }
    *link = node->next;
    node->next = due;
    due = node;
  }
  atomic_store_explicit(&frees->is_any, frees->first != NULL, memory_order_relaxed);
  pthread_mutex_unlock(&frees->lock);
  return due;
}

static void destroy_older(deferred_frees *frees, pi_uint64 oldest) {
  for (deferred *due = take_due(frees, oldest), *next; due; due = next) {
    next = due->next;
    due->destroy(due);
  }
}

void deferred_frees_end(pi_context context) {
  destroy_older(&context->deferred, UINT64_MAX);
  pthread_mutex_destroy(&context->deferred.lock);
}

void deferred_free_due(pi_context context) {
  deferred_frees *frees = &context->deferred;
  if (!atomic_load_explicit(&frees->is_any, memory_order_relaxed))
    return;
  /*
   * Objects deferred from here on stay: a command that uses one may be enqueued after the driver
   * has looked at the command's queue.
   */
  const pi_uint64 now = atomic_load_explicit(&frees->epoch, memory_order_acquire);
  const pi_uint64 oldest = driver_context_oldest_epoch(context);
  destroy_older(frees, oldest < now ? oldest : now);
}

void deferred_free_later(pi_context context, deferred *node, void (*destroy)(deferred *node)) {
  deferred_frees *frees = &context->deferred;
  node->destroy = destroy;
  node->epoch = atomic_fetch_add_explicit(&frees->epoch, 1, memory_order_acq_rel);
  pthread_mutex_lock(&frees->lock);
  node->next = frees->first;
  frees->first = node;
  atomic_store_explicit(&frees->is_any, true, memory_order_relaxed);
  pthread_mutex_unlock(&frees->lock);
}

void deferred_free(pi_context context, deferred *node, void (*destroy)(deferred *node)) {
  /* destroy, or another thread's queue, may give up the last other reference to the context. */
  context_retain(context);
  deferred_free_later(context, node, destroy);
  deferred_free_due(context);
  context_release(context);
}
