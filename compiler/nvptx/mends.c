#include "mends.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Replacement of parts of a text ---- */

/*
 * Writes the replacement of the part that starts at a mark into to, which has capacity bytes, and
 * sets *length. Returns the part's end, or NULL to leave the text as it is.
 */
typedef const char *splice_part(const char *at, char *to, size_t capacity, size_t *length);

/*
 * Copies text, which ends with a NUL after size bytes, and calls part to replace each part that
 * starts with mark. A replacement is at most growth bytes longer than its part. The caller frees
 * the copy. Returns NULL when memory is exhausted.
 */
static char *splice_text(const char *text, size_t size, const char *mark, size_t growth,
                         splice_part *part, size_t *ret_size) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, mark)) != NULL; at++)
    count++;
  const size_t capacity = size + count * growth + 1;
  char *made = malloc(capacity);
  if (made == NULL)
    return NULL;
  size_t used = 0;
  const char *from = text; /* everything before it is already copied */
  for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
    size_t length = 0;
    memcpy(made + used, from, (size_t)(at - from));
    used += (size_t)(at - from);
    from = at;
    const char *end = part(at, made + used, capacity - used, &length);
    if (end == NULL) {
      at++;
      continue;
    }
    used += length;
    from = at = end;
  }
  const size_t rest = size - (size_t)(from - text);
  memcpy(made + used, from, rest);
  used += rest;
  made[used] = '\0';
  *ret_size = used;
  return made;
}

/* ---- Rotations ---- */

/*
 *	.reg .u32 %amt2;
 *	shl.b64 	%lhs, %rd19, %r5;         or shr
 *	sub.u32 	%amt2, 64, %r5;
 */
static const char declaration[] = "\t.reg .u32 %amt2;\n";
static const char difference[] = "\n\tsub.u32 \t%amt2, 64, ";

/* Upper limit of the bytes by which a mended rotation is longer. */
#define ROTATION_GROWTH 96

/* A part of the text. */
typedef struct span {
  const char *begin;
  size_t size;
} span;

/* Reads a rotation: its shift without the amount, and the amount; false if there is none here. */
static bool read_rotation(const char *at, span *shift, span *places) {
  const char *line = strchr(at, '\n');
  if (line == NULL || strncmp(line, difference, strlen(difference)) != 0)
    return false;
  places->begin = line + strlen(difference);
  places->size = strcspn(places->begin, ";\n");
  const size_t length = (size_t)(line - at);
  if (places->size == 0 || length < places->size + 1 ||
      memcmp(line - places->size - 1, places->begin, places->size) != 0)
    return false;
  *shift = (span){at, length - places->size - 1};
  return true;
}

static const char *write_rotation(const char *at, char *to, size_t capacity, size_t *length) {
  span shift;
  span places;
  if (!read_rotation(at + strlen(declaration), &shift, &places))
    return NULL;
  *length = (size_t)snprintf(
      to, capacity, "%s\t.reg .u32 %%amt1;\n\tand.b32 \t%%amt1, %.*s, 63;\n%.*s%%amt1;%s%%amt1",
      declaration, (int)places.size, places.begin, (int)shift.size, shift.begin, difference);
  return places.begin + places.size;
}

/* ---- Bit fields ---- */

static const char extraction[] = "\tbfe.u64 \t";

/* FIELD_GROWTH: upper limit of the bytes by which a replacement is longer than the extraction. */
enum { FIELD_GROWTH = 128, BITS = 64 };

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

char *mends_apply(const char *text, size_t size, size_t *ret_size) {
  char *rotated = splice_text(text, size, declaration, ROTATION_GROWTH, write_rotation, &size);
  char *mended = rotated == NULL
                     ? NULL
                     : splice_text(rotated, size, extraction, FIELD_GROWTH, write_field, ret_size);
  free(rotated);
  return mended;
}
