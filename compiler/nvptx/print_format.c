#include "print_format.h"

#include "../../plugins/base/digits.h"

#include <string.h>

static bool is_one_of(const char *at, const char *end, const char *set) {
  return at < end && *at != '\0' && strchr(set, *at) != NULL;
}

static const char *skip_characters(const char *at, const char *end, const char *set) {
  while (is_one_of(at, end, set))
    at++;
  return at;
}

/* Skips a width or a precision, which is digits or a star. */
static const char *skip_number(const char *at, const char *end, unsigned *stars) {
  if (!is_one_of(at, end, "*"))
    return skip_characters(at, end, "0123456789");
  ++*stars;
  return at + 1;
}

/* Reads a vector length such as "v4"; *ret is 1 if there is none. OpenCL has 2, 3, 4, 8 and 16. */
static const char *read_elements(const char *at, const char *end, unsigned *ret) {
  *ret = 1;
  if (!is_one_of(at, end, "v"))
    return at;
  at++;
  uint64_t number;
  *ret = digits_read(&at, end, 99, &number) ? (unsigned)number : 0;
  return at;
}

/* X(text, bits): length modifiers, longer texts first. OpenCL has hl for vectors; long has 64 bits.
 */
#define LENGTHS(X)                                                                                 \
  X("hh", 8) X("hl", 32) X("h", 16) X("ll", 64) X("l", 64) X("j", 64) X("z", 64) X("t", 64)

static const char *read_bits(const char *at, const char *end, unsigned *ret) {
  static const struct {
    const char *text;
    unsigned bits;
  } lengths[] = {
#define LENGTH(text, bits) {text, bits},
      LENGTHS(LENGTH)
#undef LENGTH
  };
  *ret = 0;
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    const size_t length = strlen(lengths[i].text);
    if ((size_t)(end - at) < length || memcmp(at, lengths[i].text, length) != 0)
      continue;
    *ret = lengths[i].bits;
    return at + length;
  }
  return at;
}

bool print_format_next(const char **at, const char *end, size_t *plain, print_conversion *ret) {
  const char *begin = memchr(*at, '%', (size_t)(end - *at));
  *ret = (print_conversion){.kind = '%'};
  *plain = (size_t)((begin != NULL ? begin : end) - *at);
  if (begin == NULL)
    return false;
  ret->text = begin;
  const char *next = skip_characters(begin + 1, end, "-+ #0");
  next = skip_number(next, end, &ret->stars);
  if (is_one_of(next, end, "."))
    next = skip_number(next + 1, end, &ret->stars);
  ret->length = (size_t)(next - begin);
  next = read_elements(next, end, &ret->elements);
  next = read_bits(next, end, &ret->bits);
  const unsigned n = ret->elements;
  const bool is_vector = n == 2 || n == 3 || n == 4 || n == 8 || n == 16;
  ret->kind = '\0';
  if (!is_one_of(next, end, "diouxXfFeEgGaAcsp%") || (n != 1 && !is_vector))
    return false;
  ret->kind = *next;
  *at = next + 1;
  return true;
}
