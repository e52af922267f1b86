/*
 * Setting a kernel's arguments. The drivers take any value, so this file checks it against the
 * declarations in the kernel's code. If the code declares nothing, the driver decides.
 */
#include "../checks/arguments.h"
#include "driver.h"
#include "kernel.h"
#include "memory.h"

#include "../code/image_argument.h"

#include <stdio.h>
#include <string.h>

static inline pi_result check_index(pi_kernel kernel, pi_uint32 index) {
  if (__builtin_expect(index >= kernel->argument_count, 0))
    return refuse_argument(kernel->name, kernel->argument_count, index);
  return PI_SUCCESS;
}

static inline bool takes_size(pi_kernel kernel, pi_uint32 index, size_t size) {
  const pi_uint32 declared = kernel->arguments[index].size;
  return declared == KERNEL_ANY_SIZE ? size != 0 : size == declared;
}

/* The number of bytes that a value has for the kernel: programs may ignore excess bytes. */
static inline size_t counted_size(pi_kernel kernel, pi_uint32 index, size_t size) {
  const pi_uint32 declared = kernel->arguments[index].size;
  const bool is_wide = __builtin_expect(size > declared, 0) && kernel->program->takes_wide_values;
  return is_wide ? declared : size;
}

pi_result kernel_check_size(pi_kernel kernel, pi_uint32 index, size_t size) {
  const pi_uint32 declared = kernel->arguments[index].size;
  REQUIRE(takes_size(kernel, index, size), PI_ERROR_INVALID_ARG_SIZE,
          "argument %u of kernel %s has %u bytes, %zu given", index, kernel->name,
          declared == KERNEL_ANY_SIZE ? 0 : declared, size);
  return PI_SUCCESS;
}

/* The same inline, which calls the function only to report a failure. */
static inline pi_result check_size(pi_kernel kernel, pi_uint32 index, size_t size) {
  return __builtin_expect(takes_size(kernel, index, size), 1)
             ? PI_SUCCESS
             : kernel_check_size(kernel, index, size);
}

pi_result kernel_refuse_kind(pi_kernel kernel, pi_uint32 index, const char *given) {
  static const char *const names[] = {
      [SPIRV_ARGUMENT_UNKNOWN] = "unknown",   [SPIRV_ARGUMENT_VALUE] = "a value",
      [SPIRV_ARGUMENT_POINTER] = "a pointer", [SPIRV_ARGUMENT_LOCAL] = "local memory",
      [SPIRV_ARGUMENT_IMAGE] = "an image",    [SPIRV_ARGUMENT_SAMPLER] = "a sampler"};
  return plugin_error(PI_ERROR_INVALID_ARG_VALUE, "argument %u of kernel %s is %s, %s given", index,
                      kernel->name, names[kernel->arguments[index].kind], given);
}

pi_result kernel_refuse_missing(pi_kernel kernel) {
  char list[256] = "";
  size_t length = 0;
  for (pi_uint32 i = 0; i < kernel->argument_count && length < sizeof list - 16; i++)
    if (!kernel->arguments[i].is_set)
      length +=
          (size_t)snprintf(list + length, sizeof list - length, "%s%u", length ? ", " : "", i);
  return plugin_error(PI_ERROR_INVALID_KERNEL_ARGS,
                      "%u of the %u arguments of kernel %s are not set: %s", kernel->missing,
                      kernel->argument_count, kernel->name, list);
}

/* ---- Local memory ---- */

enum { LOCAL_ALIGN_MAX = 128 };

/* Aligns local memory for the largest type that fits into it. */
static size_t align_of(size_t size) {
  size_t align = 1;
  while (align < size && align < LOCAL_ALIGN_MAX)
    align *= 2;
  return align;
}

/* Places the local memory of all arguments one after the other, after the code's variables. */
static void place_local_memory(pi_kernel kernel) {
  size_t end = kernel->local_start;
  for (pi_uint32 i = 0; i < kernel->argument_count; i++) {
    const size_t size = kernel->arguments[i].local_size;
    if (size == 0)
      continue;
    const size_t align = align_of(size);
    const size_t offset = (end + align - 1) / align * align;
    driver_kernel_place_local(kernel, i, offset);
    end = offset + size;
  }
  kernel->local_memory = end;
}

/* ---- Setting ---- */

/* Records an argument that the driver has taken. */
static inline void note_argument(pi_kernel kernel, pi_uint32 index, size_t local_size,
                                 object_head *object) {
  kernel_argument *argument = &kernel->arguments[index];
  const bool moves = argument->local_size != local_size;
  kernel->missing -= !argument->is_set;
  argument->is_set = true;
  argument->is_ours = false;
  argument->local_size = local_size;
  argument->object = object;
  if (__builtin_expect(moves, 0))
    place_local_memory(kernel);
}

static pi_result set_local(pi_kernel kernel, pi_uint32 index, size_t size) {
  TRY(driver_kernel_set_local(kernel, index, size));
  note_argument(kernel, index, size, NULL);
  return PI_SUCCESS;
}

/* Sets an argument to a null pointer, as for an empty buffer. */
static pi_result set_no_memory(pi_kernel kernel, pi_uint32 index) {
  TRY(driver_kernel_set_memory(kernel, index, NULL));
  note_argument(kernel, index, 0, NULL);
  return PI_SUCCESS;
}

