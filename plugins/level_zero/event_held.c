/* Finds out whether a command can end by itself, or waits for something outside the device. */
#include "event_pool.h"
#include "queue.h"

/* Guards latest_mark and the held_mark of all events. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pi_uint64 latest_mark;

/* Returns whether an awaited event is marked, or one that the application has to complete. */
static bool holds_back(pi_event wait, pi_uint64 mark) {
  if (wait->origin)
    wait = wait->origin;
  if (event_is_known(wait))
    return false;
  if (wait->is_user)
    return !atomic_load_explicit(&wait->is_set, memory_order_acquire);
  if (!wait->queue)
    return !event_has_ended(wait);
  return wait->driver.held_mark == mark;
}

static bool is_first_held(pi_event event, pi_uint64 mark) {
  if (event->driver.is_external && !event_has_ended(event))
    return true;
  for (pi_uint32 i = 0; i < event->driver.wait_count; i++)
    if (holds_back(event->driver.waits[i], mark))
      return true;
  return false;
}

/*
 * Marks the pending commands that are held back; returns whether it marked any. Commands of a list
 * run in order, so *is_held stays true for all commands after the first one that is held back.
 */
static bool mark_list(pi_event list, pi_uint64 mark, bool *is_held) {
  bool any = false;
  for (; list; list = list->next) {
    *is_held = *is_held || is_first_held(list, mark);
    if (!*is_held || list->driver.held_mark == mark)
      continue;
    list->driver.held_mark = mark;
    any = true;
  }
  return any;
}

/* Marks the commands of a queue. The events that they wait for stay alive, because a command keeps
 * uses of them while it is in one of the lists. */
static bool mark_queue(pi_queue queue, pi_uint64 mark) {
  bool is_held = false;
  pthread_mutex_lock(&queue->driver.sweep_lock);
  pthread_mutex_lock(queue->driver.lock);
  bool any = mark_list(queue->driver.swept, mark, &is_held);
  any |= mark_list(queue->driver.fresh, mark, &is_held);
  pthread_mutex_unlock(queue->driver.lock);
  pthread_mutex_unlock(&queue->driver.sweep_lock);
  return any;
}

/*
 * Marks the commands of all queues that are held back; returns whether there are any. Repeats until
 * no mark is new, because a mark in one queue may hold back a queue seen before.
 */
static bool mark_all(pi_context context, pi_uint64 mark) {
  bool is_held = false;
  for (bool any = true; any; is_held |= any) {
    any = false;
    for (pi_queue queue = queue_next(context, NULL); queue; queue = queue_next(context, queue))
      any |= mark_queue(queue, mark);
  }
  return is_held;
}

bool event_is_held(pi_event event) {
  if (event_has_ended(event))
    return false;
  pthread_mutex_lock(&lock);
  const pi_uint64 mark = ++latest_mark;
  (void)mark_all(event->context, mark);
  const bool is_held = event->driver.held_mark == mark;
  pthread_mutex_unlock(&lock);
  return is_held;
}

bool event_any_is_held(pi_context context) {
  pthread_mutex_lock(&lock);
  const bool is_held = mark_all(context, ++latest_mark);
  pthread_mutex_unlock(&lock);
  return is_held;
}
