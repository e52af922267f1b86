/*
 * Kernels: creation, lifetime, native handles. kernel_arguments.c sets arguments, launch.c
 * launches.
 */
#include "kernel.h"

#include "../objects/driver.h"

#include "checks.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lifetime ---- */

void driver_kernel_destroy(pi_kernel kernel) {
  for (pi_uint32 i = 0; kernel->driver.instances && i < kernel->driver.count; i++) {
    if (kernel->driver.instances[i].kernel && kernel->driver.is_owned)
      ze.KernelDestroy(kernel->driver.instances[i].kernel);
  }
  for (pi_uint32 i = 0; kernel->driver.values && i < kernel->argument_count; i++)
    if (kernel->arguments[i].size == KERNEL_ANY_SIZE)
      free(kernel->driver.values[i].bytes);
  if (kernel->driver.has_lock)
    pthread_mutex_destroy(&kernel->driver.lock);
  free(kernel->driver.values);
  free(kernel->driver.room);
  free(kernel->driver.instances);
}

/* Allocates the instances of a new kernel, one for each root device, without handles yet. */
static pi_result make_instances(pi_kernel kernel) {
  kernel->driver.count = kernel->build->driver.roots;
  kernel->driver.instances = calloc(kernel->driver.count, sizeof *kernel->driver.instances);
  REQUIRE(kernel->driver.instances, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for kernel %s",
          kernel->name);
  kernel->driver.has_lock = pthread_mutex_init(&kernel->driver.lock, NULL) == 0;
  return PI_SUCCESS;
}

/* ---- Properties ---- */

/* Returns the most work-items of a work-group: the lower of the device's and the code's limits. */
static size_t max_items(pi_device device, const ze_kernel_properties_t *properties) {
  const uint32_t limit = device->driver.compute.maxTotalGroupSize;
  const uint64_t items = (uint64_t)properties->maxSubgroupSize * properties->maxNumSubgroups;
  return items != 0 && items < limit ? items : limit;
}

static void read_device(const ze_device_compute_properties_t *compute, kernel_limits *ret) {
  ret->max_group[0] = compute->maxGroupSizeX;
  ret->max_group[1] = compute->maxGroupSizeY;
  ret->max_group[2] = compute->maxGroupSizeZ;
  ret->max_groups[0] = compute->maxGroupCountX;
  ret->max_groups[1] = compute->maxGroupCountY;
  ret->max_groups[2] = compute->maxGroupCountZ;
  ret->max_device_items = compute->maxTotalGroupSize;
}

/* Reads the limits that queries and launches need, and the number of arguments. */
static pi_result read_properties(pi_device device, kernel_instance *instance,
                                 pi_uint32 *arguments) {
  ze_kernel_preferred_group_size_properties_t preferred = {
      .stype = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES};
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  if (device->platform->driver.api_version >= ZE_API_VERSION_1_2)
    properties.pNext = &preferred;
  ZE_TRY(KernelGetProperties, instance->kernel, &properties);
  kernel_limits *limits = &instance->limits;
  read_device(&device->driver.compute, limits);
  limits->max_items = max_items(device, &properties);
  limits->max_sub_group = properties.maxSubgroupSize;
  limits->max_sub_groups = properties.maxNumSubgroups;
  limits->required_sub_group = properties.requiredSubgroupSize;
  limits->required_sub_groups = properties.requiredNumSubGroups;
  limits->local_memory = properties.localMemSize;
  limits->private_memory = properties.privateMemSize;
  limits->registers = UINT32_MAX;
  limits->preferred_multiple = preferred.preferredMultiple  ? preferred.preferredMultiple
                               : properties.maxSubgroupSize ? properties.maxSubgroupSize
                                                            : 1;
  limits->required[0] = properties.requiredGroupSizeX;
  limits->required[1] = properties.requiredGroupSizeY;
  limits->required[2] = properties.requiredGroupSizeZ;
  *arguments = properties.numKernelArgs;
  return PI_SUCCESS;
}

/* ---- Arguments ---- */

