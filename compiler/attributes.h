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

/* The kind of an enumeration attribute that LLVM's manual calls name; 0: this LLVM has none. */
unsigned attributes_kind(const char *name);

/* An enumeration attribute without a value, of a name that this LLVM has. */
LLVMAttributeRef attributes_make(LLVMContextRef context, const char *name);

/* Such an attribute of a function itself. */
bool attributes_has(LLVMValueRef function, const char *name);
void attributes_add(LLVMValueRef function, const char *name);
void attributes_remove(LLVMValueRef function, const char *name);

/* Removes it from the function's calls, too: SPIR-V's translator gives a call what its function
 * has. */
void attributes_remove_from_calls(LLVMValueRef function, const char *name);

#endif