/* Sets an argument from a NULL value: to local memory of size bytes, or to a null pointer. */
static pi_result set_nothing(pi_kernel kernel, pi_uint32 index, size_t size) {
  switch (kernel->arguments[index].kind) {
  case SPIRV_ARGUMENT_LOCAL:
  case SPIRV_ARGUMENT_UNKNOWN:
    return set_local(kernel, index, size);
  case SPIRV_ARGUMENT_POINTER:
    TRY(check_size(kernel, index, size));
    return set_no_memory(kernel, index);
  case SPIRV_ARGUMENT_VALUE:
  case SPIRV_ARGUMENT_IMAGE:
  case SPIRV_ARGUMENT_SAMPLER:
    break;
  }
  return kernel_refuse_kind(kernel, index, "NULL");
}

static inline pi_result set_bytes(pi_kernel kernel, pi_uint32 index, size_t size, const void *value,
                                  const char *given) {
  const spirv_argument_kind kind = kernel->arguments[index].kind;
  if (__builtin_expect(kind == SPIRV_ARGUMENT_LOCAL || kind == SPIRV_ARGUMENT_IMAGE ||
                           kind == SPIRV_ARGUMENT_SAMPLER,
                       0))
    return kernel_refuse_kind(kernel, index, given);
  size = counted_size(kernel, index, size);
  TRY(check_size(kernel, index, size));
  TRY(driver_kernel_set_value(kernel, index, size, value));
  note_argument(kernel, index, 0, NULL);
  return PI_SUCCESS;
}

pi_result kernel_set_argument(pi_kernel kernel, pi_uint32 index, size_t size, const void *value) {
  TRY(check_index(kernel, index));
  if (!value)
    return set_nothing(kernel, index, size);
  /* Reads no handle from a value of the wrong size, because the bytes might not be readable. */
  const bool may_be_memory = size == sizeof(pi_mem) && takes_size(kernel, index, size);
  const pi_mem mem = may_be_memory ? driver_kernel_memory_of(value) : NULL;
  if (__builtin_expect(mem != NULL, 0))
    return kernel_set_memory(kernel, index, mem);
  return set_bytes(kernel, index, size, value, "bytes of a value");
}

pi_result kernel_set_value(pi_kernel kernel, pi_uint32 index, size_t size, const void *value) {
  TRY(check_index(kernel, index));
  TRY(check_argument_value(index, value));
  return set_bytes(kernel, index, size, value, "bytes of a value");
}

pi_result kernel_set_local(pi_kernel kernel, pi_uint32 index, size_t size) {
  TRY(check_index(kernel, index));
  const spirv_argument_kind kind = kernel->arguments[index].kind;
  if (kind != SPIRV_ARGUMENT_LOCAL && kind != SPIRV_ARGUMENT_UNKNOWN)
    return kernel_refuse_kind(kernel, index, "local memory");
  return set_local(kernel, index, size);
}

pi_result kernel_set_pointer(pi_kernel kernel, pi_uint32 index, size_t size, const void *value) {
  TRY(check_index(kernel, index));
  TRY(check_argument_pointer(index, size, value));
  return set_bytes(kernel, index, size, value, "a USM pointer");
}

pi_result kernel_set_memory(pi_kernel kernel, pi_uint32 index, pi_mem mem) {
  TRY(check_index(kernel, index));
  const spirv_argument_kind kind = kernel->arguments[index].kind;
  if (kind == SPIRV_ARGUMENT_LOCAL || kind == SPIRV_ARGUMENT_SAMPLER)
    return kernel_refuse_kind(kernel, index, "a memory object");
  const bool is_image = mem && mem->kind == MEMORY_IMAGE;
  if (!is_image || !takes_size(kernel, index, sizeof(image_argument)))
    TRY(check_size(kernel, index, sizeof(void *)));
  if (!mem)
    return set_no_memory(kernel, index);
  REQUIRE(mem->context->native == kernel->context->native, PI_ERROR_INVALID_MEM_OBJECT,
          "the memory object for argument %u of kernel %s is of another context", index,
          kernel->name);
  TRY(driver_kernel_set_memory(kernel, index, mem));
  note_argument(kernel, index, 0, &mem->handle);
  return PI_SUCCESS;
}

pi_result kernel_set_sampler(pi_kernel kernel, pi_uint32 index, pi_sampler sampler) {
  TRY(check_index(kernel, index));
  const spirv_argument_kind kind = kernel->arguments[index].kind;
  if (kind != SPIRV_ARGUMENT_SAMPLER && kind != SPIRV_ARGUMENT_UNKNOWN)
    return kernel_refuse_kind(kernel, index, "a sampler");
  REQUIRE(sampler->context->native == kernel->context->native, PI_ERROR_INVALID_SAMPLER,
          "the sampler for argument %u of kernel %s is of another context", index, kernel->name);
  TRY(driver_kernel_set_sampler(kernel, index, sampler));
  note_argument(kernel, index, 0, &sampler->handle);
  return PI_SUCCESS;
}

void kernel_begin_arguments(pi_kernel kernel) {
  pthread_mutex_lock(&kernel->lock);
  for (pi_uint32 i = 0; i < kernel->argument_count; i++) {
    kernel_argument *argument = &kernel->arguments[i];
    kernel->missing += argument->is_set && !argument->is_ours;
    argument->is_set = argument->is_ours;
  }
}

void kernel_end_arguments(pi_kernel kernel) {
  pthread_mutex_unlock(&kernel->lock);
}

/* ---- Execution info ---- */

pi_result kernel_set_info(pi_kernel kernel, pi_kernel_exec_info name, size_t size,
                          const void *value) {
  pi_uint32 number = PI_TRUE; /* for PI_USM_PTRS: drivers allow all allocations, not a list */
  TRY(kernel_check_info(name, size, value));
  if (name != PI_USM_PTRS)
    memcpy(&number, value, sizeof number);
  if (name == PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG)
    return driver_kernel_set_cache(kernel, number);
  return driver_kernel_set_indirect(kernel, number != PI_FALSE);
}
