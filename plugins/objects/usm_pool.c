#include "usm_pool.h"

#include "../base/error.h"
#include "../checks/usm_arguments.h"
#include "event.h"
#include "usm_command.h"

#include <stdlib.h>

/* An allocation of a pool, an entry of the registry. Its number is its address. */
typedef struct pooled {
  registry_entry entry;
  usm_pool *pool; /* a reference */
  size_t size;
  bool is_apart; /* allocated outside the driver's pool */
} pooled;

/* ---- Pools ---- */

static pi_result make_pool(pi_context context, pi_device device, usm_pool **ret) {
  usm_pool *pool = calloc(1, sizeof *pool);
  REQUIRE_MEMORY(pool, "a pool of %zu bytes", sizeof *pool);
  object_init(&pool->handle, OBJECT_USM_POOL);
  pool->context = context;
  pool->device = device;
  const pi_result result = driver_usm_pool_open(pool);
  if (result == PI_SUCCESS)
    *ret = pool;
  else
    free(pool);
  return result;
}

static void free_pool(usm_pool *pool) {
  if (pool->native)
    driver_usm_pool_close(pool);
  free(pool);
}

pi_result usm_pool_create(pi_context context, pi_device device, bool is_zeroed, size_t most,
                          usm_pool **ret) {
  usm_pool *pool;
  TRY(make_pool(context, device, &pool));
  context_retain(context);
  pool->is_zeroed = is_zeroed;
  pool->most = most;
  *ret = pool;
  return PI_SUCCESS;
}

/* The pools of a device in a context. Made at the first request, so the list is short. */
typedef struct device_pool {
  struct device_pool *next;
  pi_context context;
  pi_device device;
  usm_pool *own; /* a reference */
  usm_pool *set; /* or NULL; no reference, because it would keep the context; see unset_pool */
} device_pool;

static device_pool *device_pools;
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;

static void unset_pool(const usm_pool *pool) {
  pthread_mutex_lock(&pools_lock);
  for (device_pool *device_pool = device_pools; device_pool; device_pool = device_pool->next)
    if (device_pool->set == pool)
      device_pool->set = NULL;
  pthread_mutex_unlock(&pools_lock);
}

void usm_pool_release(usm_pool *pool) {
  if (!object_release(&pool->handle))
    return;
  unset_pool(pool);
  const pi_context context = pool->is_own ? NULL : pool->context;
  free_pool(pool);
  if (context)
    context_release(context);
}

/* ---- Counts ---- */

static void raise_highest(usm_count *count, size_t sum) {
  size_t highest = atomic_load(&count->highest);
  while (highest < sum && !atomic_compare_exchange_weak(&count->highest, &highest, sum))
    ;
}

void usm_count_restart(usm_count *count) {
  atomic_store(&count->highest, atomic_load(&count->now));
}

/* Adds size to the bytes in use, unless the sum exceeds the pool's limit. */
static pi_result count_used(usm_pool *pool, size_t size) {
  size_t used = atomic_load(&pool->used.now), sum;
  do {
    const bool fits =
        !__builtin_add_overflow(used, size, &sum) && (!pool->most || sum <= pool->most);
    REQUIRE(fits, PI_ERROR_OUT_OF_RESOURCES,
            "the pool has %zu bytes in use and may have %zu, %zu more are asked for", used,
            pool->most, size);
  } while (!atomic_compare_exchange_weak(&pool->used.now, &used, sum));
  raise_highest(&pool->used, sum);
  return PI_SUCCESS;
}

pi_result usm_pool_reserved(usm_pool *pool, bool is_highest, size_t *ret) {
  size_t size = 0;
  if (pool->native)
    TRY(driver_usm_pool_reserved(pool, is_highest, &size));
  *ret = size + atomic_load(is_highest ? &pool->apart.highest : &pool->apart.now);
  return PI_SUCCESS;
}

pi_result usm_pool_restart_highest(usm_pool *pool) {
  if (pool->native)
    TRY(driver_usm_pool_restart_highest(pool));
  usm_count_restart(&pool->apart);
  return PI_SUCCESS;
}

pi_result usm_pool_keep(usm_pool *pool, size_t size) {
  if (pool->native)
    TRY(driver_usm_pool_keep(pool, size));
  atomic_store(&pool->kept, size);
  return PI_SUCCESS;
}

pi_result usm_pool_trim(usm_pool *pool, size_t size) {
  return pool->native ? driver_usm_pool_trim(pool, size) : PI_SUCCESS;
}

/* ---- Allocations in pools ---- */

static pi_result check_pool(const usm_pool *pool, pi_context context, pi_device device) {
  REQUIRE(pool->context == context, PI_ERROR_INVALID_CONTEXT, "the pool is of another context");
  REQUIRE(!pool->device || !device || pool->device == device, PI_ERROR_INVALID_VALUE,
          "the pool is of another device");
  return PI_SUCCESS;
}

static bool is_apart(const usm_pool *pool, pi_usm_type type) {
  return !pool->native || type != PI_MEM_TYPE_DEVICE;
}

