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
    return pi_answer_handle(&answer, kernel->build->context);
  case PI_KERNEL_INFO_PROGRAM:
    return pi_answer_handle(&answer, kernel->program);
  case PI_KERNEL_INFO_ATTRIBUTES:
    return pi_answer_text(&answer, ""); /* those of the source are not in every module */
  }
  return pi_answer_unknown("pi_kernel_info", (pi_uint32)param_name);
}

/* Bytes of local memory: the code's own, and those of the arguments that are set. */
static size_t local_memory(pi_kernel kernel, const kernel_instance *it) {
  size_t size = it->limits.local_memory;
  pthread_mutex_lock(&kernel->lock);
  for (pi_uint32 i = 0; i < kernel->argument_count; i++)
    size += kernel->arguments[i].local_size;
  pthread_mutex_unlock(&kernel->lock);
  return size;
}

pi_result piKernelGetGroupInfo(pi_kernel kernel, pi_device device, pi_kernel_group_info param_name,
                               size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  kernel_instance *it;
  REQUIRE_KERNEL(kernel);
  REQUIRE_DEVICE_OF(kernel->build->context, device);
  PI_TRY(pi_answer_check(&answer));
  PI_TRY(kernel_instance_of(kernel, device, &it));
  const kernel_limits *limits = &it->limits;
  switch (param_name) {
  case PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE:
    return pi_answer_size(&answer, limits->max_items);
  case PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE:
    return pi_answer_bytes(&answer, limits->required, sizeof limits->required);
  case PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE:
    return pi_answer_uint64(&answer, local_memory(kernel, it));
  case PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return pi_answer_size(&answer, limits->preferred_multiple);
  case PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE:
    return pi_answer_uint64(&answer, limits->private_memory);
  case PI_KERNEL_GROUP_INFO_NUM_REGS:
    return pi_answer_unsupported("pi_kernel_group_info", (pi_uint32)param_name,
                                 "Level Zero does not tell the registers of a kernel");
  case PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE:
    return pi_answer_unsupported("pi_kernel_group_info", (pi_uint32)param_name,
                                 "only custom devices and built-in kernels have one");
  }
  return pi_answer_unknown("pi_kernel_group_info", (pi_uint32)param_name);
}

/* The local size of a query, 1 to 3 numbers; Level Zero's answer is the same whatever it is. */
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
  kernel_instance *it;
  REQUIRE_KERNEL(kernel);
  REQUIRE_DEVICE_OF(kernel->build->context, device);
  PI_TRY(pi_answer_check(&answer));
  PI_TRY(kernel_instance_of(kernel, device, &it));
  const kernel_limits *limits = &it->limits;
  switch (param_name) {
  case PI_KERNEL_MAX_SUB_GROUP_SIZE:
    PI_TRY(check_local_size(input_value, input_value_size));
    return pi_answer_uint32(&answer, limits->max_sub_group);
  case PI_KERNEL_MAX_NUM_SUB_GROUPS:
    return pi_answer_uint32(&answer, limits->max_sub_groups);
  case PI_KERNEL_COMPILE_NUM_SUB_GROUPS:
    return pi_answer_uint32(&answer, limits->required_sub_groups);
  case PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    return pi_answer_uint32(&answer, limits->required_sub_group);
  }
  return pi_answer_unknown("pi_kernel_sub_group_info", (pi_uint32)param_name);
}

/* The driver counts for the group size and the local memory that the kernel has then. */
static pi_result count_groups(pi_kernel kernel, kernel_instance *it, size_t items, uint32_t *ret) {
  const size_t *required = it->limits.required;
  const uint32_t one_row[3] = {(uint32_t)items, 1, 1};
  const uint32_t fixed[3] = {(uint32_t)required[0], (uint32_t)required[1], (uint32_t)required[2]};
  uint32_t count = 0;
  PI_TRY(kernel_set_arguments(kernel, it));
  PI_TRY(kernel_set_group(it, required[0] == 0 ? one_row : fixed));
  ZE_TRY(KernelSuggestMaxCooperativeGroupCount, it->kernel, &count);
  *ret = count;
  return PI_SUCCESS;
}

/* A kernel that requires a group size has no other one. */
static pi_result check_items(pi_kernel kernel, const kernel_instance *it, size_t items) {
  const size_t *required = it->limits.required;
  const size_t fixed = required[0] * required[1] * required[2];
  PI_REQUIRE(items != 0 && items <= it->limits.max_items, PI_ERROR_INVALID_WORK_GROUP_SIZE,
             "local_work_size is %zu, kernel %s can have 1 to %zu", items, kernel->name,
             it->limits.max_items);
  PI_REQUIRE(fixed == 0 || items == fixed, PI_ERROR_INVALID_WORK_GROUP_SIZE,
             "local_work_size is %zu, kernel %s was compiled for work-groups of %zu", items,
             kernel->name, fixed);
  return PI_SUCCESS;
}

pi_result piextKernelSuggestMaxCooperativeGroupCount(pi_kernel kernel, size_t local_work_size,
                                                     size_t dynamic_shared_memory_size,
                                                     pi_uint32 *group_count_ret) {
  REQUIRE_KERNEL(kernel);
  REQUIRE_POINTER(group_count_ret);
  if (dynamic_shared_memory_size != 0)
    return LEVEL_ZERO_UNSUPPORTED("Level Zero counts the local memory of arguments, once they are "
                                  "set, and takes no %zu bytes on top",
                                  dynamic_shared_memory_size);
  uint32_t count = 0;
  pthread_mutex_lock(&kernel->lock);
  pi_result result = check_items(kernel, kernel->latest, local_work_size);
  if (result == PI_SUCCESS)
    result = count_groups(kernel, kernel->latest, local_work_size, &count);
  pthread_mutex_unlock(&kernel->lock);
  PI_TRY(result);
  *group_count_ret = count;
  return PI_SUCCESS;
}
