/* A kernel's arguments, as UR's launches bring them along. */
#ifndef UR_KERNEL_ARGUMENTS_H
#define UR_KERNEL_ARGUMENTS_H

#include "handles.h"

/*
 * Sets a kernel's arguments to those of a launch. Between kernel_begin_arguments and
 * kernel_end_arguments; allocates nothing.
 */
ur_result_t kernel_take_arguments(pi_kernel kernel, uint32_t count,
                                  const ur_exp_kernel_arg_properties_t *arguments);

/* The list of such arguments: INVALID_NULL_POINTER. */
static inline ur_result_t kernel_check_list(uint32_t count,
                                            const ur_exp_kernel_arg_properties_t *list) {
  UR_REQUIRE(list || count == 0, UR_RESULT_ERROR_INVALID_NULL_POINTER,
             "pArgs is NULL, and numArgs is %u", count);
  return UR_RESULT_SUCCESS;
}

#endif
