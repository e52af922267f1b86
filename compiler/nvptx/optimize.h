/* LLVM's passes over a module for NVPTX. */
#ifndef SPECPI_COMPILER_OPTIMIZE_H
#define SPECPI_COMPILER_OPTIMIZE_H

#include "../error.h"

#include <llvm-c/TargetMachine.h>

/*
 * Optimises a module for the GPU of machine; the module has not been optimised before. level is 0
 * to 3. The first call with level 2 or 3 sets LLVM options that are global to the process
 * (optimize.c).
 */
specpi_compiler_result optimize_module(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                       unsigned level);

#endif
