#include "rotations.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 *	.reg .u32 %amt2;
 *	shl.b64 	%lhs, %rd19, %r5;         or shr
 *	sub.u32 	%amt2, 64, %r5;
 */
static const char declaration[] = "\t.reg .u32 %amt2;\n";
static const char difference[] = "\n\tsub.u32 \t%amt2, 64, ";

/* More than a mended rotation is longer than it was. */
#define GROWTH 96

/* A part of the text. */
typedef struct span {
  const char *begin;
  size_t size;
} span;

/* The shift up to its number of places, and these; false where no such rotation stands. */
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

char *rotations_mend(const char *text, size_t size, size_t *ret_size) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, declaration)) != NULL; at++)
    count++;
  const size_t room = size + count * GROWTH + 1;
  char *made = malloc(room);
  if (made == NULL)
    return NULL;
  size_t used = 0;
  const char *from = text;
  for (const char *at = text; (at = strstr(at, declaration)) != NULL;) {
    span shift;
    span places;
    at += strlen(declaration);
    if (!read_rotation(at, &shift, &places))
      continue;
    memcpy(made + used, from, (size_t)(at - from));
    used += (size_t)(at - from);
    used +=
        (size_t)snprintf(made + used, room - used,
                         "\t.reg .u32 %%amt1;\n\tand.b32 \t%%amt1, %.*s, 63;\n%.*s%%amt1;%s%%amt1",
                         (int)places.size, places.begin, (int)shift.size, shift.begin, difference);
    from = at = places.begin + places.size;
  }
  memcpy(made + used, from, size - (size_t)(from - text));
  used += size - (size_t)(from - text);
  made[used] = '\0';
  *ret_size = used;
  return made;
}
