#define _GNU_SOURCE /* strdup */
#include "kernel.h"

#include "build_log.h"
#include "driver_error.h"
#include "property_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The property of a set, or NULL. The property's name is the concatenation of name's parts. */
static const specpi_property *find_property(specpi_image image, const char *set, const char *kernel,
                                            const char *suffix) {
  const size_t length = strlen(kernel);
  for (size_t i = 0; i < image->property_count; i++) {
    const specpi_property *one = &image->properties[i];
    if (strcmp(one->set, set) == 0 && strncmp(one->name, kernel, length) == 0 &&
        strcmp(one->name + length, suffix) == 0 && one->type == PI_PROPERTY_TYPE_BYTE_ARRAY)
      return one;
  }
  return NULL;
}

/* Counts the arguments in the source, including the buffer of the constants. */
static size_t count_arguments(specpi_image image, const char *name, uint32_t in_program) {
  const specpi_property *mask =
      find_property(image, PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO, name, "");
  return mask ? (size_t)mask->bits : in_program;
}

specpi_result kernel_place_arguments(specpi_image image, const char *name, uint32_t in_program,
                                     uint32_t **ret, size_t *count) {
  const size_t total = count_arguments(image, name, in_program);
  const uint32_t buffer_argument = image_buffer_argument(image, name);
  IMAGE_REQUIRE(buffer_argument == UINT32_MAX || buffer_argument < in_program,
                "the image says that argument %u of kernel \"%s\" is the buffer of its constants, "
                "and the kernel has %u arguments",
                buffer_argument, name, in_program);
  uint32_t *places = malloc((total ? total : 1) * sizeof *places);
  if (!places)
    return error_memory();
  uint32_t next = 0;
  size_t found = 0;
  for (size_t i = 0; i < total; i++) {
    if (specpiImageIsArgumentEliminated(image, name, i))
      places[found++] = KERNEL_ELIMINATED;
    else if (next == buffer_argument)
      next++;
    else
      places[found++] = next++;
  }
  if (next != in_program)
    free(places);
  IMAGE_REQUIRE(next == in_program,
                "the image says that kernel \"%s\" has %u arguments after elimination, and its "
                "program that it has %u",
                name, next, in_program);
  *ret = places;
  *count = found;
  return SPECPI_SUCCESS;
}

/* Reads the required work-group size from the image, because some drivers do not report it. */
static specpi_result read_required_size(const bundle_kernel *source, size_t *required) {
  const specpi_property *found = find_property(source->image, PI_PROPERTY_SET_PROGRAM_METADATA,
                                               source->name, "@reqd_work_group_size");
  if (!found)
    return SPECPI_SUCCESS;
  const size_t count = found->size / sizeof(uint32_t);
  IMAGE_REQUIRE(found->size % sizeof(uint32_t) == 0 && count >= 1 && count <= 3,
                "the required work-group size of kernel \"%s\" has %zu bytes, not 4, 8 or 12",
                source->name, found->size);
  for (size_t i = 0; i < 3; i++) {
    uint32_t size = 1;
    if (i < count)
      memcpy(&size, (const char *)found->bytes + i * sizeof size, sizeof size);
    IMAGE_REQUIRE(size != 0, "the required work-group size of kernel \"%s\" is 0 in entry %zu",
                  source->name, i);
    required[i] = size;
  }
  return SPECPI_SUCCESS;
}

/* Reads a kernel's properties; 0 for those that the driver does not report. */
static specpi_result read_info(specpi_kernel kernel, const bundle_kernel *source) {
  const pi_function_table *pi = kernel->pi;
  const pi_device device = specpiDeviceGetHandle(kernel->device);
  specpi_kernel_info *info = &kernel->info;
#define ANSWER(query, member)                                                                      \
  pi->piKernelGetGroupInfo(kernel->handle, device, query, sizeof info->member, &info->member, NULL)
  ANSWER(PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, group_size);
  ANSWER(PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, preferred_multiple);
  ANSWER(PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, local_memory);
  ANSWER(PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE, private_memory);
  if (ANSWER(PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, required) == PI_SUCCESS &&
      info->required[0] != 0)
    return SPECPI_SUCCESS;
#undef ANSWER
  return read_required_size(source, info->required);
}

/* Sets the argument for the buffer of constants, unless the plugin fills and passes the buffer. */
static specpi_result set_constants(specpi_kernel kernel, const bundle_kernel *source) {
  const uint32_t argument = source->buffer_argument;
  if (argument == UINT32_MAX || source->image->values != IMAGE_VALUES_IN_BUFFER)
    return SPECPI_SUCCESS;
  const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_ONLY};
  const pi_mem *constants = kernel->program->constants ? &kernel->program->constants : NULL;
  DRIVER_TRY(kernel->pi,
             kernel->pi->piextKernelSetArgMemObj(kernel->handle, argument, &access, constants),
             "piextKernelSetArgMemObj of the constants of kernel \"%s\"", kernel->name);
  return SPECPI_SUCCESS;
}

