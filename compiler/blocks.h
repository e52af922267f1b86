/*
 * Tables with data about a function's blocks. An entry is a structure whose first member is the
 * block's LLVMBasicBlockRef.
 */
#ifndef COMPILER_BLOCKS_H
#define COMPILER_BLOCKS_H

#include <llvm-c/Core.h>
#include <stddef.h>

/* Sorts count entries of size bytes by their blocks, so that blocks_find finds them. */
void blocks_sort(void *entries, size_t count, size_t size);

/* Returns the entry of a block in a sorted table, or NULL. */
void *blocks_find(const void *entries, size_t count, size_t size, LLVMBasicBlockRef block);

#endif
