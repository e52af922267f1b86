/* The needs of a module, and what else its notes say about a device. */
#ifndef COMPILER_REQUIREMENTS_H
#define COMPILER_REQUIREMENTS_H

#include "output.h"

/*
 * X(name, number): SYCL's aspects that are found in the code: values of half, values of double,
 * and atomic operations on 64 bits.
 */
#define REQUIREMENTS_ASPECTS(X)                                                                    \
  X(fp16, 5)                                                                                       \
  X(fp64, 6)                                                                                       \
  X(atomic64, 28)

/*
 * Fills the output's masks, aspects, and optimization if that is unknown, from the module's code
 * and from the notes that DPC++ leaves in it. The kernels have been listed. OUT_OF_MEMORY.
 */
specpi_compiler_result requirements_find(LLVMModuleRef module, specpi_compiler_output output);

#endif