/* Creates PI's kernel. The error may be a failed build, because drivers may build only now. */
static specpi_result create_handle(const bundle_kernel *source, pi_kernel *ret) {
  const program *program = source->program;
  char call[512];
  pi_kernel handle;
  const pi_result result = specpiDeviceGetFunctions(program->device)
                               ->piKernelCreate(program->handle, source->name, &handle);
  if (result != PI_SUCCESS) {
    snprintf(call, sizeof call, "piKernelCreate of \"%.400s\"", source->name);
    return build_failed(program->device, result, call, program->handle, NULL);
  }
  *ret = handle;
  return SPECPI_SUCCESS;
}

specpi_result kernel_build(const bundle_kernel *source) {
  pi_kernel handle = NULL;
  ERROR_TRY(create_handle(source, &handle));
  specpiDeviceGetFunctions(source->program->device)->piKernelRelease(handle);
  return SPECPI_SUCCESS;
}

/* Makes PI's kernel and reads its properties. */
static specpi_result fill_in(specpi_kernel kernel, const bundle_kernel *source) {
  const pi_function_table *pi = kernel->pi;
  kernel->name = strdup(source->name);
  if (!kernel->name)
    return error_memory();
  pi_kernel handle = NULL;
  ERROR_TRY(create_handle(source, &handle));
  kernel->handle = handle;
  uint32_t arguments = 0;
  DRIVER_TRY(
      pi, pi->piKernelGetInfo(handle, PI_KERNEL_INFO_NUM_ARGS, sizeof arguments, &arguments, NULL),
      "piKernelGetInfo of \"%s\"", kernel->name);
  ERROR_TRY(kernel_place_arguments(source->image, source->name, arguments, &kernel->places,
                                   &kernel->info.argument_count));
  ERROR_TRY(read_info(kernel, source));
  /* As in SYCL, memory of an allocation may contain pointers to others. A failure is ignored: a
   * device without such memory does not need the setting. */
  const pi_bool yes = PI_TRUE;
  pi->piKernelSetExecInfo(handle, PI_USM_INDIRECT_ACCESS, sizeof yes, &yes);
  return set_constants(kernel, source);
}

specpi_result kernel_create(const bundle_kernel *source, specpi_kernel *ret) {
  specpi_kernel made = calloc(1, sizeof *made);
  if (!made)
    return error_memory();
  references_init(&made->references);
  pthread_mutex_init(&made->lock, NULL);
  made->program = program_retain(source->program);
  made->device = source->program->device;
  made->pi = specpiDeviceGetFunctions(made->device);
  const specpi_result result = fill_in(made, source);
  if (result != SPECPI_SUCCESS) {
    specpiKernelRelease(made);
    return result;
  }
  *ret = made;
  return SPECPI_SUCCESS;
}

specpi_result specpiKernelCreate(specpi_bundle bundle, const char *name, specpi_kernel *kernel) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE(name, "name is NULL");
  ERROR_REQUIRE(kernel, "kernel is NULL");
  bundle_kernel source;
  ERROR_TRY(bundle_get_kernel(bundle, name, &source));
  return kernel_create(&source, kernel);
}

void specpiKernelRetain(specpi_kernel kernel) {
  if (kernel)
    references_add(&kernel->references);
}

void specpiKernelRelease(specpi_kernel kernel) {
  if (!kernel || !references_drop(&kernel->references))
    return;
  if (kernel->handle)
    kernel->pi->piKernelRelease(kernel->handle);
  program_release(kernel->program);
  pthread_mutex_destroy(&kernel->lock);
  free(kernel->places);
  free(kernel->name);
  free(kernel);
}

specpi_result specpiKernelGetInfo(specpi_kernel kernel, specpi_kernel_info *info) {
  ERROR_REQUIRE(kernel, "kernel is NULL");
  ERROR_REQUIRE(info, "info is NULL");
  *info = kernel->info;
  return SPECPI_SUCCESS;
}

const char *specpiKernelGetName(specpi_kernel kernel) {
  return kernel ? kernel->name : NULL;
}

specpi_device specpiKernelGetDevice(specpi_kernel kernel) {
  return kernel ? kernel->device : NULL;
}

pi_kernel specpiKernelGetHandle(specpi_kernel kernel) {
  return kernel ? kernel->handle : NULL;
}
