/*
 * Kernels: creation, lifetime, native handles. Arguments are in kernel_arguments.c, launches in
 * launch.c, queries in ../objects/kernel_info.c.
 */
#include "kernel.h"

#include "build_cache.h"

#include "../objects/driver.h"

#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Alignment of each argument's value in bytes, enough for all types. */
enum { ARGUMENT_ALIGN = 16 };

static size_t room_of(pi_uint32 size) {
  return ((size_t)size + ARGUMENT_ALIGN - 1) / ARGUMENT_ALIGN * ARGUMENT_ALIGN;
}

static void release_code(const kernel_instance *instance, bool is_used) {
  if (instance->build && is_used)
    build_is_used(instance->build);
  build_release(instance->build);
}

static void free_variant(kernel_instance *instance, bool is_used) {
  if (!instance)
    return;
  release_code(instance, is_used);
  free(instance);
}

static void release_instance(kernel_instance *instance, bool is_used) {
  kernel_instance *larger = kernel_larger(instance);
  free_variant(kernel_one_warp(instance), is_used);
  release_code(instance, is_used);
  while (larger) {
    kernel_instance *next = kernel_larger(larger);
    free_variant(larger, is_used);
    larger = next;
  }
}

void driver_kernel_destroy(pi_kernel kernel) {
  const bool is_used = atomic_load_explicit(&kernel->is_used, memory_order_relaxed);
  for (pi_uint32 i = 0; i < kernel->driver.count; i++)
    release_instance(&kernel->driver.instances[i], is_used);
  free(kernel->driver.instances);
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

/* Fills in a kernel_function: reads the limits of launches from the driver. */
static pi_result read_function(pi_kernel kernel, pi_device device, CUfunction function,
                               kernel_function *ret) {
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
  ret->has_own_parameters = kernel->driver.count > 1;
  const size_t most = (size_t)device->driver.max_shared;
  atomic_init(&ret->dynamic_shared, most > limits->local_memory ? most - limits->local_memory : 0);
  ret->function = function;
  return PI_SUCCESS;
}

/* ---- Arguments ---- */

/* Allocates the values of the arguments, and the list of pointers to them, in one block. */
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

/* Lists the parameters that the driver reports; CUDA_ERROR_INVALID_VALUE means no more. */
static pi_result ask_parameters(pi_kernel kernel, CUfunction function, code_parameter *list,
                                pi_uint32 capacity, pi_uint32 *count) {
  *count = 0;
  for (size_t offset, size; *count < capacity; ++*count) {
    const CUresult code = cu.FuncGetParamInfo(function, *count, &offset, &size);
    if (code == CUDA_ERROR_INVALID_VALUE)
      return PI_SUCCESS;
    TRY(cu_result(code, "cuFuncGetParamInfo"));
    list[*count] = (code_parameter){(pi_uint32)offset, (pi_uint32)size};
  }
  return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "kernel %s has more than %u parameters",
                      kernel->name, capacity);
}

static pi_result make_unknown_arguments(pi_kernel kernel, CUfunction function) {
  enum { PARAMETERS_MAX = 4096 };
  if (!cu.FuncGetParamInfo)
    return CUDA_UNSUPPORTED("the parameters of kernel %s are not known: its code does not declare "
                            "them, and the driver of CUDA %d.%d cannot list them (12.4 can)",
                            kernel->name, cuda_driver_version / 1000,
                            cuda_driver_version % 1000 / 10);
  code_parameter *list = malloc(PARAMETERS_MAX * sizeof *list);
  REQUIRE(list, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the parameters of kernel %s",
          kernel->name);
  pi_uint32 count = 0;
  pi_result result = ask_parameters(kernel, function, list, PARAMETERS_MAX, &count);
  if (result == PI_SUCCESS)
    result = make_arguments(kernel, count, list);
  free(list);
  return result;
}

