/* Objects of the fake OpenCL, the lock, and failures on demand. */
#include "fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All objects are in one array, so that any pointer, even a stale one, can be checked. */
enum { SLOTS = 1 << 15 };

typedef union fake_slot {
  fake_object object;
  struct _cl_platform_id platform;
  struct _cl_device_id device;
  struct _cl_context context;
  struct _cl_command_queue queue;
  struct _cl_mem mem;
  struct _cl_sampler sampler;
  struct _cl_program program;
  struct _cl_kernel kernel;
  struct _cl_event event;
  fake_usm usm;
} fake_slot;

static fake_slot slots[SLOTS];
static size_t slots_used;
static fake_slot *free_first;
static fake_slot *free_last;
static bool reuse_newest;
static unsigned long serials;
static size_t live[FAKE_TYPE_COUNT];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t init_once = PTHREAD_ONCE_INIT;

static fake_callback *due_first;
static fake_callback **due_last = &due_first;

static const char *const call_names[FAKE_CALL_COUNT] = {
#define FAKE_CALL(name) "cl" #name,
    FAKE_CORE(FAKE_CALL)
#undef FAKE_CALL
#define FAKE_CALL(name, type, symbol) symbol,
        OPENCL_EXTENSIONS(FAKE_CALL)
#undef FAKE_CALL
};

/* A table of all core functions, so that the library does not link if one is missing. */
typedef void fake_function(void);
extern fake_function *const fake_core_functions[];
fake_function *const fake_core_functions[] = {
#define FAKE_CALL(name) (fake_function *)cl##name,
    FAKE_CORE(FAKE_CALL)
#undef FAKE_CALL
};

static unsigned long calls[FAKE_CALL_COUNT];

static struct {
  const char *call; /* NULL for any */
  unsigned long left;
  cl_int code;
  const char *failed;
} injection;

static void fake_lock(void) {
  pthread_once(&init_once, fake_platforms_init);
  pthread_mutex_lock(&lock);
}

static bool counts(fake_call call) {
  const char *name = call_names[call];
  if (injection.call)
    return strcmp(name, injection.call) == 0;
  return strncmp(name, "clRelease", strlen("clRelease")) != 0 && call != FAKE_CALL_EXT_MemFree &&
         call != FAKE_CALL_EXT_MemBlockingFree &&
         call != FAKE_CALL_GetExtensionFunctionAddressForPlatform;
}

cl_int fake_enter(fake_call call) {
  fake_lock();
  calls[call]++;
  if (injection.left == 0 || !counts(call) || --injection.left != 0)
    return CL_SUCCESS;
  injection.failed = call_names[call];
  return injection.code;
}

void fake_enter_uncounted(void) {
  fake_lock();
}

void fake_leave(const char *guard) {
  (void)guard;
  fake_callback *due = due_first;
  due_first = NULL;
  due_last = &due_first;
  pthread_mutex_unlock(&lock);
  if (!due)
    return;
  for (fake_callback *callback = due; callback; callback = callback->next)
    if (callback->event)
      callback->function(callback->event, callback->result, callback->user_data);
    else
      callback->destructor(callback->context, callback->user_data);
  pthread_mutex_lock(&lock);
  while (due) {
    fake_callback *callback = due;
    due = callback->next;
    if (callback->event)
      fake_unpin(callback->event);
    free(callback);
  }
  pthread_mutex_unlock(&lock);
}

void fake_wait(void) {
  pthread_cond_wait(&changed, &lock);
}

void fake_due(fake_callback *callback) {
  callback->next = NULL;
  *due_last = callback;
  due_last = &callback->next;
}

void fake_complete(cl_event event, cl_int status) {
  event->status = status;
  fake_callback **place = &event->callbacks;
  while (*place) {
    fake_callback *callback = *place;
    if (status > callback->status) {
      place = &callback->next;
      continue;
    }
    *place = callback->next;
    callback->result = status < 0 ? status : callback->status;
    fake_due(callback);
  }
  pthread_cond_broadcast(&changed);
}

void *fake_new(fake_type type) {
  fake_slot *slot = free_first;
  if (slot) {
    free_first = slot->object.next_free;
    if (!free_first)
      free_last = NULL;
  } else if (slots_used < SLOTS) {
    slot = &slots[slots_used++];
  } else {
    return NULL;
  }
  memset(slot, 0, sizeof *slot);
  slot->object = (fake_object){.used = true, .type = type, .references = 1, .serial = ++serials};
  live[type]++;
  return slot;
}

