#include "event_pool.h"

#include "queue.h"

#include <stdlib.h>

pi_result event_pools_create(pi_context context) {
  struct event_pools *pools = calloc(1, sizeof *pools);
  REQUIRE_MEMORY(pools, "the events of a context");
  pthread_mutex_init(&pools->lock, NULL);
  pthread_mutex_init(&pools->queues_lock, NULL);
  pthread_mutex_init(&pools->upload_lock, NULL);
  context->driver.events = pools;
  return PI_SUCCESS;
}

static void free_waits(pi_event event) {
  if (event->driver.waits != event->driver.few_waits)
    free(event->driver.waits);
  if (event->driver.wait_handles != event->driver.few_handles)
    free(event->driver.wait_handles);
}

/* Destroys a pool and its first count events, which are the ones that were made. */
static void destroy_pool(event_pool *pool, int count) {
  for (int i = 0; i < count; i++) {
    free_waits(&pool->events[i]);
    ze.EventDestroy(pool->events[i].driver.event);
  }
  ze.EventPoolDestroy(pool->pool);
  free(pool);
}

void event_pools_destroy(pi_context context) {
  struct event_pools *pools = context->driver.events;
  if (!pools)
    return;
  for (event_pool *pool = pools->all, *next; pool; pool = next) {
    next = pool->next;
    destroy_pool(pool, POOL_EVENTS);
  }
  if (pools->upload)
    ze.CommandListDestroy(pools->upload);
  pthread_mutex_destroy(&pools->lock);
  pthread_mutex_destroy(&pools->queues_lock);
  pthread_mutex_destroy(&pools->upload_lock);
  free(pools);
  context->driver.events = NULL;
}

/* Creates the driver's pool. The host and all devices of the context see its events. */
static pi_result make_driver_pool(pi_context context, event_pool *made) {
  ze_device_handle_t *devices = malloc(context->root_count * sizeof(ze_device_handle_t));
  REQUIRE_MEMORY(devices, "a list of %u devices", context->root_count);
  for (pi_uint32 i = 0; i < context->root_count; i++)
    devices[i] = context->roots[i]->driver.device;
  ze_event_pool_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = POOL_EVENTS,
  };
  if (made->kind == POOL_TIMESTAMPS)
    description.flags |= ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
  const ze_result_t code = ze.EventPoolCreate(context->driver.context, &description,
                                              context->root_count, devices, &made->pool);
  free(devices);
  return ze_result(code, "zeEventPoolCreate");
}

static pi_result make_event(event_pool *pool, uint32_t index) {
  const ze_event_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
      .index = index,
      /* The host and the devices that see the event also see what the command wrote. */
      .signal = ZE_EVENT_SCOPE_FLAG_HOST,
      .wait = ZE_EVENT_SCOPE_FLAG_DEVICE,
  };
  const pi_event event = &pool->events[index];
  ZE_TRY(EventCreate, pool->pool, &description, &event->driver.event);
  event->driver.pool = pool;
  event->driver.waits = event->driver.few_waits;
  event->driver.wait_handles = event->driver.few_handles;
  event->driver.wait_room = EVENT_WAITS;
  return PI_SUCCESS;
}

static pi_result make_pool(pi_context context, int kind, event_pool **ret) {
  event_pool *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "%d events", POOL_EVENTS);
  made->pools = context->driver.events;
  made->kind = kind;
  const pi_result result = make_driver_pool(context, made);
  if (result != PI_SUCCESS) {
    free(made);
    return result;
  }
  for (uint32_t i = 0; i < POOL_EVENTS; i++) {
    const pi_result one = make_event(made, i);
    if (one != PI_SUCCESS) {
      destroy_pool(made, (int)i);
      return one;
    }
  }
  *ret = made;
  return PI_SUCCESS;
}

/* Adds a pool. Two threads may do so at the same time: a second new pool does no harm. */
static pi_result grow_pools(pi_context context, int kind) {
  struct event_pools *pools = context->driver.events;
  event_pool *made;
  TRY(make_pool(context, kind, &made));
  pthread_mutex_lock(&pools->lock);
  made->next = pools->all;
  pools->all = made;
  for (int i = POOL_EVENTS; i-- > 0;) {
    made->events[i].next = pools->free[kind];
    pools->free[kind] = &made->events[i];
  }
  pthread_mutex_unlock(&pools->lock);
  return PI_SUCCESS;
}

static pi_event pop_event(struct event_pools *pools, int kind) {
  pthread_mutex_lock(&pools->lock);
  const pi_event event = pools->free[kind];
  if (event)
    pools->free[kind] = event->next;
  pthread_mutex_unlock(&pools->lock);
  return event;
}

