/* Attributes of functions and calls. */
#ifndef COMPILER_ATTRIBUTES_H
#define COMPILER_ATTRIBUTES_H

#include "error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/*
 * Copies the attributes at one index of a function or, if call is true, of a call. The index is
 * LLVMAttributeFunctionIndex for the function itself, 0 for its result, and from 1 on a parameter.
 * OUT_OF_MEMORY.
 */
specpi_compiler_result attributes_copy(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex index,
                                       bool call);

/* Copies the attributes of the function itself, its result, and its first parameters.
 * OUT_OF_MEMORY. */
specpi_compiler_result attributes_copy_all(LLVMValueRef from, LLVMValueRef to, unsigned parameters,
                                           bool call);

/* Returns the kind of the enum attribute with this name in LLVM's manual; 0 if this LLVM lacks it.
 */
unsigned attributes_kind(const char *name);

/* Makes an enum attribute without a value; this LLVM must have it. */
LLVMAttributeRef attributes_make(LLVMContextRef context, const char *name);

/* Query, add and remove such an attribute of a function itself. */
bool attributes_has(LLVMValueRef function, const char *name);
void attributes_add(LLVMValueRef function, const char *name);
void attributes_remove(LLVMValueRef function, const char *name);

/* Removes the attribute also from the function's calls, because the SPIR-V translator copies a
 * function's attributes to its calls. */
void attributes_remove_from_calls(LLVMValueRef function, const char *name);

#endif
