/* Replacement of functions by others with one more argument. */
#ifndef COMPILER_PASSES_ADDED_ARGUMENT_H
#define COMPILER_PASSES_ADDED_ARGUMENT_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Makes a copy of a function with one more argument at the end, and moves the body there. The old
 * function becomes a declaration, and keeps its name and metadata. why is the argument's purpose,
 * for the error message. INVALID_CALL: the function cannot have one more argument; OUT_OF_MEMORY.
 */
specpi_compiler_result added_argument_make(LLVMModuleRef module, LLVMValueRef old, LLVMTypeRef type,
                                           const char *name, const char *why, LLVMValueRef *ret);

/*
 * Replaces a call of the old function by one of the replacement, with value as the added argument.
 * Moves the builder. OUT_OF_MEMORY.
 */
specpi_compiler_result added_argument_call(LLVMBuilderRef builder, LLVMValueRef call,
                                           LLVMValueRef replacement, LLVMValueRef value);

#endif
