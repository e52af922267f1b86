/* Kernels of the fake OpenCL. */
#include "extension.h"

#include <stdlib.h>
#include <string.h>

static const fake_entry *find_entry(cl_program program, const char *name) {
  for (size_t part = 0; part < program->part_count; part++)
    for (size_t i = 0; i < program->parts[part].entry_count; i++)
      if (strcmp(program->parts[part].entries[i].name, name) == 0)
        return &program->parts[part].entries[i];
  return NULL;
}

static cl_kernel new_kernel(cl_program program, const fake_entry *entry) {
  cl_kernel kernel = fake_new(FAKE_KERNEL);
  if (!kernel)
    return NULL;
  fake_pin(kernel->program = program);
  kernel->entry = entry;
  kernel->arguments = calloc(entry->argument_count + 1, sizeof *kernel->arguments);
  return kernel;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateKernel);
  FAKE_REQUIRE_CREATE(fake_is(program, FAKE_PROGRAM), CL_INVALID_PROGRAM);
  FAKE_REQUIRE_CREATE(program->binary_type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE &&
                          program->status == CL_BUILD_SUCCESS,
                      CL_INVALID_PROGRAM_EXECUTABLE);
  FAKE_REQUIRE_CREATE(name, CL_INVALID_VALUE);
  const fake_entry *entry = find_entry(program, name);
  FAKE_REQUIRE_CREATE(entry, CL_INVALID_KERNEL_NAME);
  cl_kernel kernel = new_kernel(program, entry);
  FAKE_REQUIRE_CREATE(kernel, CL_OUT_OF_RESOURCES);
  FAKE_CREATED(kernel);
}

cl_kernel clCloneKernel(cl_kernel source, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CloneKernel);
  FAKE_REQUIRE_CREATE(fake_is(source, FAKE_KERNEL), CL_INVALID_KERNEL);
  FAKE_REQUIRE_CREATE(fake_version(source->program->context->platform) >= 210,
                      CL_INVALID_OPERATION);
  cl_kernel kernel = new_kernel(source->program, source->entry);
  FAKE_REQUIRE_CREATE(kernel, CL_OUT_OF_RESOURCES);
  memcpy(kernel->arguments, source->arguments,
         source->entry->argument_count * sizeof *kernel->arguments);
  FAKE_CREATED(kernel);
}

void fake_end_kernel(cl_kernel kernel) {
  free(kernel->arguments);
  fake_unpin(kernel->program);
}

cl_int clRetainKernel(cl_kernel kernel) {
  FAKE_ENTER(RetainKernel);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  kernel->object.references++;
  return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel) {
  FAKE_ENTER(ReleaseKernel);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  fake_release(kernel);
  return CL_SUCCESS;
}

/* Returns whether value points to a handle of this type, or, if allowed, to NULL. */
static bool is_handle_of(const void *value, size_t size, fake_type type, bool null) {
  void *handle;
  if (!value)
    return null;
  if (size != sizeof handle)
    return false;
  memcpy(&handle, value, sizeof handle);
  return handle ? fake_is(handle, type) : null;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  FAKE_ENTER(SetKernelArg);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  FAKE_REQUIRE(index < kernel->entry->argument_count, CL_INVALID_ARG_INDEX);
  fake_argument argument = {.set = true, .size = size};
  const cl_uint expected = kernel->entry->sizes[index];
  switch (kernel->entry->kinds[index]) {
  case FAKE_ARGUMENT_MEM:
  case FAKE_ARGUMENT_IMAGE:
    FAKE_REQUIRE(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
    FAKE_REQUIRE(
        is_handle_of(value, size, FAKE_MEM, kernel->entry->kinds[index] == FAKE_ARGUMENT_MEM),
        CL_INVALID_MEM_OBJECT);
    if (value)
      memcpy(&argument.mem, value, sizeof argument.mem);
    break;
  case FAKE_ARGUMENT_SAMPLER:
    FAKE_REQUIRE(size == sizeof(cl_sampler), CL_INVALID_ARG_SIZE);
    FAKE_REQUIRE(is_handle_of(value, size, FAKE_SAMPLER, false), CL_INVALID_SAMPLER);
    break;
  case FAKE_ARGUMENT_LOCAL:
    FAKE_REQUIRE(size != 0, CL_INVALID_ARG_SIZE);
    FAKE_REQUIRE(!value, CL_INVALID_ARG_VALUE);
    break;
  case FAKE_ARGUMENT_VALUE:
    FAKE_REQUIRE(value, CL_INVALID_ARG_VALUE);
    FAKE_REQUIRE(size != 0 && (expected == 0 || size == expected), CL_INVALID_ARG_SIZE);
    memcpy(argument.value, value, size < sizeof argument.value ? size : sizeof argument.value);
    break;
  }
  kernel->arguments[index] = argument;
  return CL_SUCCESS;
}

static cl_int set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  FAKE_REQUIRE(index < kernel->entry->argument_count, CL_INVALID_ARG_INDEX);
  FAKE_REQUIRE(kernel->entry->kinds[index] == FAKE_ARGUMENT_MEM, CL_INVALID_ARG_VALUE);
  fake_argument argument = {.set = true, .size = sizeof pointer};
  memcpy(&argument.pointer, &pointer, sizeof pointer);
  kernel->arguments[index] = argument;
  return CL_SUCCESS;
}

