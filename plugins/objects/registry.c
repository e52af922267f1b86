#include "registry.h"

#include "../base/error.h"
#include "context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static registry_entry *buckets[BUCKETS];
static size_t count;

/* Addresses differ in their middle bits, objects in their low ones; the product mixes both. */
static registry_entry **bucket_of(int kind, uint64_t number) {
  return &buckets[((number + (unsigned)kind) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % BUCKETS];
}

/* Where the entry hangs; a place with NULL when there is none. The lock is held. */
static registry_entry **find_place(int kind, uint64_t number) {
  registry_entry **place = bucket_of(kind, number);
  while (*place && ((*place)->kind != kind || (*place)->number != number))
    place = &(*place)->next;
  return place;
}

/* Several contexts of PI may stand for the same one of the driver's. */
static bool belongs(const registry_entry *entry, pi_context context) {
  return entry && (!context || entry->context->native == context->native);
}

bool registry_add(registry_entry *entry) {
  pthread_mutex_lock(&lock);
  registry_entry **place = find_place(entry->kind, entry->number);
  const bool is_new = *place == NULL;
  if (is_new) {
    entry->next = NULL;
    *place = entry;
    count++;
  }
  pthread_mutex_unlock(&lock);
  return is_new;
}

bool registry_read(registry_kind kind, uint64_t number, pi_context context, void *ret,
                   size_t size) {
  pthread_mutex_lock(&lock);
  const registry_entry *entry = *find_place((int)kind, number);
  const bool found = belongs(entry, context);
  if (found)
    memcpy(ret, entry, size);
  pthread_mutex_unlock(&lock);
  return found;
}

registry_entry *registry_take(registry_kind kind, uint64_t number, pi_context context) {
  pthread_mutex_lock(&lock);
  registry_entry **place = find_place((int)kind, number);
  registry_entry *entry = belongs(*place, context) ? *place : NULL;
  if (entry) {
    *place = entry->next;
    count--;
  }
  pthread_mutex_unlock(&lock);
  return entry;
}

registry_entry *registry_take_part(registry_kind kind, uint64_t owner) {
  registry_entry *entry = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < BUCKETS && !entry; i++)
    for (registry_entry **place = &buckets[i]; *place && !entry; place = &(*place)->next)
      if ((*place)->kind == (int)kind && (*place)->owner == owner) {
        entry = *place;
        *place = entry->next;
        count--;
        break;
      }
  pthread_mutex_unlock(&lock);
  return entry;
}

pi_result registry_new(registry_kind kind, uint64_t number, pi_context context, size_t size,
                       registry_entry **ret) {
  registry_entry *entry = calloc(1, size);
  PI_REQUIRE(entry, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to note what the driver made");
  entry->kind = (int)kind;
  entry->number = number;
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

/* The place where the entry itself hangs; it is listed, and the lock is held. */
static registry_entry **place_of(const registry_entry *entry) {
  registry_entry **place = bucket_of(entry->kind, entry->number);
  while (*place != entry)
    place = &(*place)->next;
  return place;
}

void registry_note(registry_entry *entry, pi_native_handle native, pi_handle *object) {
  pthread_mutex_lock(&lock);
  if (entry->number)
    *place_of(entry) = entry->next;
  entry->kind = (int)atomic_load(&object->kind);
  entry->number = native;
  entry->object = object;
  registry_entry **bucket = bucket_of(entry->kind, native);
  entry->next = *bucket;
  *bucket = entry;
  pthread_mutex_unlock(&lock);
}

void registry_forget(registry_entry *entry) {
  if (entry->number == 0)
    return;
  pthread_mutex_lock(&lock);
  *place_of(entry) = entry->next;
  entry->number = 0;
  pthread_mutex_unlock(&lock);
}

/* A reference more, unless the last one is being given up by another thread. */
static bool try_retain(pi_handle *handle) {
  unsigned references = atomic_load_explicit(&handle->references, memory_order_relaxed);
  while (references != 0)
    if (atomic_compare_exchange_weak(&handle->references, &references, references + 1))
      return true;
  return false;
}

pi_handle *registry_find(pi_handle_kind kind, pi_native_handle native, bool is_owned) {
  pi_handle *found = NULL;
  pthread_mutex_lock(&lock);
  for (registry_entry *entry = *find_place((int)kind, native); entry && !found; entry = entry->next)
    if (entry->number == native && entry->kind == (int)kind && pi_handle_is(entry->object, kind) &&
        (is_owned || try_retain(entry->object)))
      found = entry->object;
  pthread_mutex_unlock(&lock);
  return found;
}
