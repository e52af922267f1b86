#include "splice.h"

#include <stdlib.h>
#include <string.h>

char *splice_text(const char *text, size_t size, const char *mark, size_t growth, splice_part *part,
                  size_t *ret_size) {
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
