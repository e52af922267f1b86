/*
 * The plugin's list of what it hands out as CUDA's own numbers (../objects/registry.h). Several
 * contexts of PI may stand for the same one of CUDA, the primary one, which is the scope.
 */
#ifndef PI_CUDA_REGISTRY_H
#define PI_CUDA_REGISTRY_H

#include "../objects/registry.h"
#include "context.h"

typedef enum registry_kind {
  REGISTRY_IMAGE_MEMORY,
  REGISTRY_SURFACE,
  REGISTRY_TEXTURE,
  REGISTRY_EXTERNAL_MEMORY,
  REGISTRY_EXTERNAL_SEMAPHORE,
  REGISTRY_IMPORT, /* host memory of piextUSMImport */
} registry_kind;

/* pi_registry_add of an entry whose scope is that of its context. */
static inline bool registry_add(registry_entry *entry) {
  entry->scope = entry->context->driver.context;
  return pi_registry_add(entry);
}

/* pi_registry_read for a context, which may be NULL for any. */
static inline bool registry_read(registry_kind kind, uint64_t number, pi_context context, void *ret,
                                 size_t size) {
  return pi_registry_read((int)kind, number, context ? context->driver.context : NULL, ret, size);
}

/* The same for pi_registry_take and pi_registry_take_part. */
static inline registry_entry *registry_take(registry_kind kind, uint64_t number,
                                            pi_context context) {
  return pi_registry_take((int)kind, number, context ? context->driver.context : NULL);
}

static inline registry_entry *registry_take_part(registry_kind kind, uint64_t owner) {
  return pi_registry_take_part((int)kind, owner);
}

/*
 * What becomes of an entry that was taken out, of malloc's, by the result of the driver's call that
 * destroys what it stands for: freed, with its reference to the context, or listed again when the
 * call failed. Returns result.
 */
pi_result registry_end(registry_entry *entry, pi_result result);

#endif
