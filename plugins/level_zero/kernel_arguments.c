/*
 * Setting a kernel's arguments. Level Zero takes whatever it is given; what is checked here is what
 * the kernel's SPIR-V says of its arguments. Native code says nothing, there the driver decides.
 */
#include "kernel.h"

#include "checks.h"
#include "image.h"

#include "../objects/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an argument is to be. */
typedef struct argument_value {
  size_t size;
  const void *bytes;  /* NULL: the driver gets none */
  size_t local_size;  /* of local memory */
  bool may_be_same;   /* bytes that mean the same whenever they are the same */
  bool is_of_devices; /* bytes has a handle of size bytes for each root device, NULL for none */
  pi_handle *object;  /* the memory object or sampler behind it, if any */
} argument_value;

static pi_result check_index(pi_kernel kernel, pi_uint32 index) {
  if (__builtin_expect(index >= kernel->argument_count, 0))
    return pi_refuse_argument(kernel->name, kernel->argument_count, index);
  return PI_SUCCESS;
}

static const char *kind_name(spirv_argument_kind kind) {
  static const char *const names[] = {
      [SPIRV_ARGUMENT_UNKNOWN] = "unknown",   [SPIRV_ARGUMENT_VALUE] = "a value",
      [SPIRV_ARGUMENT_POINTER] = "a pointer", [SPIRV_ARGUMENT_LOCAL] = "local memory",
      [SPIRV_ARGUMENT_IMAGE] = "an image",    [SPIRV_ARGUMENT_SAMPLER] = "a sampler"};
  return names[kind];
}

/* The failure for an argument that is something else than what it is to be. */
static pi_result refuse_kind(pi_kernel kernel, pi_uint32 index, const char *given) {
  return pi_error(PI_ERROR_INVALID_ARG_VALUE, "argument %u of kernel %s is %s, %s given", index,
                  kernel->name, kind_name(kernel->arguments[index].kind), given);
}

static pi_result check_size(pi_kernel kernel, pi_uint32 index, size_t size) {
  const pi_uint32 declared = kernel->arguments[index].declared;
  PI_REQUIRE(size != 0 && (declared == 0 || size == declared), PI_ERROR_INVALID_ARG_SIZE,
             "argument %u of kernel %s has %u bytes, %zu given", index, kernel->name, declared,
             size);
  return PI_SUCCESS;
}

/* ---- The driver's part ---- */

static size_t whole_size(pi_kernel kernel, const argument_value *it) {
  return it->is_of_devices ? it->size * kernel->count : it->size;
}

/* The bytes for an instance; *is_there is false when the object is not on its device. */
static const void *bytes_for(pi_kernel kernel, const kernel_instance *instance,
                             const argument_value *it, bool *is_there) {
  const void *handle;
  *is_there = true;
  if (!it->is_of_devices || !it->bytes)
    return it->bytes;
  const char *bytes = (const char *)it->bytes + (size_t)(instance - kernel->instances) * it->size;
  memcpy(&handle, bytes, sizeof handle);
  *is_there = handle != NULL;
  return bytes;
}

/* The failure of the driver's call, which names the argument. */
__attribute__((cold, noinline)) static pi_result refuse_value(ze_result_t code, pi_uint32 index,
                                                              size_t size) {
  char call[96];
  snprintf(call, sizeof call, "zeKernelSetArgumentValue of argument %u, %zu bytes,", index, size);
  return ze_result(code, call);
}

static pi_result give(pi_kernel kernel, const kernel_instance *instance, pi_uint32 index,
                      const argument_value *it) {
  bool is_there;
  const void *bytes = bytes_for(kernel, instance, it, &is_there);
  PI_REQUIRE(is_there, PI_ERROR_INVALID_MEM_OBJECT,
             "argument %u of kernel %s is an object of another device of the context", index,
             kernel->name);
  const ze_result_t code = ze.KernelSetArgumentValue(instance->kernel, index, it->size, bytes);
  if (__builtin_expect(code == ZE_RESULT_SUCCESS, 1))
    return PI_SUCCESS;
  return refuse_value(code, index, it->size);
}

pi_result kernel_set_arguments(pi_kernel kernel, kernel_instance *instance) {
  for (pi_uint32 i = 0; i < kernel->argument_count; i++) {
    const kernel_argument *it = &kernel->arguments[i];
    if (it->serial <= instance->serial)
      continue;
    const argument_value value = {it->size,          it->is_null ? NULL : it->value,
                                  it->local_size,    false,
                                  it->is_of_devices, it->object};
    PI_TRY(give(kernel, instance, i, &value));
  }
  instance->serial = kernel->serial;
  return PI_SUCCESS;
}

