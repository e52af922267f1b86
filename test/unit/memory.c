#define _GNU_SOURCE /* strnlen */
#include "memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A sanitizer's library refers to malloc too, and ld wants to bind that to the wraps. */
#pragma GCC visibility push(default)
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
#pragma GCC visibility pop

static bool watching;
static long failing;
static memory_use use;

void memory_watch(long fail) {
  failing = fail;
  use = (memory_use){0};
  watching = true;
}

memory_use memory_unwatch(void) {
  watching = false;
  return use;
}

/* Counts an allocation; false when it has to fail. */
static bool count(size_t size) {
  if (!watching)
    return true;
  const bool fails = failing >= 0 && use.calls == (size_t)failing;
  use.calls++;
  use.bytes += size;
  if (fails) {
    use.failed = true;
    errno = ENOMEM;
  }
  return !fails;
}

static void *hold(void *block) {
  if (watching && block)
    use.held++;
  return block;
}

void *__wrap_malloc(size_t size) {
  return count(size) ? hold(__real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t number, size_t size) {
  return count(number * size) ? hold(__real_calloc(number, size)) : NULL;
}

void *__wrap_realloc(void *block, size_t size) {
  if (!count(size))
    return NULL;
  void *moved = __real_realloc(block, size);
  return block ? moved : hold(moved);
}

void __wrap_free(void *block) {
  if (watching && block)
    use.held--;
  __real_free(block);
}

/* The C library's own would get their memory behind our back. */

char *__wrap_strndup(const char *text, size_t size) {
  const size_t length = strnlen(text, size);
  char *copy = malloc(length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

char *__wrap_strdup(const char *text) {
  return __wrap_strndup(text, strlen(text));
}
