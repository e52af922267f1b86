#include "blocks.h"

#include "fence.h"
#include "gate.h"
#include "memory.h"

#include <sched.h>
#include <stdlib.h>

struct driver_blocks {
  block_pool *pool;
  fence_line fences; /* the pool's lock guards it */
  unsigned users;    /* contexts */
};

/* Guards users, and the places of pools in devices and contexts. */
static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- The pool's verbs ---- */

static CUresult take_memory(block_kind kind, size_t size, void **ret) {
  CUdeviceptr pointer = 0;
  if (kind == BLOCK_HOST)
    return cu.MemHostAlloc(ret, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  const CUresult code = kind == BLOCK_SHARED
                            ? cu.MemAllocManaged(&pointer, size, CU_MEM_ATTACH_GLOBAL)
                            : cu.MemAlloc(&pointer, size);
  *ret = (void *)(uintptr_t)pointer; // NOLINT(performance-no-int-to-ptr)
  return code;
}

void driver_blocks_free(struct driver_blocks *blocks, block_kind kind, void *memory) {
  (void)blocks;
  if (kind == BLOCK_HOST)
    cu.MemFreeHost(memory);
  else
    cu.MemFree(cu_pointer(memory));
}

static bool trim_pool(block_pool *pool) {
  if (gate_is_any_closed())
    return false;
  struct block *taken = block_pool_take_idle(pool, true);
  if (!taken)
    return false;
  cu.CtxSynchronize();
  block_pool_give(pool, taken);
  return true;
}

pi_result driver_blocks_allocate(struct driver_blocks *blocks, block_kind kind, size_t size,
                                 void **ret) {
  static const char *const calls[BLOCK_KIND_COUNT] = {[BLOCK_DEVICE] = "cuMemAlloc",
                                                      [BLOCK_SHARED] = "cuMemAllocManaged",
                                                      [BLOCK_HOST] = "cuMemHostAlloc"};
  void *memory = NULL;
  CUresult code = take_memory(kind, size, &memory);
  if (code == CUDA_ERROR_OUT_OF_MEMORY && trim_pool(blocks->pool))
    code = take_memory(kind, size, &memory);
  TRY(memory_allocated(code, calls[kind], size));
  *ret = memory;
  return PI_SUCCESS;
}

pi_result driver_blocks_draw(struct driver_blocks *blocks, uint64_t *ret) {
  return fence_line_draw(&blocks->fences, ret);
}

bool driver_blocks_passed(struct driver_blocks *blocks, uint64_t fence) {
  return fence_line_passed(&blocks->fences, fence);
}

/* The driver's free waits for all streams. */
bool driver_blocks_may_free(struct driver_blocks *blocks, uint64_t fence) {
  (void)blocks;
  (void)fence;
  return !gate_is_any_closed();
}

bool driver_blocks_await(struct driver_blocks *blocks) {
  (void)blocks;
  if (gate_is_any_closed())
    return false;
  sched_yield();
  return true;
}

/* ---- Pools of contexts ---- */

static pi_result make_pool(pi_device device, struct driver_blocks *made) {
  size_t total = 0;
  CU_TRY(DeviceTotalMem, &total, device->driver.ordinal);
  return block_pool_create(made, "SPECPI_CUDA_POOL_BYTES", total, &made->pool);
}

static pi_result make_blocks(pi_device device, struct driver_blocks **ret) {
  struct driver_blocks *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a pool of %zu bytes", sizeof *made);
  const pi_result result = make_pool(device, made);
  if (result != PI_SUCCESS) {
    free(made);
    return result;
  }
  fence_line_init(&made->fences);
  *ret = made;
  return PI_SUCCESS;
}

static void end_blocks(struct driver_blocks *blocks) {
  cu.CtxSynchronize();
  block_pool_destroy(blocks->pool);
  fence_line_end(&blocks->fences);
  free(blocks);
}

/* Returns where the pool's address is stored: in the device for its primary context. */
static struct driver_blocks **pool_place(pi_context context) {
  return context->driver.is_primary ? &context->devices[0]->driver.blocks : &context->driver.blocks;
}

pi_result blocks_hold(pi_context context) {
  struct driver_blocks **place = pool_place(context);
  pthread_mutex_lock(&users_lock);
  const pi_result result = *place ? PI_SUCCESS : make_blocks(context->devices[0], place);
  if (result == PI_SUCCESS) {
    (*place)->users++;
    context->driver.blocks = *place;
  }
  pthread_mutex_unlock(&users_lock);
  return result;
}

void blocks_yield(pi_context context) {
  pthread_mutex_lock(&users_lock);
  struct driver_blocks *blocks = context->driver.blocks;
  const bool is_last = --blocks->users == 0;
  if (is_last)
    *pool_place(context) = NULL;
  pthread_mutex_unlock(&users_lock);
  if (is_last)
    end_blocks(blocks);
}

void blocks_add_queue(pi_queue queue) {
  struct driver_blocks *blocks = queue->driver.member->driver.blocks;
  if (block_pool_limit(blocks->pool, BLOCK_DEVICE) == 0)
    return;
  block_pool_lock(blocks->pool);
  fence_line_add(&blocks->fences, queue);
  block_pool_unlock(blocks->pool);
}

void blocks_remove_queue(pi_queue queue) {
  struct driver_blocks *blocks = queue->driver.member->driver.blocks;
  block_pool_lock(blocks->pool);
  fence_line_remove(&blocks->fences, queue);
  block_pool_unlock(blocks->pool);
}

bool blocks_trim(pi_context context) {
  return trim_pool(context->driver.blocks->pool);
}

size_t blocks_idle(pi_device device) {
  pthread_mutex_lock(&users_lock);
  const struct driver_blocks *blocks = device->driver.blocks;
  const size_t idle = blocks ? block_pool_idle(blocks->pool, BLOCK_DEVICE) : 0;
  pthread_mutex_unlock(&users_lock);
  return idle;
}

/* ---- Blocks of contexts ---- */

pi_result blocks_allocate(pi_context context, block_kind kind, size_t size, void **ret) {
  return block_pool_allocate(context->driver.blocks->pool, kind, size, ret);
}

/* Makes the next fence of a member's pool wait for all commands so far of another member. */
static pi_result follow_member(pi_context member, pi_context other) {
  struct driver_blocks *blocks = member->driver.blocks, *theirs = other->driver.blocks;
  CUevent event = NULL;
  TRY(cuda_enter(other));
  block_pool_lock(theirs->pool);
  pi_result result = fence_line_draw_event(&theirs->fences, &event);
  block_pool_unlock(theirs->pool);
  if (result != PI_SUCCESS || !event)
    return result;
  TRY(cuda_enter(member));
  block_pool_lock(blocks->pool);
  result = fence_line_follow(&blocks->fences, event);
  block_pool_unlock(blocks->pool);
  return result;
}

static pi_result follow_members(pi_context context, pi_context member) {
  pi_result result = PI_SUCCESS;
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    const pi_context other = context_found_member(context, i);
    if (other && other != member && result == PI_SUCCESS)
      result = follow_member(member, other);
  }
  return result;
}

