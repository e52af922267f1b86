/* A set of LLVM's values. */
#ifndef COMPILER_VALUE_SET_H
#define COMPILER_VALUE_SET_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero is an empty set. */
typedef struct value_set {
  LLVMValueRef *places; /* NULL: free */
  size_t count;
  size_t capacity; /* a power of two, or 0 */
} value_set;

bool value_set_has(const value_set *set, LLVMValueRef value);

/* Adds a value; *added, unless NULL, says whether it is new. false when memory is exhausted. */
bool value_set_add(value_set *set, LLVMValueRef value, bool *added);

void value_set_free(value_set *set);

#endif
