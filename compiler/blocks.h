/*
 * Tables with data about a function's blocks. An entry is a structure whose first member is the
 * block's LLVMBasicBlockRef.
 */
#ifndef COMPILER_BLOCKS_H
#define COMPILER_BLOCKS_H

#include <llvm-c/Core.h>
#include <stddef.h>
#include <stdlib.h>

static inline int blocks_compare(const void *a, const void *b) {
  const LLVMBasicBlockRef left = *(const LLVMBasicBlockRef *)a;
  const LLVMBasicBlockRef right = *(const LLVMBasicBlockRef *)b;
  return left < right ? -1 : left > right;
}

/* Sorts count entries of size bytes by their blocks, so that blocks_find finds them. */
static inline void blocks_sort(void *entries, size_t count, size_t size) {
  qsort(entries, count, size, blocks_compare);
}

/* Returns the entry of a block in a sorted table, or NULL. */
static inline void *blocks_find(const void *entries, size_t count, size_t size,
                                LLVMBasicBlockRef block) {
  return bsearch(&block, entries, count, size, blocks_compare);
}

#endif
