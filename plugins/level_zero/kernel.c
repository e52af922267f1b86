/*
 * Kernels: creation, lifetime, native handles. Arguments are set in kernel_arguments.c, queries are
 * in kernel_info.c, launches in launch.c.
 */
#include "kernel.h"

#include "checks.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lifetime ---- */

static void destroy_kernel(deferred *node) {
  pi_kernel kernel = DEFERRED_OWNER(node, struct pi_kernel_object, deferred);
  for (pi_uint32 i = 0; i < kernel->count; i++) {
    if (kernel->instances[i].kernel && kernel->is_owned)
      ze.KernelDestroy(kernel->instances[i].kernel);
  }
  for (pi_uint32 i = 0; i < kernel->argument_count; i++)
    if (kernel->arguments[i].declared == 0)
      free(kernel->arguments[i].value);
  build_release(kernel->build);
  program_release(kernel->program);
  pthread_mutex_destroy(&kernel->lock);
  free(kernel->arguments);
  free(kernel->values);
  free(kernel->name);
  free(kernel);
}

void kernel_release(pi_kernel kernel) {
  if (!pi_handle_release(&kernel->handle))
    return;
  registry_forget(&kernel->noted);
  if (atomic_load_explicit(&kernel->is_used, memory_order_relaxed))
    deferred_free(kernel->build->context, &kernel->deferred, destroy_kernel);
  else
    destroy_kernel(&kernel->deferred);
}

