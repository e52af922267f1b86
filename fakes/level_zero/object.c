/*
 * Objects of the Level Zero driver for tests: the lock, handles, and how many there are of each
 * kind.
 */
#define _GNU_SOURCE /* pthread_cond_clockwait */
#include "fake.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLOTS = 1 << 18, KEPT = 1 << 12 };

/*
 * What a handle points to. KEPT slots that were given up wait, so that their handles stay wrong for
 * some time; then the one that was given up first is used again first.
 */
struct fake_slot {
  fake_object *object;
  fake_slot *next_free;
  atomic_uint alone; /* threads in functions that demand to be alone with it */
};

static fake_slot slots[SLOTS];
static size_t slots_used;
static fake_slot *free_first;
static fake_slot **free_last = &free_first;
static size_t free_count;
static unsigned long serials;
static size_t live[FAKE_KIND_COUNT];

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

static void *need(void *memory) {
  if (memory)
    return memory;
  fputs("Level Zero driver for tests: no memory\n", stderr);
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
  if (slot && (free_count > KEPT || slots_used == SLOTS)) {
    free_count--;
    free_first = slot->next_free;
    if (!free_first)
      free_last = &free_first;
    return slot;
  }
  if (slots_used == SLOTS) {
    fputs("Level Zero driver for tests: too many objects\n", stderr);
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
  if (!owned && context)
    context->members++;
  return object;
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
    live[head->kind]--;
  if (!head->owned && head->context)
    head->context->members--;
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

void *fake_find(const void *handle, fake_kind kind) {
  const fake_slot *slot = slot_of(handle);
  return slot && slot->object && slot->object->kind == kind ? slot->object : NULL;
}

fake_link fake_link_to(const fake_object *object) {
  return (fake_link){.slot = object->slot, .serial = object->serial};
}

fake_object *fake_linked(const fake_link *link) {
  fake_object *object = link->slot->object;
  return object && object->serial == link->serial ? object : NULL;
}

ze_result_t fake_check_unused(const fake_object *object, const char *function) {
  FAKE_REQUIRE(object->pending == 0, HANDLE_OBJECT_IN_USE,
               "%s: %u commands that have not ended use it", function, object->pending);
  return ZE_RESULT_SUCCESS;
}

/* Without the lock, so that a thread that waits for it counts, too. */
fake_slot *fake_alone_begin(const void *handle) {
  fake_slot *slot = slot_of(handle);
  if (slot)
    atomic_fetch_add_explicit(&slot->alone, 1, memory_order_relaxed);
  return slot;
}

ze_result_t fake_alone_check(const fake_slot *slot, const char *function) {
  /* Who was here first may have left since: then nobody sees anything, as with a real driver. */
  FAKE_REQUIRE(!slot || atomic_load_explicit(&slot->alone, memory_order_relaxed) == 1,
               INVALID_ARGUMENT, "%s: two threads use the same object at the same time", function);
  return ZE_RESULT_SUCCESS;
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

size_t fake_ze_live(fake_kind kind) {
  fake_lock();
  const size_t count = live[kind];
  fake_unlock();
  return count;
}

size_t fake_ze_live_all(void) {
  return fake_ze_list(NULL, 0);
}

static const char *const kinds[] = {
#define FAKE_KIND(NAME, text) text,
    FAKE_KINDS(FAKE_KIND)
#undef FAKE_KIND
};

size_t fake_ze_list(char *text, size_t size) {
  size_t count = 0;
  size_t length = 0;
  if (size != 0)
    text[0] = '\0';
  fake_lock();
  for (size_t i = 0; i < slots_used; i++) {
    const fake_object *object = slots[i].object;
    if (!object || object->owned || object->kind == FAKE_DRIVER || object->kind == FAKE_DEVICE)
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
