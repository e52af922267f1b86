/*
 * Kernels: creation, lifetime, native handles. Arguments are set in kernel_arguments.c, queries are
 * in kernel_info.c, launches in launch.c.
 */
#include "kernel.h"

#include "build_cache.h"

#include "../objects/driver.h"

#include "checks.h"

#include <stdlib.h>
#include <string.h>

/* Values of arguments begin at multiples of this, which is enough for all types. */
enum { ARGUMENT_ALIGN = 16 };

static size_t room_of(pi_uint32 size) {
  return ((size_t)size + ARGUMENT_ALIGN - 1) / ARGUMENT_ALIGN * ARGUMENT_ALIGN;
}

void driver_kernel_destroy(pi_kernel kernel) {
  free(kernel->driver.pointers);
}

static pi_result get_attribute(CUfunction function, CUfunction_attribute attribute,
                               pi_uint32 *ret) {
  int value = 0;
  CU_TRY(FuncGetAttribute, &value, attribute, function);
  *ret = value > 0 ? (pi_uint32)value : 0;
  return PI_SUCCESS;
}

static void read_device(const struct pi_device_object *device, kernel_limits *ret) {
  const int group[3] = {device->driver.max_block_x, device->driver.max_block_y,
                        device->driver.max_block_z};
  const int groups[3] = {device->driver.max_grid_x, device->driver.max_grid_y,
                         device->driver.max_grid_z};
  for (int i = 0; i < 3; i++) {
    ret->max_group[i] = (size_t)group[i];
    ret->max_groups[i] = (size_t)groups[i];
  }
  ret->max_device_items = (size_t)device->driver.max_threads;
  ret->preferred_multiple = (size_t)device->driver.warp_size;
  ret->max_sub_group = (pi_uint32)device->driver.warp_size;
}

/* What blocks of a function may have without a further call of the driver. */
static pi_result read_function(pi_kernel kernel, CUfunction function, kernel_function *ret) {
  const struct pi_device_object *device = kernel->context->devices[0];
  kernel_limits *limits = &ret->limits;
  pi_uint32 threads;
  TRY(get_attribute(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &threads));
  TRY(get_attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &limits->local_memory));
  TRY(get_attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &limits->private_memory));
  TRY(get_attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, &limits->registers));
  read_device(device, limits);
  limits->max_items = threads;
  if (kernel->driver.code && kernel->driver.code->sub_group != 0)
    limits->max_sub_group = limits->required_sub_group = kernel->driver.code->sub_group;
  limits->max_sub_groups = (threads + limits->max_sub_group - 1) / limits->max_sub_group;
  for (int i = 0; kernel->driver.code && i < 3; i++)
    limits->required[i] = kernel->driver.code->required[i];
  const size_t most = (size_t)device->driver.max_shared;
  atomic_init(&ret->dynamic_shared, most > limits->local_memory ? most - limits->local_memory : 0);
  ret->function = function;
  return PI_SUCCESS;
}

/* ---- Arguments ---- */

/* Room for the values of count arguments of these sizes, in one piece of memory. */
static pi_result make_arguments(pi_kernel kernel, pi_uint32 count, const code_parameter *sizes) {
  size_t bytes = 0;
  for (pi_uint32 i = 0; i < count; i++)
    bytes += room_of(sizes[i].size);
  const size_t list =
      (((size_t)count + 1) * sizeof(void *) + ARGUMENT_ALIGN - 1) / ARGUMENT_ALIGN * ARGUMENT_ALIGN;
  TRY(kernel_make_arguments(kernel, count));
  char *memory = calloc(1, list + bytes);
  REQUIRE(memory, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u arguments of kernel %s", count,
          kernel->name);
  kernel->driver.pointers = (void **)(void *)memory;
  char *at = memory + list;
  for (pi_uint32 i = 0; i < count; i++) {
    kernel->arguments[i].size = sizes[i].size;
    kernel->driver.pointers[i] = at;
    at += room_of(sizes[i].size);
  }
  return PI_SUCCESS;
}

/* Asks the driver for the parameters, which ends their list by CUDA_ERROR_INVALID_VALUE. */
static pi_result ask_parameters(pi_kernel kernel, code_parameter *list, pi_uint32 capacity,
                                pi_uint32 *count) {
  *count = 0;
  for (size_t offset, size; *count < capacity; ++*count) {
    const CUresult code =
        cu.FuncGetParamInfo(kernel->driver.plain.function, *count, &offset, &size);
    if (code == CUDA_ERROR_INVALID_VALUE)
      return PI_SUCCESS;
    TRY(cu_result(code, "cuFuncGetParamInfo"));
    list[*count] = (code_parameter){(pi_uint32)offset, (pi_uint32)size};
  }
  return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "kernel %s has more than %u parameters",
                      kernel->name, capacity);
}

