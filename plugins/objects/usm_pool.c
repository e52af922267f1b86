#include "usm_pool.h"

#include "../base/error.h"
#include "usm_command.h"

#include <stdlib.h>

/* An allocation of a pool, listed by its first byte. */
typedef struct pooled {
  registry_entry entry;
  usm_pool *pool; /* a reference */
  size_t size;
} pooled;

/* ---- Pools ---- */

static pi_result make_pool(pi_context context, pi_device device, usm_pool **ret) {
  usm_pool *pool = calloc(1, sizeof *pool);
  REQUIRE_MEMORY(pool, "a pool of %zu bytes", sizeof *pool);
  object_init(&pool->handle, OBJECT_USM_POOL);
  pool->context = context;
  pool->device = device;
  *ret = pool;
  return PI_SUCCESS;
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

/* A device of a context, for those that were asked for: few, and never in a hurry. */
typedef struct device_pool {
  struct device_pool *next;
  pi_context context;
  pi_device device;
  usm_pool *own; /* a reference */
  usm_pool *set; /* no reference, for it keeps the context: it is taken out at its end; or NULL */
} device_pool;

static device_pool *device_pools;
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;

static void unset_pool(const usm_pool *pool) {
  pthread_mutex_lock(&pools_lock);
  for (device_pool *it = device_pools; it; it = it->next)
    if (it->set == pool)
      it->set = NULL;
  pthread_mutex_unlock(&pools_lock);
}

void usm_pool_release(usm_pool *pool) {
  if (!object_release(&pool->handle))
    return;
  unset_pool(pool);
  if (!pool->is_own)
    context_release(pool->context);
  free(pool);
}

/* ---- Allocations ---- */

/* Counts more bytes as used, unless there would be too many. */
static pi_result count_used(usm_pool *pool, size_t size) {
  size_t used = atomic_load(&pool->used), sum;
  do {
    const bool fits =
        !__builtin_add_overflow(used, size, &sum) && (!pool->most || sum <= pool->most);
    REQUIRE(fits, PI_ERROR_OUT_OF_RESOURCES,
            "the pool has %zu bytes in use and may have %zu, %zu more are asked for", used,
            pool->most, size);
  } while (!atomic_compare_exchange_weak(&pool->used, &used, sum));
  size_t high = atomic_load(&pool->used_high);
  while (high < sum && !atomic_compare_exchange_weak(&pool->used_high, &high, sum))
    ;
  return PI_SUCCESS;
}

static pi_result check_pool(const usm_pool *pool, pi_context context, pi_device device) {
  REQUIRE(pool->context == context, PI_ERROR_INVALID_CONTEXT, "the pool is of another context");
  REQUIRE(!pool->device || !device || pool->device == device, PI_ERROR_INVALID_VALUE,
          "the pool is of another device");
  return PI_SUCCESS;
}

/* Zeros come from the device, which alone reaches all kinds. */
static pi_result list_allocation(usm_pool *pool, pi_device device, void *memory, size_t size) {
  registry_entry *entry;
  TRY(registry_new(REGISTRY_POOLED, (uintptr_t)memory, pool->context, sizeof(pooled), &entry));
  pooled *made = (pooled *)(void *)entry;
  made->pool = pool;
  made->size = size;
  pi_result result = PI_SUCCESS;
  if (pool->is_zeroed)
    result = usm_zero_now(pool->context, device, memory, size);
  if (result == PI_SUCCESS && !registry_add(entry))
    result = plugin_error(PI_ERROR_INVALID_VALUE, "the driver has given %p twice", memory);
  if (result == PI_SUCCESS)
    usm_pool_retain(pool);
  else
    registry_free(entry);
  return result;
}

pi_result usm_pool_allocate(usm_pool *pool, pi_context context, pi_device device, pi_usm_type type,
                            const pi_usm_mem_properties *properties, size_t size,
                            pi_uint32 alignment, void **ret) {
  TRY(check_pool(pool, context, device));
  TRY(count_used(pool, size));
  void *memory = NULL;
  pi_result result = usm_allocate(context, device, type, properties, size, alignment, &memory);
  if (result == PI_SUCCESS) {
    result = list_allocation(pool, device, memory, size);
    if (result != PI_SUCCESS)
      (void)usm_free(context, memory);
  }
  if (result == PI_SUCCESS)
    *ret = memory;
  else
    atomic_fetch_sub(&pool->used, size);
  return result;
}

/* Taken out of the list first: when the memory is free the driver may give it out again. */
pi_result usm_pool_free(pi_context context, void *pointer) {
  registry_entry *entry = registry_take(REGISTRY_POOLED, (uintptr_t)pointer, context);
  if (!entry)
    return usm_free(context, pointer);
  const pooled taken = *(pooled *)(void *)entry;
  TRY(registry_end(entry, usm_free(context, pointer)));
  atomic_fetch_sub(&taken.pool->used, taken.size);
  usm_pool_release(taken.pool);
  return PI_SUCCESS;
}

usm_pool *usm_pool_find(pi_context context, uintptr_t base) {
  pooled found;
  return base && registry_read(REGISTRY_POOLED, base, context, &found, sizeof found) ? found.pool
                                                                                     : NULL;
}

/* ---- The pools of devices ---- */

/* The pools of a context go with it. */
static void end_device_pools(void *context) {
  pthread_mutex_lock(&pools_lock);
  device_pool *ended = NULL;
  for (device_pool **link = &device_pools; *link;) {
    device_pool *it = *link;
    if (it->context != context) {
      link = &it->next;
      continue;
    }
    *link = it->next;
    it->next = ended;
    ended = it;
  }
  pthread_mutex_unlock(&pools_lock);
  for (device_pool *next; ended; ended = next) {
    next = ended->next;
    usm_pool_release(ended->own);
    free(ended);
  }
}

/* With the lock. */
static pi_result add_device_pool(pi_context context, pi_device device, device_pool **ret) {
  device_pool *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "the pool of a device");
  pi_result result = make_pool(context, device, &made->own);
  if (result == PI_SUCCESS)
    result = context_add_deleter(context, end_device_pools, context);
  if (result != PI_SUCCESS) {
    free(made->own);
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

/* With the lock. */
static pi_result find_device_pool(pi_context context, pi_device device, device_pool **ret) {
  for (device_pool *it = device_pools; it; it = it->next)
    if (it->context == context && it->device == device) {
      *ret = it;
      return PI_SUCCESS;
    }
  return add_device_pool(context, device, ret);
}

/* A reference to a pool that is not about to end. */
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
