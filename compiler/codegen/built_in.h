/* The built-in variables of SPIR-V, once words_prepare has made plain ones of them. */
#ifndef CODEGEN_BUILT_IN_H
#define CODEGEN_BUILT_IN_H

#include "../error.h"
#include "../spirv/dimensions.h"

#include <llvm-c/Core.h>

/* X(number, function): what a variable holds: what an OpenCL function without arguments returns.
 * DIMENSION_FUNCTIONS has those of three components. */
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
 * Gives each function that uses such a variable a variable of its own, which it fills first; LLVM
 * makes values of them. A component that is computed, or that the vector does not have, is a call
 * of the function, which knows every dimension. Pointers have no types. INVALID_MODULE: a variable
 * that is not in the list, of a type that it cannot have, or used in a way that is not known.
 */
specpi_compiler_result built_in_replace(LLVMModuleRef module);

#endif