/* Finds the kernel in the build's SPIR-V; *ret is NULL if no code describes it. */
static pi_result find_code(const program_build *build, const char *name, pi_uint32 count,
                           const spirv_kernel **ret) {
  *ret = NULL;
  for (pi_uint32 i = 0; i < build->driver.code_count && !*ret; i++) {
    TRY(spirv_code_find_kernel(build->driver.codes[i], name, ret));
    if (*ret && (*ret)->argument_count != count)
      *ret = NULL;
  }
  return PI_SUCCESS;
}

/* Alignment in bytes of the values with known sizes. */
enum { VALUE_ALIGN = 16 };

/* Returns the size of an argument's value in bytes; 0 if unknown or chosen by the host. */
static pi_uint32 declared_size(const spirv_argument *argument) {
  switch (argument->kind) {
  case SPIRV_ARGUMENT_VALUE:
  case SPIRV_ARGUMENT_POINTER:
    return argument->size;
  case SPIRV_ARGUMENT_IMAGE:
  case SPIRV_ARGUMENT_SAMPLER:
    return sizeof(void *);
  case SPIRV_ARGUMENT_LOCAL:
  case SPIRV_ARGUMENT_UNKNOWN:
    break;
  }
  return 0;
}

/* Returns the bytes to reserve for a value. Images and samplers have a handle per root device. */
static size_t room_of(pi_kernel kernel, const spirv_argument *argument) {
  const bool is_of_devices =
      argument->kind == SPIRV_ARGUMENT_IMAGE || argument->kind == SPIRV_ARGUMENT_SAMPLER;
  const size_t size = (size_t)declared_size(argument) * (is_of_devices ? kernel->driver.count : 1);
  return (size + VALUE_ALIGN - 1) / VALUE_ALIGN * VALUE_ALIGN;
}

static pi_result make_arguments(pi_kernel kernel, pi_uint32 count) {
  const spirv_kernel *code;
  TRY(find_code(kernel->build, kernel->name, count, &code));
  size_t room = 0;
  for (pi_uint32 i = 0; code && i < count; i++)
    room += room_of(kernel, &code->arguments[i]);
  TRY(kernel_make_arguments(kernel, count));
  kernel->driver.values = calloc((size_t)count + 1, sizeof *kernel->driver.values);
  kernel->driver.room = malloc(room + 1);
  REQUIRE(kernel->driver.values && kernel->driver.room, PI_ERROR_OUT_OF_HOST_MEMORY,
          "no memory for %u arguments of kernel %s", count, kernel->name);
  unsigned char *at = kernel->driver.room;
  for (pi_uint32 i = 0; i < count; i++) {
    const pi_uint32 size = code ? declared_size(&code->arguments[i]) : 0;
    kernel->arguments[i].size = size ? size : KERNEL_ANY_SIZE;
    if (code)
      kernel->arguments[i].kind = code->arguments[i].kind;
    if (size) {
      kernel->driver.values[i].bytes = at;
      kernel->driver.values[i].capacity = room_of(kernel, &code->arguments[i]);
      at += kernel->driver.values[i].capacity;
    }
  }
  return PI_SUCCESS;
}

/* ---- Creation ---- */

/* Creates the kernel of a root device from the one of its modules that has the kernel. */
static pi_result make_instance(pi_kernel kernel, ze_module_handle_t *modules,
                               ze_kernel_handle_t *ret) {
  const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                        .pKernelName = kernel->name};
  for (pi_uint32 i = 0; i < kernel->build->driver.parts; i++) {
    const ze_result_t code = ze.KernelCreate(modules[i], &description, ret);
    if (code != ZE_RESULT_ERROR_INVALID_KERNEL_NAME)
      return ze_result(code, "zeKernelCreate");
  }
  return refuse_kernel_name(kernel->name);
}

