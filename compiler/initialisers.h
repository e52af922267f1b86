/*
 * Initial values of variables, in a form that LLVM's NVPTX printer prints correctly. The printer
 * writes only 12 of the 16 bytes of a vector of three floats, prints half as double, and knows only
 * some constant expressions.
 */
#ifndef SPECPI_COMPILER_INITIALISERS_H
#define SPECPI_COMPILER_INITIALISERS_H

#include "error.h"

#include <llvm-c/Core.h>

/* Checks that no variable's initial value contains itself. INVALID_MODULE, OUT_OF_MEMORY. */
specpi_compiler_result initialisers_check(LLVMModuleRef module);

/*
 * Makes every variable of a module for NVPTX an array of its bytes in memory, with padding; or of
 * words and addresses, if its initial value has addresses. Numbers for which PTX has a type stay as
 * they are. The module must have opaque pointers, and its final set of variables. INVALID_MODULE:
 * an initial value is unknown before launch, or PTX cannot express it. OUT_OF_MEMORY.
 */
specpi_compiler_result initialisers_write(LLVMModuleRef module);

#endif
