/* The device library's fences, which depend on the GPU. */
#ifndef CODEGEN_FENCES_H
#define CODEGEN_FENCES_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Defines the device library's acquire-release fences: PTX has them from sm_70 on. On older GPUs
 * they are the sequentially consistent ones.
 */
void fences_settle(LLVMModuleRef module, const char *gpu);

#endif
