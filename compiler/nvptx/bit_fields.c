#include "bit_fields.h"

#include "splice.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char extraction[] = "\tbfe.u64 \t";

/* GROWTH: upper limit of the bytes by which a replacement is longer than the extraction. */
enum { GROWTH = 128, BITS = 64 };

/* A bfe.u64: its registers, the position of the first bit, and the number of bits. */
typedef struct bit_field {
  char to[32];
  char from[32];
  unsigned long first, count;
  const char *end; /* end of the instruction's text */
} bit_field;

/* Reads a bfe.u64 whose field reaches beyond bit 63; false for others. */
static bool read_field(const char *at, bit_field *ret) {
  int length = 0;
  char *end = NULL;
  if (sscanf(at, "\tbfe.u64 \t%31[^, ], %31[^, ], %n", ret->to, ret->from, &length) != 2 ||
      length == 0)
    return false;
  ret->first = strtoul(at + length, &end, 10);
  if (end == at + length || *end != ',')
    return false;
  const char *second = end + 1;
  ret->count = strtoul(second, &end, 10);
  ret->end = end + 1;
  return end != second && *end == ';' && ret->first < BITS && ret->count < BITS &&
         ret->first + ret->count > BITS;
}

static const char *write_field(const char *at, char *to, size_t capacity, size_t *length) {
  bit_field field;
  if (!read_field(at, &field))
    return NULL;
  *length = (size_t)snprintf(to, capacity, "\tshr.s64 \t%s, %s, %lu;\n\tand.b64 \t%s, %s, %llu;",
                             field.to, field.from, field.first, field.to, field.to,
                             (1ull << field.count) - 1);
  return field.end;
}

char *bit_fields_mend(const char *text, size_t size, size_t *ret_size) {
  return splice_text(text, size, extraction, GROWTH, write_field, ret_size);
}