/* Puts the event first, so that the next event taken is one still in the CPU's caches. */
static void push_event(pi_event event) {
  struct event_pools *pools = event->driver.pool->pools;
  const int kind = event->driver.pool->kind;
  pthread_mutex_lock(&pools->lock);
  event->next = pools->free[kind];
  pools->free[kind] = event;
  pthread_mutex_unlock(&pools->lock);
}

/* Resets a taken event. The handle stays invalid until a PI reference is made. */
static void prepare_event(pi_event event, pi_context context, pi_queue queue,
                          pi_command_type type) {
  atomic_store_explicit(&event->handle.kind, OBJECT_RELEASED, memory_order_relaxed);
  atomic_store_explicit(&event->handle.references, 0, memory_order_relaxed);
  atomic_store_explicit(&event->driver.uses, 1, memory_order_relaxed);
  atomic_store_explicit(&event->driver.in_doubt, false, memory_order_relaxed);
  atomic_store_explicit(&event->driver.failure, 0, memory_order_relaxed);
  atomic_store_explicit(&event->submitted, 0, memory_order_relaxed);
  atomic_store_explicit(&event->is_set, false, memory_order_relaxed);
  atomic_store_explicit(&event->status, PI_EVENT_SUBMITTED, memory_order_release);
  if (queue)
    queue_add_use(queue);
  else
    context_retain(context);
  event->context = context;
  event->queue = queue;
  event->type = type;
  event->is_user = false;
  event->queued = 0;
  event->driver.start = NULL;
  event->driver.lane = NULL;
  event->driver.is_external = false;
  event->driver.wait_count = 0;
  event->driver.named_count = 0;
  event->next = NULL;
  event->driver.next_in_batch = NULL;
}

pi_result event_take(pi_context context, pi_queue queue, bool has_timestamps, pi_command_type type,
                     pi_event *event) {
  const int kind = has_timestamps ? POOL_TIMESTAMPS : POOL_PLAIN;
  pi_event taken;
  while (!(taken = pop_event(context->driver.events, kind)))
    TRY(grow_pools(context, kind));
  if (taken->driver.was_used) {
    const pi_result result = ZE_CALL(EventHostReset, taken->driver.event);
    if (result != PI_SUCCESS) {
      push_event(taken);
      return result;
    }
  }
  taken->driver.was_used = true;
  prepare_event(taken, context, queue, type);
  taken->has_times = has_timestamps;
  *event = taken;
  return PI_SUCCESS;
}

pi_result event_reserve_waits(pi_event event, pi_uint32 count) {
  if (count <= event->driver.wait_room)
    return PI_SUCCESS;
  /* Doubles the capacity, so that commands with growing wait lists seldom allocate. */
  size_t room = event->driver.wait_room;
  while (room < count)
    room *= 2;
  pi_event *waits = malloc(room * sizeof(pi_event));
  ze_event_handle_t *handles = malloc(room * sizeof(ze_event_handle_t));
  if (!waits || !handles) {
    free(waits);
    free(handles);
    return plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a wait list of %u events",
                        count);
  }
  free_waits(event);
  event->driver.waits = waits;
  event->driver.wait_handles = handles;
  event->driver.wait_room = (pi_uint32)room;
  return PI_SUCCESS;
}

void event_add_wait(pi_event event, pi_event wait) {
  event_add_use(wait);
  event->driver.waits[event->driver.wait_count] = wait;
  event->driver.wait_handles[event->driver.wait_count] = wait->driver.event;
  event->driver.wait_count++;
}

void event_drop_waits(pi_event event) {
  const pi_uint32 count = event->driver.wait_count;
  event->driver.wait_count = 0;
  event->driver.named_count = 0;
  for (pi_uint32 i = 0; i < count; i++)
    event_drop_use(event->driver.waits[i]);
}

static void put_back(pi_event event) {
  const pi_queue queue = event->queue;
  const pi_context context = event->context;
  const pi_event start = event->driver.start;
  event->driver.start = NULL;
  event_drop_waits(event);
  push_event(event);
  if (start)
    event_drop_use(start);
  if (queue)
    queue_drop_use(queue);
  else
    context_release(context);
}

void event_drop_use(pi_event event) {
  if (atomic_fetch_sub_explicit(&event->driver.uses, 1, memory_order_acq_rel) != 1)
    return;
  if (event->driver.pool)
    put_back(event);
  else
    event_destroy(event);
}
