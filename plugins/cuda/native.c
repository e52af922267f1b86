#include "native.h"

#include "kernel.h"

#include "../base/side_table.h"

#include <pthread.h>
#include <stdlib.h>

/* One of the objects that a native handle was given out for; the latest is the first. */
typedef struct note {
  struct note *next;
  pi_handle *owner;
} note;

static pi_side_table notes; /* the first of each handle */
static pthread_mutex_t notes_lock = PTHREAD_MUTEX_INITIALIZER;
/* Notes of all handles: destroying objects that were never given away takes no lock. */
static atomic_size_t notes_count;

/* Notes are used again and never given back; only when these have run out memory is allocated. */
static note spare[256];
static size_t spare_used;
static note *unused;

static note *new_note(void) {
  note *it = unused;
  if (it)
    unused = it->next;
  else if (spare_used < sizeof spare / sizeof spare[0])
    it = &spare[spare_used++];
  else
    it = malloc(sizeof *it);
  return it;
}

static void drop(note *it) {
  it->next = unused;
  unused = it;
}

/* Takes the note of owner out of a list; NULL when it has none. */
static note *take(note **list, const pi_handle *owner) {
  for (; *list; list = &(*list)->next)
    if ((*list)->owner == owner) {
      note *found = *list;
      *list = found->next;
      return found;
    }
  return NULL;
}

/* Has first be the first note of native; a place in the table is there if native had one. */
static bool put(const void *native, note *first) {
  pi_side_table_remove(&notes, native);
  return !first || pi_side_table_put(&notes, native, first);
}

/* With the lock. */
static bool add(const void *native, pi_handle *owner) {
  note *first = pi_side_table_find(&notes, native);
  note *it = take(&first, owner);
  if (it) {
    it->next = first;
    return put(native, it);
  }
  it = new_note();
  if (!it)
    return false;
  *it = (note){first, owner};
  if (!put(native, it)) {
    drop(it);
    return false;
  }
  atomic_fetch_add(&notes_count, 1);
  return true;
}

pi_result native_remember(const void *native, pi_handle *owner) {
  pthread_mutex_lock(&notes_lock);
  const bool is_noted = add(native, owner);
  pthread_mutex_unlock(&notes_lock);
  PI_REQUIRE(is_noted, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to note a native handle");
  return PI_SUCCESS;
}

void native_forget(const void *native, const pi_handle *owner) {
  if (!native || atomic_load(&notes_count) == 0)
    return;
  pthread_mutex_lock(&notes_lock);
  note *first = pi_side_table_find(&notes, native);
  note *it = take(&first, owner);
  if (it) {
    (void)put(native, first);
    atomic_fetch_sub(&notes_count, 1);
    drop(it);
  }
  pthread_mutex_unlock(&notes_lock);
}

pi_handle *native_find(const void *native, pi_handle_kind kind, bool is_owned) {
  pthread_mutex_lock(&notes_lock);
  const note *it = pi_side_table_find(&notes, native);
  while (it && !pi_handle_is(it->owner, kind))
    it = it->next;
  pi_handle *owner = it ? it->owner : NULL;
  if (owner && !is_owned)
    pi_handle_retain(owner);
  pthread_mutex_unlock(&notes_lock);
  return owner;
}

void native_release_origin(pi_handle *origin) {
  if (!origin)
    return;
  if (pi_handle_is(origin, PI_HANDLE_PROGRAM))
    program_release((pi_program)(void *)origin);
  else
    kernel_release((pi_kernel)(void *)origin);
}
