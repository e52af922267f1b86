/*
 * Stream-ordered memory of the fake CUDA driver, and its pools. Kernels cannot use memory before
 * its stream reaches the allocation, which also fills the first bytes with garbage, so that too
 * early uses show. Unlike on a device, a pool returns memory as soon as the stream has run the
 * free, and not at the next synchronization. Addresses are never reused.
 */
#include "memory.h"

/* The unit in which a pool takes memory from the device. */
static const size_t unit = (size_t)32 << 20;

typedef struct fake_pool {
  fake_object head;
  bool ended; /* destroyed by the program; it lives until all its memory is freed */
  CUdevice device;
  size_t held; /* bytes of memory that no stream has freed yet */
  size_t used, used_high;
  size_t reserved, reserved_high;
  uint64_t threshold;
  int reuse[CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES + 1];
} fake_pool;

/* ---- Memory that a pool takes from the device ---- */

static size_t whole_units(size_t size) {
  return size > SIZE_MAX - unit ? SIZE_MAX / unit * unit : (size + unit - 1) / unit * unit;
}

static bool reserve_bytes(fake_pool *pool, size_t size) {
  if (size > SIZE_MAX - pool->held)
    return false;
  const size_t wanted = whole_units(pool->held + size);
  if (wanted > pool->reserved) {
    if (!fake_memory_take(pool->device, wanted - pool->reserved))
      return false;
    pool->reserved = wanted;
  }
  if (pool->reserved_high < pool->reserved)
    pool->reserved_high = pool->reserved;
  pool->held += size;
  return true;
}

/* Returns unused memory to the device, but keeps at least kept bytes. */
static void trim_pool(fake_pool *pool, uint64_t kept) {
  const size_t needed = whole_units(pool->held);
  const size_t wanted = kept > needed ? whole_units((size_t)kept) : needed;
  if (wanted >= pool->reserved)
    return;
  fake_memory_give(pool->device, pool->reserved - wanted);
  pool->reserved = wanted;
}

static void end_if_unused(fake_pool *pool) {
  if (!pool->ended || pool->held != 0)
    return;
  fake_memory_give(pool->device, pool->reserved);
  fake_delete(pool);
}

void fake_pool_leave(fake_pool *pool, size_t size, bool was_freed) {
  if (!was_freed)
    pool->used -= size;
  pool->held -= size;
  trim_pool(pool, pool->threshold);
  end_if_unused(pool);
}

/* ---- Pools ---- */

CUresult cuMemPoolCreate(CUmemoryPool *ret, const CUmemPoolProps *properties) {
  FAKE_ENTER(cuMemPoolCreate, INIT);
  FAKE_REQUIRE(ret && properties && properties->allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
                   properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE,
               INVALID_VALUE, "cuMemPoolCreate: NULL, or not pinned memory of a device");
  FAKE_TRY(fake_check_device(properties->location.id));
  if (!fake_environment.has_pools || properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED,
                     "cuMemPoolCreate: the device has no pools, or none for several processes");
  fake_pool *pool = fake_new(FAKE_POOL, sizeof *pool, NULL, false);
  pool->device = properties->location.id;
  for (int i = CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES;
       i <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES; i++)
    pool->reuse[i] = 1;
  *ret = FAKE_HANDLE(CUmemoryPool, pool);
  return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  FAKE_ENTER(cuMemPoolDestroy, INIT);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  pool->ended = true;
  fake_own(&pool->head);
  fake_retire(pool);
  end_if_unused(pool);
  return CUDA_SUCCESS;
}

/* Returns the member for a 64-bit attribute; NULL if the attribute is not one of them. */
static size_t *number_of(fake_pool *pool, CUmemPool_attribute attribute) {
  switch ((int)attribute) {
  case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    return &pool->reserved;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    return &pool->reserved_high;
  case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
    return &pool->used;
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
    return &pool->used_high;
  default:
    return NULL;
  }
}

static bool is_reuse(CUmemPool_attribute attribute) {
  return attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
         attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value) {
  FAKE_ENTER(cuMemPoolGetAttribute, INIT);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  const size_t *number = number_of(pool, attribute);
  FAKE_REQUIRE(
      value && (number || is_reuse(attribute) || attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD),
      INVALID_VALUE, "cuMemPoolGetAttribute: NULL, or no attribute is %d", (int)attribute);
  if (is_reuse(attribute))
    *(int *)value = pool->reuse[attribute];
  else
    *(cuuint64_t *)value = number ? *number : pool->threshold;
  return CUDA_SUCCESS;
}

