/*
 * Initial values of variables, in a form that LLVM's NVPTX printer prints right. It writes 12 bytes
 * of a 3-vector's 16, prints half as a double, and knows only some of the constant expressions.
 */
#ifndef SPECPI_COMPILER_INITIALISERS_H
#define SPECPI_COMPILER_INITIALISERS_H

#include "error.h"

#include <llvm-c/Core.h>

/* Checks that no variable's initial value leads to itself. INVALID_MODULE, OUT_OF_MEMORY. */
specpi_compiler_result initialisers_check(LLVMModuleRef module);

/*
 * Makes every variable of a module for NVPTX an array of its bytes as memory has them, with
 * padding, or of words and addresses where its initial value has addresses. Numbers that PTX has a
 * type for stay as they are. Pointers have no types in the module, and the code uses its final
 * variables. INVALID_MODULE: an initial value is not known before the launch, or PTX has no form
 * for it. OUT_OF_MEMORY.
 */
specpi_compiler_result initialisers_write(LLVMModuleRef module);

#endif
