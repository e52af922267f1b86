#include "native.h"

#include "kernel.h"
#include "memory.h"
#include "queue.h"

#include "../common/side_table.h"

#include <pthread.h>

static pi_side_table owners;
static pthread_mutex_t owners_lock = PTHREAD_MUTEX_INITIALIZER;
/* Notes in the table: destroying objects that were never given away takes no lock. */
static atomic_size_t owners_count;

pi_result native_remember(const void *native, pi_handle *owner) {
  pthread_mutex_lock(&owners_lock);
  const pi_handle *before = pi_side_table_find(&owners, native);
  if (before && before != owner)
    pi_side_table_remove(&owners, native);
  const bool is_noted = before == owner || pi_side_table_put(&owners, native, owner);
  if (is_noted && !before)
    atomic_fetch_add(&owners_count, 1);
  pthread_mutex_unlock(&owners_lock);
  PI_REQUIRE(is_noted, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to note a native handle");
  return PI_SUCCESS;
}

void native_forget(const void *native, const pi_handle *owner) {
  if (!native || atomic_load(&owners_count) == 0)
    return;
  pthread_mutex_lock(&owners_lock);
  if (pi_side_table_find(&owners, native) == owner) {
    pi_side_table_remove(&owners, native);
    atomic_fetch_sub(&owners_count, 1);
  }
  pthread_mutex_unlock(&owners_lock);
}

pi_handle *native_find(const void *native, pi_handle_kind kind, bool is_owned) {
  pthread_mutex_lock(&owners_lock);
  pi_handle *owner = pi_side_table_find(&owners, native);
  if (owner && !pi_handle_is(owner, kind))
    owner = NULL;
  if (owner && !is_owned)
    pi_handle_retain(owner);
  pthread_mutex_unlock(&owners_lock);
  return owner;
}

void native_release_origin(pi_handle *origin) {
  if (!origin)
    return;
  if (pi_handle_is(origin, PI_HANDLE_QUEUE))
    piQueueRelease((pi_queue)(void *)origin);
  else if (pi_handle_is(origin, PI_HANDLE_EVENT))
    event_release((pi_event)(void *)origin);
  else if (pi_handle_is(origin, PI_HANDLE_PROGRAM))
    program_release((pi_program)(void *)origin);
  else if (pi_handle_is(origin, PI_HANDLE_KERNEL))
    kernel_release((pi_kernel)(void *)origin);
  else
    memory_release((pi_mem)(void *)origin);
}
