/* Entries for events and their pools. An event may also be that of a SYCL runtime's command. */
#include "../plugins/objects/context.h"
#include "../plugins/objects/native.h"
#include "signal.h"

#include <stdlib.h>

/* An event of a pool. */
typedef struct pooled {
  ze_signal signal;
  bool is_used;  /* the application has created it, and not destroyed it */
  bool is_given; /* the application has passed its reference to a SYCL runtime */
} pooled;

/*
 * A pool, with the events in it. The application has a reference, and so does each event, so that a
 * handle of a destroyed event is recognized as long as others are there.
 */
struct ze_signal_pool {
  object_head handle;
  pi_context context; /* a reference */
  ze_event_pool_flags_t flags;
  pthread_mutex_t lock; /* guards is_used and is_given */
  uint32_t count;
  pooled events[];
};

/* ---- Pools ---- */

static ze_result_t check_pool(ze_context_handle_t context, const ze_event_pool_desc_t *desc,
                              uint32_t count, ze_device_handle_t *devices) {
  ZE_REQUIRE_HANDLE(context, CONTEXT);
  ZE_REQUIRE_POINTER(desc);
  ZE_REQUIRE(desc->flags <= (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP << 1) - 1, INVALID_ENUMERATION,
             "desc->flags is 0x%x, which has unknown bits", desc->flags);
  ZE_REQUIRE(desc->count, INVALID_SIZE, "desc->count is 0");
  ZE_REQUIRE(count == 0 || devices, INVALID_SIZE, "phDevices is NULL and numDevices is %u", count);
  for (uint32_t i = 0; i < count; i++) {
    ZE_REQUIRE_HANDLE(devices[i], DEVICE);
    ZE_REQUIRE(context_has(context_of(context), device_of(devices[i])), INVALID_ARGUMENT,
               "phDevices[%u] is not a device of hContext", i);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolCreate(ze_context_handle_t hContext, const ze_event_pool_desc_t *desc,
                              uint32_t numDevices, ze_device_handle_t *phDevices,
                              ze_event_pool_handle_t *phEventPool) {
  ZE_PASS(check_pool(hContext, desc, numDevices, phDevices));
  ZE_REQUIRE_POINTER(phEventPool);
  ze_signal_pool *pool = calloc(1, sizeof *pool + desc->count * sizeof pool->events[0]);
  ZE_REQUIRE(pool, OUT_OF_HOST_MEMORY, "no memory for a pool of %u events", desc->count);
  object_init(&pool->handle, OBJECT_SIGNAL_POOL);
  pthread_mutex_init(&pool->lock, NULL);
  pool->context = context_of(hContext);
  context_retain(pool->context);
  pool->flags = desc->flags;
  pool->count = desc->count;
  *phEventPool = pool_handle(pool);
  return ZE_RESULT_SUCCESS;
}

void signal_pool_retain(ze_signal_pool *pool) {
  object_retain(&pool->handle);
}

void signal_pool_release(ze_signal_pool *pool) {
  if (!object_release(&pool->handle))
    return;
  context_release(pool->context);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

/* Gives up a reference to an event; returns whether it was the last one, which ends the event. */
static bool end_event(ze_signal_pool *pool, pooled *event) {
  if (!object_release(&event->signal.handle))
    return false;
  registry_forget(&event->signal.noted);
  signal_close(&event->signal);
  pthread_mutex_lock(&pool->lock);
  event->is_used = event->is_given = false;
  pthread_mutex_unlock(&pool->lock);
  return true;
}

static void release_event(ze_signal_pool *pool, pooled *event) {
  if (end_event(pool, event))
    signal_pool_release(pool);
}

/* Gives up the references that a SYCL runtime was given, which has events of its own for them. */
ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t hEventPool) {
  ZE_REQUIRE_HANDLE(hEventPool, SIGNAL_POOL);
  ze_signal_pool *const pool = pool_of(hEventPool);
  for (uint32_t i = 0; i < pool->count; i++) {
    pthread_mutex_lock(&pool->lock);
    const bool is_given = pool->events[i].is_given;
    pool->events[i].is_given = false;
    pthread_mutex_unlock(&pool->lock);
    if (is_given && end_event(pool, &pool->events[i]))
      (void)object_release(&pool->handle); /* the event's, which is not the last one */
  }
  signal_pool_release(pool);
  return ZE_RESULT_SUCCESS;
}

/* ---- Events ---- */

static ze_result_t check_scope(const char *name, ze_event_scope_flags_t scope) {
  ZE_REQUIRE(scope <= (ZE_EVENT_SCOPE_FLAG_HOST << 1) - 1, INVALID_ENUMERATION,
             "desc->%s is 0x%x, which has unknown bits", name, scope);
  return ZE_RESULT_SUCCESS;
}

/* Takes a place in a pool; returns false if an event uses it. */
static bool take_place(ze_signal_pool *pool, pooled *event) {
  pthread_mutex_lock(&pool->lock);
  const bool is_free = !event->is_used;
  event->is_used = true;
  pthread_mutex_unlock(&pool->lock);
  return is_free;
}

ze_result_t zeEventCreate(ze_event_pool_handle_t hEventPool, const ze_event_desc_t *desc,
                          ze_event_handle_t *phEvent) {
  ZE_REQUIRE_HANDLE(hEventPool, SIGNAL_POOL);
  ZE_REQUIRE_POINTER(desc);
  ZE_REQUIRE_POINTER(phEvent);
  ZE_PASS(check_scope("signal", desc->signal));
  ZE_PASS(check_scope("wait", desc->wait));
  ze_signal_pool *const pool = pool_of(hEventPool);
  ZE_REQUIRE(desc->index < pool->count, INVALID_ARGUMENT,
             "desc->index is %u, and the pool has %u events", desc->index, pool->count);
  pooled *const event = &pool->events[desc->index];
  ZE_REQUIRE(take_place(pool, event), INVALID_ARGUMENT,
             "desc->index is %u, where the pool has an event already", desc->index);
  signal_pool_retain(pool);
  signal_open(&event->signal, OBJECT_SIGNAL, pool->context,
              pool->flags & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  event->signal.pool = pool;
  registry_note(&event->signal.noted, (pi_native_handle)&event->signal, &event->signal.handle);
  *phEvent = signal_handle(&event->signal);
  return ZE_RESULT_SUCCESS;
}

static pooled *pooled_of(ze_signal *signal) {
  return OWNER_OF(signal, pooled, signal);
}

ze_result_t zeEventDestroy(ze_event_handle_t hEvent) {
  ZE_REQUIRE_EVENT(hEvent);
  if (ZE_IS(hEvent, SIGNAL))
    release_event(signal_of(hEvent)->pool, pooled_of(signal_of(hEvent)));
  else
    event_release(event_of(hEvent));
  return ZE_RESULT_SUCCESS;
}

/* ---- The host ---- */

/* Returns from the calling function with an error if an event is that of a runtime's command. */
#define ZE_REQUIRE_SIGNAL(handle)                                                                  \
  do {                                                                                             \
    ZE_REQUIRE_EVENT(handle);                                                                      \
    ZE_REQUIRE(ZE_IS(handle, SIGNAL), INVALID_SYNCHRONIZATION_OBJECT,                              \
               "%s: " #handle " belongs to a command of a SYCL runtime, which alone signals it",   \
               __func__);                                                                          \
  } while (0)

ze_result_t zeEventHostSignal(ze_event_handle_t hEvent) {
  ZE_REQUIRE_SIGNAL(hEvent);
  signal_set(signal_of(hEvent));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostReset(ze_event_handle_t hEvent) {
  ZE_REQUIRE_SIGNAL(hEvent);
  signal_reset(signal_of(hEvent));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryStatus(ze_event_handle_t hEvent) {
  ZE_REQUIRE_EVENT(hEvent);
  return ZE_IS(hEvent, SIGNAL) ? signal_status(signal_of(hEvent))
                               : signal_event_status(event_of(hEvent));
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t hEvent, uint64_t timeout) {
  ZE_REQUIRE_EVENT(hEvent);
  return ZE_IS(hEvent, SIGNAL) ? signal_wait(signal_of(hEvent), timeout)
                               : signal_event_wait(event_of(hEvent), timeout);
}

/* ---- Times ---- */

static ze_result_t read_times(pi_event event, ze_kernel_timestamp_result_t *ret) {
  const ze_result_t status = signal_event_status(event);
  if (status != ZE_RESULT_SUCCESS)
    return status;
  ZE_REQUIRE(
      event->has_times && event->queue, INVALID_SYNCHRONIZATION_OBJECT,
      "the event's command has no times: its pool has no ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP "
      "or its queue no profiling");
  pi_uint64 start, end;
  ZE_TRY(driver_event_times(event, &start, &end));
  ret->global = ret->context = (ze_kernel_timestamp_data_t){start, end};
  return ZE_RESULT_SUCCESS;
}

/* Reports the times of the latest command with the event; the device's clock has nanoseconds. */
ze_result_t zeEventQueryKernelTimestamp(ze_event_handle_t hEvent,
                                        ze_kernel_timestamp_result_t *dstptr) {
  ZE_REQUIRE_EVENT(hEvent);
  ZE_REQUIRE_POINTER(dstptr);
  if (ZE_IS(hEvent, EVENT))
    return read_times(event_of(hEvent), dstptr);
  const ze_result_t status = signal_status(signal_of(hEvent));
  if (status != ZE_RESULT_SUCCESS)
    return status;
  const pi_event event = signal_command(signal_of(hEvent));
  ZE_REQUIRE(event, INVALID_SYNCHRONIZATION_OBJECT,
             "hEvent was signaled by the host, which takes no time");
  const ze_result_t result = read_times(event, dstptr);
  event_release(event);
  return result;
}

/* Reports one pair of times: a device has no parts that execute a command separately. */
ze_result_t zeEventQueryTimestampsExp(ze_event_handle_t hEvent, ze_device_handle_t hDevice,
                                      uint32_t *pCount, ze_kernel_timestamp_result_t *pTimestamps) {
  ZE_REQUIRE_EVENT(hEvent);
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pCount);
  return ze_list(pCount, 1, pTimestamps) ? zeEventQueryKernelTimestamp(hEvent, pTimestamps)
                                         : ZE_RESULT_SUCCESS;
}

/* ---- Adoption by a SYCL runtime ---- */

/*
 * Returns the event of PI for the signal's state now: a runtime's event is complete once, so a
 * later reset does not concern it.
 */
static pi_result adopt_signal(ze_signal *signal, pi_event *ret) {
  pi_event event;
  TRY(signal_await(signal, &event));
  if (!event)
    TRY(event_create_complete(signal->context, &event));
  *ret = event;
  return PI_SUCCESS;
}

/*
 * An event with ownership stays until its pool is destroyed, because the application may signal it
 * before that.
 */
pi_result native_find_event(pi_native_handle native, bool is_owned, pi_event *ret) {
  object_head *const found = registry_find(OBJECT_SIGNAL, native, false);
  *ret = NULL;
  if (!found)
    return PI_SUCCESS;
  pooled *const event = OWNER_OF(found, pooled, signal.handle);
  ze_signal_pool *const pool = event->signal.pool;
  const pi_result result = adopt_signal(&event->signal, ret);
  pthread_mutex_lock(&pool->lock);
  event->is_given |= is_owned && result == PI_SUCCESS;
  pthread_mutex_unlock(&pool->lock);
  release_event(pool, event);
  return result;
}
