#include "block_pool.h"

#include "../base/os.h"
#include "fence.h"
#include "gate.h"
#include "memory.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

enum {
  SMALLEST = 512,     /* bytes of the smallest block; the driver aligns memory to as many */
  CLASSES = 160,      /* number of block sizes, enough for all of the address space */
  BUCKETS = 4096,     /* of the hash table of blocks */
  IDLE_SHARE = 4,     /* at most 1/IDLE_SHARE of the device's memory is idle */
  CROWD = 8,          /* with so many idle blocks of a size, waiting longer for one pays off */
  WAIT_NS = 100000,   /* longest wait for an idle block: as long as the driver's allocation takes */
  CROWD_NS = 50000000 /* longest wait when there is a crowd of idle blocks */
};

/* The idle blocks of one size are a crowd only if they also have this many bytes in total. */
#define CROWD_BYTES ((size_t)64 << 20)
/* Default limit of idle bytes of host memory. */
#define IDLE_ON_HOST ((size_t)1 << 30)

typedef struct block {
  struct block *next;   /* in the same bucket */
  struct block *behind; /* the next one in the list of idle blocks of this size */
  uintptr_t base;
  size_t whole;   /* bytes of the block */
  size_t size;    /* bytes requested; 0 while the block is idle */
  uint64_t fence; /* of an idle block: no command uses the block once this fence has passed */
  bool is_spoilt;
  block_kind kind;
} block;

/* Idle blocks of one size, the first freed first. */
typedef struct block_list {
  block *first;
  block **last;
  unsigned count;
} block_list;

struct block_pool {
  pthread_mutex_t lock;
  unsigned users;
  fence_line fences;
  size_t limit[BLOCK_KIND_COUNT]; /* bytes that may be idle */
  size_t idle[BLOCK_KIND_COUNT];
  block_list lists[BLOCK_KIND_COUNT][CLASSES];
  block *buckets[BUCKETS];
};

/* ---- Sizes ---- */

/* Returns the index of the smallest block size that holds size bytes; *whole is that block size. */
static unsigned class_of(size_t size, size_t *whole) {
  if (size <= SMALLEST) {
    *whole = SMALLEST;
    return 0;
  }
  const unsigned shift = 61u - (unsigned)__builtin_clzll(size - 1);
  const size_t steps = ((size - 1) >> shift) + 1; /* 5 to 8 */
  *whole = steps << shift;
  return (shift - 7) * 4 + (unsigned)steps - 4;
}

/* ---- Calls of the driver ---- */

static const char *const calls[] = {
#define BLOCK_CALL(NAME, call) call,
    BLOCK_KINDS(BLOCK_CALL)
#undef BLOCK_CALL
};

