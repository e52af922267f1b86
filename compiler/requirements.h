/* Requirements of a module: aspects, removed arguments, and optimisation. */
#ifndef COMPILER_REQUIREMENTS_H
#define COMPILER_REQUIREMENTS_H

#include "output.h"

/*
 * X(name, number): SYCL's aspects that are found in the code: values of half, values of double, and
 * 64-bit atomic operations.
 */
#define REQUIREMENTS_ASPECTS(X)                                                                    \
  X(fp16, 5)                                                                                       \
  X(fp64, 6)                                                                                       \
  X(atomic64, 28)

/*
 * Fills the output's masks and aspects, and its optimization if that is unknown, from the module's
 * code and from DPC++'s metadata in it. Call this after kernels_list. OUT_OF_MEMORY.
 */
specpi_compiler_result requirements_find(LLVMModuleRef module, specpi_compiler_output output);

#endif