bool fake_is(const void *handle, fake_type type) {
  const uintptr_t at = (uintptr_t)handle;
  const uintptr_t first = (uintptr_t)slots;
  if (at < first || at >= first + sizeof slots || (at - first) % sizeof slots[0] != 0)
    return false;
  const fake_object *object = handle;
  /* A program's handle stays valid while it has kernels. */
  return object->used && object->type == type &&
         (object->references != 0 || (type == FAKE_PROGRAM && object->pins != 0));
}

static void end_object(fake_slot *slot) {
  switch (slot->object.type) {
  case FAKE_DEVICE:
    fake_end_device(&slot->device);
    break;
  case FAKE_CONTEXT:
    fake_end_context(&slot->context);
    break;
  case FAKE_QUEUE:
    fake_end_queue(&slot->queue);
    break;
  case FAKE_MEM:
    fake_end_mem(&slot->mem);
    break;
  case FAKE_SAMPLER:
    fake_end_sampler(&slot->sampler);
    break;
  case FAKE_PROGRAM:
    fake_end_program(&slot->program);
    break;
  case FAKE_KERNEL:
    fake_end_kernel(&slot->kernel);
    break;
  case FAKE_EVENT:
    fake_end_event(&slot->event);
    break;
  case FAKE_USM:
    fake_end_usm(&slot->usm);
    break;
  case FAKE_PLATFORM:
  case FAKE_TYPE_COUNT:
    break;
  }
  live[slot->object.type]--;
  slot->object.used = false;
  slot->object.next_free = NULL;
  if (!free_first) {
    free_first = free_last = slot;
  } else if (reuse_newest) {
    slot->object.next_free = free_first;
    free_first = slot;
  } else {
    free_last->object.next_free = slot;
    free_last = slot;
  }
}

void fake_pin(void *object) {
  ((fake_object *)object)->pins++;
}

void fake_unpin(void *object) {
  fake_object *head = object;
  if (--head->pins == 0 && head->references == 0)
    end_object(object);
}

void fake_release(void *object) {
  fake_object *head = object;
  if (--head->references == 0 && head->pins == 0)
    end_object(object);
}

cl_int fake_answer(const void *bytes, size_t length, size_t size, void *value, size_t *size_ret) {
  FAKE_REQUIRE(!value || size >= length, CL_INVALID_VALUE);
  if (value && length != 0)
    memcpy(value, bytes, length);
  if (size_ret)
    *size_ret = length;
  return CL_SUCCESS;
}

void fake_opencl_fail(const char *call, unsigned long nth, cl_int code) {
  fake_lock();
  FAKE_LOCKED;
  injection.call = call;
  injection.left = nth;
  injection.code = code;
  injection.failed = NULL;
}

const char *fake_opencl_unfail(void) {
  fake_lock();
  FAKE_LOCKED;
  injection.left = 0;
  return injection.failed;
}

unsigned long fake_opencl_calls(const char *call) {
  fake_lock();
  FAKE_LOCKED;
  unsigned long sum = 0;
  for (size_t i = 0; i < FAKE_CALL_COUNT; i++)
    if (!call || strcmp(call, call_names[i]) == 0)
      sum += calls[i];
  return sum;
}

size_t fake_opencl_live(fake_type type) {
  fake_lock();
  FAKE_LOCKED;
  return live[type];
}

static bool is_permanent(const fake_slot *slot) {
  return slot->object.type == FAKE_PLATFORM ||
         (slot->object.type == FAKE_DEVICE && !slot->device.parent);
}

size_t fake_opencl_live_all(void) {
  return fake_opencl_list(NULL, 0);
}

size_t fake_opencl_list(char *text, size_t size) {
  static const char *const names[] = {
#define FAKE_TYPE(name, text) text,
      FAKE_TYPES(FAKE_TYPE)
#undef FAKE_TYPE
  };
  fake_lock();
  FAKE_LOCKED;
  size_t count = 0;
  size_t length = 0;
  if (size != 0)
    text[0] = '\0';
  for (size_t i = 0; i < slots_used; i++) {
    const fake_object *object = &slots[i].object;
    if (!object->used || is_permanent(&slots[i]))
      continue;
    count++;
    if (length < size)
      length +=
          (size_t)snprintf(text + length, size - length, "%s %lu: %u references, held by %u\n",
                           names[object->type], object->serial, object->references, object->pins);
  }
  return count;
}

void fake_opencl_reuse_addresses(bool newest) {
  fake_lock();
  FAKE_LOCKED;
  reuse_newest = newest;
}
