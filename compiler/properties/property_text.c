/*
 * The .prop form: lines "[set]" and "name=type|value". Type 1 is a decimal number. Type 2 is bytes
 * in a variant of base 64: digits start at the least significant bits, and there is no padding.
 */
#include "properties.h"

#include "../../plugins/base/digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static specpi_compiler_result encode(const unsigned char *bytes, size_t size, property_text *to) {
  unsigned rest = 0;
  unsigned count = 0;
  for (size_t i = 0; i < size; i++) {
    rest |= (unsigned)bytes[i] << count;
    for (count += 8; count >= 6; count -= 6, rest >>= 6)
      COMPILER_TRY(property_text_add(to, &digits[rest & 63], 1));
  }
  return count > 0 ? property_text_add(to, &digits[rest & 63], 1) : SPECPI_COMPILER_SUCCESS;
}

/* Decodes digits into bytes, which has space for length bytes. Returns false if no bytes encode to
 * this text. */
static bool decode_digits(const char *text, size_t length, unsigned char *bytes, size_t *size) {
  unsigned rest = 0;
  unsigned count = 0;
  *size = 0;
  for (size_t i = 0; i < length; i++) {
    const char *digit = text[i] != '\0' ? strchr(digits, text[i]) : NULL;
    if (digit == NULL)
      return false;
    rest |= (unsigned)(digit - digits) << count;
    count += 6;
    if (count >= 8) {
      bytes[(*size)++] = (unsigned char)rest;
      rest >>= 8;
      count -= 8;
    }
  }
  return rest == 0 && count < 6;
}

/* Returns whether a name can be written before the character end; first is whether it starts a
 * line. */
static bool is_writable(const char *name, char end, bool first) {
  return name[0] != '\0' && strchr(name, end) == NULL && strpbrk(name, "\n\r") == NULL &&
         !(first && name[0] == '[');
}

static specpi_compiler_result write_property(const specpi_compiler_property *property,
                                             property_text *to) {
  COMPILER_REQUIRE(is_writable(property->name, '=', true), SPECPI_COMPILER_ERROR_INVALID_NAME,
                   "a .prop file cannot have a property named '%s'", property->name);
  COMPILER_TRY(property_text_add(to, property->name, strlen(property->name)));
  if (property->type == SPECPI_COMPILER_PROPERTY_NUMBER) {
    char text[32];
    const int length = snprintf(text, sizeof text, "=1|%u\n", (unsigned)property->number);
    return property_text_add(to, text, (size_t)length);
  }
  COMPILER_TRY(property_text_add(to, "=2|", 3));
  COMPILER_TRY(encode(property->data, property->size, to));
  return property_text_add(to, "\n", 1);
}

specpi_compiler_result properties_write_text(specpi_compiler_properties from, property_text *to) {
  for (size_t i = 0; i < from->sets.count; i++) {
    const property_set *set = &from->sets.items[i];
    COMPILER_REQUIRE(is_writable(set->name, ']', false), SPECPI_COMPILER_ERROR_INVALID_NAME,
                     "a .prop file cannot have a set named '%s'", set->name);
    COMPILER_TRY(property_text_add(to, "[", 1));
    COMPILER_TRY(property_text_add(to, set->name, strlen(set->name)));
    COMPILER_TRY(property_text_add(to, "]\n", 2));
    for (size_t j = 0; j < set->properties.count; j++)
      COMPILER_TRY(write_property(&set->properties.items[j], to));
  }
  return SPECPI_COMPILER_SUCCESS;
}

#define TEXT_REQUIRE(condition, line, ...)                                                         \
  COMPILER_REQUIRE(condition, SPECPI_COMPILER_ERROR_INVALID_PROPERTIES, "line %zu " __VA_ARGS__,   \
                   line)

/* Reads a 32-bit decimal number in printf's form; false for other texts. */
static bool read_number(const char *text, size_t length, uint32_t *ret) {
  uint64_t number;
  const char *at = text, *end = text + length;
  if (length == 0 || (text[0] == '0' && length > 1) || !digits_read(&at, end, UINT32_MAX, &number))
    return false;
  *ret = (uint32_t)number;
  return at == end;
}

static specpi_compiler_result read_bytes(const char *name, size_t name_length, const char *text,
                                         size_t length, size_t line,
                                         specpi_compiler_properties to) {
  unsigned char *bytes = malloc(length + 1);
  if (bytes == NULL)
    return compiler_error_memory();
  size_t size;
  const bool good = decode_digits(text, length, bytes, &size);
  const bool fits = good && properties_is_value(bytes, size);
  const specpi_compiler_result result =
      fits ? properties_add_bytes(to, name, name_length, bytes, size)
           : compiler_error(SPECPI_COMPILER_ERROR_INVALID_PROPERTIES, "line %zu %s", line,
                            good ? "has bytes whose length is not the one that they begin with"
                                 : "has a value that is no base 64 of its kind");
  free(bytes);
  return result;
}

static specpi_compiler_result read_property(const char *text, size_t length, size_t line,
                                            specpi_compiler_properties to) {
  TEXT_REQUIRE(to->sets.count > 0, line, "has a property before the first set");
  const char *equals = memchr(text, '=', length);
  TEXT_REQUIRE(equals != NULL && equals > text, line, "has no name and '='");
  const size_t name_length = (size_t)(equals - text);
  const char *rest = equals + 1;
  const size_t rest_length = length - name_length - 1;
  TEXT_REQUIRE(rest_length >= 2 && rest[1] == '|' && (rest[0] == '1' || rest[0] == '2'), line,
               "has no type 1 or 2 and '|' after '='");
  if (rest[0] == '2')
    return read_bytes(text, name_length, rest + 2, rest_length - 2, line, to);
  uint32_t number;
  TEXT_REQUIRE(read_number(rest + 2, rest_length - 2, &number), line,
               "has a value that is no decimal number of 32 bits");
  return properties_add_number(to, text, name_length, number);
}

specpi_compiler_result properties_read_text(const char *text, size_t size,
                                            specpi_compiler_properties to) {
  size_t line = 1;
  for (size_t at = 0; at < size; line++) {
    const char *begin = text + at;
    const char *end = memchr(begin, '\n', size - at);
    const size_t length = end != NULL ? (size_t)(end - begin) : size - at;
    at += length + 1;
    TEXT_REQUIRE(memchr(begin, '\0', length) == NULL && memchr(begin, '\r', length) == NULL, line,
                 "has a NUL or a carriage return");
    if (length == 0)
      continue;
    if (begin[0] != '[') {
      COMPILER_TRY(read_property(begin, length, line, to));
      continue;
    }
    TEXT_REQUIRE(length > 2 && memchr(begin, ']', length) == begin + length - 1, line,
                 "has no name between '[' and ']', or something after it");
    COMPILER_TRY(properties_add_set(to, begin + 1, length - 2));
  }
  return SPECPI_COMPILER_SUCCESS;
}
