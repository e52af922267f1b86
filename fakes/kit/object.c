/* Objects: the lock, handles, and counts of each kind. */
#define _GNU_SOURCE /* pthread_cond_clockwait */
#include "kit.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLOTS = 1 << 18, KINDS = 64 };

/* The target of a handle. The slot that was freed first is reused first. */
struct fake_slot {
  fake_object *object;
  fake_slot *next_free;
  atomic_uint alone; /* number of threads between fake_alone_begin and _end */
};

static fake_slot slots[SLOTS];
static size_t slots_used;
static fake_slot *free_first;
static fake_slot **free_last = &free_first;
static size_t free_count;
static unsigned long serials;
static size_t live[KINDS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned waiting;

void fake_lock(void) {
  pthread_mutex_lock(&lock);
}

void fake_unlock(void) {
  pthread_mutex_unlock(&lock);
}

bool fake_wait_change(uint64_t until) {
  int result;
  waiting++;
  if (until == UINT64_MAX) {
    result = pthread_cond_wait(&changed, &lock);
  } else {
    const struct timespec time = {.tv_sec = (time_t)(until / 1000000000U),
                                  .tv_nsec = (long)(until % 1000000000U)};
    result = pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &time);
  }
  waiting--;
  return result == 0;
}

void fake_wait_on(pthread_cond_t *condition) {
  pthread_cond_wait(condition, &lock);
}

void fake_changed(void) {
  if (waiting != 0)
    pthread_cond_broadcast(&changed);
}

static void end_process(const char *reason) {
  fprintf(stderr, "%s: %s\n", fake_driver_name, reason);
  abort();
}

static void *need(void *memory) {
  if (!memory)
    end_process("no memory");
  return memory;
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

void fake_start_thread(void *(*run)(void *), void *argument) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (pthread_create(&thread, &attributes, run, argument) != 0) {
    fprintf(stderr, "%s: no thread for what is submitted\n", fake_driver_name);
    abort();
  }
  pthread_attr_destroy(&attributes);
}

uint64_t fake_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static fake_slot *take_slot(void) {
  fake_slot *slot = free_first;
  if (slot && (free_count > fake_slots_kept || slots_used == SLOTS)) {
    free_count--;
    free_first = slot->next_free;
    if (!free_first)
      free_last = &free_first;
    return slot;
  }
  if (slots_used == SLOTS)
    end_process("too many objects");
  return &slots[slots_used++];
}

/* Returns a context's head, its first member. */
static fake_object *head_of(fake_context *context) {
  return (fake_object *)(void *)context;
}

static void count_object(const fake_object *object, int change) {
  live[object->kind] += (size_t)change;
  if (object->context)
    head_of(object->context)->members += (unsigned)change;
}

void *fake_new(unsigned kind, size_t size, fake_context *context, bool owned) {
  fake_object *object = fake_allocate(size);
  *object = (fake_object){
      .kind = kind, .owned = owned, .serial = ++serials, .context = context, .slot = take_slot()};
  object->slot->object = object;
  if (!owned)
    count_object(object, 1);
  return object;
}

void fake_own(fake_object *object) {
  if (!object->owned)
    count_object(object, -1);
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
  free_count++;
  head->slot = NULL;
  if (!head->owned)
    count_object(head, -1);
}

void fake_delete(void *object) {
  fake_retire(object);
  free(object);
}

static fake_slot *slot_of(const void *handle) {
  const uintptr_t at = (uintptr_t)handle;
  const uintptr_t first = (uintptr_t)slots;
  if (at < first || at >= first + sizeof slots || (at - first) % sizeof slots[0] != 0)
    return NULL;
  return &slots[(at - first) / sizeof slots[0]];
}

void *fake_find(const void *handle, unsigned kind) {
  const fake_slot *slot = slot_of(handle);
  return slot && slot->object && slot->object->kind == kind ? slot->object : NULL;
}

fake_weak fake_weak_to(const fake_object *object) {
  return (fake_weak){.slot = object->slot, .serial = object->serial};
}

fake_object *fake_weak_object(const fake_weak *link) {
  fake_object *object = link->slot->object;
  return object && object->serial == link->serial ? object : NULL;
}

/* The caller does not hold the lock, so threads that wait for the lock count, too. */
fake_slot *fake_alone_begin(const void *handle) {
  fake_slot *slot = slot_of(handle);
  if (slot)
    atomic_fetch_add_explicit(&slot->alone, 1, memory_order_relaxed);
  return slot;
}

/* May miss a thread that has left in the meantime; real drivers do not notice that either. */
bool fake_is_alone(const fake_slot *slot) {
  return !slot || atomic_load_explicit(&slot->alone, memory_order_relaxed) == 1;
}

void fake_alone_end(fake_slot **slot) {
  if (*slot)
    atomic_fetch_sub_explicit(&(*slot)->alone, 1, memory_order_relaxed);
}

void fake_each(fake_context *context, void (*function)(fake_object *object, void *user),
               void *user) {
  for (size_t i = 0; i < slots_used; i++)
    if (slots[i].object && (!context || slots[i].object->context == context))
      function(slots[i].object, user);
}

size_t fake_live(unsigned kind) {
  fake_lock();
  const size_t count = live[kind];
  fake_unlock();
  return count;
}

size_t fake_list_live(char *text, size_t size) {
  size_t count = 0;
  size_t length = 0;
  if (size != 0)
    text[0] = '\0';
  fake_lock();
  for (size_t i = 0; i < slots_used; i++) {
    const fake_object *object = slots[i].object;
    if (!object || object->owned || fake_is_permanent(object->kind))
      continue;
    count++;
    if (length < size)
      length += (size_t)snprintf(text + length, size - length, "%s %lu of context %lu\n",
                                 fake_kind_names[object->kind], object->serial,
                                 object->context ? head_of(object->context)->serial : 0);
  }
  fake_unlock();
  return count;
}
