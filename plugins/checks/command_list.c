#include "command_list.h"

#include "../base/error.h"

#include <stdlib.h>
#include <string.h>

static pi_result reserve_item(command_list *list, size_t size) {
  if (list->count < list->capacity)
    return PI_SUCCESS;
  const size_t capacity = list->capacity ? 2 * list->capacity : 16;
  void *items = realloc(list->items, capacity * size);
  REQUIRE_MEMORY(items, "%zu commands of a command buffer", capacity);
  list->items = items;
  list->capacity = capacity;
  return PI_SUCCESS;
}

pi_result command_list_add(command_list *list, const void *item, size_t size) {
  TRY(reserve_item(list, size));
  memcpy((char *)list->items + list->count++ * size, item, size);
  return PI_SUCCESS;
}
