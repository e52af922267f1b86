/* A set of LLVM values. */
#ifndef COMPILER_VALUE_SET_H
#define COMPILER_VALUE_SET_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/* A zeroed structure is an empty set. */
typedef struct value_set {
  LLVMValueRef *places; /* NULL in free places */
  size_t count;
  size_t capacity; /* a power of two, or 0 */
} value_set;

bool value_set_has(const value_set *set, LLVMValueRef value);

/* Adds a value, and sets *added (unless added is NULL) to whether it is new. Returns false when
 * memory is exhausted. */
bool value_set_add(value_set *set, LLVMValueRef value, bool *added);

void value_set_free(value_set *set);

#endif
