#include "memory_pool.h"

#include "../objects/usm_pool.h"
#include "blocks.h"
#include "fill.h"
#include "gate.h"
#include "memory.h"

#include <stdlib.h>

/*
 * A pool of the CUDA driver. When its usm_pool is closed, it is kept for the device's next usm_pool
 * and not destroyed: drivers of CUDA 13.0 hang or crash if cuMemPoolDestroy runs while another
 * thread is in cuCtxSynchronize.
 */
typedef struct memory_pool {
  struct memory_pool *next; /* in the list of unused pools */
  pi_device device;
  CUmemoryPool pool;
} memory_pool;

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static memory_pool *pool_of(pi_native_handle native) {
  return (memory_pool *)native; // NOLINT(performance-no-int-to-ptr)
}

static bool has_pools(pi_device device) {
  return cu.MemPoolCreate && cu.MemPoolDestroy && cu.MemPoolSetAttribute &&
         cu.MemPoolGetAttribute && cu.MemPoolTrimTo && cu.MemAllocFromPoolAsync &&
         cu.MemFreeAsync && cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0);
}

static pi_result set_number(const memory_pool *pool, CUmemPool_attribute attribute,
                            cuuint64_t value) {
  CU_TRY(MemPoolSetAttribute, pool->pool, attribute, &value);
  return PI_SUCCESS;
}

/* ---- Making and keeping pools ---- */

static memory_pool *take_kept(pi_device device) {
  pthread_mutex_lock(&kept_lock);
  memory_pool *kept = device->driver.kept_pools;
  if (kept)
    device->driver.kept_pools = kept->next;
  pthread_mutex_unlock(&kept_lock);
  return kept;
}

static void keep_pool(memory_pool *pool) {
  pthread_mutex_lock(&kept_lock);
  pool->next = pool->device->driver.kept_pools;
  pool->device->driver.kept_pools = pool;
  pthread_mutex_unlock(&kept_lock);
}

static pi_result make_pool(pi_device device, memory_pool **ret) {
  const CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                     .location = cuda_location(device)};
  memory_pool *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a pool of %zu bytes", sizeof *made);
  const pi_result result = CU_CALL(MemPoolCreate, &made->pool, &properties);
  made->device = device;
  if (result == PI_SUCCESS)
    *ret = made;
  else
    free(made);
  return result;
}

/*
 * Sets a new or kept pool to its initial state. Forbids the driver to reuse memory whose free is
 * still pending in another stream: the allocation would wait for that stream, and perhaps for the
 * application.
 */
static pi_result prepare_pool(const memory_pool *pool) {
  int is_allowed = 0;
  CU_TRY(MemPoolSetAttribute, pool->pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
         &is_allowed);
  return set_number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0);
}

/* Lets other devices of the context access the pool's memory, if the hardware can. */
static pi_result share_pool(const memory_pool *pool, pi_context context) {
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    const pi_device other = context->roots[i];
    const CUmemAccessDesc access = {cuda_location(other), CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    bool can = false;
    if (other != pool->device)
      TRY(driver_peer_can(other, pool->device, PI_PEER_ACCESS_SUPPORTED, &can));
    if (can && cu.MemPoolSetAccess)
      CU_TRY(MemPoolSetAccess, pool->pool, &access, 1);
  }
  return PI_SUCCESS;
}

/* Opens no CUDA pool for a usm_pool of several devices, because a CUDA pool has one device. */
pi_result driver_usm_pool_open(usm_pool *pool) {
  const pi_context context = pool->context;
  const pi_device device = pool->device ? pool->device : context->devices[0];
  if (!has_pools(device) || (context->driver.members && !pool->device))
    return PI_SUCCESS;
  memory_pool *own = take_kept(device);
  if (!own)
    TRY(make_pool(device, &own));
  pi_result result = prepare_pool(own);
  if (result == PI_SUCCESS)
    result = share_pool(own, context);
  if (result == PI_SUCCESS)
    pool->native = (pi_native_handle)own;
  else
    keep_pool(own);
  return result;
}

