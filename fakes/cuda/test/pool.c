/* Memory pools. The expected results and pointer attributes were observed on an H100. */
#include "code.h"

enum { BYTES = 64 };

static const CUmemPoolProps on_device = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                         .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static const size_t unit = (size_t)32 << 20;

static CUmemoryPool make_pool(void) {
  CUmemoryPool pool = NULL;
  ok(cuMemPoolCreate(&pool, &on_device));
  return pool;
}

static CUstream make_stream(void) {
  CUstream stream = NULL;
  ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  return stream;
}

static CUdeviceptr allocate(CUmemoryPool pool, size_t size, CUstream stream) {
  CUdeviceptr pointer = 0;
  ok(cuMemAllocFromPoolAsync(&pointer, size, pool, stream));
  return pointer;
}

static void check_number(CUmemoryPool pool, CUmemPool_attribute attribute, cuuint64_t expected) {
  cuuint64_t value = 99;
  ok(cuMemPoolGetAttribute(pool, attribute, &value));
  assert_int_equal(value, expected);
}
#define NUMBER(name, expected) check_number(pool, CU_MEMPOOL_ATTR_##name, expected)

static CUresult set_number(CUmemoryPool pool, CUmemPool_attribute attribute, cuuint64_t value) {
  return cuMemPoolSetAttribute(pool, attribute, &value);
}

CONTEXT_TEST(a_pool_counts_its_memory) {
  const CUmemoryPool pool = make_pool();
  const CUstream stream = make_stream();
  size_t available, total;
  const CUdeviceptr first = allocate(pool, BYTES, stream);
  const CUdeviceptr second = allocate(pool, 100, stream);
  NUMBER(RESERVED_MEM_CURRENT, unit);
  NUMBER(USED_MEM_CURRENT, BYTES + 100);
  ok(cuMemGetInfo(&available, &total));
  assert_int_equal(total - available, unit);
  ok(cuMemFreeAsync(first, stream));
  NUMBER(USED_MEM_CURRENT, 100);
  NUMBER(USED_MEM_HIGH, BYTES + 100);
  ok(cuStreamSynchronize(stream));
  NUMBER(RESERVED_MEM_CURRENT, unit);
  ok(cuMemFreeAsync(second, stream));
  ok(cuStreamSynchronize(stream));
  NUMBER(RESERVED_MEM_CURRENT, 0);
  NUMBER(RESERVED_MEM_HIGH, unit);
  ok(set_number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
  ok(cuMemFreeAsync(allocate(pool, unit + 1, stream), stream));
  ok(cuStreamSynchronize(stream));
  NUMBER(RESERVED_MEM_CURRENT, 2 * unit);
  ok(cuMemPoolTrimTo(pool, unit));
  NUMBER(RESERVED_MEM_CURRENT, unit);
  ok(cuMemPoolTrimTo(pool, 0));
  NUMBER(RESERVED_MEM_CURRENT, 0);
  ok(set_number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0));
  ok(set_number(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0));
  NUMBER(RESERVED_MEM_HIGH, 0);
  NUMBER(USED_MEM_HIGH, 0);
  ok(cuMemGetInfo(&available, &total));
  assert_int_equal(total, available);
  ok(cuMemPoolDestroy(pool));
  ok(cuStreamDestroy(stream));
}

CONTEXT_TEST(pool_memory_is_known_until_it_is_freed) {
  const CUmemoryPool pool = make_pool();
  const CUstream stream = make_stream();
  const CUdeviceptr pointer = allocate(pool, BYTES, stream);
  uint64_t value = 7;
  ok(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_CONTEXT, pointer + 5));
  assert_int_equal(value, 0);
  ok(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer + 5));
  assert_int_equal(value, pointer);
  ok(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_RANGE_SIZE, pointer + 5));
  assert_int_equal(value, BYTES);
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(pointer + 16, stream));
  ok(cuMemFreeAsync(pointer, stream));
  expect(CUDA_ERROR_INVALID_VALUE,
         cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(pointer, stream));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(pointer));
  const CUdeviceptr other = allocate(pool, BYTES, stream);
  ok(cuStreamSynchronize(stream));
  ok(cuMemFree(other));
  NUMBER(RESERVED_MEM_CURRENT, 0);
  ok(cuMemPoolDestroy(pool));
  ok(cuStreamDestroy(stream));
}