/* Does blocks_free's work for one member's pool. */
static bool free_of_member(pi_context context, pi_context member, void *pointer) {
  block_pool *pool = member->driver.blocks->pool;
  block_state state = BLOCK_PENDING;
  if (context != member) {
    if (!block_pool_has(pool, pointer))
      return false;
    if (follow_members(context, member) != PI_SUCCESS)
      state = BLOCK_UNFIT;
    (void)cuda_enter(member);
  }
  struct block *back;
  const bool is_freed = block_pool_retire(pool, pointer, state, &back);
  if (back) {
    context_synchronize(context);
    (void)cuda_enter(member);
    block_pool_give(pool, back);
  }
  return is_freed;
}

bool blocks_free(pi_context context, void *pointer) {
  bool is_freed = false;
  for (pi_uint32 i = 0; i < context->root_count && !is_freed; i++) {
    const pi_context member = context_found_member(context, i);
    is_freed = member && free_of_member(context, member, pointer);
  }
  return is_freed;
}

bool blocks_find(pi_context context, uintptr_t base, size_t *size) {
  bool is_found = false;
  block_kind kind;
  for (pi_uint32 i = 0; i < context->root_count && !is_found; i++) {
    const pi_context member = context_found_member(context, i);
    is_found = member && block_pool_find(member->driver.blocks->pool, base, &kind, size);
  }
  return is_found;
}

void blocks_spoil(pi_context context, uintptr_t base) {
  bool is_found = false;
  for (pi_uint32 i = 0; i < context->root_count && !is_found; i++) {
    const pi_context member = context_found_member(context, i);
    is_found = member && block_pool_spoil(member->driver.blocks->pool, base);
  }
}
