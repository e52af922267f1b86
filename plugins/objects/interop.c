#include "interop.h"

#include "../base/error.h"
#include "driver.h"

pi_result external_import(pi_context context, pi_device device, registry_kind kind, size_t size,
                          int file_descriptor, uint64_t *number) {
  REQUIRE(file_descriptor >= 0, PI_ERROR_INVALID_VALUE, "file_descriptor is %d", file_descriptor);
  registry_entry *entry;
  TRY(registry_new(kind, 0, context, sizeof(external), &entry));
  external *made = (external *)(void *)entry;
  made->device = device;
  made->file_descriptor = file_descriptor;
  made->size = size;
  const pi_result result = kind == REGISTRY_EXTERNAL_MEMORY ? driver_external_memory_open(made)
                                                            : driver_semaphore_open(made);
  if (result != PI_SUCCESS) {
    registry_free(entry);
    return result;
  }
  *number = entry->link.number = (uintptr_t)entry;
  registry_add(entry); /* cannot fail: the number is an address, which is unique */
  return PI_SUCCESS;
}

pi_result external_release(pi_context context, registry_kind kind, uint64_t number) {
  const bool is_memory = kind == REGISTRY_EXTERNAL_MEMORY;
  registry_entry *entry = registry_take(kind, number, context);
  REQUIRE(entry, PI_ERROR_INVALID_VALUE, "%s of the context",
          is_memory ? "memory_handle is no imported memory"
                    : "sem_handle is no imported semaphore");
  external *taken = (external *)(void *)entry;
  const pi_result result =
      is_memory ? driver_external_memory_close(taken) : driver_semaphore_close(taken);
  if (result != PI_SUCCESS)
    registry_add(entry);
  return result;
}

bool external_find(pi_context context, registry_kind kind, uint64_t number, external *ret) {
  return registry_read(kind, number, context, ret, sizeof *ret);
}
