#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "watcher.h"

#include "../base/error.h"

#include <pthread.h>
#include <time.h>

/* Nanoseconds between two rounds of polling; the wait doubles from shortest to longest. */
enum { SHORTEST_WAIT = 20 * 1000, LONGEST_WAIT = 1000 * 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static watched *added, **added_end = &added; /* for the thread to take over, oldest first */
static bool is_woken;
static bool is_stopped;
static bool is_running; /* the thread polls, and has not decided to end */
static bool has_thread; /* thread exists and has not been joined */
static pthread_t thread;

/*
 * Asks all watched objects of a list, and removes those whose ask returns true. Returns whether
 * there were any; *end receives the list's end.
 */
static bool ask_all(watched **list, watched ***end) {
  bool any = false;
  watched **link = list;
  for (watched *one = *list, *next; one; one = next) {
    next = one->next;
    if (one->ask(one)) {
      any = true;
      *link = next;
    } else {
      link = &one->next;
    }
  }
  *end = link;
  return any;
}

/* Waits that long, or until a call wakes the thread. The caller holds the lock. */
static void pause_for(long nanoseconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += nanoseconds;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  while (!added && !is_woken && !is_stopped && pthread_cond_timedwait(&changed, &lock, &until) == 0)
    ;
  is_woken = false;
}

/* The thread, which ends when nothing is watched; the next watcher_add starts a new one. */
static void *run_watcher(void *unused) {
  (void)unused;
  watched *list = NULL, **end = &list;
  long wait = SHORTEST_WAIT;
  pthread_mutex_lock(&lock);
  while (!is_stopped && (added || list)) {
    *end = added;
    added = NULL;
    added_end = &added;
    pthread_mutex_unlock(&lock);
    const bool any = ask_all(&list, &end);
    pthread_mutex_lock(&lock);
    if (any || added) {
      wait = SHORTEST_WAIT;
      continue;
    }
    pause_for(wait);
    wait = wait < LONGEST_WAIT ? 2 * wait : LONGEST_WAIT;
  }
  is_running = false;
  pthread_mutex_unlock(&lock);
  return NULL;
}

/*
 * Starts the thread unless it runs. The caller holds the lock, and may join the former thread with
 * it, because a thread that has cleared is_running never takes the lock again.
 */
static void start_thread(void) {
  if (is_running || is_stopped)
    return;
  if (has_thread)
    pthread_join(thread, NULL);
  has_thread = pthread_create(&thread, NULL, run_watcher, NULL) == 0;
  is_running = has_thread;
}

pi_result watcher_add(watched *one, bool (*ask)(watched *one)) {
  *one = (watched){NULL, ask};
  pthread_mutex_lock(&lock);
  start_thread();
  const bool is_watched = is_running && !is_stopped;
  if (is_watched) {
    *added_end = one;
    added_end = &one->next;
    pthread_cond_signal(&changed);
  }
  pthread_mutex_unlock(&lock);
  REQUIRE(is_watched, PI_ERROR_OUT_OF_RESOURCES, "no thread for callbacks could be made");
  return PI_SUCCESS;
}

void watcher_wake(void) {
  pthread_mutex_lock(&lock);
  is_woken = is_running;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

/* Ends the thread before the plugin, with the thread's code, is unloaded. */
__attribute__((destructor)) static void stop_watcher(void) {
  pthread_mutex_lock(&lock);
  is_stopped = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  if (has_thread)
    pthread_join(thread, NULL);
}
