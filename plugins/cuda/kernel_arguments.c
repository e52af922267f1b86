/* Setting a kernel's arguments. Nothing here calls the driver or allocates. */
#include "kernel.h"

#include "checks.h"
#include "image.h"
#include "memory_live.h"
#include "sampler.h"

#include "../objects/launch.h"

#include <string.h>

static pi_result check_index(pi_kernel kernel, pi_uint32 index) {
  if (__builtin_expect(index >= kernel->argument_count, 0))
    return pi_refuse_argument(kernel->name, kernel->argument_count, index);
  return PI_SUCCESS;
}

static pi_result check(pi_kernel kernel, pi_uint32 index, size_t size) {
  PI_TRY(check_index(kernel, index));
  PI_REQUIRE(size == kernel->arguments[index].size, PI_ERROR_INVALID_ARG_SIZE,
             "argument %u of kernel %s has %u bytes, %zu given", index, kernel->name,
             kernel->arguments[index].size, size);
  return PI_SUCCESS;
}

/* ---- Local memory ---- */

enum { LOCAL_ALIGN_MAX = 128 };

/* Local memory begins where any type that fits into it may. */
static size_t align_of(size_t size) {
  size_t align = 1;
  while (align < size && align < LOCAL_ALIGN_MAX)
    align *= 2;
  return align;
}

/* Places the local memory of all arguments one after the other, and sets these to the offsets. */
static void place_local_memory(pi_kernel kernel) {
  size_t end = 0;
  for (pi_uint32 i = 0; i < kernel->argument_count; i++) {
    const size_t size = kernel->arguments[i].local_size;
    if (size == 0)
      continue;
    const size_t align = align_of(size);
    const size_t offset = (end + align - 1) / align * align;
    const pi_uint32 value = (pi_uint32)offset;
    memcpy(kernel->pointers[i], &value, sizeof value);
    end = offset + size;
  }
  kernel->local_memory = end;
}

static void set(pi_kernel kernel, pi_uint32 index, size_t local_size) {
  kernel_argument *it = &kernel->arguments[index];
  const bool moves = it->local_size != local_size;
  kernel->missing -= !it->is_set;
  it->is_set = true;
  it->local_size = local_size;
  it->memory = NULL;
  if (moves)
    place_local_memory(kernel);
}

static pi_result set_local(pi_kernel kernel, pi_uint32 index, size_t size) {
  PI_TRY(check_index(kernel, index));
  const struct pi_device_object *device = kernel->program->context->devices[0];
  PI_REQUIRE(kernel->arguments[index].size == sizeof(pi_uint32), PI_ERROR_INVALID_ARG_VALUE,
             "the value of argument %u of kernel %s is NULL; it has %u bytes, and local memory is "
             "passed as an offset of %zu bytes",
             index, kernel->name, kernel->arguments[index].size, sizeof(pi_uint32));
  const size_t most = (size_t)device->driver.max_shared_optin;
  if (__builtin_expect(size == 0 || size > most, 0))
    return pi_refuse_local_memory(kernel->name, index, size, most);
  set(kernel, index, size);
  return PI_SUCCESS;
}

/* ---- Values ---- */

static void set_value(pi_kernel kernel, pi_uint32 index, size_t size, const void *value) {
  memcpy(kernel->pointers[index], value, size);
  set(kernel, index, 0);
}

/* A memory object, or none: what an empty buffer passes. */
static pi_result set_memory(pi_kernel kernel, pi_uint32 index, pi_mem mem) {
  uint64_t value = 0;
  PI_TRY(check(kernel, index, sizeof value));
  if (mem) {
    REQUIRE_MEM(mem);
    PI_REQUIRE(mem->context->driver.context == kernel->program->context->driver.context,
               PI_ERROR_INVALID_MEM_OBJECT,
               "the memory object for argument %u of kernel %s is of another context", index,
               kernel->name);
    value = mem->driver.image ? (uint64_t)mem->driver.image->surface : (uint64_t)mem->pointer;
  }
  set_value(kernel, index, sizeof value, &value);
  kernel->arguments[index].memory = mem;
  return PI_SUCCESS;
}

/*
 * A NULL arg_value is a local argument of arg_size bytes. On backend opencl memory objects come
 * here too, as the eight bytes of the handle.
 */
pi_result piKernelSetArg(pi_kernel kernel, pi_uint32 arg_index, size_t arg_size,
                         const void *arg_value) {
  REQUIRE_KERNEL(kernel);
  if (!arg_value)
    return set_local(kernel, arg_index, arg_size);
  PI_TRY(check(kernel, arg_index, arg_size));
  if (arg_size == sizeof(pi_mem) && memory_live_has(arg_value)) {
    pi_mem mem;
    memcpy(&mem, arg_value, sizeof mem);
    return set_memory(kernel, arg_index, mem);
  }
  set_value(kernel, arg_index, arg_size, arg_value);
  return PI_SUCCESS;
}

