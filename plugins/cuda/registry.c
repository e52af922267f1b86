#include "registry.h"

#include <stdlib.h>

pi_result registry_end(registry_entry *entry, pi_result result) {
  if (result != PI_SUCCESS) {
    registry_add(entry);
    return result;
  }
  context_release(entry->context);
  free(entry);
  return PI_SUCCESS;
}