cl_int fake_set_kernel_arg_mem_pointer(unsigned platform, cl_kernel kernel, cl_uint index,
                                       const void *pointer) {
  FAKE_ENTER(EXT_SetKernelArgMemPointer);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL) &&
                   kernel->program->context->platform->index == platform,
               CL_INVALID_KERNEL);
  return set_pointer(kernel, index, pointer);
}

/* Not in the plugin's lists, so its calls are not counted. */
cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  fake_enter_uncounted();
  FAKE_LOCKED;
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  return set_pointer(kernel, index, pointer);
}

cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t size,
                           const void *value) {
  FAKE_ENTER(SetKernelExecInfo);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  FAKE_REQUIRE(fake_version(kernel->program->context->platform) >= 200, CL_INVALID_OPERATION);
  FAKE_REQUIRE(value, CL_INVALID_VALUE);
  switch (param_name) {
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
  case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
    return size == sizeof(cl_bool) ? CL_SUCCESS : CL_INVALID_VALUE;
  case CL_KERNEL_EXEC_INFO_SVM_PTRS:
  case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    return size % sizeof(void *) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                       void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetKernelInfo);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  switch (param_name) {
  case CL_KERNEL_FUNCTION_NAME:
    return FAKE_ANSWER_TEXT(kernel->entry->name);
  case CL_KERNEL_NUM_ARGS:
    return FAKE_ANSWER(kernel->entry->argument_count);
  case CL_KERNEL_REFERENCE_COUNT:
    return FAKE_ANSWER(kernel->object.references);
  case CL_KERNEL_CONTEXT:
    return FAKE_ANSWER(kernel->program->context);
  case CL_KERNEL_PROGRAM:
    return FAKE_ANSWER(kernel->program);
  case CL_KERNEL_ATTRIBUTES:
    return FAKE_ANSWER_TEXT("");
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetKernelWorkGroupInfo);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  const cl_context context = kernel->program->context;
  FAKE_REQUIRE(device ? fake_is(device, FAKE_DEVICE) && fake_has_device(context, device)
                      : context->device_count == 1,
               CL_INVALID_DEVICE);
  switch (param_name) {
  case CL_KERNEL_WORK_GROUP_SIZE:
    return FAKE_ANSWER_AS(size_t, fake_group_size());
  case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
    return FAKE_ANSWER(((const size_t[3]){0, 0, 0}));
  case CL_KERNEL_LOCAL_MEM_SIZE:
  case CL_KERNEL_PRIVATE_MEM_SIZE:
    return FAKE_ANSWER_AS(cl_ulong, 0);
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return FAKE_ANSWER_AS(size_t, 8);
  default:
    return CL_INVALID_VALUE;
  }
}

static cl_int sub_group_info(cl_kernel kernel, cl_device_id device,
                             cl_kernel_sub_group_info param_name, size_t input_size,
                             const void *input, size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret) {
  enum { SUB_GROUP = 8 };
  const cl_context context = kernel->program->context;
  FAKE_REQUIRE(device ? fake_is(device, FAKE_DEVICE) && fake_has_device(context, device)
                      : context->device_count == 1,
               CL_INVALID_DEVICE);
  size_t items = 1;
  for (size_t i = 0; input && i < input_size / sizeof(size_t); i++)
    items *= ((const size_t *)input)[i];
  switch (param_name) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
    FAKE_REQUIRE(input && input_size % sizeof(size_t) == 0, CL_INVALID_VALUE);
    return FAKE_ANSWER_AS(size_t, SUB_GROUP);
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
    FAKE_REQUIRE(input && input_size % sizeof(size_t) == 0, CL_INVALID_VALUE);
    return FAKE_ANSWER_AS(size_t, (items + SUB_GROUP - 1) / SUB_GROUP);
  case CL_KERNEL_MAX_NUM_SUB_GROUPS:
    return FAKE_ANSWER_AS(size_t, 128);
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
  case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    return FAKE_ANSWER_AS(size_t, 0);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                               cl_kernel_sub_group_info param_name, size_t input_size,
                               const void *input, size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret) {
  FAKE_ENTER(GetKernelSubGroupInfo);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  FAKE_REQUIRE(fake_version(kernel->program->context->platform) >= 210, CL_INVALID_OPERATION);
  return sub_group_info(kernel, device, param_name, input_size, input, param_value_size,
                        param_value, param_value_size_ret);
}

cl_int fake_get_kernel_sub_group_info_khr(unsigned platform, cl_kernel kernel, cl_device_id device,
                                          cl_kernel_sub_group_info param_name, size_t input_size,
                                          const void *input, size_t param_value_size,
                                          void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(EXT_GetKernelSubGroupInfo);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL) &&
                   kernel->program->context->platform->index == platform,
               CL_INVALID_KERNEL);
  return sub_group_info(kernel, device, param_name, input_size, input, param_value_size,
                        param_value, param_value_size_ret);
}

cl_int fake_get_kernel_max_concurrent(unsigned platform, cl_command_queue queue, cl_kernel kernel,
                                      cl_uint dimensions, const size_t *offset, const size_t *local,
                                      size_t *count) {
  FAKE_ENTER(EXT_GetKernelMaxConcurrentWorkGroupCount);
  (void)offset;
  FAKE_REQUIRE(fake_is(queue, FAKE_QUEUE) && queue->context->platform->index == platform,
               CL_INVALID_COMMAND_QUEUE);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  FAKE_REQUIRE(dimensions >= 1 && dimensions <= 3 && local && count, CL_INVALID_VALUE);
  *count = queue->device->units;
  return CL_SUCCESS;
}