pi_result driver_kernel_create(pi_kernel kernel) {
  const pi_context context = kernel->context;
  pi_uint32 arguments = 0;
  TRY(make_instances(kernel));
  kernel->driver.is_owned = true;
  for (pi_uint32 i = 0; i < kernel->driver.count; i++) {
    ze_module_handle_t *modules = build_modules(kernel->build, i);
    kernel_instance *instance = &kernel->driver.instances[i];
    if (!modules[0])
      continue;
    TRY(make_instance(kernel, modules, &instance->kernel));
    TRY(read_properties(context->roots[i], instance, &arguments));
    if (!kernel->driver.latest)
      kernel->driver.latest = instance;
  }
  return make_arguments(kernel, arguments);
}

/* ---- Native handles ---- */

/*
 * Returns the handle of the first device that the program was built for, with all arguments that
 * are set now.
 */
pi_result driver_kernel_native(pi_kernel kernel, pi_native_handle *ret) {
  pi_uint32 i = 0;
  while (i + 1 < kernel->driver.count && !kernel->driver.instances[i].kernel)
    i++;
  kernel_instance *instance = &kernel->driver.instances[i];
  pthread_mutex_lock(&kernel->driver.lock);
  const pi_result result = kernel_set_arguments(kernel, instance);
  pthread_mutex_unlock(&kernel->driver.lock);
  TRY(result);
  *ret = (pi_native_handle)(void *)instance->kernel;
  return PI_SUCCESS;
}

/* Returns the name of a native kernel; the caller frees it. */
static pi_result name_of(ze_kernel_handle_t native, char **ret) {
  size_t size = 0;
  REQUIRE(ze.KernelGetName, PI_ERROR_UNSUPPORTED_FEATURE,
          "the loader has no zeKernelGetName, which tells of native_handle what it is");
  ZE_TRY(KernelGetName, native, &size, NULL);
  char *name = calloc(1, size + 1);
  REQUIRE(name, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a name of %zu bytes", size);
  const pi_result result = ze_result(ze.KernelGetName(native, &size, name), "zeKernelGetName");
  if (result == PI_SUCCESS)
    *ret = name;
  else
    free(name);
  return result;
}

/* Returns the only root device that a build is for. A build for several is refused, because a
 * native kernel does not report its device. */
static pi_result only_root(const program_build *build, pi_uint32 *ret) {
  pi_uint32 count = 0;
  for (pi_uint32 i = 0; i < build->driver.roots; i++)
    if (build->driver.modules[(size_t)i * build->driver.parts]) {
      *ret = i;
      count++;
    }
  if (count != 1)
    return LEVEL_ZERO_UNSUPPORTED("a kernel does not tell which device it is for, and the program "
                                  "is built for %u",
                                  count);
  return PI_SUCCESS;
}

static pi_result fill_native(pi_kernel kernel, ze_kernel_handle_t native) {
  pi_uint32 root = 0;
  pi_uint32 arguments = 0;
  TRY(make_instances(kernel));
  TRY(only_root(kernel->build, &root));
  kernel_instance *instance = &kernel->driver.instances[root];
  instance->kernel = native;
  kernel->driver.latest = instance;
  TRY(read_properties(kernel->context->roots[root], instance, &arguments));
  return make_arguments(kernel, arguments);
}

/* Makes a PI kernel around a native one, which reports its name but not its program. */
pi_result driver_kernel_adopt(pi_context context, pi_program program, pi_native_handle handle,
                              bool is_owned, pi_kernel *ret) {
  const ze_kernel_handle_t native = (ze_kernel_handle_t)handle;
  (void)context;
  REQUIRE(program, PI_ERROR_INVALID_PROGRAM,
          "program is NULL, and native_handle, which is none of the plugin's, does not tell it");
  program_build *build;
  char *name = NULL;
  pi_kernel kernel;
  TRY(program_hold_build(program, &build));
  pi_result result = name_of(native, &name);
  if (result != PI_SUCCESS) {
    build_release(build);
    return result;
  }
  result = kernel_new(program, build, name, &kernel);
  free(name);
  TRY(result);
  result = fill_native(kernel, native);
  kernel->driver.is_owned = is_owned && result == PI_SUCCESS;
  return kernel_finish_new(kernel, result, ret);
}