/* Sets the argument for the buffer of constants. The application may set another buffer later. */
static pi_result set_buffer(pi_kernel kernel, const code_kernel *known) {
  const pi_uint32 index = known->buffer_argument;
  if (index == PTX_NONE)
    return PI_SUCCESS;
  REQUIRE(index < kernel->argument_count && kernel->arguments[index].size == sizeof(CUdeviceptr),
          PI_ERROR_INVALID_BINARY,
          "argument %u of kernel %s is no pointer to a buffer of constants", index, kernel->name);
  for (pi_uint32 i = 0; i < kernel->driver.count; i++) {
    kernel_instance *instance = &kernel->driver.instances[i];
    if (!instance->build)
      continue;
    instance->constants = instance->build->driver.constants + known->values_at;
    memcpy(kernel->driver.pointers[index], &instance->constants, sizeof instance->constants);
  }
  kernel->arguments[index].is_set = kernel->arguments[index].is_ours = true;
  kernel->missing--;
  return PI_SUCCESS;
}

/* ---- Creation ---- */

/* Fills in with_offset from a function that takes the offset after all other arguments. */
static pi_result read_offset_variant(pi_kernel kernel, kernel_instance *instance,
                                     CUfunction function) {
  TRY(read_function(kernel, instance->device, function, &instance->with_offset));
  instance->with_offset.has_own_parameters = true;
  return PI_SUCCESS;
}

/* Finds the function for launches with an offset. It is no failure if there is none. */
static pi_result find_offset_variant(pi_kernel kernel, kernel_instance *instance) {
  const struct driver_build *build = &instance->build->driver;
  char name[1024];
  CUfunction function = NULL;
  if (!code_offset_variant(kernel->name, name, sizeof name))
    return PI_SUCCESS;
  /*
   * If the code lists its kernels, looks there, to avoid a failing call of the driver. Generated
   * code is an exception, because its list may lack the function.
   */
  if (program_tells_kernels(kernel->program) && !program_is_generated(kernel->program) &&
      !code_find(build->info, name))
    return PI_SUCCESS;
  instance->offset_is_apart = build->offsets_are_apart;
  if (instance->offset_is_apart)
    return PI_SUCCESS;
  const CUresult code = cu.ModuleGetFunction(&function, build->module, name);
  if (code == CUDA_ERROR_NOT_FOUND)
    return PI_SUCCESS;
  TRY(cu_result(code, "cuModuleGetFunction"));
  return read_offset_variant(kernel, instance, function);
}

static pi_result load_offset(pi_kernel kernel, kernel_instance *instance, CUmodule module) {
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
  TRY(read_offset_variant(kernel, instance, function));
  atomic_store_explicit(&instance->offset_is_loaded, true, memory_order_release);
  return PI_SUCCESS;
}

pi_result kernel_load_offset(pi_kernel kernel, kernel_instance *instance) {
  CUmodule module;
  TRY(build_offsets(kernel->program, instance->build, &module));
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&instance->build->driver.lock);
  if (!atomic_load_explicit(&instance->offset_is_loaded, memory_order_relaxed))
    result = load_offset(kernel, instance, module);
  pthread_mutex_unlock(&instance->build->driver.lock);
  return result;
}

/* Fills in an instance, which has its build already. The instance's context is current. */
static pi_result fill_instance(pi_kernel kernel, kernel_instance *instance, CUfunction function) {
  const code_info *info = instance->build->driver.info;
  kernel->driver.code = info ? code_find(info, kernel->name) : NULL;
  TRY(read_function(kernel, instance->device, function, &instance->plain));
  return find_offset_variant(kernel, instance);
}

/* Makes the arguments, which all instances share. function is of any instance. */
static pi_result finish_kernel(pi_kernel kernel, CUfunction function) {
  const code_kernel *known = kernel->driver.code;
  if (known && known->parameter_count != CODE_UNKNOWN)
    TRY(make_arguments(kernel, known->parameter_count, known->parameters));
  else
    TRY(make_unknown_arguments(kernel, function));
  kernel->local_start = kernel->local_memory = known ? known->local_memory : 0;
  return known ? set_buffer(kernel, known) : PI_SUCCESS;
}