/* Room for a value of an argument whose size is not declared. */
static pi_result reserve(kernel_argument *it, size_t size) {
  if (size <= it->capacity)
    return PI_SUCCESS;
  unsigned char *value = realloc(it->value, size);
  PI_REQUIRE(value, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for an argument of %zu bytes", size);
  it->value = value;
  it->capacity = size;
  return PI_SUCCESS;
}

/* memcmp and memcpy, without a call for the sizes that most arguments have. */
static inline bool is_equal(const void *left, const void *right, size_t size) {
  if (size == 4)
    return memcmp(left, right, 4) == 0;
  if (size == 8)
    return memcmp(left, right, 8) == 0;
  return memcmp(left, right, size) == 0;
}

static inline void copy(void *to, const void *from, size_t size) {
  if (size == 4)
    memcpy(to, from, 4);
  else if (size == 8)
    memcpy(to, from, 8);
  else
    memcpy(to, from, size);
}

static bool is_same(const kernel_argument *it, const argument_value *value) {
  return value->may_be_same && it->is_set && !it->is_null && it->size == value->size &&
         is_equal(it->value, value->bytes, value->size);
}

/* Gives the driver the value, for the device that the kernel was launched on last, and keeps it. */
static pi_result store(pi_kernel kernel, pi_uint32 index, const argument_value *value) {
  kernel_argument *it = &kernel->arguments[index];
  if (is_same(it, value))
    return PI_SUCCESS;
  kernel_instance *latest = kernel->latest;
  bool is_there;
  (void)bytes_for(kernel, latest, value, &is_there);
  if (value->bytes)
    PI_TRY(reserve(it, whole_size(kernel, value)));
  if (is_there)
    PI_TRY(give(kernel, latest, index, value));
  if (value->bytes)
    copy(it->value, value->bytes, whole_size(kernel, value));
  it->is_null = !value->bytes;
  it->object = value->object;
  it->is_of_devices = value->is_of_devices;
  it->size = value->size;
  it->local_size = value->local_size;
  kernel->missing -= !it->is_set;
  it->is_set = true;
  /* What was set before is in the driver's object, too, or all has to be set there. */
  if (is_there && latest->serial == kernel->serial)
    latest->serial++;
  it->serial = ++kernel->serial;
  return PI_SUCCESS;
}

static pi_result set(pi_kernel kernel, pi_uint32 index, const argument_value *value) {
  pthread_mutex_lock(&kernel->lock);
  const pi_result result = store(kernel, index, value);
  pthread_mutex_unlock(&kernel->lock);
  return result;
}

/* ---- Kinds ---- */

static pi_result set_local(pi_kernel kernel, pi_uint32 index, size_t size) {
  const pi_context context = kernel->build->context;
  uint32_t most = 0;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    if (context->roots[i]->driver.compute.maxSharedLocalMemory > most)
      most = context->roots[i]->driver.compute.maxSharedLocalMemory;
  if (__builtin_expect(size == 0 || size > most, 0))
    return pi_refuse_local_memory(kernel->name, index, size, most);
  const argument_value value = {.size = size, .local_size = size};
  return set(kernel, index, &value);
}

/* No value: local memory of a size, or a pointer that is NULL. */
static pi_result set_nothing(pi_kernel kernel, pi_uint32 index, size_t size) {
  switch (kernel->arguments[index].kind) {
  case SPIRV_ARGUMENT_LOCAL:
  case SPIRV_ARGUMENT_UNKNOWN:
    return set_local(kernel, index, size);
  case SPIRV_ARGUMENT_POINTER: {
    const argument_value value = {.size = size};
    PI_TRY(check_size(kernel, index, size));
    return set(kernel, index, &value);
  }
  case SPIRV_ARGUMENT_VALUE:
  case SPIRV_ARGUMENT_IMAGE:
  case SPIRV_ARGUMENT_SAMPLER:
    break;
  }
  return refuse_kind(kernel, index, "NULL");
}

/* A NULL arg_value is a local argument of arg_size bytes. */
pi_result piKernelSetArg(pi_kernel kernel, pi_uint32 arg_index, size_t arg_size,
                         const void *arg_value) {
  REQUIRE_KERNEL(kernel);
  PI_TRY(check_index(kernel, arg_index));
  if (!arg_value)
    return set_nothing(kernel, arg_index, arg_size);
  const spirv_argument_kind kind = kernel->arguments[arg_index].kind;
  if (kind == SPIRV_ARGUMENT_LOCAL || kind == SPIRV_ARGUMENT_IMAGE ||
      kind == SPIRV_ARGUMENT_SAMPLER)
    return refuse_kind(kernel, arg_index, "bytes of a value");
  PI_TRY(check_size(kernel, arg_index, arg_size));
  const argument_value value = {
      .size = arg_size, .bytes = arg_value, .may_be_same = kind == SPIRV_ARGUMENT_VALUE};
  return set(kernel, arg_index, &value);
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
  const spirv_argument_kind kind = kernel->arguments[arg_index].kind;
  if (kind == SPIRV_ARGUMENT_LOCAL || kind == SPIRV_ARGUMENT_IMAGE ||
      kind == SPIRV_ARGUMENT_SAMPLER)
    return refuse_kind(kernel, arg_index, "a USM pointer");
  PI_TRY(check_size(kernel, arg_index, arg_size));
  /* The same address may be another allocation than it was when it was set last. */
  const argument_value value = {.size = arg_size, .bytes = arg_value};
  return set(kernel, arg_index, &value);
}

/* An image is on one root device; the driver's handle for the others is NULL. */
static pi_result set_image(pi_kernel kernel, pi_uint32 index, pi_mem mem) {
  enum { ROOTS_MAX = 64 };
  ze_image_handle_t images[ROOTS_MAX] = {NULL};
  const pi_context context = kernel->build->context;
  const pi_device device = mem->driver.image->device;
  PI_REQUIRE(context_has(context, device), PI_ERROR_INVALID_MEM_OBJECT,
             "the image for argument %u of kernel %s is of a device that its context has not",
             index, kernel->name);
  const pi_uint32 root = context_root(context, device);
  PI_REQUIRE(kernel->count <= ROOTS_MAX, PI_ERROR_UNSUPPORTED_FEATURE,
             "kernel %s is of a context with %u devices, and images are for up to %d", kernel->name,
             kernel->count, (int)ROOTS_MAX);
  PI_TRY(image_for_device(mem, device, &images[root]));
  const argument_value value = {
      .size = sizeof images[0], .bytes = images, .is_of_devices = true, .object = &mem->handle};
  return set(kernel, index, &value);
}

static pi_result set_object(pi_kernel kernel, pi_uint32 index, pi_mem mem) {
  const spirv_argument_kind kind = kernel->arguments[index].kind;
  const bool is_image = mem->kind == MEMORY_IMAGE;
  PI_REQUIRE(mem->context->driver.context == kernel->build->context->driver.context,
             PI_ERROR_INVALID_MEM_OBJECT,
             "the memory object for argument %u of kernel %s is of another context", index,
             kernel->name);
  if (kind == SPIRV_ARGUMENT_LOCAL || kind == SPIRV_ARGUMENT_SAMPLER ||
      (kind == SPIRV_ARGUMENT_IMAGE && !is_image) ||
      ((kind == SPIRV_ARGUMENT_POINTER || kind == SPIRV_ARGUMENT_VALUE) && is_image))
    return refuse_kind(kernel, index, is_image ? "an image" : "a buffer");
  PI_TRY(check_size(kernel, index, sizeof mem->pointer));
  if (is_image)
    return set_image(kernel, index, mem);
  const argument_value value = {
      .size = sizeof mem->pointer, .bytes = &mem->pointer, .object = &mem->handle};
  return set(kernel, index, &value);
}

/*
 * The access is checked and not needed: what kernels get can be read and written. No memory object
 * is what an empty buffer passes.
 */
pi_result piextKernelSetArgMemObj(pi_kernel kernel, pi_uint32 arg_index,
                                  const pi_mem_obj_property *arg_properties,
                                  const pi_mem *arg_value) {
  REQUIRE_KERNEL(kernel);
  PI_TRY(check_index(kernel, arg_index));
  if (arg_properties)
    PI_TRY(pi_check_mem_access(arg_properties, arg_index));
  const pi_mem mem = arg_value ? *arg_value : NULL;
  if (mem) {
    REQUIRE_MEM(mem);
    return set_object(kernel, arg_index, mem);
  }
  const spirv_argument_kind kind = kernel->arguments[arg_index].kind;
  if (kind == SPIRV_ARGUMENT_LOCAL || kind == SPIRV_ARGUMENT_SAMPLER)
    return refuse_kind(kernel, arg_index, "a memory object");
  PI_TRY(check_size(kernel, arg_index, sizeof(void *)));
  const argument_value value = {.size = sizeof(void *)};
  return set(kernel, arg_index, &value);
}

pi_result piextKernelSetArgSampler(pi_kernel kernel, pi_uint32 arg_index,
                                   const pi_sampler *arg_value) {
  REQUIRE_KERNEL(kernel);
  PI_TRY(check_index(kernel, arg_index));
  PI_REQUIRE(arg_value, PI_ERROR_INVALID_VALUE, "arg_value of argument %u is NULL", arg_index);
  REQUIRE_SAMPLER(*arg_value);
  const pi_sampler sampler = *arg_value;
  const spirv_argument_kind kind = kernel->arguments[arg_index].kind;
  if (kind != SPIRV_ARGUMENT_SAMPLER && kind != SPIRV_ARGUMENT_UNKNOWN)
    return refuse_kind(kernel, arg_index, "a sampler");
  PI_REQUIRE(sampler->context->driver.context == kernel->build->context->driver.context,
             PI_ERROR_INVALID_SAMPLER,
             "the sampler for argument %u of kernel %s is of another "
             "context",
             arg_index, kernel->name);
  PI_REQUIRE(sampler->driver.count == kernel->count, PI_ERROR_INVALID_SAMPLER,
             sampler->driver.is_bindless
                 ? "the sampler for argument %u of kernel %s is one of bindless "
                   "images, which kernels get with the image"
                 : "the sampler for argument %u of kernel %s is of a context with "
                   "other devices",
             arg_index, kernel->name);
  const argument_value value = {.size = sizeof sampler->driver.samplers[0],
                                .bytes = sampler->driver.samplers,
                                .is_of_devices = true,
                                .object = &sampler->handle};
  return set(kernel, arg_index, &value);
}

/* ---- Beside arguments ---- */

/* X(PI_EXT_KERNEL_EXEC_INFO_.., the driver's flags). */
#define KERNEL_CACHE_CONFIGS(X)                                                                    \
  X(CACHE_DEFAULT, 0)                                                                              \
  X(CACHE_LARGE_SLM, ZE_CACHE_CONFIG_FLAG_LARGE_SLM)                                               \
  X(CACHE_LARGE_DATA, ZE_CACHE_CONFIG_FLAG_LARGE_DATA)

static pi_result set_cache(pi_kernel kernel, const void *value, size_t size) {
  pi_uint32 config;
  PI_REQUIRE(size == sizeof config, PI_ERROR_INVALID_VALUE,
             "param_value_size is %zu, a pi_kernel_cache_config has %zu bytes", size,
             sizeof config);
  memcpy(&config, value, sizeof config);
  ze_cache_config_flags_t flags;
  switch (config) {
#define KERNEL_CACHE_CONFIG(pi, ze)                                                                \
  case PI_EXT_KERNEL_EXEC_INFO_##pi:                                                               \
    flags = ze;                                                                                    \
    break;
    KERNEL_CACHE_CONFIGS(KERNEL_CACHE_CONFIG)
#undef KERNEL_CACHE_CONFIG
  default:
    return pi_error(PI_ERROR_INVALID_VALUE, "%u is not a pi_kernel_cache_config", config);
  }
  for (pi_uint32 i = 0; i < kernel->count; i++) {
    if (!kernel->instances[i].kernel)
      continue;
    /* A hint: a device without such a choice runs the kernel all the same. */
    const ze_result_t code = ze.KernelSetCacheConfig(kernel->instances[i].kernel, flags);
    if (code != ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
      PI_TRY(ze_result(code, "zeKernelSetCacheConfig"));
  }
  return PI_SUCCESS;
}

/* One switch of PI for the three kinds of allocations. */
static pi_result set_indirect(pi_kernel kernel, bool is_on) {
  const ze_kernel_indirect_access_flags_t flags =
      is_on ? ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                  ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED
            : 0;
  for (pi_uint32 i = 0; i < kernel->count; i++)
    if (kernel->instances[i].kernel)
      ZE_TRY(KernelSetIndirectAccess, kernel->instances[i].kernel, flags);
  return PI_SUCCESS;
}

/* With the lock. */
static pi_result set_info(pi_kernel kernel, pi_kernel_exec_info name, size_t size,
                          const void *value) {
  switch (name) {
  case PI_USM_INDIRECT_ACCESS: {
    pi_bool is_on;
    PI_REQUIRE(size == sizeof is_on, PI_ERROR_INVALID_VALUE,
               "param_value_size is %zu, a pi_bool has %zu bytes", size, sizeof is_on);
    memcpy(&is_on, value, sizeof is_on);
    return set_indirect(kernel, is_on != PI_FALSE);
  }
  case PI_USM_PTRS:
    /* Level Zero has no list of allocations, only all of a kind. */
    PI_REQUIRE(size != 0 && size % sizeof(void *) == 0, PI_ERROR_INVALID_VALUE,
               "param_value_size is %zu, not a multiple of %zu", size, sizeof(void *));
    return set_indirect(kernel, true);
  case PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG:
    return set_cache(kernel, value, size);
  }
  return pi_error(PI_ERROR_INVALID_VALUE, "0x%x is not a pi_kernel_exec_info", (unsigned)name);
}

pi_result piKernelSetExecInfo(pi_kernel kernel, pi_kernel_exec_info value_name,
                              size_t param_value_size, const void *param_value) {
  REQUIRE_KERNEL(kernel);
  REQUIRE_POINTER(param_value);
  pthread_mutex_lock(&kernel->lock);
  const pi_result result = set_info(kernel, value_name, param_value_size, param_value);
  pthread_mutex_unlock(&kernel->lock);
  return result;
}
