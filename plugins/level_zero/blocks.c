/*
 * Fences of pools are the context's epochs (deferred_free.h). A free begins a new epoch, and its
 * fence has passed when no command of an earlier one is pending. So a fence costs no call of the
 * driver. Commands that a queue still gathers in a batch are pending, too.
 */
#include "blocks.h"

#include "device_abilities.h"
#include "queue.h"

#include <sched.h>
#include <stdlib.h>

struct driver_blocks {
  struct driver_blocks *next;
  pi_context context;
  pi_device device; /* NULL: memory of no device */
  block_pool *pool;
  size_t most; /* bytes of the largest block */
};

/* ---- Fences ---- */

/* The fence after an epoch; 0 has passed always. */
pi_result driver_blocks_draw(struct driver_blocks *blocks, uint64_t *ret) {
  *ret = atomic_fetch_add_explicit(&blocks->context->deferred.epoch, 1, memory_order_acq_rel) + 1;
  return PI_SUCCESS;
}

bool driver_blocks_passed(struct driver_blocks *blocks, uint64_t fence) {
  return fence <= atomic_load_explicit(&blocks->context->driver.ended_epochs, memory_order_acquire);
}

/* zeMemFree does not wait for commands. */
bool driver_blocks_may_free(struct driver_blocks *blocks, uint64_t fence) {
  return driver_blocks_passed(blocks, fence);
}

/* Asks the driver which commands have ended; returns whether any fence has passed since. */
static bool update_fences(pi_context context) {
  atomic_ullong *ended = &context->driver.ended_epochs;
  /* An epoch that begins from here on may have commands that the driver is not asked about. */
  const pi_uint64 now = atomic_load_explicit(&context->deferred.epoch, memory_order_acquire);
  const pi_uint64 oldest = driver_context_oldest_epoch(context);
  const pi_uint64 found = oldest < now ? oldest : now;
  unsigned long long before = atomic_load_explicit(ended, memory_order_relaxed);
  while (before < found && !atomic_compare_exchange_weak_explicit(
                               ended, &before, found, memory_order_acq_rel, memory_order_relaxed))
    ;
  return before < found;
}

bool driver_blocks_await(struct driver_blocks *blocks) {
  const pi_context context = blocks->context;
  if (update_fences(context))
    return true;
  queue_flush_all(context);
  sched_yield();
  return !event_any_is_held(context);
}

/* ---- Memory of the driver ---- */

static const pi_usm_type types[BLOCK_KIND_COUNT] = {[BLOCK_DEVICE] = PI_MEM_TYPE_DEVICE,
                                                    [BLOCK_SHARED] = PI_MEM_TYPE_SHARED,
                                                    [BLOCK_HOST] = PI_MEM_TYPE_HOST};

pi_result driver_blocks_allocate(struct driver_blocks *blocks, block_kind kind, size_t size,
                                 void **ret) {
  const usm_request request = {.context = blocks->context,
                               .device = blocks->device,
                               .type = types[kind],
                               .size = size,
                               .alignment = BLOCK_ALIGNMENT};
  return usm_take(&request, ret);
}

void driver_blocks_free(struct driver_blocks *blocks, block_kind kind, void *memory) {
  (void)kind;
  ze.MemFree(blocks->context->driver.context, memory);
}

/* ---- Pools ---- */

static struct driver_blocks *first_blocks(pi_context context) {
  return atomic_load_explicit(&context->driver.blocks, memory_order_acquire);
}

static struct driver_blocks *find_blocks(pi_context context, pi_device device) {
  struct driver_blocks *blocks = first_blocks(context);
  while (blocks && blocks->device != device)
    blocks = blocks->next;
  return blocks;
}

static pi_result make_pool(struct driver_blocks *made) {
  const pi_device device = made->device ? made->device : made->context->roots[0];
  device_memory memory;
  TRY(device_memory_of(device, &memory));
  return block_pool_create(made, "SPECPI_LEVEL_ZERO_POOL_BYTES", memory.size, &made->pool);
}

static pi_result make_blocks(pi_context context, pi_device device, struct driver_blocks **ret) {
  struct driver_blocks *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a pool of %zu bytes", sizeof *made);
  *made = (struct driver_blocks){.next = first_blocks(context),
                                 .context = context,
                                 .device = device,
                                 .most = usm_largest(context, device)};
  const pi_result result = make_pool(made);
  if (result == PI_SUCCESS)
    *ret = made;
  else
    free(made);
  return result;
}

