#define _GNU_SOURCE /* vasprintf */
#include "cc.h"

#include "../../plugins/base/vector.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cc_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("specpi-cc: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

void cc_no_memory(void) {
  cc_error("host memory is exhausted");
  exit(CC_FAILURE);
}

char *cc_format(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text;
  if (vasprintf(&text, format, arguments) < 0)
    cc_no_memory();
  va_end(arguments);
  return text;
}

bool cc_begins_with(const char *text, const char *const *prefixes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
      return true;
  return false;
}

char *cc_path_word(const char *path) {
  return cc_format("%s%s", *path == '-' || *path == '@' ? "./" : "", path);
}

void *cc_new(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    cc_no_memory();
  return memory;
}

void cc_texts_add(cc_texts *list, const char *text) {
  if (!vector_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
    cc_no_memory();
  list->items[list->count++] = text;
  list->items[list->count] = NULL;
}

void cc_texts_add_array(cc_texts *list, const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; i++)
    cc_texts_add(list, texts[i]);
}

void cc_texts_add_all(cc_texts *list, const cc_texts *texts) {
  cc_texts_add_array(list, texts->items, texts->count);
}

void cc_texts_free(cc_texts *list) {
  free(list->items);
  *list = (cc_texts){0};
}
