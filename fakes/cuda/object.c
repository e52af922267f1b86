/* Objects of the CUDA driver for tests: the lock, handles, and how many there are of each kind. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLOTS = 1 << 16 };

/* What a handle points to. The slot that was given up first is used again first. */
struct fake_slot {
  fake_object *object;
  fake_slot *next_free;
};

static fake_slot slots[SLOTS];
static size_t slots_used;
static fake_slot *free_first;
static fake_slot **free_last = &free_first;
static unsigned long serials;
static size_t live[FAKE_KIND_COUNT];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void fake_lock(void) {
  pthread_mutex_lock(&lock);
}

void fake_unlock(void) {
  pthread_mutex_unlock(&lock);
}

void fake_wait_change(void) {
  pthread_cond_wait(&changed, &lock);
}

void fake_wait_on(pthread_cond_t *condition) {
  pthread_cond_wait(condition, &lock);
}

void fake_changed(void) {
  pthread_cond_broadcast(&changed);
}

static void *need(void *memory) {
  if (memory)
    return memory;
  fputs("CUDA driver for tests: no memory\n", stderr);
  abort();
}

void *fake_allocate(size_t size) {
  return need(calloc(1, size ? size : 1));
}

void *fake_grow(void *memory, size_t size) {
  return need(realloc(memory, size ? size : 1));
}

void *fake_copy(const void *bytes, size_t size) {
  void *copy = need(malloc(size ? size : 1));
  if (size != 0)
    memcpy(copy, bytes, size);
  return copy;
}

uint64_t fake_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static fake_slot *take_slot(void) {
  fake_slot *slot = free_first;
  if (slot) {
    free_first = slot->next_free;
    if (!free_first)
      free_last = &free_first;
    return slot;
  }
  if (slots_used == SLOTS) {
    fputs("CUDA driver for tests: too many objects\n", stderr);
    abort();
  }
  return &slots[slots_used++];
}

void *fake_new(fake_kind kind, size_t size, fake_context *context, bool owned) {
  fake_object *object = fake_allocate(size);
  *object = (fake_object){
      .kind = kind, .owned = owned, .serial = ++serials, .context = context, .slot = take_slot()};
  object->slot->object = object;
  if (!owned)
    live[kind]++;
  return object;
}

void fake_own(fake_object *object) {
  if (!object->owned)
    live[object->kind]--;
  object->owned = true;
}

void fake_retire(void *object) {
  fake_object *head = object;
  fake_slot *slot = head->slot;
  if (!slot)
    return;
  slot->object = NULL;
  slot->next_free = NULL;
  *free_last = slot;
  free_last = &slot->next_free;
  head->slot = NULL;
  if (!head->owned)
    live[head->kind]--;
}

void fake_delete(void *object) {
  fake_retire(object);
  free(object);
}

void *fake_find(const void *handle, fake_kind kind) {
  const uintptr_t at = (uintptr_t)handle;
  const uintptr_t first = (uintptr_t)slots;
  if (at < first || at >= first + sizeof slots || (at - first) % sizeof slots[0] != 0)
    return NULL;
  fake_object *object = slots[(at - first) / sizeof slots[0]].object;
  return object && object->kind == kind ? object : NULL;
}

void fake_each(fake_context *context, void (*function)(fake_object *object, void *user),
               void *user) {
  for (size_t i = 0; i < slots_used; i++)
    if (slots[i].object && (!context || slots[i].object->context == context))
      function(slots[i].object, user);
}

size_t fake_cuda_live(fake_kind kind) {
  fake_lock();
  const size_t count = live[kind];
  fake_unlock();
  return count;
}

size_t fake_cuda_live_all(void) {
  return fake_cuda_list(NULL, 0);
}

static const char *const kinds[] = {
#define FAKE_KIND(NAME, text) text,
    FAKE_KINDS(FAKE_KIND)
#undef FAKE_KIND
};

size_t fake_cuda_list(char *text, size_t size) {
  size_t count = 0;
  size_t length = 0;
  if (size != 0)
    text[0] = '\0';
  fake_lock();
  for (size_t i = 0; i < slots_used; i++) {
    const fake_object *object = slots[i].object;
    if (!object || object->owned)
      continue;
    count++;
    if (length < size)
      length += (size_t)snprintf(text + length, size - length, "%s %lu of context %lu\n",
                                 kinds[object->kind], object->serial,
                                 object->context ? object->context->head.serial : 0);
  }
  fake_unlock();
  return count;
}
