#include "pool.h"

#include "libclang.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct pool_block {
  struct pool_block *next;
  char text[];
};

const char *pool_format(pool *all, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  struct pool_block *block =
      length < 0 ? NULL : malloc(offsetof(struct pool_block, text) + (size_t)length + 1);
  if (block != NULL) {
    vsnprintf(block->text, (size_t)length + 1, format, again);
    block->next = all->first;
    all->first = block;
  } else {
    all->failed = true;
  }
  va_end(again);
  return block != NULL ? block->text : "";
}

const char *pool_take(pool *all, CXString string) {
  const char *text = libclang.getCString(string);
  const char *copy = pool_format(all, "%s", text != NULL ? text : "");
  libclang.disposeString(string);
  return copy;
}

void pool_release(pool *all) {
  while (all->first != NULL) {
    struct pool_block *block = all->first;
    all->first = block->next;
    free(block);
  }
}