static CUresult driver_take(block_kind kind, size_t size, void **ret) {
  CUdeviceptr pointer = 0;
  if (kind == BLOCK_HOST)
    return cu.MemHostAlloc(ret, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  const CUresult code = kind == BLOCK_SHARED
                            ? cu.MemAllocManaged(&pointer, size, CU_MEM_ATTACH_GLOBAL)
                            : cu.MemAlloc(&pointer, size);
  *ret = (void *)(uintptr_t)pointer; // NOLINT(performance-no-int-to-ptr)
  return code;
}

static void driver_give(const block *block) {
  if (block->kind == BLOCK_HOST)
    cu.MemFreeHost((void *)block->base); // NOLINT(performance-no-int-to-ptr)
  else
    cu.MemFree(block->base);
}

/* ---- The hash table ---- */

static block **find_place(block_pool *pool, uintptr_t base) {
  block **place = &pool->buckets[(base / SMALLEST * 0x9e3779b1u >> 8) % BUCKETS];
  while (*place && (*place)->base != base)
    place = &(*place)->next;
  return place;
}

/*
 * Enters a block in use. It replaces an old entry with the same address. As the driver has returned
 * that address again, somebody freed the old block by the driver's own functions.
 */
static void enter_block(block_pool *pool, block *made) {
  block **place = find_place(pool, made->base);
  block *stale = *place;
  made->next = stale ? stale->next : NULL;
  *place = made;
  free(stale);
}

static void remove_block(block_pool *pool, const block *removed) {
  block **place = find_place(pool, removed->base);
  *place = (*place)->next;
}

/* ---- Lists ---- */

static block_list *list_of(block_pool *pool, const block *block) {
  size_t whole;
  return &pool->lists[block->kind][class_of(block->whole, &whole)];
}

static void make_idle(block_pool *pool, block *block) {
  block_list *list = list_of(pool, block);
  block->size = 0;
  block->behind = NULL;
  *list->last = block;
  list->last = &block->behind;
  list->count++;
  pool->idle[block->kind] += block->whole;
}

/* Removes and returns the first block of a list that is not empty. */
static block *take_first(block_pool *pool, block_list *list) {
  block *first = list->first;
  list->first = first->behind;
  if (!list->first)
    list->last = &list->first;
  list->count--;
  pool->idle[first->kind] -= first->whole;
  return first;
}

/* Removes and returns the first block of a list if no command uses it any more; else NULL. */
static block *take_free(block_pool *pool, block_list *list) {
  return list->first && fence_line_passed(&pool->fences, list->first->fence)
             ? take_first(pool, list)
             : NULL;
}

/* Returns the list that has the longest idle block of a kind, or NULL if no block is idle. */
static block_list *oldest_list(block_pool *pool, block_kind kind) {
  block_list *oldest = NULL;
  for (unsigned i = 0; i < CLASSES; i++) {
    block_list *list = &pool->lists[kind][i];
    if (list->first && (!oldest || list->first->fence < oldest->first->fence))
      oldest = list;
  }
  return oldest;
}

/* Removes idle blocks, the longest idle first, until at most limit idle bytes are left. */
static block *take_over(block_pool *pool, block_kind kind, size_t limit) {
  block *taken = NULL;
  while (pool->idle[kind] > limit) {
    block *first = take_first(pool, oldest_list(pool, kind));
    remove_block(pool, first);
    first->next = taken;
    taken = first;
  }
  return taken;
}

/* Gives removed blocks back to the driver. The caller holds no lock, as the driver may wait. */
static void give_blocks(block *first) {
  for (block *next; first; first = next) {
    next = first->next;
    driver_give(first);
    free(first);
  }
}

/* ---- Pools ---- */

/* Reads the limit of idle bytes from the environment; false if none is set. */
static bool read_limit(size_t *ret) {
  const char *value = os_environment_safe("SPECPI_CUDA_POOL_BYTES");
  if (!value || !value[0])
    return false;
  char *end = NULL;
  errno = 0;
  const unsigned long long bytes = strtoull(value, &end, 10);
  if (!errno && !*end && value[0] != '-') {
    *ret = (size_t)bytes;
    return true;
  }
  plugin_note("SPECPI_CUDA_POOL_BYTES is \"%s\", not a number of bytes; it counts as not set",
              value);
  return false;
}

static pi_result set_limits(block_pool *pool, pi_device device) {
  size_t total = 0;
  CU_TRY(DeviceTotalMem, &total, device->driver.ordinal);
  size_t limit = total / IDLE_SHARE;
  const bool is_set = read_limit(&limit);
  for (block_kind kind = 0; kind < BLOCK_KIND_COUNT; kind++)
    pool->limit[kind] =
        kind == BLOCK_HOST && !is_set && limit > IDLE_ON_HOST ? IDLE_ON_HOST : limit;
  return PI_SUCCESS;
}

static pi_result make_pool(pi_device device, block_pool **ret) {
  block_pool *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a pool of %zu bytes", sizeof *made);
  const pi_result result = set_limits(made, device);
  if (result != PI_SUCCESS) {
    free(made);
    return result;
  }
  pthread_mutex_init(&made->lock, NULL);
  fence_line_init(&made->fences);
  for (block_kind kind = 0; kind < BLOCK_KIND_COUNT; kind++)
    for (unsigned i = 0; i < CLASSES; i++)
      made->lists[kind][i].last = &made->lists[kind][i].first;
  *ret = made;
  return PI_SUCCESS;
}

/* Leaves blocks in use to the driver, which frees their memory with the CUcontext. */
static void end_pool(block_pool *pool) {
  cu.CtxSynchronize();
  for (block_kind kind = 0; kind < BLOCK_KIND_COUNT; kind++)
    give_blocks(take_over(pool, kind, 0));
  for (unsigned i = 0; i < BUCKETS; i++)
    for (block *block = pool->buckets[i], *next; block; block = next) {
      next = block->next;
      free(block);
    }
  fence_line_end(&pool->fences);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

/* Returns where the pool's address is stored: in the device for its primary context. */
static block_pool **pool_place(pi_context context) {
  return context->driver.is_primary ? &context->devices[0]->driver.blocks : &context->driver.blocks;
}

pi_result block_pool_hold(pi_context context) {
  const pi_device device = context->devices[0];
  block_pool **place = pool_place(context);
  pthread_mutex_lock(&device->driver.clock_lock);
  const pi_result result = *place ? PI_SUCCESS : make_pool(device, place);
  if (result == PI_SUCCESS) {
    (*place)->users++;
    context->driver.blocks = *place;
  }
  pthread_mutex_unlock(&device->driver.clock_lock);
  return result;
}

void block_pool_yield(pi_context context) {
  const pi_device device = context->devices[0];
  pthread_mutex_lock(&device->driver.clock_lock);
  block_pool *pool = context->driver.blocks;
  const bool is_last = --pool->users == 0;
  if (is_last)
    *pool_place(context) = NULL;
  pthread_mutex_unlock(&device->driver.clock_lock);
  if (is_last)
    end_pool(pool);
}

void block_pool_add_queue(pi_queue queue) {
  block_pool *pool = queue->driver.member->driver.blocks;
  if (pool->limit[BLOCK_DEVICE] == 0)
    return;
  pthread_mutex_lock(&pool->lock);
  fence_line_add(&pool->fences, queue);
  pthread_mutex_unlock(&pool->lock);
}

void block_pool_remove_queue(pi_queue queue) {
  block_pool *pool = queue->driver.member->driver.blocks;
  pthread_mutex_lock(&pool->lock);
  fence_line_remove(&pool->fences, queue);
  pthread_mutex_unlock(&pool->lock);
}

bool block_pool_trim(pi_context context) {
  block_pool *pool = context->driver.blocks;
  block *taken[BLOCK_KIND_COUNT];
  bool any = false;
  if (gate_is_any_closed())
    return false;
  pthread_mutex_lock(&pool->lock);
  for (block_kind kind = 0; kind < BLOCK_KIND_COUNT; kind++) {
    taken[kind] = take_over(pool, kind, 0);
    any |= taken[kind] != NULL;
  }
  pthread_mutex_unlock(&pool->lock);
  if (any)
    cu.CtxSynchronize();
  for (block_kind kind = 0; kind < BLOCK_KIND_COUNT; kind++)
    give_blocks(taken[kind]);
  return any;
}

size_t block_pool_idle(pi_device device) {
  size_t idle = 0;
  pthread_mutex_lock(&device->driver.clock_lock);
  block_pool *pool = device->driver.blocks;
  if (pool) {
    pthread_mutex_lock(&pool->lock);
    idle = pool->idle[BLOCK_DEVICE];
    pthread_mutex_unlock(&pool->lock);
  }
  pthread_mutex_unlock(&device->driver.clock_lock);
  return idle;
}

/* ---- Allocation ---- */

/*
 * Returns an idle block that no command uses any more, or NULL. If commands still use all of them,
 * it waits for as long as an allocation by the driver would take. It waits longer for a crowd of
 * idle blocks: the application is ahead of the device then, and would allocate ever more memory.
 */
static block *find_free(block_pool *pool, block_list *list, size_t size) {
  const uint64_t start = os_time_ns();
  for (;;) {
    pthread_mutex_lock(&pool->lock);
    block *found = take_free(pool, list);
    if (found)
      found->size = size;
    const bool is_none = !list->first;
    const bool is_crowd =
        !is_none && list->count >= CROWD && list->count * list->first->whole >= CROWD_BYTES;
    pthread_mutex_unlock(&pool->lock);
    if (found || is_none || gate_is_any_closed() ||
        os_time_ns() - start > (is_crowd ? CROWD_NS : WAIT_NS))
      return found;
    sched_yield();
  }
}

/* Allocates from the driver; if memory is short, gives all idle blocks back and tries again. */
static pi_result take_from_driver(pi_context context, block_kind kind, size_t size, void **ret) {
  void *memory = NULL;
  CUresult code = driver_take(kind, size, &memory);
  if (code == CUDA_ERROR_OUT_OF_MEMORY && block_pool_trim(context))
    code = driver_take(kind, size, &memory);
  TRY(memory_allocated(code, calls[kind], size));
  *ret = memory;
  return PI_SUCCESS;
}

/* Allocates a new block and enters it as in use. */
static pi_result make_block(pi_context context, block_kind kind, size_t size, size_t whole,
                            void **ret) {
  block_pool *pool = context->driver.blocks;
  block *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a block of %zu bytes", sizeof *made);
  void *memory = NULL;
  const pi_result result = take_from_driver(context, kind, whole, &memory);
  if (result != PI_SUCCESS) {
    free(made);
    return result;
  }
  *made = (block){.base = (uintptr_t)memory, .whole = whole, .size = size, .kind = kind};
  pthread_mutex_lock(&pool->lock);
  enter_block(pool, made);
  pthread_mutex_unlock(&pool->lock);
  *ret = memory;
  return PI_SUCCESS;
}

pi_result block_allocate(pi_context context, block_kind kind, size_t size, void **ret) {
  block_pool *pool = context->driver.blocks;
  if (size > pool->limit[kind])
    return take_from_driver(context, kind, size, ret);
  size_t whole;
  block_list *list = &pool->lists[kind][class_of(size, &whole)];
  const block *found = find_free(pool, list, size);
  if (!found)
    return make_block(context, kind, size, whole, ret);
  *ret = (void *)found->base; // NOLINT(performance-no-int-to-ptr)
  return PI_SUCCESS;
}

/* Makes a block idle or removes it. *back receives the blocks that go back to the driver. */
static void retire(block_pool *pool, block *retired, block **back) {
  if (!retired->is_spoilt && fence_line_draw(&pool->fences, &retired->fence) == PI_SUCCESS) {
    make_idle(pool, retired);
    if (!gate_is_any_closed())
      *back = take_over(pool, retired->kind, pool->limit[retired->kind]);
  } else {
    remove_block(pool, retired);
    retired->next = NULL;
    *back = retired;
  }
}

/* Returns the block in use that starts at pointer, or NULL. The caller holds the pool's lock. */
static block *find_used(block_pool *pool, const void *pointer) {
  block *block = *find_place(pool, (uintptr_t)pointer);
  return block && block->size ? block : NULL;
}

static bool has_used(block_pool *pool, const void *pointer) {
  pthread_mutex_lock(&pool->lock);
  const bool is_used = find_used(pool, pointer) != NULL;
  pthread_mutex_unlock(&pool->lock);
  return is_used;
}

/* Makes the next fence of a member's pool wait for all commands so far of another member. */
static pi_result follow_member(pi_context member, pi_context other) {
  block_pool *pool = member->driver.blocks, *theirs = other->driver.blocks;
  CUevent event = NULL;
  TRY(cuda_enter(other));
  pthread_mutex_lock(&theirs->lock);
  pi_result result = fence_line_draw_event(&theirs->fences, &event);
  pthread_mutex_unlock(&theirs->lock);
  if (result != PI_SUCCESS || !event)
    return result;
  TRY(cuda_enter(member));
  pthread_mutex_lock(&pool->lock);
  result = fence_line_follow(&pool->fences, event);
  pthread_mutex_unlock(&pool->lock);
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

/* Does block_free's work for one member's pool. */
static bool free_of_member(pi_context context, pi_context member, void *pointer) {
  block_pool *pool = member->driver.blocks;
  block *back = NULL;
  pi_result followed = PI_SUCCESS;
  if (context != member) {
    if (!has_used(pool, pointer))
      return false;
    followed = follow_members(context, member);
    (void)cuda_enter(member);
  }
  pthread_mutex_lock(&pool->lock);
  block *block = find_used(pool, pointer);
  if (block) {
    block->is_spoilt |= followed != PI_SUCCESS;
    retire(pool, block, &back);
  }
  pthread_mutex_unlock(&pool->lock);
  if (back) {
    context_synchronize(context);
    (void)cuda_enter(member);
  }
  give_blocks(back);
  return block != NULL;
}

bool block_free(pi_context context, void *pointer) {
  bool is_freed = false;
  for (pi_uint32 i = 0; i < context->root_count && !is_freed; i++) {
    const pi_context member = context_found_member(context, i);
    is_freed = member && free_of_member(context, member, pointer);
  }
  return is_freed;
}

/* Finds a block in the members' pools. Locks the block's pool, or returns NULL. */
static block *lock_block(pi_context context, uintptr_t base, block_pool **ret) {
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    const pi_context member = context_found_member(context, i);
    if (!member)
      continue;
    block_pool *pool = *ret = member->driver.blocks;
    pthread_mutex_lock(&pool->lock);
    block *block = *find_place(pool, base);
    if (block)
      return block;
    pthread_mutex_unlock(&pool->lock);
  }
  return NULL;
}

bool block_find(pi_context context, uintptr_t base, size_t *size) {
  block_pool *pool;
  const block *block = lock_block(context, base, &pool);
  if (!block)
    return false;
  *size = block->size;
  pthread_mutex_unlock(&pool->lock);
  return true;
}

void block_spoil(pi_context context, uintptr_t base) {
  block_pool *pool;
  block *block = lock_block(context, base, &pool);
  if (!block)
    return;
  block->is_spoilt = true;
  pthread_mutex_unlock(&pool->lock);
}
