/* Bitcode libraries with which a module is linked. */
#ifndef COMPILER_LIBRARY_H
#define COMPILER_LIBRARY_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/*
 * Returns whether a library may define a declared function: it is neither an intrinsic of LLVM nor
 * provided by CUDA's driver or by the compiler.
 */
bool library_may_define(LLVMValueRef function);

/*
 * Links the functions that the module uses but does not define from the bitcode file at path. If
 * the module uses none whose name begins with prefix, which may be "", the file is only opened.
 * diagnostic is the buffer into which the context's handler writes LLVM's errors; it has to be
 * empty.
 * FILE: the file cannot be read. INVALID_MODULE: LLVM cannot parse or link it.
 */
specpi_compiler_result library_link(LLVMModuleRef module, const char *path, const char *prefix,
                                    const char *diagnostic);

#endif
