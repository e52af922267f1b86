/* Fences that a GPU has. */
#ifndef CODEGEN_FENCES_H
#define CODEGEN_FENCES_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Defines the fences of the device library that order less than all there is: those that PTX has
 * from sm_70 on, or the ones that order all, where gpu is older.
 */
void fences_settle(LLVMModuleRef module, const char *gpu);

#endif