static CUresult restart_highest(fake_pool *pool, CUmemPool_attribute attribute, cuuint64_t value) {
  FAKE_REQUIRE(value == 0, INVALID_VALUE,
               "cuMemPoolSetAttribute: the highest number is 0, not %llu",
               (unsigned long long)value);
  if (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH)
    pool->used_high = pool->used;
  else
    pool->reserved_high = pool->reserved;
  return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value) {
  FAKE_ENTER(cuMemPoolSetAttribute, INIT);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  FAKE_REQUIRE(value, INVALID_VALUE, "cuMemPoolSetAttribute: the value is NULL");
  if (is_reuse(attribute)) {
    pool->reuse[attribute] = *(const int *)value != 0;
    return CUDA_SUCCESS;
  }
  const cuuint64_t number = *(const cuuint64_t *)value;
  if (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH || attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
    return restart_highest(pool, attribute, number);
  FAKE_REQUIRE(attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, INVALID_VALUE,
               "cuMemPoolSetAttribute: no attribute that can be set is %d", (int)attribute);
  pool->threshold = number;
  return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t kept) {
  FAKE_ENTER(cuMemPoolTrimTo, INIT);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  trim_pool(pool, kept);
  return CUDA_SUCCESS;
}

/* Only checks the arguments, because all devices can access all memory here. */
CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *map, size_t count) {
  FAKE_ENTER(cuMemPoolSetAccess, INIT);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  for (size_t i = 0; i < count; i++)
    FAKE_TRY(fake_check_device(map[i].location.id));
  FAKE_REQUIRE(count == 0 || pool->device != map[0].location.id ||
                   map[0].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
               INVALID_VALUE, "cuMemPoolSetAccess: a pool's own device has access for ever");
  return CUDA_SUCCESS;
}

/* ---- Stream-ordered allocations and frees ---- */

typedef struct memory_task {
  fake_task task;
  CUdeviceptr base; /* identifies the memory, because addresses are never reused */
} memory_task;

static void issue_task(fake_stream *stream, CUgraphNodeType type, CUresult (*run)(fake_task *task),
                       const fake_memory *memory) {
  memory_task *task = fake_task_new(sizeof *task, type, stream->head.context, run, NULL);
  task->base = memory->base;
  task->task.always = true;
  fake_issue(stream, task);
}

static CUresult run_arrival(fake_task *task) {
  fake_lock();
  fake_memory *memory = fake_memory_at(((memory_task *)task)->base);
  if (memory) {
    memory->coming = false;
    fake_memory_soil(memory);
  }
  fake_unlock();
  return CUDA_SUCCESS;
}

static CUresult run_free(fake_task *task) {
  fake_lock();
  fake_memory *memory = fake_memory_at(((memory_task *)task)->base);
  if (memory)
    fake_memory_end(memory);
  fake_unlock();
  return CUDA_SUCCESS;
}

static CUresult allocate_in_order(CUdeviceptr *ret, size_t size, fake_pool *pool, CUstream handle,
                                  const char *function) {
  FAKE_REQUIRE(ret && size != 0, INVALID_VALUE, "%s: no place, or 0 bytes", function);
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, function, &stream));
  FAKE_REQUIRE(!pool || pool->device == stream->head.context->device, INVALID_VALUE,
               "%s: the pool is of device %d, the stream of another", function, pool->device);
  if (pool && !reserve_bytes(pool, size))
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "%s: %zu bytes", function, size);
  fake_memory *memory;
  const CUresult result = fake_memory_new_in(stream->head.context, pool, size, false, &memory);
  if (result != CUDA_SUCCESS) {
    if (pool)
      fake_pool_leave(pool, size, true);
    return result;
  }
  if (pool) {
    pool->used += size;
    pool->used_high = pool->used_high < pool->used ? pool->used : pool->used_high;
  }
  memory->coming = true;
  issue_task(stream, CU_GRAPH_NODE_TYPE_MEM_ALLOC, run_arrival, memory);
  *ret = memory->base;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocAsync(CUdeviceptr *ret, size_t size, CUstream handle) {
  FAKE_ENTER(cuMemAllocAsync, CONTEXT);
  return allocate_in_order(ret, size, NULL, handle, "cuMemAllocAsync");
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *ret, size_t size, CUmemoryPool handle,
                                 CUstream stream) {
  FAKE_ENTER(cuMemAllocFromPoolAsync, CONTEXT);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  return allocate_in_order(ret, size, pool, stream, "cuMemAllocFromPoolAsync");
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream handle) {
  FAKE_ENTER(cuMemFreeAsync, CONTEXT);
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, "cuMemFreeAsync", &stream));
  fake_memory *memory = fake_memory_at(pointer);
  FAKE_REQUIRE(memory && memory->base == pointer && !memory->leaving && !memory->head.owned &&
                   memory->head.kind == FAKE_MEMORY,
               INVALID_VALUE, "cuMemFreeAsync: no device memory begins at 0x%llx", pointer);
  memory->leaving = true;
  fake_own(&memory->head);
  if (memory->pool)
    memory->pool->used -= memory->size;
  issue_task(stream, CU_GRAPH_NODE_TYPE_MEM_FREE, run_free, memory);
  return CUDA_SUCCESS;
}