/* Keeps the CUDA pool. Memory whose free is still pending goes back to the device later. */
void driver_usm_pool_close(usm_pool *pool) {
  memory_pool *own = pool_of(pool->native);
  (void)driver_usm_pool_keep(pool, 0);
  (void)driver_usm_pool_trim(pool, 0);
  keep_pool(own);
}

void memory_pools_destroy(pi_device device) {
  for (memory_pool *pool; (pool = take_kept(device)) != NULL; free(pool))
    cu.MemPoolDestroy(pool->pool);
}

/* ---- Sizes of pools ---- */

pi_result driver_usm_pool_reserved(usm_pool *pool, bool is_highest, size_t *ret) {
  cuuint64_t size;
  CU_TRY(MemPoolGetAttribute, pool_of(pool->native)->pool,
         is_highest ? CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH : CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT,
         &size);
  *ret = size;
  return PI_SUCCESS;
}

pi_result driver_usm_pool_restart_highest(usm_pool *pool) {
  return set_number(pool_of(pool->native), CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0);
}

pi_result driver_usm_pool_keep(usm_pool *pool, size_t size) {
  return set_number(pool_of(pool->native), CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, size);
}

pi_result driver_usm_pool_trim(usm_pool *pool, size_t size) {
  CU_TRY(MemPoolTrimTo, pool_of(pool->native)->pool, size);
  return PI_SUCCESS;
}

/* ---- Memory ---- */

/*
 * Allocates from a pool. If memory is short, waits for all commands, because frees may be pending,
 * and tries again. It does not wait while an unset user event holds commands back.
 */
static pi_result take_memory(pi_context member, pi_native_handle native, size_t size,
                             CUstream stream, CUdeviceptr *ret) {
  const CUmemoryPool pool = pool_of(native)->pool;
  CUresult code = cu.MemAllocFromPoolAsync(ret, size, pool, stream);
  if (code == CUDA_ERROR_OUT_OF_MEMORY && !gate_is_any_closed()) {
    if (!blocks_trim(member))
      cu.CtxSynchronize();
    code = cu.MemAllocFromPoolAsync(ret, size, pool, stream);
  }
  return memory_allocated(code, "cuMemAllocFromPoolAsync", size);
}

/* Sets *ret to pointer, or frees pointer if result, that of a step after the allocation, failed. */
static pi_result finish_memory(pi_result result, CUdeviceptr pointer, CUstream stream,
                               CUdeviceptr *ret) {
  if (result == PI_SUCCESS)
    *ret = pointer;
  else
    cu.MemFreeAsync(pointer, stream);
  return result;
}

/* Allocates in the clock's stream, which never waits for another one. */
pi_result memory_pool_take(pi_context member, pi_native_handle pool, size_t size, void **ret) {
  const CUstream stream = member->driver.clock->stream;
  CUdeviceptr pointer = 0;
  TRY(take_memory(member, pool, size, stream, &pointer));
  TRY(finish_memory(CU_CALL(StreamSynchronize, stream), pointer, stream, &pointer));
  *ret = (void *)(uintptr_t)pointer; // NOLINT(performance-no-int-to-ptr)
  return PI_SUCCESS;
}

static pi_result write_zeros(const usm_pool *pool, CUdeviceptr pointer, size_t size,
                             CUstream stream) {
  const unsigned char zero = 0;
  const fill_area rows = {pointer, size, size, 1};
  return pool->is_zeroed ? fill_enqueue(stream, &rows, &zero, sizeof zero) : PI_SUCCESS;
}

pi_result driver_usm_pool_allocate(sink *sink, usm_pool *pool, size_t size, void **ret) {
  const CUstream stream = sink->command.stream;
  CUdeviceptr pointer = 0;
  TRY(take_memory(sink->queue->driver.member, pool->native, size, stream, &pointer));
  TRY(finish_memory(write_zeros(pool, pointer, size, stream), pointer, stream, &pointer));
  *ret = (void *)(uintptr_t)pointer; // NOLINT(performance-no-int-to-ptr)
  return PI_SUCCESS;
}

pi_result driver_usm_pool_free(sink *sink, void *pointer) {
  CU_TRY(MemFreeAsync, cu_pointer(pointer), sink->command.stream);
  return PI_SUCCESS;
}