static pi_result make_unknown_arguments(pi_kernel kernel) {
  enum { PARAMETERS_MAX = 4096 };
  if (!cu.FuncGetParamInfo)
    return CUDA_UNSUPPORTED(
        "the parameters of kernel %s are not known: its code does not tell, and the driver's CUDA "
        "%d.%d cannot (12.4 can)",
        kernel->name, cuda_driver_version / 1000, cuda_driver_version % 1000 / 10);
  code_parameter *list = malloc(PARAMETERS_MAX * sizeof *list);
  REQUIRE(list, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the parameters of kernel %s",
          kernel->name);
  pi_uint32 count = 0;
  pi_result result = ask_parameters(kernel, list, PARAMETERS_MAX, &count);
  if (result == PI_SUCCESS)
    result = make_arguments(kernel, count, list);
  free(list);
  return result;
}

/* The buffer of constants is set by us, until somebody else sets it. */
static pi_result set_buffer(pi_kernel kernel, const code_kernel *known) {
  const pi_uint32 index = known->buffer_argument;
  if (index == PTX_NONE)
    return PI_SUCCESS;
  const CUdeviceptr values = kernel->build->driver.constants + known->values_at;
  REQUIRE(index < kernel->argument_count && kernel->arguments[index].size == sizeof values,
          PI_ERROR_INVALID_BINARY,
          "argument %u of kernel %s is no pointer to a buffer of constants", index, kernel->name);
  memcpy(kernel->driver.pointers[index], &values, sizeof values);
  kernel->arguments[index].is_set = kernel->arguments[index].is_ours = true;
  kernel->missing--;
  return PI_SUCCESS;
}

/* ---- Creation ---- */

/* The variant for launches with an offset; there need not be one. */
static pi_result find_offset_variant(pi_kernel kernel) {
  char name[1024];
  CUfunction function = NULL;
  if (!code_offset_variant(kernel->name, name, sizeof name))
    return PI_SUCCESS;
  /* Code whose kernels are known needs no question that the driver answers with a failure. What is
   * generated without such entries does not tell of them. */
  if (program_tells_kernels(kernel->program) && !program_is_generated(kernel->program) &&
      !code_find(kernel->build->driver.info, name))
    return PI_SUCCESS;
  kernel->driver.offset_is_apart = kernel->build->driver.offsets_are_apart;
  if (kernel->driver.offset_is_apart)
    return PI_SUCCESS;
  const CUresult code = cu.ModuleGetFunction(&function, kernel->build->driver.module, name);
  if (code == CUDA_ERROR_NOT_FOUND)
    return PI_SUCCESS;
  TRY(cu_result(code, "cuModuleGetFunction"));
  return read_function(kernel, function, &kernel->driver.with_offset);
}

static pi_result load_offset(pi_kernel kernel, CUmodule module) {
  char name[1024];
  CUfunction function;
  if (!code_offset_variant(kernel->name, name, sizeof name))
    return PI_SUCCESS;
  const CUresult code = cu.ModuleGetFunction(&function, module, name);
  if (code == CUDA_ERROR_NOT_FOUND)
    return PI_SUCCESS;
  TRY(cu_result(code, "cuModuleGetFunction"));
  if (kernel->driver.cache != CU_FUNC_CACHE_PREFER_NONE)
    CU_TRY(FuncSetCacheConfig, function, kernel->driver.cache);
  TRY(read_function(kernel, function, &kernel->driver.with_offset));
  atomic_store_explicit(&kernel->driver.offset_is_loaded, true, memory_order_release);
  return PI_SUCCESS;
}

pi_result kernel_load_offset(pi_kernel kernel) {
  CUmodule module;
  TRY(build_offsets(kernel->program, kernel->build, &module));
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&kernel->build->driver.lock);
  if (!atomic_load_explicit(&kernel->driver.offset_is_loaded, memory_order_relaxed))
    result = load_offset(kernel, module);
  pthread_mutex_unlock(&kernel->build->driver.lock);
  return result;
}

