/* Kernels of the fake Level Zero driver: creation and state. */
#include "kernel.h"

#include "image.h"

#include <stdlib.h>

/* Returns a property of the kernel, 0 when it has none. */
static size_t group_info(cl_kernel kernel, cl_kernel_work_group_info name) {
  cl_ulong value = 0;
  if (fake_cl.GetKernelWorkGroupInfo(kernel, fake_cl.device, name, sizeof value, &value, NULL) !=
      CL_SUCCESS)
    value = 0;
  return (size_t)value;
}

static size_t sub_group_info(cl_kernel kernel, cl_kernel_sub_group_info name, const void *input,
                             size_t size) {
  size_t value = 0;
  if (fake_cl.GetKernelSubGroupInfo(kernel, fake_cl.device, name, size, input, sizeof value, &value,
                                    NULL) != CL_SUCCESS)
    value = 0;
  return value;
}

static void read_facts(cl_kernel kernel, fake_kernel_facts *ret) {
  /* A constant of Intel's extension cl_intel_required_subgroup_size. */
  enum { COMPILE_SUB_GROUP_SIZE = 0x410A };
  *ret = (fake_kernel_facts){
      .local_memory = group_info(kernel, CL_KERNEL_LOCAL_MEM_SIZE),
      .private_memory = group_info(kernel, CL_KERNEL_PRIVATE_MEM_SIZE),
      .multiple = group_info(kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE),
      .required_sub_group = sub_group_info(kernel, COMPILE_SUB_GROUP_SIZE, NULL, 0),
      .required_sub_groups = sub_group_info(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, NULL, 0),
  };
  fake_cl.GetKernelWorkGroupInfo(kernel, fake_cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                 sizeof ret->required_group, ret->required_group, NULL);
  size_t whole[3] = {FAKE_GROUP_MAX, 1, 1};
  if (ret->required_group[0] != 0)
    memcpy(whole, ret->required_group, sizeof whole);
  ret->largest_sub_group =
      sub_group_info(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, whole, sizeof whole);
  ret->most_sub_groups =
      sub_group_info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, whole, sizeof whole);
  size_t length = 0;
  fake_cl.GetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, 0, NULL, &length);
  ret->attributes = fake_allocate(length + 1);
  fake_cl.GetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, length, ret->attributes, NULL);
}

