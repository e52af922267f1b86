#include "blocks.h"

#include <stdlib.h>

static int compare_blocks(const void *a, const void *b) {
  const LLVMBasicBlockRef left = *(const LLVMBasicBlockRef *)a;
  const LLVMBasicBlockRef right = *(const LLVMBasicBlockRef *)b;
  return left < right ? -1 : left > right;
}

void blocks_sort(void *entries, size_t count, size_t size) {
  qsort(entries, count, size, compare_blocks);
}

void *blocks_find(const void *entries, size_t count, size_t size, LLVMBasicBlockRef block) {
  return bsearch(&block, entries, count, size, compare_blocks);
}
