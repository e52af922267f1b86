/* Functions with one argument more than they had. */
#ifndef COMPILER_PASSES_ADDED_ARGUMENT_H
#define COMPILER_PASSES_ADDED_ARGUMENT_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Makes a function like another one, with an argument of a type and a name after the others, and
 * moves the body there; the old one stays as a declaration, and so do its name and metadata. why is
 * what the argument is for, for the error. INVALID_CALL: it cannot have one more; OUT_OF_MEMORY.
 */
specpi_compiler_result added_argument_make(LLVMModuleRef module, LLVMValueRef old, LLVMTypeRef type,
                                           const char *name, const char *why, LLVMValueRef *ret);

/*
 * Calls such a function in place of the old one, with a value of the argument's type, where the
 * builder's position does not matter. OUT_OF_MEMORY.
 */
specpi_compiler_result added_argument_call(LLVMBuilderRef builder, LLVMValueRef call,
                                           LLVMValueRef replacement, LLVMValueRef value);

#endif
