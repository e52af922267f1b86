#include "registry.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static registry_entry *buckets[BUCKETS];
static size_t count;

/* Addresses differ in their middle bits, objects in their low ones; the product mixes both. */
static registry_entry **bucket_of(registry_kind kind, uint64_t number) {
  return &buckets[((number + kind) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % BUCKETS];
}

/* Where the entry hangs; a place with NULL when there is none. The lock is held. */
static registry_entry **find(registry_kind kind, uint64_t number) {
  registry_entry **place = bucket_of(kind, number);
  while (*place && ((*place)->kind != kind || (*place)->number != number))
    place = &(*place)->next;
  return place;
}

/* Several contexts of PI may stand for the same one of CUDA, the primary one. */
static bool belongs(const registry_entry *entry, pi_context context) {
  return entry && (!context || entry->context->context == context->context);
}

bool registry_add(registry_entry *entry) {
  pthread_mutex_lock(&lock);
  registry_entry **place = find(entry->kind, entry->number);
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
  const registry_entry *entry = *find(kind, number);
  const bool found = belongs(entry, context);
  if (found)
    memcpy(ret, entry, size);
  pthread_mutex_unlock(&lock);
  return found;
}

registry_entry *registry_take(registry_kind kind, uint64_t number, pi_context context) {
  pthread_mutex_lock(&lock);
  registry_entry **place = find(kind, number);
  registry_entry *entry = belongs(*place, context) ? *place : NULL;
  if (entry) {
    *place = entry->next;
    count--;
  }
  pthread_mutex_unlock(&lock);
  return entry;
}

pi_result registry_end(registry_entry *entry, pi_result result) {
  if (result != PI_SUCCESS) {
    registry_add(entry);
    return result;
  }
  context_release(entry->context);
  free(entry);
  return PI_SUCCESS;
}

registry_entry *registry_take_part(registry_kind kind, uint64_t owner) {
  registry_entry *entry = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < BUCKETS && !entry; i++)
    for (registry_entry **place = &buckets[i]; *place && !entry; place = &(*place)->next)
      if ((*place)->kind == kind && (*place)->owner == owner) {
        entry = *place;
        *place = entry->next;
        count--;
        break;
      }
  pthread_mutex_unlock(&lock);
  return entry;
}

size_t registry_count(void) {
  pthread_mutex_lock(&lock);
  const size_t now = count;
  pthread_mutex_unlock(&lock);
  return now;
}
