/* The strings of one call: made one by one, freed together. */
#ifndef COMPILER_HOST_POOL_H
#define COMPILER_HOST_POOL_H

#include <clang-c/CXString.h>
#include <stdbool.h>

typedef struct pool {
  struct pool_block *first;
  bool failed; /* an allocation failed; every string since then is "" */
} pool;

/* A formatted string, which lives until pool_release. Never NULL: "" when memory is exhausted. */
const char *pool_format(pool *all, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text of one of libclang's strings, which is disposed of. */
const char *pool_take(pool *all, CXString string);

void pool_release(pool *all);

#endif