/* Counts an allocation before it is made. *ret has references to the pool and the context. */
static pi_result begin_pooled(usm_pool *pool, pi_usm_type type, size_t size, pooled **ret) {
  registry_entry *entry;
  TRY(count_used(pool, size));
  const pi_result result = registry_new(REGISTRY_POOLED, 0, pool->context, sizeof(pooled), &entry);
  if (result != PI_SUCCESS) {
    atomic_fetch_sub(&pool->used.now, size);
    return result;
  }
  pooled *made = (pooled *)(void *)entry;
  made->pool = pool;
  made->size = size;
  made->is_apart = is_apart(pool, type);
  if (made->is_apart)
    raise_highest(&pool->apart, atomic_fetch_add(&pool->apart.now, size) + size);
  usm_pool_retain(pool);
  *ret = made;
  return PI_SUCCESS;
}

/*
 * Frees the entry of an allocation that is not listed. Gives up the context last, because the end
 * of the context frees its own pools.
 */
static void drop_pooled(pooled *taken) {
  usm_pool *const pool = taken->pool;
  atomic_fetch_sub(&pool->used.now, taken->size);
  if (taken->is_apart)
    atomic_fetch_sub(&pool->apart.now, taken->size);
  usm_pool_release(pool);
  registry_free(&taken->entry);
}

static pooled *take_pooled(pi_context context, const void *pointer) {
  return (pooled *)(void *)registry_take(REGISTRY_POOLED, (uintptr_t)pointer, context);
}

/*
 * Lists the driver's allocation. An old entry with the same address is dropped: its memory must
 * have been freed past the plugin, by functions of the driver.
 */
static pi_result end_pooled(pooled *made, void *memory, pi_result result, void **ret) {
  if (result != PI_SUCCESS) {
    drop_pooled(made);
    return result;
  }
  made->entry.link.number = (uintptr_t)memory;
  while (!registry_add(&made->entry)) {
    pooled *stale = take_pooled(NULL, memory);
    if (stale)
      drop_pooled(stale);
  }
  *ret = memory;
  return PI_SUCCESS;
}

/*
 * Frees an entry that was taken out, or lists it again if result is a failure to free its memory.
 */
static pi_result end_free(pooled *taken, pi_result result) {
  if (result == PI_SUCCESS)
    drop_pooled(taken);
  else
    registry_add(&taken->entry);
  return result;
}

usm_pool *usm_pool_find(pi_context context, uintptr_t base) {
  pooled found;
  return base && registry_read(REGISTRY_POOLED, base, context, &found, sizeof found) ? found.pool
                                                                                     : NULL;
}

/* ---- Allocations ---- */

/* Allocates, and lets the device write the zeros, because the host cannot access device memory. */
static pi_result allocate_zeros(const pooled *made, pi_device device, pi_usm_type type,
                                const pi_usm_mem_properties *properties, pi_uint32 alignment,
                                void **ret) {
  const pi_context context = made->pool->context;
  const pi_native_handle native = made->is_apart ? 0 : made->pool->native;
  void *memory = NULL;
  TRY(usm_allocate_in(native, context, device, type, properties, made->size, alignment, &memory));
  const pi_result result =
      made->pool->is_zeroed ? usm_zero_now(context, device, memory, made->size) : PI_SUCCESS;
  if (result == PI_SUCCESS)
    *ret = memory;
  else
    (void)usm_free(context, memory);
  return result;
}

pi_result usm_pool_allocate(usm_pool *pool, pi_context context, pi_device device, pi_usm_type type,
                            const pi_usm_mem_properties *properties, size_t size,
                            pi_uint32 alignment, void **ret) {
  pooled *made;
  void *memory = NULL;
  TRY(check_pool(pool, context, device));
  TRY(begin_pooled(pool, type, size, &made));
  const pi_result result = allocate_zeros(made, device, type, properties, alignment, &memory);
  return end_pooled(made, memory, result, ret);
}

/* Takes the entry out first, because the driver may reuse the address once it is free. */
pi_result usm_pool_free(pi_context context, void *pointer) {
  pooled *taken = take_pooled(context, pointer);
  const pi_result result = usm_free(context, pointer);
  return taken ? end_free(taken, result) : result;
}

/* ---- Allocations that are commands ---- */

/* Allocates memory now instead of when the command would run, and enqueues a marker. */
static pi_result allocate_early(usm_pool *pool, sink *sink, pi_usm_type type, size_t size,
                                void **ret) {
  const pi_device device = type == PI_MEM_TYPE_HOST ? NULL : sink->device;
  void *memory = NULL;
  TRY(usm_pool_allocate(pool, sink->context, device, type, NULL, size, 0, &memory));
  const pi_result result = marker_enqueue(sink, sink->wait_count == 0);
  if (result == PI_SUCCESS)
    *ret = memory;
  else
    (void)usm_pool_free(sink->context, memory);
  return result;
}

static pi_result enqueue_allocation(sink *sink, const pooled *made, void **ret) {
  void *memory = NULL;
  TRY(check_usm_alloc(made->size, 0));
  TRY(sink_begin(sink, SINK_COMPUTE));
  const pi_result result = sink_end(
      sink, usm_allocation_result(sink->context, made->size,
                                  driver_usm_pool_allocate(sink, made->pool, made->size, &memory)));
  if (result == PI_SUCCESS)
    *ret = memory;
  else if (memory)
    (void)driver_usm_pool_free(sink, memory);
  return result;
}

