#include "vector.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool vector_reserve(void *items, size_t *capacity, size_t count, size_t element_size) {
  if (count < *capacity)
    return true;
  const size_t wanted = *capacity == 0 ? 8 : *capacity * 2;
  if (wanted > SIZE_MAX / 2 / element_size)
    return false;
  void *old;
  memcpy(&old, items, sizeof old);
  void *grown = realloc(old, wanted * element_size);
  if (grown == NULL)
    return false;
  memcpy(items, &grown, sizeof grown);
  *capacity = wanted;
  return true;
}
