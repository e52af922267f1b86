#include "given.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct note {
  struct note *next;
  const void *native;
  pi_handle *owner;
} note;

static note *notes; /* the latest first */
static pthread_mutex_t notes_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool has_notes; /* false: objects are destroyed without a look */

pi_result given_remember(const void *native, pi_handle *owner) {
  pthread_mutex_lock(&notes_lock);
  note *it = notes;
  while (it && it->native != native)
    it = it->next;
  if (it) {
    it->owner = owner;
  } else {
    it = malloc(sizeof *it);
    if (it) {
      *it = (note){notes, native, owner};
      notes = it;
      atomic_store(&has_notes, true);
    }
  }
  pthread_mutex_unlock(&notes_lock);
  PI_REQUIRE(it, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to note a native handle");
  return PI_SUCCESS;
}

/* Drops the notes with this owner or this handle; the other one is NULL. */
static void drop(const pi_handle *owner, const void *native) {
  if (!atomic_load(&has_notes))
    return;
  pthread_mutex_lock(&notes_lock);
  for (note **link = &notes; *link;) {
    note *it = *link;
    if (it->owner != owner && it->native != native) {
      link = &it->next;
      continue;
    }
    *link = it->next;
    free(it);
  }
  atomic_store(&has_notes, notes != NULL);
  pthread_mutex_unlock(&notes_lock);
}

void given_forget(const pi_handle *owner) {
  drop(owner, NULL);
}

void given_forget_native(const void *native) {
  if (native)
    drop(NULL, native);
}

/* A reference more, unless the last one is being given up by another thread. */
static bool try_retain(pi_handle *handle) {
  unsigned references = atomic_load_explicit(&handle->references, memory_order_relaxed);
  while (references != 0)
    if (atomic_compare_exchange_weak(&handle->references, &references, references + 1))
      return true;
  return false;
}

pi_handle *given_find(const void *native, pi_handle_kind kind) {
  pi_handle *found = NULL;
  pthread_mutex_lock(&notes_lock);
  for (const note *it = notes; it && !found; it = it->next)
    if (it->native == native && pi_handle_is(it->owner, kind) && try_retain(it->owner))
      found = it->owner;
  pthread_mutex_unlock(&notes_lock);
  return found;
}
