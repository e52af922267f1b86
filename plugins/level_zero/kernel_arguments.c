/* Sets a kernel's arguments: at once for the device of the latest launch, else before a launch. */
#include "kernel.h"

#include "checks.h"
#include "image.h"

#include "../base/vector.h"
#include "../objects/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The new value of an argument. */
typedef struct argument_value {
  size_t size;
  const void *bytes;  /* NULL: the driver gets NULL */
  bool may_be_same;   /* equal bytes mean an equal value, so it need not be set again */
  bool is_of_devices; /* bytes has a handle of size bytes per root device, NULL if it has none */
} argument_value;

/* ---- Values ---- */

static size_t whole_size(pi_kernel kernel, const argument_value *value) {
  return value->is_of_devices ? value->size * kernel->driver.count : value->size;
}

/* Returns the bytes for an instance; *is_there is false if its device does not have the object. */
static const void *bytes_for(pi_kernel kernel, const kernel_instance *instance,
                             const argument_value *value, bool *is_there) {
  const void *handle;
  *is_there = true;
  if (!value->is_of_devices || !value->bytes)
    return value->bytes;
  const char *bytes =
      (const char *)value->bytes + (size_t)(instance - kernel->driver.instances) * value->size;
  memcpy(&handle, bytes, sizeof handle);
  *is_there = handle != NULL;
  return bytes;
}

/* Returns the error of the driver's call, with a message that names the argument. */
__attribute__((cold, noinline)) static pi_result refuse_value(ze_result_t code, pi_uint32 index,
                                                              size_t size) {
  char call[96];
  snprintf(call, sizeof call, "zeKernelSetArgumentValue of argument %u, %zu bytes,", index, size);
  return ze_result(code, call);
}

static pi_result give_value(pi_kernel kernel, const kernel_instance *instance, pi_uint32 index,
                            const argument_value *value) {
  bool is_there;
  const void *bytes = bytes_for(kernel, instance, value, &is_there);
  REQUIRE(is_there, PI_ERROR_INVALID_MEM_OBJECT,
          "argument %u of kernel %s is an object of another device of the context", index,
          kernel->name);
  const ze_result_t code = ze.KernelSetArgumentValue(instance->kernel, index, value->size, bytes);
  if (__builtin_expect(code == ZE_RESULT_SUCCESS, 1))
    return PI_SUCCESS;
  return refuse_value(code, index, value->size);
}

pi_result kernel_set_arguments(pi_kernel kernel, kernel_instance *instance) {
  for (pi_uint32 i = 0; i < kernel->argument_count; i++) {
    const kernel_value *kernel_value = &kernel->driver.values[i];
    if (kernel_value->serial <= instance->serial)
      continue;
    const argument_value value = {.size = kernel_value->size,
                                  .bytes = kernel_value->is_null ? NULL : kernel_value->bytes,
                                  .is_of_devices = kernel_value->is_of_devices};
    TRY(give_value(kernel, instance, i, &value));
  }
  instance->serial = kernel->driver.serial;
  return PI_SUCCESS;
}

/* Reserves memory for a value. A value with a declared size has enough already. */
static pi_result reserve_value(kernel_value *value, size_t size) {
  if (size <= value->capacity)
    return PI_SUCCESS;
  REQUIRE_MEMORY(vector_resize(&value->bytes, size, 1), "an argument of %zu bytes", size);
  value->capacity = size;
  return PI_SUCCESS;
}

/* memcmp and memcpy, which compilers inline for the sizes of most arguments. */
static inline bool is_equal(const void *left, const void *right, size_t size) {
  if (size == 4)
    return memcmp(left, right, 4) == 0;
  if (size == 8)
    return memcmp(left, right, 8) == 0;
  return memcmp(left, right, size) == 0;
}

static inline void copy_value(void *to, const void *from, size_t size) {
  if (size == 4)
    memcpy(to, from, 4);
  else if (size == 8)
    memcpy(to, from, 8);
  else
    memcpy(to, from, size);
}

