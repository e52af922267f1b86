/* Functions that the lanes of a warp have to call together. */
#ifndef CODEGEN_CONVERGENCE_H
#define CODEGEN_CONVERGENCE_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Makes each function convergent, as clang does in OpenCL and SYCL: SPIR-V does not say which
 * functions have barriers, and the optimiser may duplicate a call of a function that is not
 * convergent into both branches. The optimiser removes the attribute where it is not needed.
 *
 * In a loop that work-items leave at different times, a sub-group's reductions, scans, votes and
 * broadcasts then include only the work-items that are still in the loop. SYCL and OpenCL leave
 * this case undefined, but Intel's GPUs do it and programs rely on it; NVIDIA's GPUs would wait for
 * ever.
 *
 * The translator has two names for a group's bitwise operations, work_group_reduce_bitwise_and for
 * OpGroupBitwiseAndKHR and sub_group_non_uniform_reduce_and for OpGroupNonUniformBitwiseAnd; all
 * get the second form. Errors: OUT_OF_MEMORY.
 */
specpi_compiler_result convergence_settle(LLVMModuleRef module);

#endif