pi_result usm_pool_enqueue_allocation(usm_pool *pool, sink *sink, pi_usm_type type, size_t size,
                                      void **ret) {
  if (is_apart(pool, type))
    return allocate_early(pool, sink, type, size, ret);
  pooled *made;
  void *memory = NULL;
  TRY(check_pool(pool, sink->context, sink->device));
  TRY(begin_pooled(pool, type, size, &made));
  const pi_result result = enqueue_allocation(sink, made, &memory);
  return end_pooled(made, memory, result, ret);
}

/*
 * Waits and frees memory outside the driver's pool. Returns the event only if the free succeeded.
 */
static pi_result free_late(sink *sink, void *pointer) {
  pi_event event = NULL;
  pi_event *const wanted = sink->event;
  if (wanted)
    sink->event = &event;
  pi_result result = marker_enqueue(sink, sink->wait_count == 0);
  if (result == PI_SUCCESS)
    result = usm_free(sink->context, pointer);
  if (result == PI_SUCCESS && wanted)
    *wanted = event;
  else if (event)
    event_release(event);
  return result;
}

/* Drops the entry after the driver's free, even if sink_end then fails to return an event. */
static pi_result enqueue_free(sink *sink, pooled *taken, void *pointer) {
  pi_result result = sink_begin(sink, SINK_COMPUTE);
  if (result != PI_SUCCESS)
    return end_free(taken, result);
  result = driver_marker(sink, sink->wait_count == 0);
  if (result == PI_SUCCESS)
    result = driver_usm_pool_free(sink, pointer);
  return sink_end(sink, end_free(taken, result));
}

pi_result usm_pool_enqueue_free(sink *sink, void *pointer) {
  pooled *taken = take_pooled(sink->context, pointer);
  if (taken && !taken->is_apart)
    return enqueue_free(sink, taken, pointer);
  const pi_result result = free_late(sink, pointer);
  return taken ? end_free(taken, result) : result;
}

/* ---- The pools of devices ---- */

/* Frees the pools of a context at its end. */
static void end_device_pools(void *context) {
  pthread_mutex_lock(&pools_lock);
  device_pool *ended = NULL;
  for (device_pool **link = &device_pools; *link;) {
    device_pool *pool = *link;
    if (pool->context != context) {
      link = &pool->next;
      continue;
    }
    *link = pool->next;
    pool->next = ended;
    ended = pool;
  }
  pthread_mutex_unlock(&pools_lock);
  for (device_pool *next; ended; ended = next) {
    next = ended->next;
    usm_pool_release(ended->own);
    free(ended);
  }
}

/* Makes the pools of a device. The caller holds the lock. */
static pi_result add_device_pool(pi_context context, pi_device device, device_pool **ret) {
  device_pool *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "the pool of a device");
  pi_result result = make_pool(context, device, &made->own);
  if (result == PI_SUCCESS)
    result = context_add_deleter(context, end_device_pools, context);
  if (result != PI_SUCCESS) {
    if (made->own)
      free_pool(made->own);
    free(made);
    return result;
  }
  made->own->is_own = true;
  made->context = context;
  made->device = device;
  made->next = device_pools;
  device_pools = made;
  *ret = made;
  return PI_SUCCESS;
}

/* Finds or adds the pools of a device. The caller holds the lock. */
static pi_result find_device_pool(pi_context context, pi_device device, device_pool **ret) {
  for (device_pool *pool = device_pools; pool; pool = pool->next)
    if (pool->context == context && pool->device == device) {
      *ret = pool;
      return PI_SUCCESS;
    }
  return add_device_pool(context, device, ret);
}

/* Adds a reference unless the pool has none any more; returns whether it did. */
static bool take_reference(usm_pool *pool) {
  unsigned references = atomic_load(&pool->handle.references);
  while (references &&
         !atomic_compare_exchange_weak(&pool->handle.references, &references, references + 1))
    ;
  return references != 0;
}

pi_result usm_pool_of_device(pi_context context, pi_device device, bool own, usm_pool **ret) {
  device_pool *found = NULL;
  pthread_mutex_lock(&pools_lock);
  const pi_result result = find_device_pool(context, device, &found);
  if (result == PI_SUCCESS) {
    const bool is_set = !own && found->set && take_reference(found->set);
    if (!is_set)
      usm_pool_retain(found->own);
    *ret = is_set ? found->set : found->own;
  }
  pthread_mutex_unlock(&pools_lock);
  return result;
}

pi_result usm_pool_set_device(pi_context context, pi_device device, usm_pool *pool) {
  TRY(check_pool(pool, context, device));
  device_pool *found = NULL;
  pthread_mutex_lock(&pools_lock);
  const pi_result result = find_device_pool(context, device, &found);
  if (result == PI_SUCCESS)
    found->set = pool == found->own ? NULL : pool;
  pthread_mutex_unlock(&pools_lock);
  return result;
}
