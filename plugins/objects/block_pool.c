#include "block_pool.h"

#include "../base/digits.h"
#include "../base/error.h"
#include "../base/os.h"

#include <pthread.h>
#include <stdlib.h>

enum {
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
  struct block *next;   /* in the same bucket, or in a list of removed blocks */
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
  struct driver_blocks *driver;
  size_t limit[BLOCK_KIND_COUNT]; /* bytes that may be idle */
  size_t idle[BLOCK_KIND_COUNT];
  block_list lists[BLOCK_KIND_COUNT][CLASSES];
  block *buckets[BUCKETS];
};

void block_pool_lock(block_pool *pool) {
  pthread_mutex_lock(&pool->lock);
}

void block_pool_unlock(block_pool *pool) {
  pthread_mutex_unlock(&pool->lock);
}

/* ---- Sizes ---- */

/* Returns the index of the smallest block size that holds size bytes; *whole is that block size. */
static unsigned class_of(size_t size, size_t *whole) {
  if (size <= BLOCK_ALIGNMENT) {
    *whole = BLOCK_ALIGNMENT;
    return 0;
  }
  const unsigned shift = 61u - (unsigned)__builtin_clzll(size - 1);
  const size_t steps = ((size - 1) >> shift) + 1; /* 5 to 8 */
  *whole = steps << shift;
  return (shift - 7) * 4 + (unsigned)steps - 4;
}

size_t block_pool_round(size_t size) {
  size_t whole;
  (void)class_of(size, &whole);
  return whole;
}

/* ---- The hash table ---- */