/* The memory stays valid, in another context, too. The pool's handle becomes invalid. */
CONTEXT_TEST(memory_outlives_its_destroyed_pool) {
  CUcontext other;
  const CUmemoryPool pool = make_pool();
  const CUstream stream = make_stream();
  const CUdeviceptr pointer = allocate(pool, BYTES, stream);
  uint32_t word = 0;
  size_t available, total;
  ok(cuMemPoolDestroy(pool));
  assert_int_equal(fake_cuda_live(FAKE_POOL), 0);
  expect(CUDA_ERROR_INVALID_HANDLE, cuMemPoolTrimTo(pool, 0));
  ok(cuStreamSynchronize(stream));
  ok(cuCtxCreate_v2(&other, 0, 0));
  ok(cuMemsetD32(pointer, 5, BYTES / 4));
  ok(cuCtxDestroy(other));
  ok(cuCtxSetCurrent(*state));
  ok(cuMemcpyDtoH(&word, pointer, sizeof word));
  assert_int_equal(word, 5);
  ok(cuMemFreeAsync(pointer, stream));
  ok(cuStreamSynchronize(stream));
  ok(cuMemGetInfo(&available, &total));
  assert_int_equal(total, available);
  ok(cuStreamDestroy(stream));
}

static void hold(void *data) {
  while (!__atomic_load_n((const bool *)data, __ATOMIC_ACQUIRE))
    ;
}

/* A kernel that runs before the allocation cannot use the memory, even if it is launched later. */
CONTEXT_TEST(a_kernel_before_the_allocation_cannot_use_it) {
  CUmodule module;
  const CUfunction add = load(&module, add_text, "add");
  const CUmemoryPool pool = make_pool();
  const CUstream stream = make_stream();
  static bool is_open; /* static, because hold may read it once more after this test */
  is_open = false;
  ok(cuLaunchHostFunc(stream, hold, &is_open));
  CUdeviceptr pointer = allocate(pool, BYTES, stream);
  uint32_t n = 3;
  void *parameters[] = {&pointer, &n};
  ok(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  const CUresult result = cuStreamSynchronize(NULL);
  __atomic_store_n(&is_open, true, __ATOMIC_RELEASE);
  assert_int_equal(result, CUDA_ERROR_ILLEGAL_ADDRESS);
  ok(cuMemPoolDestroy(pool));
}

CONTEXT_TEST(wrong_pools_and_attributes_are_refused) {
  CUmemPoolProps properties = on_device;
  CUmemoryPool pool = NULL;
  CUdeviceptr pointer = 7;
  const CUstream stream = make_stream();
  cuuint64_t value = 5;
  int is_allowed = 7;
  properties.location.id = 5;
  expect(CUDA_ERROR_INVALID_DEVICE, cuMemPoolCreate(&pool, &properties));
  properties = on_device;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  expect(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolCreate(&pool, &properties));
  properties.location.type = CU_MEM_LOCATION_TYPE_INVALID;
  expect(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &properties));
  assert_null(pool);
  pool = make_pool();
  refused(CUDA_ERROR_INVALID_VALUE, "is 0, not 5",
          set_number(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 5));
  expect(CUDA_ERROR_INVALID_VALUE, set_number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAttribute(pool, (CUmemPool_attribute)99, &value));
  ok(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &is_allowed));
  assert_int_equal(is_allowed, 1);
  expect(CUDA_ERROR_OUT_OF_MEMORY,
         cuMemAllocFromPoolAsync(&pointer, (size_t)1 << 40, pool, stream));
  assert_int_equal(pointer, 7);
  NUMBER(RESERVED_MEM_CURRENT, 0);
  ok(cuMemPoolDestroy(pool));
  expect(CUDA_ERROR_INVALID_HANDLE, cuMemPoolDestroy(pool));
  ok(cuStreamDestroy(stream));
}