static ze_result_t check_desc(const fake_module *module, const ze_kernel_desc_t *desc) {
  FAKE_STRUCT(desc, KERNEL_DESC);
  FAKE_REQUIRE(desc->pKernelName, INVALID_NULL_POINTER, "zeKernelCreate: pKernelName is NULL");
  FAKE_REQUIRE(desc->flags <= (ZE_KERNEL_FLAG_FORCE_RESIDENCY | ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY),
               INVALID_ENUMERATION, "zeKernelCreate: flags 0x%x", desc->flags);
  FAKE_REQUIRE(module->code, INVALID_MODULE_UNLINKED,
               "zeKernelCreate: the module imports what zeModuleDynamicLink has not given");
  if (!fake_module_entry(module, desc->pKernelName))
    return fake_deny(ZE_RESULT_ERROR_INVALID_KERNEL_NAME,
                     "zeKernelCreate: the module has no kernel \"%s\"", desc->pKernelName);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelCreate(ze_module_handle_t handle, const ze_kernel_desc_t *desc,
                           ze_kernel_handle_t *ret) {
  FAKE_ENTER(zeKernelCreate);
  FAKE_FIND(fake_module, module, handle, MODULE);
  FAKE_TRY(check_desc(module, desc));
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeKernelCreate: phKernel is NULL");
  cl_program program = module->code->program;
  cl_int code = CL_SUCCESS;
  fake_kernel_facts facts = {0};
  FAKE_TRY(fake_cl_enter());
  cl_kernel made = fake_cl.CreateKernel(program, desc->pKernelName, &code);
  if (code == CL_SUCCESS)
    read_facts(made, &facts);
  fake_cl_leave();
  if (code != CL_SUCCESS)
    return fake_deny(
        code == CL_INVALID_KERNEL_NAME ? ZE_RESULT_ERROR_INVALID_KERNEL_NAME : fake_cl_result(code),
        "zeKernelCreate: OpenCL gives no kernel \"%s\": %s", desc->pKernelName, fake_cl_code(code));
  fake_module *owner = fake_find(handle, FAKE_MODULE);
  if (!owner || !owner->code) {
    free(facts.attributes);
    fake_cl_drop_kernel(made);
    return fake_refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                       "zeKernelCreate: the module was destroyed meanwhile");
  }
  fake_kernel *kernel = fake_new(FAKE_KERNEL, sizeof *kernel, owner->head.context, false);
  kernel->module = owner;
  owner->kernels++;
  kernel->code = owner->code;
  kernel->code->references++;
  kernel->entry = fake_module_entry(owner, desc->pKernelName);
  kernel->kernel = made;
  kernel->facts = facts;
  kernel->flags = desc->flags;
  kernel->arguments = fake_allocate(kernel->entry->argument_count * sizeof *kernel->arguments);
  for (int i = 0; i < 3; i++)
    kernel->group[i] = (uint32_t)facts.required_group[i];
  *ret = FAKE_HANDLE(ze_kernel_handle_t, kernel);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t handle) {
  FAKE_ENTER_ALONE(zeKernelDestroy, handle);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_TRY(fake_check_unused(&kernel->head, "zeKernelDestroy"));
  for (size_t i = 0; i < kernel->entry->argument_count; i++)
    free(kernel->arguments[i].bytes);
  free(kernel->arguments);
  free(kernel->facts.attributes);
  fake_cl_drop_kernel(kernel->kernel);
  fake_code_release(kernel->code);
  kernel->module->kernels--;
  fake_delete(kernel);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGroupSize(ze_kernel_handle_t handle, uint32_t x, uint32_t y, uint32_t z) {
  FAKE_ENTER_ALONE(zeKernelSetGroupSize, handle);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  const uint32_t group[3] = {x, y, z};
  uint64_t whole = 1;
  for (int i = 0; i < 3; i++) {
    FAKE_REQUIRE(group[i] != 0 && group[i] <= FAKE_GROUP_MAX, INVALID_GROUP_SIZE_DIMENSION,
                 "zeKernelSetGroupSize: %u in dimension %d, of 1 to %d", group[i], i,
                 FAKE_GROUP_MAX);
    const size_t required = kernel->facts.required_group[i];
    FAKE_REQUIRE(required == 0 || required == group[i], INVALID_GROUP_SIZE_DIMENSION,
                 "zeKernelSetGroupSize: %u in dimension %d, where the kernel requires %zu",
                 group[i], i, required);
    whole *= group[i];
  }
  FAKE_REQUIRE(whole <= FAKE_GROUP_MAX, INVALID_GROUP_SIZE_DIMENSION,
               "zeKernelSetGroupSize: %u * %u * %u, of at most %d", x, y, z, FAKE_GROUP_MAX);
  memcpy(kernel->group, group, sizeof group);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGlobalOffsetExp(ze_kernel_handle_t handle, uint32_t x, uint32_t y,
                                       uint32_t z) {
  FAKE_ENTER_ALONE(zeKernelSetGlobalOffsetExp, handle);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  if (fake_is_left_out(ZE_GLOBAL_OFFSET_EXP_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "zeKernelSetGlobalOffsetExp is left out");
  kernel->offset[0] = x;
  kernel->offset[1] = y;
  kernel->offset[2] = z;
  return ZE_RESULT_SUCCESS;
}

/* Refuses a bad argument. words continue a message that starts with its number and the kernel. */
#define REQUIRE_ARGUMENT(condition, words, ...)                                                    \
  FAKE_REQUIRE(condition, INVALID_ARGUMENT,                                                        \
               "zeKernelSetArgumentValue: argument %u of \"%s\" is " words, index,                 \
               kernel->entry->name, __VA_ARGS__)

static ze_result_t check_image(const fake_kernel *kernel, uint32_t index, const void *handle) {
  const fake_argument *argument = &kernel->entry->arguments[index];
  const fake_image *image = fake_find(handle, FAKE_IMAGE);
  REQUIRE_ARGUMENT(image, "%p, no live image", handle);
  REQUIRE_ARGUMENT(image->head.context == kernel->head.context &&
                       image->device->root == kernel->module->device->root,
                   "%s", "an image of another context or device");
  bool is_array;
  const unsigned dimensions = fake_image_dimensions(image->desc.type, &is_array);
  REQUIRE_ARGUMENT(dimensions == argument->dimensions && is_array == argument->is_array,
                   "an image of type %d, which is not declared", (int)image->desc.type);
  REQUIRE_ARGUMENT(!argument->is_written || image->desc.flags & ZE_IMAGE_FLAG_KERNEL_WRITE, "%s",
                   "written, and the image has no ZE_IMAGE_FLAG_KERNEL_WRITE");
  return ZE_RESULT_SUCCESS;
}

/* Checks the value of an argument. Only pointers and handles can be wrong. */
static ze_result_t check_value(const fake_kernel *kernel, uint32_t index, const void *value) {
  void *pointer;
  memcpy(&pointer, value, sizeof pointer);
  fake_memory *memory = NULL;
  switch (kernel->entry->arguments[index].kind) {
  case FAKE_ARGUMENT_BUFFER:
    if (!pointer)
      break;
    FAKE_TRY(fake_memory_check(kernel->head.context, kernel->module->device, pointer, 1,
                               "zeKernelSetArgumentValue", &memory));
    REQUIRE_ARGUMENT(memory, "%p, memory that is no device's", pointer);
    break;
  case FAKE_ARGUMENT_IMAGE:
    return check_image(kernel, index, pointer);
  case FAKE_ARGUMENT_SAMPLER: {
    const fake_sampler *sampler = fake_find(pointer, FAKE_SAMPLER);
    REQUIRE_ARGUMENT(sampler, "%p, no live sampler", pointer);
    REQUIRE_ARGUMENT(sampler->head.context == kernel->head.context, "%s",
                     "a sampler of another context");
    break;
  }
  case FAKE_ARGUMENT_LOCAL:
  case FAKE_ARGUMENT_VALUE:
    break;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t handle, uint32_t index, size_t size,
                                     const void *value) {
  FAKE_ENTER_ALONE(zeKernelSetArgumentValue, handle);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_REQUIRE(index < kernel->entry->argument_count, INVALID_KERNEL_ARGUMENT_INDEX,
               "zeKernelSetArgumentValue: argument %u of \"%s\", which has %zu", index,
               kernel->entry->name, kernel->entry->argument_count);
  const fake_argument *argument = &kernel->entry->arguments[index];
  fake_kernel_argument *ret = &kernel->arguments[index];
  if (argument->kind == FAKE_ARGUMENT_LOCAL) {
    FAKE_REQUIRE(!value && size != 0 && size <= FAKE_LOCAL_MAX, INVALID_KERNEL_ARGUMENT_SIZE,
                 "zeKernelSetArgumentValue: %zu bytes at %p for argument %u of \"%s\", local "
                 "memory of 1 to %d bytes without a value",
                 size, value, index, kernel->entry->name, FAKE_LOCAL_MAX);
    *ret = (fake_kernel_argument){true, NULL, size};
    return ZE_RESULT_SUCCESS;
  }
  FAKE_REQUIRE(size == argument->size, INVALID_KERNEL_ARGUMENT_SIZE,
               "zeKernelSetArgumentValue: %zu bytes for argument %u of \"%s\", which has %zu", size,
               index, kernel->entry->name, argument->size);
  FAKE_REQUIRE(
      value || (argument->kind != FAKE_ARGUMENT_IMAGE && argument->kind != FAKE_ARGUMENT_SAMPLER),
      INVALID_ARGUMENT, "zeKernelSetArgumentValue: argument %u of \"%s\" is NULL", index,
      kernel->entry->name);
  if (value && argument->kind != FAKE_ARGUMENT_VALUE)
    FAKE_TRY(check_value(kernel, index, value));
  free(ret->bytes);
  ret->bytes = value ? fake_copy(value, size) : fake_allocate(size);
  ret->size = size;
  ret->set = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t handle,
                                      ze_kernel_indirect_access_flags_t flags) {
  FAKE_ENTER_ALONE(zeKernelSetIndirectAccess, handle);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_REQUIRE(flags < 8, INVALID_ENUMERATION, "zeKernelSetIndirectAccess: flags 0x%x", flags);
  kernel->indirect = flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetIndirectAccess(ze_kernel_handle_t handle,
                                      ze_kernel_indirect_access_flags_t *flags) {
  FAKE_ENTER(zeKernelGetIndirectAccess);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_REQUIRE(flags, INVALID_NULL_POINTER, "zeKernelGetIndirectAccess: pFlags is NULL");
  *flags = kernel->indirect;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetCacheConfig(ze_kernel_handle_t handle, ze_cache_config_flags_t flags) {
  FAKE_ENTER_ALONE(zeKernelSetCacheConfig, handle);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_REQUIRE(flags < 4, INVALID_ENUMERATION, "zeKernelSetCacheConfig: flags 0x%x", flags);
  (void)kernel; /* a hint */
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSchedulingHintExp(ze_kernel_handle_t handle,
                                      ze_scheduling_hint_exp_desc_t *hint) {
  FAKE_ENTER_ALONE(zeKernelSchedulingHintExp, handle);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_STRUCT(hint, SCHEDULING_HINT_EXP_DESC);
  FAKE_REQUIRE(hint->flags < 8, INVALID_ENUMERATION, "zeKernelSchedulingHintExp: flags 0x%x",
               hint->flags);
  (void)kernel; /* a hint */
  return ZE_RESULT_SUCCESS;
}