static pi_result make_instances(pi_kernel kernel) {
  const pi_context context = kernel->context;
  kernel->driver.instances = calloc(context->root_count, sizeof *kernel->driver.instances);
  REQUIRE_MEMORY(kernel->driver.instances, "kernel %s", kernel->name);
  kernel->driver.count = context->root_count;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    kernel->driver.instances[i].device = context->roots[i];
  return PI_SUCCESS;
}

/* Fills in a kernel that has only one instance, around a function of the kernel's build. */
static pi_result fill_kernel(pi_kernel kernel, CUfunction function) {
  TRY(make_instances(kernel));
  kernel_instance *instance = &kernel->driver.instances[0];
  instance->build = kernel->build;
  build_retain(instance->build);
  TRY(fill_instance(kernel, instance, function));
  return finish_kernel(kernel, function);
}

/* Returns the build that has the kernel: in a divided build, the kernel's own. */
static pi_result take_code(pi_kernel kernel, program_build *build, program_build **ret) {
  if (build->driver.is_divided && !code_find(build->driver.info, kernel->name))
    return refuse_kernel_name(kernel->name);
  return build_of_kernel(kernel->program, build, kernel->name, ret);
}

/* Fills in an instance with the build and function of another kernel's instance. */
static pi_result copy_instance(pi_kernel kernel, kernel_instance *instance,
                               const kernel_instance *from, CUfunction *ret) {
  *ret = from->plain.function;
  instance->build = from->build;
  build_retain(instance->build);
  TRY(cuda_enter(instance->build->context));
  return fill_instance(kernel, instance, *ret);
}

/* Finds the kernel's function in a build, and makes the build's context current. */
static pi_result find_function(pi_kernel kernel, const program_build *build, CUfunction *ret) {
  TRY(cuda_enter(build->context));
  const CUresult code = cu.ModuleGetFunction(ret, build->driver.module, kernel->name);
  if (code == CUDA_ERROR_NOT_FOUND)
    return refuse_kernel_name(kernel->name);
  return cu_result(code, "cuModuleGetFunction");
}

static pi_result load_instance(pi_kernel kernel, kernel_instance *instance, program_build *build,
                               CUfunction *ret) {
  TRY(take_code(kernel, build, &instance->build));
  TRY(find_function(kernel, instance->build, ret));
  return fill_instance(kernel, instance, *ret);
}

pi_result driver_kernel_create(pi_kernel kernel) {
  CUfunction function = NULL;
  TRY(make_instances(kernel));
  for (pi_uint32 i = 0; i < kernel->driver.count; i++) {
    kernel_instance *instance = &kernel->driver.instances[i];
    const kernel_instance *from = kernel->origin ? &kernel->origin->driver.instances[i] : NULL;
    program_build *build = build_part(kernel->build, i);
    if (from && from->build)
      TRY(copy_instance(kernel, instance, from, &function));
    else if (!from && build)
      TRY(load_instance(kernel, instance, build, &function));
  }
  return finish_kernel(kernel, function);
}

static pi_result apply_cache(pi_kernel kernel, const kernel_instance *instance) {
  TRY(cuda_enter(instance->build->context));
  CU_TRY(FuncSetCacheConfig, instance->plain.function, kernel->driver.cache);
  if (instance->with_offset.function)
    CU_TRY(FuncSetCacheConfig, instance->with_offset.function, kernel->driver.cache);
  return PI_SUCCESS;
}

pi_result kernel_apply_cache(pi_kernel kernel) {
  for (pi_uint32 i = 0; i < kernel->driver.count; i++) {
    kernel_instance *instance = &kernel->driver.instances[i];
    const kernel_instance *one_warp = kernel_one_warp(instance);
    if (one_warp)
      TRY(apply_cache(kernel, one_warp));
    for (; instance && instance->build; instance = kernel_larger(instance))
      TRY(apply_cache(kernel, instance));
  }
  return PI_SUCCESS;
}

