/* Memory and semaphores of another interface (Vulkan), imported by file descriptor. */
#ifndef OBJECTS_INTEROP_H
#define OBJECTS_INTEROP_H

#include "context.h"
#include "deferred_free.h"

/*
 * An import: an entry of the registry, of kind REGISTRY_EXTERNAL_MEMORY or .._SEMAPHORE, whose
 * number is its address. If the import succeeds it takes over the file descriptor; else the caller
 * keeps it.
 */
typedef struct external {
  registry_entry entry;
  deferred deferred;
  pi_device device;
  int file_descriptor;
  size_t size;  /* of memory, in bytes */
  void *handle; /* the driver's; NULL where it has none */
} external;

/* Import, and release; number is PI's name for the handle. The errors of PI's entries. */
pi_result external_import(pi_context context, pi_device device, registry_kind kind, size_t size,
                          int file_descriptor, uint64_t *number);
pi_result external_release(pi_context context, registry_kind kind, uint64_t number);

/* Copies the import that has a number; false when it is none, or of another context. */
bool external_find(pi_context context, registry_kind kind, uint64_t number, external *ret);

#endif
