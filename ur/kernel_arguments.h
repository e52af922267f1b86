/* A kernel's arguments in the form in which UR's launches pass them. */
#ifndef UR_KERNEL_ARGUMENTS_H
#define UR_KERNEL_ARGUMENTS_H

#include "handles.h"

/*
 * Sets a kernel's arguments to those of a launch. Call it between kernel_begin_arguments and
 * kernel_end_arguments. Allocates nothing.
 */
ur_result_t kernel_take_arguments(pi_kernel kernel, uint32_t count,
                                  const ur_exp_kernel_arg_properties_t *arguments);

/* Checks a list of such arguments. INVALID_NULL_POINTER: it is missing. */
static inline ur_result_t kernel_check_list(uint32_t count,
                                            const ur_exp_kernel_arg_properties_t *list) {
  UR_REQUIRE(list || count == 0, UR_RESULT_ERROR_INVALID_NULL_POINTER,
             "pArgs is NULL, and numArgs is %u", count);
  return UR_RESULT_SUCCESS;
}

#endif
