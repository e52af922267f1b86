#include "registry.h"

#include "../base/error.h"
#include "context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static registry_link *buckets[BUCKETS];
static size_t count;

/*
 * Addresses differ in their middle bits, other handles in their low bits; the product mixes both.
 */
static registry_link **bucket_of(uint64_t number) {
  return &buckets[(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) % BUCKETS];
}

/* The entry of a link, or NULL for the link of a native handle. */
static registry_entry *entry_of(registry_link *link) {
  return link && !link->object ? OWNER_OF(link, registry_entry, link) : NULL;
}

/* The link to an entry in its list, or to the list's end (NULL). The caller holds the lock. */
static registry_link **find_place(registry_kind kind, uint64_t number) {
  registry_link **place = bucket_of(number);
  while (*place &&
         ((*place)->object || (*place)->number != number || entry_of(*place)->kind != kind))
    place = &(*place)->next;
  return place;
}

/* Returns whether an entry is of context. Several contexts of PI may share the driver's context. */
static bool belongs(const registry_entry *entry, pi_context context) {
  return entry && (!context || entry->context->native == context->native);
}

/* Takes out the link of an entry. The caller holds the lock. */
static void take_link(registry_link **place) {
  *place = (*place)->next;
  count--;
}

bool registry_add(registry_entry *entry) {
  pthread_mutex_lock(&lock);
  registry_link **place = find_place(entry->kind, entry->link.number);
  const bool is_new = *place == NULL;
  if (is_new) {
    entry->link.next = NULL;
    *place = &entry->link;
    count++;
  }
  pthread_mutex_unlock(&lock);
  return is_new;
}

bool registry_read(registry_kind kind, uint64_t number, pi_context context, void *ret,
                   size_t size) {
  pthread_mutex_lock(&lock);
  const registry_entry *entry = entry_of(*find_place(kind, number));
  const bool found = belongs(entry, context);
  if (found)
    memcpy(ret, entry, size);
  pthread_mutex_unlock(&lock);
  return found;
}

registry_entry *registry_take(registry_kind kind, uint64_t number, pi_context context) {
  pthread_mutex_lock(&lock);
  registry_link **place = find_place(kind, number);
  registry_entry *entry = entry_of(*place);
  if (!belongs(entry, context))
    entry = NULL;
  if (entry)
    take_link(place);
  pthread_mutex_unlock(&lock);
  return entry;
}

registry_entry *registry_take_part(registry_kind kind, uint64_t owner) {
  registry_entry *found = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < BUCKETS && !found; i++)
    for (registry_link **place = &buckets[i]; *place && !found; place = &(*place)->next) {
      registry_entry *entry = entry_of(*place);
      if (!entry || entry->kind != kind || entry->owner != owner)
        continue;
      take_link(place);
      found = entry;
      break;
    }
  pthread_mutex_unlock(&lock);
  return found;
}

pi_result registry_new(registry_kind kind, uint64_t number, pi_context context, size_t size,
                       registry_entry **ret) {
  registry_entry *entry = calloc(1, size);
  REQUIRE(entry, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to record the driver's handle");
  entry->kind = kind;
  entry->link.number = number;
  entry->context = context;
  context_retain(context);
  *ret = entry;
  return PI_SUCCESS;
}

void registry_free(registry_entry *entry) {
  const pi_context context = entry->context;
  free(entry);
  context_release(context);
}

pi_result registry_end(registry_entry *entry, pi_result result) {
  if (result == PI_SUCCESS)
    registry_free(entry);
  else
    registry_add(entry);
  return result;
}

size_t registry_count(void) {
  pthread_mutex_lock(&lock);
  const size_t now = count;
  pthread_mutex_unlock(&lock);
  return now;
}

/* Takes out the link of a native handle. The caller holds the lock. */
static void unlink_note(const registry_link *link) {
  registry_link **place = bucket_of(link->number);
  while (*place != link)
    place = &(*place)->next;
  *place = link->next;
}

void registry_note(registry_link *link, pi_native_handle native, object_head *object) {
  pthread_mutex_lock(&lock);
  if (link->number)
    unlink_note(link);
  registry_link **bucket = bucket_of(native);
  *link = (registry_link){*bucket, native, object};
  *bucket = link;
  pthread_mutex_unlock(&lock);
}

void registry_forget(registry_link *link) {
  if (link->number == 0)
    return;
  pthread_mutex_lock(&lock);
  unlink_note(link);
  link->number = 0;
  pthread_mutex_unlock(&lock);
}

/* Adds a reference unless the object has none any more; returns whether it did. */
static bool try_retain(object_head *handle) {
  unsigned references = atomic_load_explicit(&handle->references, memory_order_relaxed);
  while (references != 0)
    if (atomic_compare_exchange_weak(&handle->references, &references, references + 1))
      return true;
  return false;
}

object_head *registry_find(object_kind kind, pi_native_handle native, bool is_owned) {
  object_head *found = NULL;
  pthread_mutex_lock(&lock);
  for (registry_link *link = *bucket_of(native); link && !found; link = link->next)
    if (link->number == native && object_is(link->object, kind) &&
        (is_owned || try_retain(link->object)))
      found = link->object;
  pthread_mutex_unlock(&lock);
  return found;
}
