/* Sets the values of a kernel's arguments. Only driver_kernel_set_cache calls the driver. */
#include "kernel.h"

#include "checks.h"
#include "image.h"
#include "memory_live.h"
#include "sampler.h"

#include "../code/image_argument.h"
#include "../objects/driver.h"

#include <string.h>

/* Checks the size only. driver_kernel_place_local sets the argument, an offset, later. */
pi_result driver_kernel_set_local(pi_kernel kernel, pi_uint32 index, size_t size) {
  REQUIRE(kernel->arguments[index].size == sizeof(pi_uint32), PI_ERROR_INVALID_ARG_VALUE,
          "the value of argument %u of kernel %s is NULL; it has %u bytes, and local memory is "
          "passed as an offset of %zu bytes",
          index, kernel->name, kernel->arguments[index].size, sizeof(pi_uint32));
  size_t most = 0;
  for (pi_uint32 i = 0; i < kernel->context->root_count; i++)
    if (most < (size_t)kernel->context->roots[i]->driver.max_shared_optin)
      most = (size_t)kernel->context->roots[i]->driver.max_shared_optin;
  if (__builtin_expect(size == 0 || size > most, 0))
    return refuse_local_memory(kernel->name, index, size, most);
  return PI_SUCCESS;
}

void driver_kernel_place_local(pi_kernel kernel, pi_uint32 index, size_t offset) {
  const pi_uint32 value = (pi_uint32)offset;
  memcpy(kernel->driver.pointers[index], &value, sizeof value);
}

pi_result driver_kernel_set_value(pi_kernel kernel, pi_uint32 index, size_t size,
                                  const void *bytes) {
  memcpy(kernel->driver.pointers[index], bytes, size);
  return PI_SUCCESS;
}

pi_result driver_kernel_copy_arguments(pi_kernel to, pi_kernel from) {
  for (pi_uint32 i = 0; i < from->argument_count; i++)
    memcpy(to->driver.pointers[i], from->driver.pointers[i], from->arguments[i].size);
  return PI_SUCCESS;
}

pi_mem driver_kernel_memory_of(const void *bytes) {
  pi_mem mem = NULL;
  if (memory_live_has(bytes))
    memcpy(&mem, bytes, sizeof mem);
  return mem;
}

/* Sets an image in the form that specpi-codegen's kernels take: its surface and sizes. */
static pi_result set_description(pi_kernel kernel, pi_uint32 index, pi_mem image) {
  const image_shape *shape = &image->form.shape;
  const image_argument value = {.surface = image->driver.surface,
                                .width = (uint32_t)shape->width,
                                .height = (uint32_t)shape->height,
                                .depth = shape->is_layered ? 1 : (uint32_t)shape->depth,
                                .layers = shape->is_layered ? (uint32_t)shape->depth : 1,
                                .type = (uint32_t)image->form.format.image_channel_data_type,
                                .order = (uint32_t)image->form.format.image_channel_order};
  return driver_kernel_set_value(kernel, index, sizeof value, &value);
}

pi_result driver_kernel_set_memory(pi_kernel kernel, pi_uint32 index, pi_mem mem) {
  uint64_t value = 0;
  if (mem && mem->kind == MEMORY_IMAGE && kernel->arguments[index].size == sizeof(image_argument))
    return set_description(kernel, index, mem);
  if (mem)
    value = mem->kind == MEMORY_IMAGE ? mem->driver.surface : (uint64_t)mem->pointer;
  return driver_kernel_set_value(kernel, index, sizeof value, &value);
}

pi_result driver_kernel_set_sampler(pi_kernel kernel, pi_uint32 index, pi_sampler sampler) {
  const pi_uint32 properties = sampler->driver.properties;
  TRY(kernel_check_size(kernel, index, sizeof properties));
  return driver_kernel_set_value(kernel, index, sizeof properties, &properties);
}

/* Sets driver.cache from a PI_EXT_KERNEL_EXEC_INFO_CACHE_ value. */
pi_result driver_kernel_set_cache(pi_kernel kernel, pi_uint32 config) {
  static const CUfunc_cache caches[] = {
      [PI_EXT_KERNEL_EXEC_INFO_CACHE_DEFAULT] = CU_FUNC_CACHE_PREFER_NONE,
      [PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM] = CU_FUNC_CACHE_PREFER_SHARED,
      [PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_DATA] = CU_FUNC_CACHE_PREFER_L1};
  kernel->driver.cache = caches[config];
  return kernel_apply_cache(kernel);
}