/* arg_value is the address of a variable that holds the USM pointer, which may be NULL. */
pi_result piextKernelSetArgPointer(pi_kernel kernel, pi_uint32 arg_index, size_t arg_size,
                                   const void *arg_value) {
  REQUIRE_KERNEL(kernel);
  PI_TRY(check_index(kernel, arg_index));
  PI_REQUIRE(arg_value, PI_ERROR_INVALID_VALUE, "arg_value of argument %u is NULL", arg_index);
  PI_REQUIRE(arg_size == sizeof(void *), PI_ERROR_INVALID_ARG_SIZE,
             "arg_size of argument %u is %zu, a pointer has %zu bytes", arg_index, arg_size,
             sizeof(void *));
  PI_TRY(check(kernel, arg_index, arg_size));
  set_value(kernel, arg_index, arg_size, arg_value);
  return PI_SUCCESS;
}

/* The access is checked and not needed: what kernels get can be read and written. */
pi_result piextKernelSetArgMemObj(pi_kernel kernel, pi_uint32 arg_index,
                                  const pi_mem_obj_property *arg_properties,
                                  const pi_mem *arg_value) {
  REQUIRE_KERNEL(kernel);
  if (arg_properties)
    PI_TRY(pi_check_mem_access(arg_properties, arg_index));
  return set_memory(kernel, arg_index, arg_value ? *arg_value : NULL);
}

pi_result piextKernelSetArgSampler(pi_kernel kernel, pi_uint32 arg_index,
                                   const pi_sampler *arg_value) {
  REQUIRE_KERNEL(kernel);
  PI_REQUIRE(arg_value, PI_ERROR_INVALID_VALUE, "arg_value of argument %u is NULL", arg_index);
  REQUIRE_SAMPLER(*arg_value);
  const pi_uint32 properties = (*arg_value)->driver.properties;
  PI_TRY(check(kernel, arg_index, sizeof properties));
  set_value(kernel, arg_index, sizeof properties, &properties);
  return PI_SUCCESS;
}

/* ---- Beside arguments ---- */

/* X(PI_EXT_KERNEL_EXEC_INFO_.., CU_FUNC_CACHE_..). */
#define KERNEL_CACHE_CONFIGS(X)                                                                    \
  X(CACHE_DEFAULT, PREFER_NONE)                                                                    \
  X(CACHE_LARGE_SLM, PREFER_SHARED)                                                                \
  X(CACHE_LARGE_DATA, PREFER_L1)

static pi_result set_cache(pi_kernel kernel, const void *value, size_t size) {
  pi_uint32 config;
  PI_REQUIRE(size == sizeof config, PI_ERROR_INVALID_VALUE,
             "param_value_size is %zu, a pi_kernel_cache_config has %zu bytes", size,
             sizeof config);
  memcpy(&config, value, sizeof config);
  CUfunc_cache cache;
  switch (config) {
#define KERNEL_CACHE_CONFIG(pi, cuda)                                                              \
  case PI_EXT_KERNEL_EXEC_INFO_##pi:                                                               \
    cache = CU_FUNC_CACHE_##cuda;                                                                  \
    break;
    KERNEL_CACHE_CONFIGS(KERNEL_CACHE_CONFIG)
#undef KERNEL_CACHE_CONFIG
  default:
    return pi_error(PI_ERROR_INVALID_VALUE, "%u is not a pi_kernel_cache_config", config);
  }
  PI_TRY(cuda_enter(kernel->program->context));
  CU_TRY(FuncSetCacheConfig, kernel->plain.function, cache);
  kernel->cache = cache; /* for a function that is loaded later */
  if (kernel->with_offset.function)
    CU_TRY(FuncSetCacheConfig, kernel->with_offset.function, cache);
  return PI_SUCCESS;
}

/* All memory of a context is in reach of its kernels, so that the first two ask for what is so. */
pi_result piKernelSetExecInfo(pi_kernel kernel, pi_kernel_exec_info value_name,
                              size_t param_value_size, const void *param_value) {
  REQUIRE_KERNEL(kernel);
  REQUIRE_POINTER(param_value);
  switch (value_name) {
  case PI_USM_INDIRECT_ACCESS:
    PI_REQUIRE(param_value_size == sizeof(pi_bool), PI_ERROR_INVALID_VALUE,
               "param_value_size is %zu, a pi_bool has %zu bytes", param_value_size,
               sizeof(pi_bool));
    return PI_SUCCESS;
  case PI_USM_PTRS:
    PI_REQUIRE(param_value_size != 0 && param_value_size % sizeof(void *) == 0,
               PI_ERROR_INVALID_VALUE, "param_value_size is %zu, not a multiple of %zu",
               param_value_size, sizeof(void *));
    return PI_SUCCESS;
  case PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG:
    return set_cache(kernel, param_value, param_value_size);
  }
  return pi_error(PI_ERROR_INVALID_VALUE, "0x%x is not a pi_kernel_exec_info",
                  (unsigned)value_name);
}
