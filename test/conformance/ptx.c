#include "ptx.h"

#include "check.h"

#include <stdarg.h>
#include <stdlib.h>

#define MARK "//!specpi "
enum { END_SIZE = 53 };

static void reserve(ptx_text *text, size_t more) {
  if (text->size + more < text->room)
    return;
  text->room = 2 * (text->size + more) + 256;
  text->data = realloc(text->data, text->room);
  expect(text->data, "no memory");
}

void ptx_add(ptx_text *text, const char *format, ...) {
  reserve(text, 160);
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text->data + text->size, 160, format, arguments);
  va_end(arguments);
  expect(length >= 0 && length < 160, "a line of %d bytes", length);
  text->size += (size_t)length;
}

static void add_bytes(ptx_text *text, const void *bytes, size_t size) {
  if (size == 0)
    return;
  reserve(text, size);
  memcpy(text->data + text->size, bytes, size);
  text->size += size;
}

void ptx_join(ptx_text *text, ptx_text *more) {
  add_bytes(text, more->data, more->size);
  free(more->data);
  *more = (ptx_text){0};
}

static uint64_t hash_of(const char *bytes, size_t size) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  return hash;
}

module ptx_finish(ptx_text *text, ptx_text *trailer) {
  const size_t text_size = text->size;
  const size_t trailer_size = trailer->size + END_SIZE;
  ptx_join(text, trailer);
  ptx_add(text, MARK "end %010zu %010zu ", text_size, trailer_size);
  const uint64_t hash = hash_of(text->data, text->size);
  ptx_add(text, "%016llx\n", (unsigned long long)hash);
  return (module){(const unsigned char *)text->data, text->size};
}

size_t ptx_text_size(module image) {
  const char *end = (const char *)image.bytes + image.size - END_SIZE;
  expect(memcmp(end, MARK "end ", sizeof MARK "end " - 1) == 0, "the image has no trailer");
  return strtoul(end + sizeof MARK "end " - 1, NULL, 10);
}

/* Returns the start of a line of the trailer; *next receives the start of the line after it. */
static const char *find_line(module image, const char *kind, unsigned nth, const char **next) {
  const char *at = (const char *)image.bytes + ptx_text_size(image);
  const char *end = (const char *)image.bytes + image.size;
  for (const size_t length = strlen(kind); at < end; at = *next) {
    *next = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    const char *words = at + sizeof MARK - 1;
    if (strncmp(words, kind, length) == 0 && words[length] == ' ' && nth-- == 0)
      return at;
  }
  check_fail(CHECK_PLACE("the image"), "has no such line of the kind %s", kind);
}

void ptx_line(module image, const char *kind, unsigned nth, char *text) {
  const char *next;
  const char *line = find_line(image, kind, nth, &next);
  const char *words = line + sizeof MARK + strlen(kind);
  expect(next - words <= 128, "a line of %td bytes", next - words);
  snprintf(text, 128, "%.*s", (int)(next - words - 1), words);
}

module ptx_with_line(module image, const char *kind, unsigned nth, const char *words) {
  const char *begin = (const char *)image.bytes;
  const char *trailer = begin + ptx_text_size(image);
  const char *end = begin + image.size - END_SIZE;
  const char *next;
  const char *line = find_line(image, kind, nth, &next);
  ptx_text text = {0};
  ptx_text lines = {0};
  add_bytes(&text, begin, (size_t)(trailer - begin));
  add_bytes(&lines, trailer, (size_t)(line - trailer));
  if (words)
    ptx_add(&lines, MARK "%s %s\n", kind, words);
  add_bytes(&lines, next, (size_t)(end - next));
  return ptx_finish(&text, &lines);
}