/* Finds or makes the pool of a device. */
static pi_result get_blocks(pi_context context, pi_device device, struct driver_blocks **ret) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pi_result result = PI_SUCCESS;
  *ret = find_blocks(context, device);
  if (*ret)
    return PI_SUCCESS;
  pthread_mutex_lock(&lock);
  *ret = find_blocks(context, device);
  if (!*ret) {
    result = make_blocks(context, device, ret);
    if (result == PI_SUCCESS)
      atomic_store_explicit(&context->driver.blocks, *ret, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

static pi_result open_all(pi_context context) {
  struct driver_blocks *blocks;
  TRY(get_blocks(context, NULL, &blocks));
  for (pi_uint32 i = 0; i < context->device_count; i++)
    TRY(get_blocks(context, context->devices[i], &blocks));
  return PI_SUCCESS;
}

pi_result blocks_open(pi_context context) {
  if (!context->is_owned)
    return PI_SUCCESS;
  const pi_result result = open_all(context);
  if (result != PI_SUCCESS)
    blocks_close(context);
  return result;
}

void blocks_close(pi_context context) {
  for (struct driver_blocks *blocks = first_blocks(context), *next; blocks; blocks = next) {
    next = blocks->next;
    block_pool_destroy(blocks->pool);
    free(blocks);
  }
}

/* ---- Blocks ---- */

pi_result blocks_allocate(const usm_request *request, void **ret) {
  static const block_kind kinds[] = {[PI_MEM_TYPE_DEVICE] = BLOCK_DEVICE,
                                     [PI_MEM_TYPE_SHARED] = BLOCK_SHARED,
                                     [PI_MEM_TYPE_HOST] = BLOCK_HOST};
  struct driver_blocks *blocks;
  if (!request->context->is_owned || request->alignment > BLOCK_ALIGNMENT || usm_has_flags(request))
    return usm_take(request, ret);
  TRY(get_blocks(request->context, request->type == PI_MEM_TYPE_HOST ? NULL : request->device,
                 &blocks));
  const block_kind kind = kinds[request->type];
  if (request->size > block_pool_limit(blocks->pool, kind) ||
      block_pool_round(request->size) > blocks->most)
    return usm_take(request, ret);
  return block_pool_allocate(blocks->pool, kind, request->size, ret);
}

/* Gives blocks back that a free has removed from a pool, and the excess of idle ones. */
static void give_blocks(struct driver_blocks *blocks, struct block *back) {
  if (back && !driver_blocks_passed(blocks, block_pool_latest_fence(back)))
    (void)queue_finish_all(blocks->context);
  if (!back && block_pool_is_over(blocks->pool) && update_fences(blocks->context))
    back = block_pool_take_excess(blocks->pool);
  block_pool_give(blocks->pool, back);
}

bool blocks_free(pi_context context, void *pointer, bool is_unused) {
  struct block *back = NULL;
  struct driver_blocks *blocks = first_blocks(context);
  while (blocks && !block_pool_has(blocks->pool, pointer))
    blocks = blocks->next;
  if (!blocks)
    return false;
  const block_state state = is_unused                     ? BLOCK_UNUSED
                            : queue_mark_natives(context) ? BLOCK_PENDING
                                                          : BLOCK_UNFIT;
  if (!block_pool_retire(blocks->pool, pointer, state, &back))
    return false;
  give_blocks(blocks, back);
  return true;
}

void blocks_give(pi_context context, void *memory) {
  if (!blocks_free(context, memory, true))
    ze.MemFree(context->driver.context, memory);
}

bool blocks_describe(pi_context context, uintptr_t base, usm_range *ret) {
  block_kind kind;
  size_t size;
  const struct driver_blocks *blocks = first_blocks(context);
  while (blocks && !block_pool_find(blocks->pool, base, &kind, &size))
    blocks = blocks->next;
  if (!blocks)
    return false;
  *ret = size == 0 ? (usm_range){.type = PI_MEM_TYPE_UNKNOWN, .is_freed = true}
                   : (usm_range){.type = types[kind],
                                 .base = base,
                                 .size = size,
                                 .device = kind == BLOCK_HOST ? NULL : blocks->device};
  return true;
}

void blocks_spoil(pi_context context, uintptr_t base) {
  const struct driver_blocks *blocks = first_blocks(context);
  while (blocks && !block_pool_spoil(blocks->pool, base))
    blocks = blocks->next;
}

/* Gives the blocks of all pools back that no command uses; returns whether there were any. */
static bool give_unused(pi_context context) {
  bool any = false;
  (void)update_fences(context);
  deferred_free_due(context);
  for (struct driver_blocks *blocks = first_blocks(context); blocks; blocks = blocks->next) {
    struct block *taken = block_pool_take_idle(blocks->pool, false);
    any |= taken != NULL;
    block_pool_give(blocks->pool, taken);
  }
  return any;
}

bool blocks_trim(pi_context context) {
  if (give_unused(context))
    return true;
  if (event_any_is_held(context))
    return false;
  (void)queue_finish_all(context);
  return give_unused(context);
}
