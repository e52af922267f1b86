/* The attributes of functions and of calls. */
#ifndef COMPILER_ATTRIBUTES_H
#define COMPILER_ATTRIBUTES_H

#include "error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/*
 * Copies the attributes at one index of a function, or with call true of a call: those of itself
 * (LLVMAttributeFunctionIndex), of its result (0), or of a parameter (from 1). OUT_OF_MEMORY.
 */
specpi_compiler_result attributes_copy(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex index,
                                       bool call);

/* Copies those of itself, of its result, and of the first parameters. OUT_OF_MEMORY. */
specpi_compiler_result attributes_copy_all(LLVMValueRef from, LLVMValueRef to, unsigned parameters,
                                           bool call);

#endif
