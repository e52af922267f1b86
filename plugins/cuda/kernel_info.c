/* Kernels: queries, and what the device can run of one at the same time. */
#include "kernel.h"

#include "checks.h"

#include <string.h>

pi_result piKernelGetInfo(pi_kernel kernel, pi_kernel_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_KERNEL(kernel);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_KERNEL_INFO_FUNCTION_NAME:
    return pi_answer_text(&answer, kernel->name);
  case PI_KERNEL_INFO_NUM_ARGS:
    return pi_answer_uint32(&answer, kernel->argument_count);
  case PI_KERNEL_INFO_REFERENCE_COUNT:
    return pi_answer_uint32(&answer, pi_handle_references(&kernel->handle));
  case PI_KERNEL_INFO_CONTEXT:
    return pi_answer_handle(&answer, kernel->program->context);
  case PI_KERNEL_INFO_PROGRAM:
    return pi_answer_handle(&answer, kernel->program);
  case PI_KERNEL_INFO_ATTRIBUTES:
    return pi_answer_text(&answer, ""); /* PTX has none */
  }
  return pi_answer_unknown("pi_kernel_info", (pi_uint32)param_name);
}

static pi_result check_device(pi_kernel kernel, pi_device device) {
  REQUIRE_DEVICE(device);
  PI_REQUIRE(device == kernel->program->context->devices[0], PI_ERROR_INVALID_DEVICE,
             "the device is not the one of the kernel's context");
  return PI_SUCCESS;
}

pi_result piKernelGetGroupInfo(pi_kernel kernel, pi_device device, pi_kernel_group_info param_name,
                               size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_KERNEL(kernel);
  PI_TRY(check_device(kernel, device));
  PI_TRY(pi_answer_check(&answer));
  const kernel_limits *limits = &kernel->plain.limits;
  switch (param_name) {
  case PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE:
    return pi_answer_size(&answer, limits->max_items);
  case PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE:
    return pi_answer_bytes(&answer, limits->required, sizeof limits->required);
  case PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE:
    return pi_answer_uint64(&answer, limits->local_memory + kernel->local_memory);
  case PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return pi_answer_size(&answer, limits->preferred_multiple);
  case PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE:
    return pi_answer_uint64(&answer, limits->private_memory);
  case PI_KERNEL_GROUP_INFO_NUM_REGS:
    return pi_answer_uint32(&answer, limits->registers);
  case PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE:
    return pi_answer_unsupported("pi_kernel_group_info", (pi_uint32)param_name,
                                 "only custom devices and built-in kernels have one");
  }
  return pi_answer_unknown("pi_kernel_group_info", (pi_uint32)param_name);
}

/* The local size of a query, 1 to 3 numbers; its sub-groups are warps whatever it is. */
static pi_result check_local_size(const void *value, size_t size) {
  PI_REQUIRE(!value || (size != 0 && size % sizeof(size_t) == 0 && size <= 3 * sizeof(size_t)),
             PI_ERROR_INVALID_VALUE, "input_value_size is %zu, not 1 to 3 times %zu", size,
             sizeof(size_t));
  return PI_SUCCESS;
}

pi_result piKernelGetSubGroupInfo(pi_kernel kernel, pi_device device,
                                  pi_kernel_sub_group_info param_name, size_t input_value_size,
                                  const void *input_value, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_KERNEL(kernel);
  PI_TRY(check_device(kernel, device));
  PI_TRY(pi_answer_check(&answer));
  const kernel_limits *limits = &kernel->plain.limits;
  switch (param_name) {
  case PI_KERNEL_MAX_SUB_GROUP_SIZE:
    PI_TRY(check_local_size(input_value, input_value_size));
    return pi_answer_uint32(&answer, limits->max_sub_group);
  case PI_KERNEL_MAX_NUM_SUB_GROUPS:
    return pi_answer_uint32(&answer, limits->max_sub_groups);
  /* Nothing in PTX asks for a number or a size of sub-groups. */
  case PI_KERNEL_COMPILE_NUM_SUB_GROUPS:
  case PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    return pi_answer_uint32(&answer, 0);
  }
  return pi_answer_unknown("pi_kernel_sub_group_info", (pi_uint32)param_name);
}

pi_result piextKernelSuggestMaxCooperativeGroupCount(pi_kernel kernel, size_t local_work_size,
                                                     size_t dynamic_shared_memory_size,
                                                     pi_uint32 *group_count_ret) {
  REQUIRE_KERNEL(kernel);
  REQUIRE_POINTER(group_count_ret);
  PI_REQUIRE(local_work_size != 0 && local_work_size <= kernel->plain.limits.max_items,
             PI_ERROR_INVALID_WORK_GROUP_SIZE,
             "local_work_size is %zu, kernel %s can have 1 to %zu", local_work_size, kernel->name,
             kernel->plain.limits.max_items);
  const pi_context context = kernel->program->context;
  if (cuda_attribute(context->devices[0], CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 0) == 0)
    return CUDA_UNSUPPORTED("the device has no cooperative launch");
  int blocks = 0;
  PI_TRY(cuda_enter(context));
  PI_TRY(kernel_allow_shared(kernel, &kernel->plain, dynamic_shared_memory_size));
  CU_TRY(OccupancyMaxActiveBlocksPerMultiprocessor, &blocks, kernel->plain.function,
         (int)local_work_size, dynamic_shared_memory_size);
  *group_count_ret = (pi_uint32)blocks * (pi_uint32)context->devices[0]->driver.multiprocessors;
  return PI_SUCCESS;
}
