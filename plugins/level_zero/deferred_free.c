#include "../objects/deferred_free.h"

#include "event_pool.h"
#include "queue.h"

/* The oldest epoch that a pending command of a queue was enqueued in; UINT64_MAX without any. */
static pi_uint64 oldest_of_list(pi_event list) {
  pi_uint64 oldest = UINT64_MAX;
  for (; list; list = list->next)
    if (list->driver.epoch < oldest)
      oldest = list->driver.epoch;
  return oldest;
}

static pi_uint64 oldest_of(pi_queue queue) {
  if (atomic_load_explicit(&queue->driver.pending, memory_order_acquire) == 0)
    return UINT64_MAX;
  queue_sweep(queue);
  pthread_mutex_lock(&queue->driver.sweep_lock);
  pthread_mutex_lock(queue->driver.lock);
  const pi_uint64 fresh = oldest_of_list(queue->driver.fresh);
  pthread_mutex_unlock(queue->driver.lock);
  const pi_uint64 swept = oldest_of_list(queue->driver.swept);
  pthread_mutex_unlock(&queue->driver.sweep_lock);
  return fresh < swept ? fresh : swept;
}

static pi_uint64 oldest_pending(pi_context context) {
  pi_uint64 oldest = UINT64_MAX;
  for (pi_queue queue = queue_next(context, NULL); queue; queue = queue_next(context, queue)) {
    const pi_uint64 one = oldest_of(queue);
    if (one < oldest)
      oldest = one;
  }
  return oldest;
}

/* Takes those out that are older than what is pending. */
static deferred *take_due(struct event_pools *pools, pi_uint64 oldest) {
  deferred *due = NULL;
  pthread_mutex_lock(&pools->queues_lock);
  for (deferred **link = &pools->deferred; *link;) {
    deferred *node = *link;
    if (node->epoch >= oldest) {
      link = &node->next;
      continue;
    }
    *link = node->next;
    node->next = due;
    due = node;
  }
  atomic_store_explicit(&pools->has_deferred, pools->deferred != NULL, memory_order_relaxed);
  pthread_mutex_unlock(&pools->queues_lock);
  return due;
}

void deferred_free_due(pi_context context) {
  struct event_pools *pools = context->driver.events;
  if (!atomic_load_explicit(&pools->has_deferred, memory_order_relaxed))
    return;
  /* What another thread defers from here on may be used by commands that came after the look at
   * its queue. */
  const pi_uint64 now = atomic_load_explicit(&pools->epoch, memory_order_acquire);
  const pi_uint64 oldest = oldest_pending(context);
  deferred *due = take_due(pools, oldest < now ? oldest : now);
  while (due) {
    deferred *next = due->next;
    due->destroy(due);
    due = next;
  }
}

static void add(struct event_pools *pools, deferred *node) {
  pthread_mutex_lock(&pools->queues_lock);
  node->next = pools->deferred;
  pools->deferred = node;
  atomic_store_explicit(&pools->has_deferred, true, memory_order_relaxed);
  pthread_mutex_unlock(&pools->queues_lock);
}

void deferred_free(pi_context context, deferred *node, void (*destroy)(deferred *node)) {
  struct event_pools *pools = context->driver.events;
  node->destroy = destroy;
  node->epoch = atomic_fetch_add_explicit(&pools->epoch, 1, memory_order_acq_rel);
  if (node->epoch < oldest_pending(context)) {
    destroy(node);
    return;
  }
  /* The last queue may go meanwhile, with nobody left who would collect. */
  context_retain(context);
  add(pools, node);
  deferred_free_due(context);
  context_release(context);
}
