/*
 * Tables of the blocks of a function, to find what is known of each. An entry is a structure whose
 * first member is the LLVMBasicBlockRef.
 */
#ifndef COMPILER_BLOCKS_H
#define COMPILER_BLOCKS_H

#include <llvm-c/Core.h>
#include <stddef.h>

/* Sorts count entries of size bytes by their blocks, so that blocks_find finds them. */
void blocks_sort(void *entries, size_t count, size_t size);

/* The entry of a block in a sorted table, or NULL. */
void *blocks_find(const void *entries, size_t count, size_t size, LLVMBasicBlockRef block);

#endif
