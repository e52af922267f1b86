/* Decimal numbers, and bytes as hexadecimal digits. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Reads the decimal digits from *at up to end, and advances *at past them. Returns false, and
 * leaves *ret, if there is no digit or the number is above the limit. end may be NULL if another
 * character follows the digits.
 */
static inline bool digits_read(const char **at, const char *end, uint64_t limit, uint64_t *ret) {
  const char *start = *at;
  uint64_t number = 0;
  bool fits = true;
  for (; *at != end && **at >= '0' && **at <= '9'; ++*at) {
    const unsigned digit = (unsigned)(**at - '0');
    fits = fits && digit <= limit && number <= (limit - digit) / 10;
    number = number * 10 + digit;
  }
  if (*at == start || !fits)
    return false;
  *ret = number;
  return true;
}

/* Reads a text that is a decimal number and nothing else. */
static inline bool digits_are(const char *text, uint64_t limit, uint64_t *ret) {
  uint64_t number;
  if (!digits_read(&text, NULL, limit, &number) || *text != '\0')
    return false;
  *ret = number;
  return true;
}

/* Returns the value of a hexadecimal digit; -1 for other characters. */
static inline int digits_value(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  const char small = (char)(digit | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/* Writes each byte as two hexadecimal digits, without a NUL. */
static inline void digits_write_hex(const void *bytes, size_t size, char *ret) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < size; i++) {
    const unsigned char byte = ((const unsigned char *)bytes)[i];
    ret[2 * i] = digits[byte >> 4];
    ret[2 * i + 1] = digits[byte & 15];
  }
}

/* Writes a little-endian value of size bytes as one hexadecimal number of 2 * size digits. */
static inline void digits_write_word(const unsigned char *value, size_t size, char *ret) {
  for (size_t i = 0; i < size; i++)
    digits_write_hex(value + size - 1 - i, 1, ret + 2 * i);
}

/* Reads size bytes of two hexadecimal digits each; returns false if text has anything else there.
 */
static inline bool digits_read_hex(const char *text, size_t size, unsigned char *ret) {
  for (size_t i = 0; i < size; i++) {
    const int high = digits_value(text[2 * i]);
    const int low = high < 0 ? -1 : digits_value(text[2 * i + 1]);
    if (low < 0)
      return false;
    ret[i] = (unsigned char)(high << 4 | low);
  }
  return true;
}

#endif
