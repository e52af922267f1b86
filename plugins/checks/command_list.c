#include "command_list.h"

#include "../base/error.h"
#include "../base/vector.h"

#include <stdlib.h>
#include <string.h>

static pi_result reserve_item(command_list *list, size_t size) {
  REQUIRE_MEMORY(vector_reserve(&list->items, &list->capacity, list->count, size),
                 "%zu commands of a command buffer", list->count + 1);
  return PI_SUCCESS;
}

pi_result command_list_add(command_list *list, const void *item, size_t size) {
  TRY(reserve_item(list, size));
  memcpy((char *)list->items + list->count++ * size, item, size);
  return PI_SUCCESS;
}
