/*
 * Turns. The lock is held only to read and change their states. Callers own all memory, so nothing
 * is allocated.
 */
#include <specpi/process.h>

#include "error.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void unlock_turns(void *unused) {
  (void)unused;
  pthread_mutex_unlock(&lock);
}

typedef enum state { FREE, BUSY, NEVER } state;

/* The state of a wish. NEVER: the thread itself holds a turn that conflicts with the command. */
static state find_state(const specpi_wish *wish, bool is_command) {
  state found = wish->turn->is_taken ? BUSY : FREE;
  for (const specpi_wish *h = wish->turn->holders; h; h = h->next) {
    if (!h->writes && !wish->writes)
      continue;
    if (h->thread != wish->thread)
      found = BUSY;
    else if (is_command)
      return NEVER;
  }
  return found;
}

static state find_common_state(size_t count, const specpi_wish *wishes, bool is_command) {
  state found = FREE;
  for (size_t i = 0; i < count && found != NEVER; i++) {
    const state one = find_state(&wishes[i], is_command);
    if (one > found)
      found = one;
  }
  return found;
}

specpi_result specpiTurnsTake(size_t count, specpi_wish *wishes, bool is_command) {
  for (size_t i = 0; i < count; i++) {
    wishes[i].is_held = false;
    wishes[i].thread = (uintptr_t)pthread_self();
  }
  state found;
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock_turns, NULL); /* a thread may be cancelled while it waits */
  while ((found = find_common_state(count, wishes, is_command)) == BUSY)
    pthread_cond_wait(&changed, &lock);
  for (size_t i = 0; i < count && found == FREE; i++)
    wishes[i].turn->is_taken = true;
  pthread_cleanup_pop(1);
  if (found == NEVER)
    return error_set(SPECPI_ERROR_INVALID_STATE,
                     "a command needs what its own thread holds, so it would wait for ever");
  return SPECPI_SUCCESS;
}

void specpiTurnsHold(size_t count, specpi_wish *wishes) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count; i++) {
    specpi_turn *turn = wishes[i].turn;
    wishes[i].is_held = true;
    wishes[i].next = turn->holders;
    turn->holders = &wishes[i];
    turn->is_taken = false;
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void drop_holder(specpi_wish *wish) {
  specpi_wish **at = &wish->turn->holders;
  while (*at != wish)
    at = &(*at)->next;
  *at = wish->next;
}

void specpiTurnsEnd(size_t count, specpi_wish *wishes) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count; i++) {
    if (wishes[i].is_held)
      drop_holder(&wishes[i]);
    else
      wishes[i].turn->is_taken = false;
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}
