#include "registry.h"

#include <stdlib.h>

pi_result registry_new(registry_kind kind, uint64_t number, pi_context context, size_t size,
                       registry_entry **ret) {
  registry_entry *entry = calloc(1, size);
  PI_REQUIRE(entry, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to note what the driver made");
  entry->kind = (int)kind;
  entry->number = number;
  entry->scope = context;
  entry->context = context;
  context_retain(context);
  *ret = entry;
  return PI_SUCCESS;
}

void registry_free(registry_entry *entry) {
  const pi_context context = entry->context;
  free(entry);
  context_release(context);
}

pi_result registry_end(registry_entry *entry, pi_result result) {
  if (result == PI_SUCCESS)
    registry_free(entry);
  else
    pi_registry_add(entry);
  return result;
}