/* ---- Variants: the kernel built again with another number of registers ---- */

/*
 * The hardware allocates registers in multiples of 8 for each work-item, and rounds a group up to a
 * multiple of 4 warps.
 */
enum { REGISTERS_UNIT = 8, WARPS_UNIT = 4 };

/* Returns whether registers limit a function's work-groups, and not a maximum in its code. */
static bool is_limited_by_registers(const kernel_instance *instance, const kernel_limits *limits) {
  const struct driver_device *device = &instance->device->driver;
  const size_t each = (limits->registers + REGISTERS_UNIT - 1) / REGISTERS_UNIT * REGISTERS_UNIT;
  const size_t next = limits->max_items + WARPS_UNIT * (size_t)device->warp_size;
  return each * next > (size_t)device->max_registers;
}

/*
 * Returns the registers that each work-item may have in a group of so many work-items, or 0 if a
 * build with that limit would not help. It rounds the number of work-items up to a power of two, so
 * that a few builds of a kernel serve all group sizes.
 */
static unsigned registers_for(const kernel_instance *instance, const kernel_limits *limits,
                              size_t items) {
  const struct driver_device *device = &instance->device->driver;
  const unsigned built = instance->build->driver.options.max_registers;
  size_t most = 1;
  while (most < items)
    most *= 2;
  if (most > (size_t)device->max_threads)
    most = (size_t)device->max_threads;
  const unsigned registers =
      (unsigned)((size_t)device->max_registers / most) / REGISTERS_UNIT * REGISTERS_UNIT;
  const bool is_new = limits->registers > registers && (built == 0 || built > registers);
  return is_new && is_limited_by_registers(instance, limits) ? registers : 0;
}

/* Replaces a failure to build by one that names the kernel; keeps other failures. */
static pi_result refuse_larger(pi_kernel kernel, unsigned registers, pi_result result) {
  const char *latest;
  char reason[1024]; /* a copy: the next message overwrites the latest one */
  if (result != PI_ERROR_BUILD_PROGRAM_FAILURE)
    return result;
  plugin_error_last(&latest);
  snprintf(reason, sizeof reason, "%s", latest);
  return plugin_error(
      PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
      "kernel %s cannot be built with the %u registers of so large a work-group: %s", kernel->name,
      registers, reason);
}

/* Fills in a variant, which has its build already. kernel->driver.code is set already. */
static pi_result fill_variant(pi_kernel kernel, kernel_instance *instance) {
  CUfunction function;
  TRY(find_function(kernel, instance->build, &function));
  TRY(read_function(kernel, instance->device, function, &instance->plain));
  TRY(find_offset_variant(kernel, instance));
  return kernel->driver.cache == CU_FUNC_CACHE_PREFER_NONE ? PI_SUCCESS
                                                           : apply_cache(kernel, instance);
}

static pi_result make_variant(pi_kernel kernel, const kernel_instance *from, unsigned registers,
                              kernel_instance **ret) {
  kernel_instance *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "kernel %s with %u registers", kernel->name, registers);
  made->device = from->device;
  pi_result result = build_with_registers(kernel->program, from->build, registers, &made->build);
  if (result == PI_SUCCESS)
    result = fill_variant(kernel, made);
  if (result == PI_SUCCESS) {
    *ret = made;
    return PI_SUCCESS;
  }
  build_release(made->build);
  free(made);
  return result;
}

