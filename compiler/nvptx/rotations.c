#include "rotations.h"

#include "splice.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 *	.reg .u32 %amt2;
 *	shl.b64 	%lhs, %rd19, %r5;         or shr
 *	sub.u32 	%amt2, 64, %r5;
 */
static const char declaration[] = "\t.reg .u32 %amt2;\n";
static const char difference[] = "\n\tsub.u32 \t%amt2, 64, ";

/* Upper limit of the bytes by which a mended rotation is longer. */
#define GROWTH 96

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

char *rotations_mend(const char *text, size_t size, size_t *ret_size) {
  return splice_text(text, size, declaration, GROWTH, write_rotation, ret_size);
}