/* A kernel without instances; the caller's reference to build becomes the kernel's in any case. */
static pi_result new_kernel(pi_program program, program_build *build, const char *name,
                            pi_kernel *ret) {
  const size_t size = strlen(name) + 1;
  pi_kernel kernel = calloc(1, sizeof *kernel + build->driver.roots * sizeof kernel->instances[0]);
  char *copy = kernel ? malloc(size) : NULL;
  if (!copy) {
    free(kernel);
    build_release(build);
  }
  PI_REQUIRE(copy, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for kernel %s", name);
  memcpy(copy, name, size);
  pi_handle_init(&kernel->handle, PI_HANDLE_KERNEL);
  pthread_mutex_init(&kernel->lock, NULL);
  kernel->name = copy;
  kernel->is_owned = true;
  kernel->build = build;
  kernel->count = build->driver.roots;
  kernel->program = program;
  program_retain(program);
  *ret = kernel;
  return PI_SUCCESS;
}

static pi_result finish(pi_kernel kernel, pi_result result, pi_kernel *ret) {
  if (result == PI_SUCCESS)
    *ret = kernel;
  else
    kernel_release(kernel);
  return result;
}

/* ---- What the driver says of a kernel ---- */

/* The most work-items of a work-group: the device's limit, and what the code allows. */
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

/* Asks for all that queries and launches need; *arguments receives their number. */
static pi_result read_properties(pi_device device, kernel_instance *it, pi_uint32 *arguments) {
  ze_kernel_preferred_group_size_properties_t preferred = {
      .stype = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES};
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  if (device->platform->driver.api_version >= ZE_API_VERSION_1_2)
    properties.pNext = &preferred;
  ZE_TRY(KernelGetProperties, it->kernel, &properties);
  kernel_limits *limits = &it->limits;
  read_device(&device->driver.compute, limits);
  limits->max_items = max_items(device, &properties);
  limits->max_sub_group = properties.maxSubgroupSize;
  limits->max_sub_groups = properties.maxNumSubgroups;
  limits->required_sub_group = properties.requiredSubgroupSize;
  limits->required_sub_groups = properties.requiredNumSubGroups;
  limits->local_memory = properties.localMemSize;
  limits->private_memory = properties.privateMemSize;
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

/* What the code says of the kernel's arguments; NULL when there is none that does. */
static pi_result find_code(const program_build *build, const char *name, pi_uint32 count,
                           const spirv_kernel **ret) {
  *ret = NULL;
  for (pi_uint32 i = 0; i < build->driver.code_count && !*ret; i++) {
    PI_TRY(spirv_code_find_kernel(build->driver.codes[i], name, ret));
    if (*ret && (*ret)->argument_count != count)
      *ret = NULL;
  }
  return PI_SUCCESS;
}

/* Values of known sizes begin at multiples of this. */
enum { VALUE_ALIGN = 16 };

/* Bytes that the value of an argument has for sure; 0 where the host decides, or nobody knows. */
static pi_uint32 declared_size(const spirv_argument *it) {
  switch (it->kind) {
  case SPIRV_ARGUMENT_VALUE:
  case SPIRV_ARGUMENT_POINTER:
    return it->size;
  case SPIRV_ARGUMENT_IMAGE:
  case SPIRV_ARGUMENT_SAMPLER:
    return sizeof(void *);
  case SPIRV_ARGUMENT_LOCAL:
  case SPIRV_ARGUMENT_UNKNOWN:
    return 0;
  }
  return 0;
}

/* Images and samplers have a handle for each device. */
static size_t room_of(pi_kernel kernel, const spirv_argument *it) {
  const bool is_of_devices = it->kind == SPIRV_ARGUMENT_IMAGE || it->kind == SPIRV_ARGUMENT_SAMPLER;
  const size_t size = (size_t)declared_size(it) * (is_of_devices ? kernel->count : 1);
  return (size + VALUE_ALIGN - 1) / VALUE_ALIGN * VALUE_ALIGN;
}

static pi_result make_arguments(pi_kernel kernel, pi_uint32 count) {
  const spirv_kernel *code;
  PI_TRY(find_code(kernel->build, kernel->name, count, &code));
  size_t room = 0;
  for (pi_uint32 i = 0; code && i < count; i++)
    room += room_of(kernel, &code->arguments[i]);
  kernel->arguments = calloc((size_t)count + 1, sizeof *kernel->arguments);
  kernel->values = malloc(room + 1);
  PI_REQUIRE(kernel->arguments && kernel->values, PI_ERROR_OUT_OF_HOST_MEMORY,
             "no memory for %u arguments of kernel %s", count, kernel->name);
  kernel->argument_count = kernel->missing = count;
  unsigned char *at = kernel->values;
  for (pi_uint32 i = 0; code && i < count; i++) {
    kernel_argument *it = &kernel->arguments[i];
    it->kind = code->arguments[i].kind;
    it->declared = declared_size(&code->arguments[i]);
    it->capacity = room_of(kernel, &code->arguments[i]);
    it->value = it->declared ? at : NULL;
    at += it->capacity;
  }
  return PI_SUCCESS;
}

/* ---- Creation ---- */

/* Makes the kernel of a root device, in whichever of its modules has it. */
static pi_result make_instance(pi_kernel kernel, ze_module_handle_t *modules,
                               ze_kernel_handle_t *ret) {
  const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                        .pKernelName = kernel->name};
  for (pi_uint32 i = 0; i < kernel->build->driver.parts; i++) {
    const ze_result_t code = ze.KernelCreate(modules[i], &description, ret);
    if (code != ZE_RESULT_ERROR_INVALID_KERNEL_NAME)
      return ze_result(code, "zeKernelCreate");
  }
  return pi_error(PI_ERROR_INVALID_KERNEL_NAME, "the program has no kernel \"%s\"", kernel->name);
}

static pi_result fill_kernel(pi_kernel kernel) {
  const pi_context context = kernel->build->context;
  pi_uint32 arguments = 0;
  for (pi_uint32 i = 0; i < kernel->count; i++) {
    ze_module_handle_t *modules = build_modules(kernel->build, i);
    kernel_instance *it = &kernel->instances[i];
    if (!modules[0])
      continue;
    PI_TRY(make_instance(kernel, modules, &it->kernel));
    PI_TRY(read_properties(context->roots[i], it, &arguments));
    if (!kernel->latest)
      kernel->latest = it;
  }
  return make_arguments(kernel, arguments);
}

pi_result piKernelCreate(pi_program program, const char *kernel_name, pi_kernel *ret_kernel) {
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(kernel_name);
  REQUIRE_POINTER(ret_kernel);
  program_build *build;
  PI_TRY(program_hold_build(program, &build));
  pi_kernel kernel;
  PI_TRY(new_kernel(program, build, kernel_name, &kernel));
  return finish(kernel, fill_kernel(kernel), ret_kernel);
}

pi_result piKernelRetain(pi_kernel kernel) {
  REQUIRE_KERNEL(kernel);
  kernel_retain(kernel);
  return PI_SUCCESS;
}

pi_result piKernelRelease(pi_kernel kernel) {
  REQUIRE_KERNEL(kernel);
  kernel_release(kernel);
  return PI_SUCCESS;
}

pi_result kernel_instance_of(pi_kernel kernel, pi_device device, kernel_instance **ret) {
  kernel_instance *it = &kernel->instances[context_root(kernel->build->context, device)];
  PI_REQUIRE(it->kernel, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
             "the program of kernel %s is not built for this device", kernel->name);
  *ret = it;
  return PI_SUCCESS;
}

/* ---- Native handles ---- */

/*
 * That of the first device which the program was built for. The arguments are in it that are set
 * now, also those that were set for a launch on another device.
 */
pi_result piextKernelGetNativeHandle(pi_kernel kernel, pi_native_handle *native_handle) {
  REQUIRE_KERNEL(kernel);
  REQUIRE_POINTER(native_handle);
  pi_uint32 i = 0;
  while (i + 1 < kernel->count && !kernel->instances[i].kernel)
    i++;
  kernel_instance *it = &kernel->instances[i];
  pthread_mutex_lock(&kernel->lock);
  const pi_result result = kernel_set_arguments(kernel, it);
  pthread_mutex_unlock(&kernel->lock);
  PI_TRY(result);
  *native_handle = (pi_native_handle)(void *)it->kernel;
  registry_note(&kernel->noted, *native_handle, &kernel->handle);
  return PI_SUCCESS;
}

/* The name of a kernel of the application, freed by the caller. */
static pi_result name_of(ze_kernel_handle_t native, char **ret) {
  size_t size = 0;
  PI_REQUIRE(ze.KernelGetName, PI_ERROR_UNSUPPORTED_FEATURE,
             "the loader has no zeKernelGetName, which tells of native_handle what it is");
  ZE_TRY(KernelGetName, native, &size, NULL);
  char *name = calloc(1, size + 1);
  PI_REQUIRE(name, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a name of %zu bytes", size);
  const pi_result result = ze_result(ze.KernelGetName(native, &size, name), "zeKernelGetName");
  if (result == PI_SUCCESS)
    *ret = name;
  else
    free(name);
  return result;
}

/* The only root device that a build is for; a kernel does not tell which one it is for. */
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
  PI_TRY(only_root(kernel->build, &root));
  kernel_instance *it = &kernel->instances[root];
  it->kernel = native;
  kernel->latest = it;
  PI_TRY(read_properties(kernel->build->context->roots[root], it, &arguments));
  return make_arguments(kernel, arguments);
}

/* A kernel around one of the application's. */
static pi_result wrap(pi_program program, ze_kernel_handle_t native, bool is_owned,
                      pi_kernel *ret) {
  program_build *build;
  char *name = NULL;
  pi_kernel kernel;
  PI_TRY(program_hold_build(program, &build));
  pi_result result = name_of(native, &name);
  if (result != PI_SUCCESS) {
    build_release(build);
    return result;
  }
  result = new_kernel(program, build, name, &kernel);
  free(name);
  PI_TRY(result);
  kernel->is_owned = false;
  result = fill_native(kernel, native);
  kernel->is_owned = is_owned && result == PI_SUCCESS;
  return finish(kernel, result, ret);
}

static pi_result check_ours(pi_kernel ours, pi_context context, pi_program program) {
  PI_REQUIRE(ours->build->context->driver.context == context->driver.context,
             PI_ERROR_INVALID_CONTEXT, "native_handle is a kernel of another context");
  PI_REQUIRE(!program || ours->program == program, PI_ERROR_INVALID_PROGRAM,
             "native_handle is a kernel of another program");
  return PI_SUCCESS;
}

/*
 * Arguments and sizes are in the driver's object, so that a handle of ours is the kernel it came
 * from: with the caller's reference, or a new one.
 */
pi_result piextKernelCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                            pi_program program, bool plugin_owns_native_handle,
                                            pi_kernel *kernel) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_KERNEL, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  if (program) {
    REQUIRE_PROGRAM(program);
    PI_REQUIRE(program->context->driver.context == context->driver.context,
               PI_ERROR_INVALID_CONTEXT, "the program is of another context");
  }
  REQUIRE_POINTER(kernel);
  const ze_kernel_handle_t native = (ze_kernel_handle_t)native_handle;
  const pi_kernel ours =
      (pi_kernel)(void *)registry_find(PI_HANDLE_KERNEL, native_handle, plugin_owns_native_handle);
  if (ours) {
    const pi_result result = check_ours(ours, context, program);
    /* The reference that came with the handle stays the caller's. */
    if (result != PI_SUCCESS && !plugin_owns_native_handle)
      kernel_release(ours);
    PI_TRY(result);
    *kernel = ours;
    return PI_SUCCESS;
  }
  PI_REQUIRE(program, PI_ERROR_INVALID_PROGRAM,
             "program is NULL, and native_handle, which is none of the plugin's, does not tell it");
  return wrap(program, native, plugin_owns_native_handle, kernel);
}
