#include "driver.h"
#include "kernel.h"

pi_result kernel_answer(pi_kernel kernel, pi_kernel_info query, const info_answer *answer) {
  switch (query) {
  case PI_KERNEL_INFO_FUNCTION_NAME:
    return answer_text(answer, kernel->name);
  case PI_KERNEL_INFO_NUM_ARGS:
    return answer_uint32(answer, kernel->argument_count);
  case PI_KERNEL_INFO_REFERENCE_COUNT:
    return answer_uint32(answer, object_references(&kernel->handle));
  case PI_KERNEL_INFO_CONTEXT:
    return answer_handle(answer, kernel->context);
  case PI_KERNEL_INFO_PROGRAM:
    return answer_handle(answer, kernel->program);
  case PI_KERNEL_INFO_ATTRIBUTES:
    return answer_text(answer, ""); /* not every module has the attributes of the source */
  }
  return answer_unknown("pi_kernel_info", (pi_uint32)query);
}

pi_result kernel_answer_group(pi_kernel kernel, pi_device device, pi_kernel_group_info query,
                              const info_answer *answer) {
  kernel_limits *limits;
  TRY(driver_kernel_limits(kernel, device, NULL, &limits));
  switch (query) {
  case PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE:
    return answer_size(answer, limits->max_items);
  case PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE:
    return answer_bytes(answer, limits->required, sizeof limits->required);
  case PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE:
    return answer_uint64(answer, limits->local_memory + kernel->local_memory);
  case PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return answer_size(answer, limits->preferred_multiple);
  case PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE:
    return answer_uint64(answer, limits->private_memory);
  case PI_KERNEL_GROUP_INFO_NUM_REGS:
    if (limits->registers == UINT32_MAX)
      return answer_unsupported("pi_kernel_group_info", (pi_uint32)query,
                                "the driver does not report the registers of a kernel");
    return answer_uint32(answer, limits->registers);
  case PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE:
    return answer_unsupported("pi_kernel_group_info", (pi_uint32)query,
                              "only custom devices and built-in kernels have one");
  }
  return answer_unknown("pi_kernel_group_info", (pi_uint32)query);
}

pi_result kernel_answer_sub_group(pi_kernel kernel, pi_device device,
                                  pi_kernel_sub_group_info query, size_t input_size,
                                  const void *input, const info_answer *answer) {
  kernel_limits *limits;
  TRY(driver_kernel_limits(kernel, device, NULL, &limits));
  switch (query) {
  case PI_KERNEL_MAX_SUB_GROUP_SIZE:
    TRY(kernel_check_local_size(input, input_size)); /* the answer does not depend on it */
    return answer_uint32(answer, limits->max_sub_group);
  case PI_KERNEL_MAX_NUM_SUB_GROUPS:
    return answer_uint32(answer, limits->max_sub_groups);
  case PI_KERNEL_COMPILE_NUM_SUB_GROUPS:
    return answer_uint32(answer, limits->required_sub_groups);
  case PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    return answer_uint32(answer, limits->required_sub_group);
  }
  return answer_unknown("pi_kernel_sub_group_info", (pi_uint32)query);
}

/* A kernel compiled with a required size allows no other. */
pi_result kernel_check_items(pi_kernel kernel, const kernel_limits *limits, size_t items) {
  const size_t *required = limits->required;
  const size_t fixed = required[0] * required[1] * required[2];
  REQUIRE(items != 0 && items <= limits->max_items, PI_ERROR_INVALID_WORK_GROUP_SIZE,
          "local_work_size is %zu, kernel %s can have 1 to %zu", items, kernel->name,
          limits->max_items);
  REQUIRE(fixed == 0 || items == fixed, PI_ERROR_INVALID_WORK_GROUP_SIZE,
          "local_work_size is %zu, kernel %s was compiled for work-groups of %zu", items,
          kernel->name, fixed);
  return PI_SUCCESS;
}
