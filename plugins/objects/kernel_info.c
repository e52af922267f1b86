#include "driver.h"
#include "kernel.h"

pi_result kernel_answer(pi_kernel kernel, pi_kernel_info query, const pi_answer *answer) {
  switch (query) {
  case PI_KERNEL_INFO_FUNCTION_NAME:
    return pi_answer_text(answer, kernel->name);
  case PI_KERNEL_INFO_NUM_ARGS:
    return pi_answer_uint32(answer, kernel->argument_count);
  case PI_KERNEL_INFO_REFERENCE_COUNT:
    return pi_answer_uint32(answer, pi_handle_references(&kernel->handle));
  case PI_KERNEL_INFO_CONTEXT:
    return pi_answer_handle(answer, kernel->build->context);
  case PI_KERNEL_INFO_PROGRAM:
    return pi_answer_handle(answer, kernel->program);
  case PI_KERNEL_INFO_ATTRIBUTES:
    return pi_answer_text(answer, ""); /* those of the source are not in every module */
  }
  return pi_answer_unknown("pi_kernel_info", (pi_uint32)query);
}

pi_result kernel_answer_group(pi_kernel kernel, pi_device device, pi_kernel_group_info query,
                              const pi_answer *answer) {
  kernel_limits *limits;
  PI_TRY(driver_kernel_limits(kernel, device, &limits));
  switch (query) {
  case PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE:
    return pi_answer_size(answer, limits->max_items);
  case PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE:
    return pi_answer_bytes(answer, limits->required, sizeof limits->required);
  case PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE:
    return pi_answer_uint64(answer, limits->local_memory + kernel->local_memory);
  case PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return pi_answer_size(answer, limits->preferred_multiple);
  case PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE:
    return pi_answer_uint64(answer, limits->private_memory);
  case PI_KERNEL_GROUP_INFO_NUM_REGS:
    if (limits->registers == UINT32_MAX)
      return pi_answer_unsupported("pi_kernel_group_info", (pi_uint32)query,
                                   "the driver does not tell the registers of a kernel");
    return pi_answer_uint32(answer, limits->registers);
  case PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE:
    return pi_answer_unsupported("pi_kernel_group_info", (pi_uint32)query,
                                 "only custom devices and built-in kernels have one");
  }
  return pi_answer_unknown("pi_kernel_group_info", (pi_uint32)query);
}

pi_result kernel_answer_sub_group(pi_kernel kernel, pi_device device,
                                  pi_kernel_sub_group_info query, size_t input_size,
                                  const void *input, const pi_answer *answer) {
  kernel_limits *limits;
  PI_TRY(driver_kernel_limits(kernel, device, &limits));
  switch (query) {
  case PI_KERNEL_MAX_SUB_GROUP_SIZE:
    PI_TRY(kernel_check_local_size(input, input_size)); /* whatever it is, the answer is the same */
    return pi_answer_uint32(answer, limits->max_sub_group);
  case PI_KERNEL_MAX_NUM_SUB_GROUPS:
    return pi_answer_uint32(answer, limits->max_sub_groups);
  case PI_KERNEL_COMPILE_NUM_SUB_GROUPS:
    return pi_answer_uint32(answer, limits->required_sub_groups);
  case PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    return pi_answer_uint32(answer, limits->required_sub_group);
  }
  return pi_answer_unknown("pi_kernel_sub_group_info", (pi_uint32)query);
}

/* A kernel that requires a size has no other one. */
pi_result kernel_check_items(pi_kernel kernel, const kernel_limits *limits, size_t items) {
  const size_t *required = limits->required;
  const size_t fixed = required[0] * required[1] * required[2];
  PI_REQUIRE(items != 0 && items <= limits->max_items, PI_ERROR_INVALID_WORK_GROUP_SIZE,
             "local_work_size is %zu, kernel %s can have 1 to %zu", items, kernel->name,
             limits->max_items);
  PI_REQUIRE(fixed == 0 || items == fixed, PI_ERROR_INVALID_WORK_GROUP_SIZE,
             "local_work_size is %zu, kernel %s was compiled for work-groups of %zu", items,
             kernel->name, fixed);
  return PI_SUCCESS;
}
