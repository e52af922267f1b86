/* Functions of the fake CUDA driver: attributes, parameters, and how many blocks fit. */
#include "module.h"

static unsigned smallest(unsigned a, unsigned b) {
  return a < b ? a : b;
}

unsigned fake_occupancy(const fake_function *function, unsigned threads, size_t dynamic_shared) {
  const unsigned warps = (threads + 31) / 32;
  if (warps == 0 || threads > function->most_threads)
    return 0;
  unsigned blocks = (unsigned)fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  const unsigned all_warps =
      (unsigned)fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / 32;
  blocks = smallest(blocks, all_warps / warps);
  /* Registers are allocated per warp in units of 256, from a quarter of a multiprocessor. */
  const unsigned of_warp = (function->resources.registers * 32 + 255) / 256 * 256;
  const unsigned registers =
      (unsigned)fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  if (of_warp != 0)
    blocks = smallest(blocks, registers / 4 / of_warp * 4 / warps);
  /* Shared memory is allocated in units of 128 bytes, and the driver reserves some per block. */
  const size_t reserved =
      (size_t)fake_attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  const size_t shared = (function->resources.shared + dynamic_shared + reserved + 127) / 128 * 128;
  const size_t all_shared =
      (size_t)fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  return smallest(blocks, (unsigned)(all_shared / shared));
}

unsigned fake_cooperative_blocks(const fake_function *function, unsigned threads,
                                 size_t dynamic_shared) {
  return fake_occupancy(function, threads, dynamic_shared) *
         (unsigned)fake_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
}

static CUresult get_attribute(const fake_function *function, CUfunction_attribute attribute,
                              int *value) {
  switch ((int)attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = (int)function->most_threads;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = (int)function->resources.shared;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *value = (int)function->entry->constant_bytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = (int)function->resources.stack;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = (int)function->resources.registers;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    *value = (int)function->entry->target;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = (int)function->module->code->architecture;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = (int)function->dynamic_shared;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *value = function->carveout;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
  case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    *value = 0;
    return CUDA_SUCCESS;
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "no attribute of functions is %d", (int)attribute);
  }
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction handle) {
  FAKE_ENTER(cuFuncGetAttribute, CONTEXT);
  FAKE_REQUIRE(value, INVALID_VALUE, "cuFuncGetAttribute: value is NULL");
  FAKE_FIND(fake_function, function, handle, FUNCTION);
  return get_attribute(function, attribute, value);
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  FAKE_ENTER(cuFuncSetAttribute, CONTEXT);
  FAKE_FIND(fake_function, function, handle, FUNCTION);
  const int most = fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    FAKE_REQUIRE(value >= 0 && value <= most - (int)function->resources.shared, INVALID_VALUE,
                 "cuFuncSetAttribute: %d bytes of dynamic shared memory beside %u static ones, of "
                 "%d",
                 value, function->resources.shared, most);
    function->dynamic_shared = (unsigned)value;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    FAKE_REQUIRE(value >= CU_SHAREDMEM_CARVEOUT_DEFAULT &&
                     value <= CU_SHAREDMEM_CARVEOUT_MAX_SHARED,
                 INVALID_VALUE, "cuFuncSetAttribute: a share of %d%%", value);
    function->carveout = value;
    return CUDA_SUCCESS;
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "cuFuncSetAttribute: %d cannot be set",
                       (int)attribute);
  }
}

CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config) {
  FAKE_ENTER(cuFuncSetCacheConfig, CONTEXT);
  FAKE_FIND(fake_function, function, handle, FUNCTION);
  FAKE_REQUIRE((unsigned)config <= CU_FUNC_CACHE_PREFER_EQUAL, INVALID_VALUE,
               "cuFuncSetCacheConfig: no preference is %d", (int)config);
  function->cache = config;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *ret, CUfunction handle) {
  FAKE_ENTER(cuFuncGetModule, CONTEXT);
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuFuncGetModule: NULL");
  FAKE_FIND(fake_function, function, handle, FUNCTION);
  *ret = FAKE_HANDLE(CUmodule, function->module);
  return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction handle) {
  FAKE_ENTER(cuFuncGetName, CONTEXT);
  FAKE_REQUIRE(name, INVALID_VALUE, "cuFuncGetName: NULL");
  FAKE_FIND(fake_function, function, handle, FUNCTION);
  *name = function->entry->name;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset, size_t *size) {
  FAKE_ENTER(cuFuncGetParamInfo, CONTEXT);
  FAKE_REQUIRE(offset, INVALID_VALUE, "cuFuncGetParamInfo: the place for the offset is NULL");
  FAKE_FIND(fake_function, function, handle, FUNCTION);
  /* Programs find the end of the list this way, so a too large index is no defect. */
  if (index >= function->entry->parameter_count)
    return fake_deny(CUDA_ERROR_INVALID_VALUE, "cuFuncGetParamInfo: parameter %zu of %u", index,
                     function->entry->parameter_count);
  *offset = function->entry->parameters[index].offset;
  if (size)
    *size = function->entry->parameters[index].size;
  return CUDA_SUCCESS;
}

static CUresult max_blocks(int *blocks, CUfunction handle, int threads, size_t dynamic_shared,
                           unsigned flags) {
  FAKE_REQUIRE(blocks && threads > 0, INVALID_VALUE, "an occupancy of %d threads", threads);
  FAKE_REQUIRE((flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) == 0, INVALID_VALUE,
               "an occupancy with unknown flags in 0x%x", flags);
  FAKE_FIND(fake_function, function, handle, FUNCTION);
  *blocks = (int)fake_occupancy(function, (unsigned)threads, dynamic_shared);
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t dynamic_shared) {
  FAKE_ENTER(cuOccupancyMaxActiveBlocksPerMultiprocessor, CONTEXT);
  return max_blocks(blocks, function, threads, dynamic_shared, 0);
}

/* Finds the block size with the most threads per multiprocessor; of several, the largest. */
static CUresult potential(int *grid, int *block, CUfunction handle, CUoccupancyB2DSize shared_of,
                          size_t dynamic_shared, int limit) {
  FAKE_REQUIRE(grid && block && limit >= 0, INVALID_VALUE,
               "cuOccupancyMaxPotentialBlockSize: NULL");
  FAKE_FIND(fake_function, function, handle, FUNCTION);
  unsigned most = function->most_threads;
  if (limit != 0)
    most = smallest(most, (unsigned)limit);
  unsigned best = 0;
  unsigned best_threads = 0;
  /* Tries the largest size, and then multiples of a warp. */
  for (unsigned threads = most; threads != 0;
       threads = threads % 32 != 0 ? threads / 32 * 32 : threads - 32) {
    const size_t shared = shared_of ? shared_of((int)threads) : dynamic_shared;
    const unsigned resident = fake_occupancy(function, threads, shared) * threads;
    if (resident > best) {
      best = resident;
      best_threads = threads;
    }
  }
  *block = (int)best_threads;
  *grid = best_threads == 0 ? 0
                            : (int)(best / best_threads) *
                                  fake_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t dynamic_shared,
                                          int limit) {
  FAKE_ENTER(cuOccupancyMaxPotentialBlockSize, CONTEXT);
  return potential(grid, block, function, shared_of, dynamic_shared, limit);
}