static block **find_place(block_pool *pool, uintptr_t base) {
  block **place = &pool->buckets[(base / BLOCK_ALIGNMENT * 0x9e3779b1u >> 8) % BUCKETS];
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

/* Adds a freed block to the idle ones: before the others if no command uses it, so its turn comes
 * before theirs. */
static void make_idle(block_pool *pool, block *block, bool is_first) {
  block_list *list = list_of(pool, block);
  block->size = 0;
  if (is_first && list->first) {
    block->behind = list->first;
    list->first = block;
  } else {
    block->behind = NULL;
    *list->last = block;
    list->last = &block->behind;
  }
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

/* Returns whether a list has a block that no command uses any more; the first one then is. */
static bool has_free(block_pool *pool, const block_list *list) {
  return list->first && driver_blocks_passed(pool->driver, list->first->fence);
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

/* Takes the first block of a list that is not empty out of the pool, and puts it before *taken. */
static void remove_first(block_pool *pool, block_list *list, block **taken) {
  block *first = take_first(pool, list);
  remove_block(pool, first);
  first->next = *taken;
  *taken = first;
}

/*
 * Removes idle blocks, the longest idle first, until the limit is kept or the driver may not free
 * the next one.
 */
static void take_excess(block_pool *pool, block_kind kind, block **taken) {
  while (pool->idle[kind] > pool->limit[kind]) {
    block_list *list = oldest_list(pool, kind);
    if (!driver_blocks_may_free(pool->driver, list->first->fence))
      return;
    remove_first(pool, list, taken);
  }
}

block *block_pool_take_excess(block_pool *pool) {
  block *taken = NULL;
  pthread_mutex_lock(&pool->lock);
  for (block_kind kind = 0; kind < BLOCK_KIND_COUNT; kind++)
    take_excess(pool, kind, &taken);
  pthread_mutex_unlock(&pool->lock);
  return taken;
}

block *block_pool_take_idle(block_pool *pool, bool is_any) {
  block *taken = NULL;
  pthread_mutex_lock(&pool->lock);
  for (block_kind kind = 0; kind < BLOCK_KIND_COUNT; kind++)
    for (unsigned i = 0; pool->idle[kind] && i < CLASSES; i++) {
      block_list *list = &pool->lists[kind][i];
      while (is_any ? list->first != NULL : has_free(pool, list))
        remove_first(pool, list, &taken);
    }
  pthread_mutex_unlock(&pool->lock);
  return taken;
}

void block_pool_give(block_pool *pool, block *blocks) {
  for (block *next; blocks; blocks = next) {
    next = blocks->next;
    driver_blocks_free(pool->driver, blocks->kind,
                       (void *)blocks->base); // NOLINT(performance-no-int-to-ptr)
    free(blocks);
  }
}

uint64_t block_pool_latest_fence(const block *blocks) {
  uint64_t latest = 0;
  for (; blocks; blocks = blocks->next)
    if (blocks->fence > latest)
      latest = blocks->fence;
  return latest;
}

/* ---- Pools ---- */

/* Reads the limit of idle bytes from the environment; false if none is set. */
static bool read_limit(const char *variable, size_t *ret) {
  const char *value = os_environment_safe(variable);
  if (!value || !value[0])
    return false;
  uint64_t bytes;
  if (digits_are(value, SIZE_MAX, &bytes)) {
    *ret = (size_t)bytes;
    return true;
  }
  plugin_note("%s is \"%s\", not a number of bytes; it counts as not set", variable, value);
  return false;
}

pi_result block_pool_create(struct driver_blocks *blocks, const char *variable, size_t total,
                            block_pool **ret) {
  size_t limit = total / IDLE_SHARE;
  const bool is_set = read_limit(variable, &limit);
  block_pool *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a pool of %zu bytes", sizeof *made);
  pthread_mutex_init(&made->lock, NULL);
  made->driver = blocks;
  for (block_kind kind = 0; kind < BLOCK_KIND_COUNT; kind++) {
    made->limit[kind] =
        kind == BLOCK_HOST && !is_set && limit > IDLE_ON_HOST ? IDLE_ON_HOST : limit;
    for (unsigned i = 0; i < CLASSES; i++)
      made->lists[kind][i].last = &made->lists[kind][i].first;
  }
  *ret = made;
  return PI_SUCCESS;
}

void block_pool_destroy(block_pool *pool) {
  block_pool_give(pool, block_pool_take_idle(pool, true));
  for (unsigned i = 0; i < BUCKETS; i++)
    for (block *block = pool->buckets[i], *next; block; block = next) {
      next = block->next;
      free(block);
    }
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

size_t block_pool_limit(const block_pool *pool, block_kind kind) {
  return pool->limit[kind];
}

size_t block_pool_idle(block_pool *pool, block_kind kind) {
  pthread_mutex_lock(&pool->lock);
  const size_t idle = pool->idle[kind];
  pthread_mutex_unlock(&pool->lock);
  return idle;
}

bool block_pool_is_over(block_pool *pool) {
  bool is_over = false;
  pthread_mutex_lock(&pool->lock);
  for (block_kind kind = 0; kind < BLOCK_KIND_COUNT; kind++)
    is_over |= pool->idle[kind] > pool->limit[kind];
  pthread_mutex_unlock(&pool->lock);
  return is_over;
}

/* ---- Allocation ---- */

/*
 * Returns an idle block that no command uses any more, or NULL. If commands still use all of them,
 * it waits for as long as an allocation by the driver would take. It waits longer for a crowd of
 * idle blocks: the application is ahead of the device then, and would allocate ever more memory. It
 * tries twice even if the thread was suspended meanwhile.
 */
static const block *find_free(block_pool *pool, block_list *list, size_t size) {
  const uint64_t start = os_time_ns();
  for (bool is_first = true;; is_first = false) {
    pthread_mutex_lock(&pool->lock);
    block *found = has_free(pool, list) ? take_first(pool, list) : NULL;
    if (found)
      found->size = size;
    const bool is_none = !list->first;
    const bool is_crowd =
        !is_none && list->count >= CROWD && list->count * list->first->whole >= CROWD_BYTES;
    pthread_mutex_unlock(&pool->lock);
    const bool is_over =
        !is_first && os_time_ns() - start > (uint64_t)(is_crowd ? CROWD_NS : WAIT_NS);
    if (found || is_none || is_over || !driver_blocks_await(pool->driver))
      return found;
  }
}

/* Allocates a new block and enters it as in use. */
static pi_result make_block(block_pool *pool, block_kind kind, size_t size, size_t whole,
                            void **ret) {
  block *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a block of %zu bytes", sizeof *made);
  void *memory = NULL;
  const pi_result result = driver_blocks_allocate(pool->driver, kind, whole, &memory);
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

pi_result block_pool_allocate(block_pool *pool, block_kind kind, size_t size, void **ret) {
  if (size > pool->limit[kind])
    return driver_blocks_allocate(pool->driver, kind, size, ret);
  size_t whole;
  block_list *list = &pool->lists[kind][class_of(size, &whole)];
  const block *found = find_free(pool, list, size);
  if (!found)
    return make_block(pool, kind, size, whole, ret);
  *ret = (void *)found->base; // NOLINT(performance-no-int-to-ptr)
  return PI_SUCCESS;
}

/* Sets the fence of a freed block; returns false if the block must not be reused. */
static bool set_fence(block_pool *pool, block *block, block_state state) {
  block->fence = state == BLOCK_UNUSED ? 0 : UINT64_MAX;
  if (block->is_spoilt || state == BLOCK_UNFIT)
    return false;
  return state == BLOCK_UNUSED || driver_blocks_draw(pool->driver, &block->fence) == PI_SUCCESS;
}

/* Returns the block in use that starts at pointer, or NULL. The caller holds the pool's lock. */
static block *find_used(block_pool *pool, const void *pointer) {
  block *block = *find_place(pool, (uintptr_t)pointer);
  return block && block->size ? block : NULL;
}

bool block_pool_retire(block_pool *pool, const void *pointer, block_state state, block **back) {
  *back = NULL;
  pthread_mutex_lock(&pool->lock);
  block *block = find_used(pool, pointer);
  if (block && set_fence(pool, block, state)) {
    make_idle(pool, block, state == BLOCK_UNUSED);
    take_excess(pool, block->kind, back);
  } else if (block) {
    remove_block(pool, block);
    block->next = NULL;
    *back = block;
  }
  pthread_mutex_unlock(&pool->lock);
  return block != NULL;
}

bool block_pool_has(block_pool *pool, const void *pointer) {
  pthread_mutex_lock(&pool->lock);
  const bool is_used = find_used(pool, pointer) != NULL;
  pthread_mutex_unlock(&pool->lock);
  return is_used;
}

bool block_pool_find(block_pool *pool, uintptr_t base, block_kind *kind, size_t *size) {
  pthread_mutex_lock(&pool->lock);
  const block *block = *find_place(pool, base);
  if (block) {
    *kind = block->kind;
    *size = block->size;
  }
  pthread_mutex_unlock(&pool->lock);
  return block != NULL;
}

bool block_pool_spoil(block_pool *pool, uintptr_t base) {
  pthread_mutex_lock(&pool->lock);
  block *block = *find_place(pool, base);
  if (block)
    block->is_spoilt = true;
  pthread_mutex_unlock(&pool->lock);
  return block != NULL;
}
