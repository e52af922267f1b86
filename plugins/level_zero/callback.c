#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "callback.h"

#include "queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Between two rounds of questions, in nanoseconds: the wait doubles from the first to the last. */
enum { SHORTEST_WAIT = 20 * 1000, LONGEST_WAIT = 1000 * 1000 };

typedef struct callback {
  pi_event event; /* a reference */
  pi_int32 state;
  void (*function)(pi_event event, pi_int32 status, void *user_data);
  void *user_data;
  struct callback *next;
} callback;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static callback *added;   /* not yet seen by the thread, the latest first */
static callback *waiting; /* the thread's own */
static pi_queue abandoned_added;
static pi_queue abandoned; /* the thread's own */
static bool is_woken;
static bool is_stopped;
static bool is_running; /* the thread has not decided to end */
static bool has_thread; /* it is to be joined */
static pthread_t thread;

/* Calls what is due in a list and takes it out; whether there was any. */
static bool call_due(callback **list) {
  bool any = false;
  for (callback **link = list; *link;) {
    callback *one = *link;
    const pi_int32 status = event_status(one->event);
    if (status > one->state) {
      link = &one->next;
      continue;
    }
    any = true;
    *link = one->next;
    one->function(one->event, status < 0 ? status : one->state, one->user_data);
    event_release_reference(one->event);
    free(one);
  }
  return any;
}

/* Lets go of the queues that have nothing pending any more; whether there was any. */
static bool free_due(pi_queue *list) {
  bool any = false;
  for (pi_queue *link = list; *link;) {
    const pi_queue one = *link;
    const pi_queue next = one->driver.next_abandoned;
    if (queue_leave(one)) {
      any = true;
      *link = next;
    } else {
      link = &one->driver.next_abandoned;
    }
  }
  return any;
}

/* With the lock: waits that long, or until there is something new. */
static void pause_for(long nanoseconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += nanoseconds;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  while (!added && !abandoned_added && !is_woken && !is_stopped &&
         pthread_cond_timedwait(&changed, &lock, &until) == 0)
    ;
  is_woken = false;
}

/* Behind the waiting ones in the order in which they came. */
static void append(callback **list, callback *latest_first) {
  callback *in_order = NULL;
  while (latest_first) {
    callback *next = latest_first->next;
    latest_first->next = in_order;
    in_order = latest_first;
    latest_first = next;
  }
  while (*list)
    list = &(*list)->next;
  *list = in_order;
}

static void append_queues(pi_queue *list, pi_queue added_queues) {
  while (*list)
    list = &(*list)->driver.next_abandoned;
  *list = added_queues;
}

/* Ends when nothing is waiting any more; what is added next starts it again. */
static void *run(void *unused) {
  (void)unused;
  long wait = SHORTEST_WAIT;
  pthread_mutex_lock(&lock);
  while (!is_stopped && (added || waiting || abandoned_added || abandoned)) {
    append(&waiting, added);
    added = NULL;
    append_queues(&abandoned, abandoned_added);
    abandoned_added = NULL;
    pthread_mutex_unlock(&lock);
    bool any = call_due(&waiting);
    any |= free_due(&abandoned);
    pthread_mutex_lock(&lock);
    if (any || added || abandoned_added) {
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

/* With the lock. A thread that has decided to end takes no lock any more, so it can be joined. */
static pi_result start_thread(void) {
  if (is_running)
    return PI_SUCCESS;
  if (has_thread)
    pthread_join(thread, NULL);
  has_thread = pthread_create(&thread, NULL, run, NULL) == 0;
  is_running = has_thread;
  PI_REQUIRE(has_thread, PI_ERROR_OUT_OF_RESOURCES, "no thread for callbacks could be made");
  return PI_SUCCESS;
}

pi_result callback_add(pi_event event, pi_int32 state,
                       void (*function)(pi_event event, pi_int32 status, void *user_data),
                       void *user_data) {
  callback *made = malloc(sizeof *made);
  PI_REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a callback of %zu bytes",
             sizeof *made);
  *made = (callback){event, state, function, user_data, NULL};
  pi_handle_retain(&event->handle);
  pthread_mutex_lock(&lock);
  /* First, so that a new thread finds something to do. */
  made->next = added;
  added = made;
  const pi_result result = start_thread();
  if (result == PI_SUCCESS)
    pthread_cond_signal(&changed);
  else
    added = made->next;
  pthread_mutex_unlock(&lock);
  if (result != PI_SUCCESS) {
    event_release_reference(event);
    free(made);
  }
  return result;
}

void callback_abandon(pi_queue queue) {
  pthread_mutex_lock(&lock);
  queue->driver.next_abandoned = abandoned_added;
  abandoned_added = queue;
  const bool has_started = !is_stopped && start_thread() == PI_SUCCESS;
  if (has_started)
    pthread_cond_signal(&changed);
  else
    abandoned_added = queue->driver.next_abandoned;
  pthread_mutex_unlock(&lock);
  if (has_started)
    return;
  (void)queue_finish(queue);
  (void)queue_leave(queue);
}

void callback_wake(void) {
  pthread_mutex_lock(&lock);
  is_woken = is_running;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

/* The thread's code goes with the plugin. What still waits is not called. */
__attribute__((destructor)) static void stop(void) {
  pthread_mutex_lock(&lock);
  is_stopped = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  if (has_thread)
    pthread_join(thread, NULL);
}