static bool is_same(pi_kernel kernel, pi_uint32 index, const argument_value *value) {
  const kernel_value *kernel_value = &kernel->driver.values[index];
  return value->may_be_same && kernel->arguments[index].is_set && !kernel_value->is_null &&
         kernel_value->size == value->size &&
         is_equal(kernel_value->bytes, value->bytes, value->size);
}

/* Keeps the value, and passes it to the driver for the device of the latest launch. */
static pi_result store_value(pi_kernel kernel, pi_uint32 index, const argument_value *value) {
  kernel_value *kernel_value = &kernel->driver.values[index];
  if (is_same(kernel, index, value))
    return PI_SUCCESS;
  kernel_instance *latest = kernel->driver.latest;
  bool is_there;
  (void)bytes_for(kernel, latest, value, &is_there);
  if (value->bytes)
    TRY(reserve_value(kernel_value, whole_size(kernel, value)));
  if (is_there)
    TRY(give_value(kernel, latest, index, value));
  if (value->bytes)
    copy_value(kernel_value->bytes, value->bytes, whole_size(kernel, value));
  kernel_value->is_null = !value->bytes;
  kernel_value->is_of_devices = value->is_of_devices;
  kernel_value->size = value->size;
  /* The latest instance has this value, and is up to date if it had all earlier ones. */
  if (is_there && latest->serial == kernel->driver.serial)
    latest->serial++;
  kernel_value->serial = ++kernel->driver.serial;
  return PI_SUCCESS;
}

static pi_result set_argument(pi_kernel kernel, pi_uint32 index, const argument_value *value) {
  pthread_mutex_lock(&kernel->driver.lock);
  const pi_result result = store_value(kernel, index, value);
  pthread_mutex_unlock(&kernel->driver.lock);
  return result;
}

/* ---- Kinds of arguments ---- */

pi_result driver_kernel_set_local(pi_kernel kernel, pi_uint32 index, size_t size) {
  const pi_context context = kernel->context;
  uint32_t most = 0;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    if (context->roots[i]->driver.compute.maxSharedLocalMemory > most)
      most = context->roots[i]->driver.compute.maxSharedLocalMemory;
  if (__builtin_expect(size == 0 || size > most, 0))
    return refuse_local_memory(kernel->name, index, size, most);
  const argument_value value = {.size = size};
  return set_argument(kernel, index, &value);
}

/* Sets a pointer again even if its bytes are equal: the allocation there may be another one. */
pi_result driver_kernel_set_value(pi_kernel kernel, pi_uint32 index, size_t size,
                                  const void *bytes) {
  const argument_value value = {.size = size,
                                .bytes = bytes,
                                .may_be_same =
                                    kernel->arguments[index].kind == SPIRV_ARGUMENT_VALUE};
  return set_argument(kernel, index, &value);
}

/* Sets an image, which has a handle for one root device and NULL for the others. */
static pi_result set_image(pi_kernel kernel, pi_uint32 index, pi_mem mem) {
  enum { ROOTS_MAX = 64 };
  ze_image_handle_t images[ROOTS_MAX] = {NULL};
  const pi_context context = kernel->context;
  const pi_device device = mem->context->roots[0];
  REQUIRE(context_has(context, device), PI_ERROR_INVALID_MEM_OBJECT,
          "the image for argument %u of kernel %s is of a device that its context has not", index,
          kernel->name);
  const pi_uint32 root = context_root(context, device);
  REQUIRE(kernel->driver.count <= ROOTS_MAX, PI_ERROR_UNSUPPORTED_FEATURE,
          "kernel %s is of a context with %u devices, and images are for up to %d", kernel->name,
          kernel->driver.count, (int)ROOTS_MAX);
  TRY(image_check(mem, device, "the argument"));
  images[root] = mem->pointer;
  const argument_value value = {.size = sizeof images[0], .bytes = images, .is_of_devices = true};
  return set_argument(kernel, index, &value);
}

