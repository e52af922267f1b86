/* The built-in variables of SPIR-V, once words_prepare has made plain ones of them. */
#ifndef CODEGEN_BUILT_IN_H
#define CODEGEN_BUILT_IN_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * X(number, function, components): what a variable holds: what an OpenCL function without arguments
 * returns (0), or what one of the dimension returns for so many of them.
 */
#define CODEGEN_BUILT_INS(X)                                                                       \
  X(24, "_Z14get_num_groupsj", 3)                                                                  \
  X(25, "_Z14get_local_sizej", 3)                                                                  \
  X(26, "_Z12get_group_idj", 3)                                                                    \
  X(27, "_Z12get_local_idj", 3)                                                                    \
  X(28, "_Z13get_global_idj", 3)                                                                   \
  X(29, "_Z19get_local_linear_idv", 0)                                                             \
  X(30, "_Z12get_work_dimv", 0)                                                                    \
  X(31, "_Z15get_global_sizej", 3)                                                                 \
  X(32, "_Z23get_enqueued_local_sizej", 3)                                                         \
  X(33, "_Z17get_global_offsetj", 3)                                                               \
  X(34, "_Z20get_global_linear_idv", 0)                                                            \
  X(36, "_Z18get_sub_group_sizev", 0)                                                              \
  X(37, "_Z22get_max_sub_group_sizev", 0)                                                          \
  X(38, "_Z18get_num_sub_groupsv", 0)                                                              \
  X(39, "_Z27get_enqueued_num_sub_groupsv", 0)                                                     \
  X(40, "_Z16get_sub_group_idv", 0)                                                                \
  X(41, "_Z22get_sub_group_local_idv", 0)                                                          \
  X(4416, "_Z21get_sub_group_eq_maskv", 0)                                                         \
  X(4417, "_Z21get_sub_group_ge_maskv", 0)                                                         \
  X(4418, "_Z21get_sub_group_gt_maskv", 0)                                                         \
  X(4419, "_Z21get_sub_group_le_maskv", 0)                                                         \
  X(4420, "_Z21get_sub_group_lt_maskv", 0)

/*
 * Gives each function that uses such a variable a variable of its own, which it fills first; LLVM
 * makes values of them. Pointers have no types. INVALID_MODULE: a variable that is not in the list,
 * of a type that it cannot have, or used in a way that is not known.
 */
specpi_compiler_result built_in_replace(LLVMModuleRef module);

#endif
