/* Work-item functions that take a dimension, and their results for dimensions beyond the third. */
#ifndef COMPILER_DIMENSIONS_H
#define COMPILER_DIMENSIONS_H

#include <llvm-c/Core.h>

/* X(number of SPIR-V's built-in variable, function, its result from dimension 3 on). */
#define DIMENSION_FUNCTIONS(X)                                                                     \
  X(24, "_Z14get_num_groupsj", 1)                                                                  \
  X(25, "_Z14get_local_sizej", 1)                                                                  \
  X(26, "_Z12get_group_idj", 0)                                                                    \
  X(27, "_Z12get_local_idj", 0)                                                                    \
  X(28, "_Z13get_global_idj", 0)                                                                   \
  X(31, "_Z15get_global_sizej", 1)                                                                 \
  X(32, "_Z23get_enqueued_local_sizej", 1)                                                         \
  X(33, "_Z17get_global_offsetj", 0)

enum { DIMENSION_COUNT = 3 };

/*
 * Makes these calls in a module for SPIR correct for all dimensions. In SPIR-V they read a vector
 * of three components. A constant index above 2 would be invalid there, and a computed one
 * undefined.
 */
void dimensions_bound(LLVMModuleRef module);

#endif
