/* Which functions lanes have to call together, and with whom. */
#ifndef CODEGEN_CONVERGENCE_H
#define CODEGEN_CONVERGENCE_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Makes each function convergent, as clang makes those of OpenCL and SYCL: SPIR-V does not say
 * which ones have barriers, and the optimiser may give a call of any other one to each of two ways.
 * It takes the attribute from those that need it not.
 *
 * Reductions, scans, votes and broadcasts of a sub-group in a loop that its work-items leave at
 * different times become those of the work-items that are still there. SYCL and OpenCL leave open
 * what they do; Intel's GPUs do this, programs rely on it, and NVIDIA's would wait for ever.
 * OUT_OF_MEMORY.
 */
specpi_compiler_result convergence_settle(LLVMModuleRef module);

#endif