/* Fills a new kernel, whose context is current. */
static pi_result fill_kernel(pi_kernel kernel, CUfunction function) {
  kernel->driver.code =
      kernel->build->driver.info ? code_find(kernel->build->driver.info, kernel->name) : NULL;
  TRY(read_function(kernel, function, &kernel->driver.plain));
  TRY(find_offset_variant(kernel));
  const code_kernel *known = kernel->driver.code;
  if (known && known->parameter_count != CODE_UNKNOWN)
    TRY(make_arguments(kernel, known->parameter_count, known->parameters));
  else
    TRY(make_unknown_arguments(kernel));
  kernel->local_start = kernel->local_memory = known ? known->local_memory : 0;
  return known ? set_buffer(kernel, known) : PI_SUCCESS;
}

/* The kernel's own code, in place of a build that has it apart. */
static pi_result take_code(pi_kernel kernel) {
  program_build *its;
  if (!kernel->build->driver.is_divided)
    return PI_SUCCESS;
  REQUIRE(code_find(kernel->build->driver.info, kernel->name), PI_ERROR_INVALID_KERNEL_NAME,
          "the program has no kernel \"%s\"", kernel->name);
  TRY(build_of_kernel(kernel->program, kernel->build, kernel->name, &its));
  build_release(kernel->build);
  kernel->build = its;
  return PI_SUCCESS;
}

pi_result driver_kernel_create(pi_kernel kernel) {
  CUfunction function;
  TRY(take_code(kernel));
  TRY(cuda_enter(kernel->context));
  if (kernel->origin)
    return fill_kernel(kernel, kernel->origin->driver.plain.function);
  const CUresult code = cu.ModuleGetFunction(&function, kernel->build->driver.module, kernel->name);
  REQUIRE(code != CUDA_ERROR_NOT_FOUND, PI_ERROR_INVALID_KERNEL_NAME,
          "the program has no kernel \"%s\"", kernel->name);
  TRY(cu_result(code, "cuModuleGetFunction"));
  return fill_kernel(kernel, function);
}

/* ---- Native handles ---- */

/* The CUfunction, which belongs to its module. */
pi_result driver_kernel_native(pi_kernel kernel, pi_native_handle *ret) {
  *ret = (pi_native_handle)(void *)kernel->driver.plain.function;
  return PI_SUCCESS;
}

/* The name of a function of build; "" where neither the driver nor the code can tell. */
static pi_result name_of(CUfunction function, const program_build *build, const char **ret) {
  *ret = "";
  if (cu.FuncGetName)
    return cu_result(cu.FuncGetName(ret, function), "cuFuncGetName");
  for (size_t i = 0; build->driver.info && i < build->driver.info->count; i++) {
    const char *name = build->driver.info->kernels[i].name;
    CUfunction other = NULL;
    if (cu.ModuleGetFunction(&other, build->driver.module, name) == CUDA_SUCCESS &&
        other == function)
      *ret = name;
  }
  return PI_SUCCESS;
}

/* A kernel around a function of a program's latest build, which the caller holds. */
static pi_result wrap_function(pi_program program, program_build *build, CUfunction function,
                               pi_kernel *ret) {
  const char *name = "";
  const pi_result named = name_of(function, build, &name);
  if (named != PI_SUCCESS) {
    build_release(build);
    return named;
  }
  pi_kernel kernel;
  TRY(kernel_new(program, build, name, &kernel));
  return kernel_finish_new(kernel, fill_kernel(kernel, function), ret);
}

/* A kernel around a function of a module, which is to be that of a program's latest build. */
static pi_result adopt_function(pi_program program, CUmodule module, CUfunction function,
                                pi_kernel *ret) {
  program_build *latest;
  program_build *whole;
  TRY(program_hold_build(program, &latest));
  const pi_result result = build_of_kernel(program, latest, NULL, &whole);
  build_release(latest);
  TRY(result);
  if (whole->driver.module == module)
    return wrap_function(program, whole, function, ret);
  build_release(whole);
  return plugin_error(PI_ERROR_INVALID_PROGRAM,
                      "native_handle is no function of the program's latest build");
}

/* Owning a function means nothing. */
pi_result driver_kernel_adopt(pi_context context, pi_program program, pi_native_handle native,
                              bool is_owned, pi_kernel *ret) {
  const CUfunction function = (CUfunction)native;
  (void)is_owned;
  CUmodule module;
  TRY(cuda_enter(context));
  CU_TRY(FuncGetModule, &module, function);
  if (program)
    program_retain(program);
  else
    TRY(program_adopt(context, (pi_native_handle)(void *)module, false, &program));
  const pi_result result = adopt_function(program, module, function, ret);
  program_release(program);
  return result;
}
