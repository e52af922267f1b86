/*
 * Keeps freed memory for reuse, because drivers allocate and free slowly: cuMemAlloc and cuMemFree
 * take 60 to 130 microseconds, and cuMemFree waits for the device. Four block sizes for each power
 * of two leave less than a fifth of a block unused. A freed block is idle. It is reused once all
 * commands have ended that any queue of the context had before the free, so that any queue may use
 * it then. The driver counts such moments as fences, see driver_blocks_draw.
 *
 * Only for specpi_object_plugin(name WITH_BLOCKS ..), whose driver defines the verbs below and the
 * structure driver_blocks. Any thread may call each function.
 */
#ifndef OBJECTS_BLOCK_POOL_H
#define OBJECTS_BLOCK_POOL_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of memory. Each kind has its own blocks. */
typedef enum block_kind { BLOCK_DEVICE, BLOCK_SHARED, BLOCK_HOST, BLOCK_KIND_COUNT } block_kind;

/* Alignment of a block, and the size of the smallest one, in bytes. */
enum { BLOCK_ALIGNMENT = 512 };

typedef struct block_pool block_pool;

/* A list of blocks that the pool no longer has, for block_pool_give. */
struct block;

/* The driver's part of a pool. */
struct driver_blocks;

/* ---- Verbs of drivers with pools ---- */

/*
 * Allocates size bytes, aligned to BLOCK_ALIGNMENT, at *ret. If memory is short, gives idle blocks
 * back first. The caller holds no lock. PI_ERROR_OUT_OF_RESOURCES: the driver has too little
 * memory; PI_ERROR_OUT_OF_HOST_MEMORY, or the code for the driver's failure.
 */
pi_result driver_blocks_allocate(struct driver_blocks *blocks, block_kind kind, size_t size,
                                 void **ret);

/* Gives memory from driver_blocks_allocate back. No lock is held, as the driver may wait. */
void driver_blocks_free(struct driver_blocks *blocks, block_kind kind, void *memory);

/*
 * Sets *ret to the number of a fence: driver_blocks_passed returns true for it once all commands
 * have ended that the queues of the context have now. Later fences have no smaller numbers; 0 has
 * passed. The pool is locked, as it is for the next two. A block whose fence the driver fails to
 * draw goes back to the driver.
 */
pi_result driver_blocks_draw(struct driver_blocks *blocks, uint64_t *ret);
bool driver_blocks_passed(struct driver_blocks *blocks, uint64_t fence);

/* Returns whether the driver's free of a block with that fence would not wait for ever. */
bool driver_blocks_may_free(struct driver_blocks *blocks, uint64_t fence);

/*
 * Called between attempts to take an idle block: finds out which fences have passed, or lets other
 * threads run. Returns whether to try again: a command that waits for the application may never
 * end. The caller holds no lock.
 */
bool driver_blocks_await(struct driver_blocks *blocks);

/* ---- Pools ---- */

/*
 * Makes an empty pool for a device with total bytes of memory. The limit of idle bytes of each kind
 * is a quarter of them, and for host memory at most 1 GB; or the number that the environment
 * variable has. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result block_pool_create(struct driver_blocks *blocks, const char *variable, size_t total,
                            block_pool **ret);

/*
 * Gives the idle blocks, which no command uses, back to the driver, and ends the pool. Leaves
 * blocks in use to the driver, which frees their memory with its context.
 */
void block_pool_destroy(block_pool *pool);

/* Lock and unlock the pool, for the driver to change what its verbs read. */
void block_pool_lock(block_pool *pool);
void block_pool_unlock(block_pool *pool);

/* Returns the number of idle bytes of a kind that the pool may have; 0: it has no blocks of it. */
size_t block_pool_limit(const block_pool *pool, block_kind kind);

/* Returns the number of idle bytes of a kind. */
size_t block_pool_idle(block_pool *pool, block_kind kind);

/* Returns the bytes of the block for an allocation of size bytes. */
size_t block_pool_round(size_t size);

/*
 * Allocates size bytes at *ret: an idle block that no command uses any more, or a new one from the
 * driver. Sizes above the limit get no block. Errors of driver_blocks_allocate.
 */
pi_result block_pool_allocate(block_pool *pool, block_kind kind, size_t size, void **ret);

/*
 * A freed block: pending commands may use it, or none does, or it must not be reused and goes back
 * to the driver.
 */
typedef enum block_state { BLOCK_PENDING, BLOCK_UNUSED, BLOCK_UNFIT } block_state;

/*
 * Frees the block in use that starts at pointer; returns false if there is none. *back receives the
 * blocks for block_pool_give, or NULL: the block itself if it must not be reused, else idle ones
 * that exceed the limit, the longest idle first.
 */
bool block_pool_retire(block_pool *pool, const void *pointer, block_state state,
                       struct block **back);

/* Returns whether more bytes are idle than the limits allow. */
bool block_pool_is_over(block_pool *pool);

/* Removes the idle blocks that exceed the limits and that the driver may free. */
struct block *block_pool_take_excess(block_pool *pool);

/* Removes all idle blocks, or if not is_any only those that no command uses any more. */
struct block *block_pool_take_idle(block_pool *pool, bool is_any);

/* Gives removed blocks back to the driver. The caller holds no lock, as the driver may wait. */
void block_pool_give(block_pool *pool, struct block *blocks);

/*
 * Returns the fence after which no command uses any of these removed blocks: UINT64_MAX if one of
 * them has no fence.
 */
uint64_t block_pool_latest_fence(const struct block *blocks);

/* Returns whether a block in use starts at pointer. */
bool block_pool_has(block_pool *pool, const void *pointer);

/*
 * Returns whether a block starts at base; *size is the requested size, 0 when the block is idle.
 */
bool block_pool_find(block_pool *pool, uintptr_t base, block_kind *kind, size_t *size);

/*
 * Marks the block that starts at base as unfit for reuse: it goes to the driver when freed. Returns
 * whether there is one.
 */
bool block_pool_spoil(block_pool *pool, uintptr_t base);

#endif
