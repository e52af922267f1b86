#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The head of a block: a pointer to the previous block, with malloc's alignment. */
typedef union block {
  union block *before;
  max_align_t alignment;
} block;

static block *latest;

void *memory_new(size_t size) {
  block *made = calloc(1, sizeof *made + size);
  if (made == NULL)
    property_die("no memory for %zu bytes", size);
  made->before = latest;
  latest = made;
  return made + 1;
}

char *memory_format(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *made = memory_new((size_t)length + 1);
  vsnprintf(made, (size_t)length + 1, format, again);
  va_end(again);
  return made;
}

void memory_free_all(void) {
  while (latest != NULL) {
    block *before = latest->before;
    free(latest);
    latest = before;
  }
}

void text_open(text *text) {
  text->file = open_memstream(&text->data, &text->size);
  if (text->file == NULL)
    property_die("no memory for a text");
}

char *text_close(text *text) {
  if (fclose(text->file) != 0)
    property_die("no memory for a text");
  char *kept = memory_new(text->size + 1);
  memcpy(kept, text->data, text->size);
  free(text->data);
  return kept;
}

void property_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("property: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}
