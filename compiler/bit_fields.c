#include "bit_fields.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char extraction[] = "\tbfe.u64 \t";

/* Enough for what takes the place of an extraction, besides its registers. */
enum { GROWTH = 128, BITS = 64 };

/* A bfe.u64: its registers, where the bits begin, and how many there are. */
typedef struct bit_field {
  char to[32];
  char from[32];
  unsigned first, count;
  int length; /* of the text */
} bit_field;

/* Reads one that reaches beyond the last bit; false for others. */
static bool read_field(const char *at, bit_field *ret) {
  ret->length = 0;
  return sscanf(at, "\tbfe.u64 \t%31[^, ], %31[^, ], %u, %u;%n", ret->to, ret->from, &ret->first,
                &ret->count, &ret->length) == 4 &&
         ret->length != 0 && ret->first < BITS && ret->count < BITS &&
         ret->first + ret->count > BITS;
}

char *bit_fields_mend(const char *text, size_t size, size_t *ret_size) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, extraction)) != NULL; at++)
    count++;
  const size_t capacity = size + count * GROWTH + 1;
  char *made = malloc(capacity);
  if (made == NULL)
    return NULL;
  size_t used = 0;
  const char *from = text;
  for (const char *at = text; (at = strstr(at, extraction)) != NULL; at++) {
    bit_field field;
    if (!read_field(at, &field))
      continue;
    memcpy(made + used, from, (size_t)(at - from));
    used += (size_t)(at - from);
    used += (size_t)snprintf(
        made + used, capacity - used, "\tshr.s64 \t%s, %s, %u;\n\tand.b64 \t%s, %s, %llu;",
        field.to, field.from, field.first, field.to, field.to, (1ull << field.count) - 1);
    from = at + field.length;
  }
  memcpy(made + used, from, size - (size_t)(from - text));
  used += size - (size_t)(from - text);
  made[used] = '\0';
  *ret_size = used;
  return made;
}