pi_result kernel_load_larger(pi_kernel kernel, kernel_instance *instance,
                             const kernel_function *function, size_t items, kernel_instance **ret) {
  const unsigned registers = registers_for(instance, &function->limits, items);
  pi_result result = PI_SUCCESS;
  *ret = NULL;
  if (registers == 0 || !program_is_repeatable(kernel->program))
    return PI_SUCCESS;
  /* The lock is held while building, so that other threads wait for the same instance. */
  pthread_mutex_lock(&instance->build->driver.lock);
  kernel_instance *larger = atomic_load_explicit(&instance->larger, memory_order_relaxed);
  if (!larger)
    result = refuse_larger(kernel, registers, make_variant(kernel, instance, registers, &larger));
  if (result == PI_SUCCESS) {
    atomic_store_explicit(&instance->larger, larger, memory_order_release);
    *ret = larger;
  }
  pthread_mutex_unlock(&instance->build->driver.lock);
  return result;
}

/*
 * Returns the registers for each work-item of groups of one warp, or 0 if a build with them would
 * not help. A multiprocessor has so few groups at once that such groups leave registers unused. The
 * driver's compiler does not know the size of the groups: it saves registers as if work-items
 * filled the multiprocessor, and then fewer loads are in flight.
 */
static unsigned registers_of_one_warp(const kernel_instance *instance) {
  enum { REGISTERS_MAX = 255 };
  const pi_device device = instance->device;
  const size_t all =
      (size_t)cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 0);
  const size_t groups =
      (size_t)cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 0);
  const size_t items =
      (size_t)cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 0);
  const kernel_limits *limits = &instance->plain.limits;
  if (groups == 0 || items == 0 || limits->required[0] != 0 ||
      instance->build->driver.options.max_registers != 0)
    return 0;
  const size_t saved = all / items / REGISTERS_UNIT * REGISTERS_UNIT;
  size_t registers =
      all / (groups * (size_t)device->driver.warp_size) / REGISTERS_UNIT * REGISTERS_UNIT;
  registers = registers < REGISTERS_MAX ? registers : REGISTERS_MAX;
  const bool is_held = limits->registers + REGISTERS_UNIT > saved && limits->registers < registers;
  return is_held ? (unsigned)registers : 0;
}

kernel_instance *kernel_load_one_warp(pi_kernel kernel, kernel_instance *instance) {
  const unsigned registers = registers_of_one_warp(instance);
  kernel_instance *made = NULL;
  if (registers == 0 || !program_is_repeatable(kernel->program))
    return NULL;
  pthread_mutex_lock(&instance->build->driver.lock);
  if (make_variant(kernel, instance, registers, &made) == PI_SUCCESS)
    atomic_store_explicit(&instance->one_warp, made, memory_order_release);
  pthread_mutex_unlock(&instance->build->driver.lock);
  return made;
}

/* ---- Native handles ---- */

/* Returns the CUfunction for the first device that the kernel is built for. The module owns it. */
pi_result driver_kernel_native(pi_kernel kernel, pi_native_handle *ret) {
  *ret = 0;
  for (pi_uint32 i = 0; i < kernel->driver.count && !*ret; i++)
    *ret = (pi_native_handle)(void *)kernel->driver.instances[i].plain.function;
  return PI_SUCCESS;
}

/* Finds the name of a function of build; "" if neither the driver nor the code knows it. */
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

/* Makes a kernel from a function of build. Takes over the caller's reference to build. */
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

/* Makes a kernel from a function of a module, which must be of the program's latest build. */
static pi_result adopt_function(pi_program program, CUmodule module, CUfunction function,
                                pi_kernel *ret) {
  program_build *latest;
  program_build *whole;
  TRY(program_hold_build(program, &latest));
  const pi_result result = build_of_kernel(program, build_first_part(latest), NULL, &whole);
  build_release(latest);
  TRY(result);
  if (whole->driver.module == module)
    return wrap_function(program, whole, function, ret);
  build_release(whole);
  return plugin_error(PI_ERROR_INVALID_PROGRAM,
                      "native_handle is no function of the program's latest build");
}

/* Ignores is_owned, because a CUfunction belongs to its module. */
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
