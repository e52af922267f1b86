/* Memory and semaphores of another interface (Vulkan), imported by file descriptor. */
#ifndef OBJECTS_INTEROP_H
#define OBJECTS_INTEROP_H

#include "context.h"
#include "deferred_free.h"

/*
 * An import: an entry of the registry, of kind REGISTRY_EXTERNAL_MEMORY or .._SEMAPHORE. Its number
 * is its address. A successful import owns the file descriptor; after a failure the caller owns it.
 */
typedef struct external {
  registry_entry entry;
  deferred deferred;
  pi_device device;
  int file_descriptor;
  size_t size;  /* of imported memory, in bytes */
  void *handle; /* the driver's object, or NULL */
} external;

/* Import, and release an import by its number, which PI returns as a handle. Errors as in PI. */
pi_result external_import(pi_context context, pi_device device, registry_kind kind, size_t size,
                          int file_descriptor, uint64_t *number);
pi_result external_release(pi_context context, registry_kind kind, uint64_t number);

/* Copies the import with that number; returns false if the context has none. */
bool external_find(pi_context context, registry_kind kind, uint64_t number, external *ret);

#endif
