/* SPIR-V's built-in variables, which words_prepare has turned into plain variables. */
#ifndef CODEGEN_BUILT_IN_H
#define CODEGEN_BUILT_IN_H

#include "../error.h"
#include "../spirv/dimensions.h"

#include <llvm-c/Core.h>

/* X(number, function): a variable holds the result of an OpenCL function without arguments.
 * DIMENSION_FUNCTIONS (spirv/dimensions.h) has the variables with three components. */
#define CODEGEN_BUILT_INS(X)                                                                       \
  X(29, "_Z19get_local_linear_idv")                                                                \
  X(30, "_Z12get_work_dimv")                                                                       \
  X(34, "_Z20get_global_linear_idv")                                                               \
  X(36, "_Z18get_sub_group_sizev")                                                                 \
  X(37, "_Z22get_max_sub_group_sizev")                                                             \
  X(38, "_Z18get_num_sub_groupsv")                                                                 \
  X(39, "_Z27get_enqueued_num_sub_groupsv")                                                        \
  X(40, "_Z16get_sub_group_idv")                                                                   \
  X(41, "_Z22get_sub_group_local_idv")                                                             \
  X(4416, "_Z21get_sub_group_eq_maskv")                                                            \
  X(4417, "_Z21get_sub_group_ge_maskv")                                                            \
  X(4418, "_Z21get_sub_group_gt_maskv")                                                            \
  X(4419, "_Z21get_sub_group_le_maskv")                                                            \
  X(4420, "_Z21get_sub_group_lt_maskv")

/*
 * Gives each function that uses a built-in variable a local copy, which the function fills first
 * and LLVM's optimiser turns into values. A component whose index is computed or beyond the vector
 * becomes a call of the OpenCL function, which accepts every dimension. Expects opaque pointers.
 * INVALID_MODULE: a variable is not in the lists, has a wrong type, or has an unknown kind of use.
 */
specpi_compiler_result built_in_replace(LLVMModuleRef module);

#endif
