/* Which functions lanes have to call together. */
#ifndef CODEGEN_CONVERGENCE_H
#define CODEGEN_CONVERGENCE_H

#include <llvm-c/Core.h>

/*
 * Makes each function convergent, as clang makes those of OpenCL and SYCL: SPIR-V does not say
 * which ones have barriers, and the optimiser may give a call of any other one to each of two ways.
 * It takes the attribute from those that need it not.
 */
void convergence_settle(LLVMModuleRef module);

#endif