pi_result driver_kernel_set_memory(pi_kernel kernel, pi_uint32 index, pi_mem mem) {
  if (!mem) {
    const argument_value none = {.size = sizeof(void *)};
    return set_argument(kernel, index, &none);
  }
  const spirv_argument_kind kind = kernel->arguments[index].kind;
  const bool is_image = mem->kind == MEMORY_IMAGE;
  if ((kind == SPIRV_ARGUMENT_IMAGE && !is_image) ||
      ((kind == SPIRV_ARGUMENT_POINTER || kind == SPIRV_ARGUMENT_VALUE) && is_image))
    return kernel_refuse_kind(kernel, index, is_image ? "an image" : "a buffer");
  if (is_image)
    return set_image(kernel, index, mem);
  const argument_value value = {.size = sizeof mem->pointer, .bytes = &mem->pointer};
  return set_argument(kernel, index, &value);
}

pi_result driver_kernel_set_sampler(pi_kernel kernel, pi_uint32 index, pi_sampler sampler) {
  REQUIRE(sampler->driver.count == kernel->driver.count, PI_ERROR_INVALID_SAMPLER,
          sampler->driver.is_bindless
              ? "the sampler for argument %u of kernel %s is one of bindless images, which "
                "kernels get with the image"
              : "the sampler for argument %u of kernel %s is of a context with other devices",
          index, kernel->name);
  const argument_value value = {.size = sizeof sampler->driver.samplers[0],
                                .bytes = sampler->driver.samplers,
                                .is_of_devices = true};
  return set_argument(kernel, index, &value);
}

/* ---- Other settings ---- */

/* Sets the cache configuration; config is one of PI_EXT_KERNEL_EXEC_INFO_CACHE_... */
static pi_result set_cache(pi_kernel kernel, pi_uint32 config) {
  static const ze_cache_config_flags_t flags[] = {
      [PI_EXT_KERNEL_EXEC_INFO_CACHE_DEFAULT] = 0,
      [PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM] = ZE_CACHE_CONFIG_FLAG_LARGE_SLM,
      [PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_DATA] = ZE_CACHE_CONFIG_FLAG_LARGE_DATA};
  for (pi_uint32 i = 0; i < kernel->driver.count; i++) {
    if (!kernel->driver.instances[i].kernel)
      continue;
    /* The configuration is a hint: a device that does not support it still runs the kernel. */
    const ze_result_t code =
        ze.KernelSetCacheConfig(kernel->driver.instances[i].kernel, flags[config]);
    if (code != ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
      TRY(ze_result(code, "zeKernelSetCacheConfig"));
  }
  return PI_SUCCESS;
}

/* Sets Level Zero's flags for all three kinds of allocations, for which PI has one setting. */
static pi_result set_indirect(pi_kernel kernel, bool is_on) {
  const ze_kernel_indirect_access_flags_t flags =
      is_on ? ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                  ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED
            : 0;
  for (pi_uint32 i = 0; i < kernel->driver.count; i++)
    if (kernel->driver.instances[i].kernel)
      ZE_TRY(KernelSetIndirectAccess, kernel->driver.instances[i].kernel, flags);
  return PI_SUCCESS;
}

pi_result driver_kernel_set_cache(pi_kernel kernel, pi_uint32 config) {
  pthread_mutex_lock(&kernel->driver.lock);
  const pi_result result = set_cache(kernel, config);
  pthread_mutex_unlock(&kernel->driver.lock);
  return result;
}

pi_result driver_kernel_set_indirect(pi_kernel kernel, bool is_on) {
  pthread_mutex_lock(&kernel->driver.lock);
  const pi_result result = set_indirect(kernel, is_on);
  pthread_mutex_unlock(&kernel->driver.lock);
  return result;
}
