#define _GNU_SOURCE /* strnlen, vasprintf */
#include "memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Visible, because the linker also binds a sanitizer library's calls of malloc to the wrappers. */
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
int __wrap_asprintf(char **ret, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_vasprintf(char **ret, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
#pragma GCC visibility pop

/* The fields of memory_use. They are atomic, because other threads allocate and free too. */
static atomic_bool watching;
static atomic_long failing;
static atomic_size_t calls;
static atomic_size_t bytes;
static atomic_long held;
static atomic_bool failed;

void memory_watch(long fail) {
  failing = fail;
  calls = bytes = 0;
  held = 0;
  failed = false;
  watching = true;
}

long memory_held(void) {
  return held;
}

memory_use memory_unwatch(void) {
  watching = false;
  return (memory_use){.calls = calls, .bytes = bytes, .held = held, .failed = failed};
}

/* Counts an allocation; returns false if it must fail. */
static bool count(size_t size) {
  if (!watching)
    return true;
  const long fail = failing;
  const bool fails = atomic_fetch_add(&calls, 1) == (size_t)fail && fail >= 0;
  bytes += size;
  if (fails) {
    failed = true;
    errno = ENOMEM;
  }
  return !fails;
}

static void *hold(void *block) {
  if (watching && block)
    held++;
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
    held--;
  __real_free(block);
}

/* The C library's versions of these functions call malloc directly, not the wrapper. */

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

int __wrap_vasprintf(char **ret, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int size = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = size < 0 ? NULL : __wrap_malloc((size_t)size + 1);
  if (!text)
    return -1;
  *ret = text;
  return vsnprintf(text, (size_t)size + 1, format, arguments);
}

int __wrap_asprintf(char **ret, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int size = __wrap_vasprintf(ret, format, arguments);
  va_end(arguments);
  return size;
}
