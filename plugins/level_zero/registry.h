/*
 * The plugin's list of what it hands out as the driver's own numbers (../objects/registry.h), which
 * belongs to the context of PI that made it.
 */
#ifndef PI_LEVEL_ZERO_REGISTRY_H
#define PI_LEVEL_ZERO_REGISTRY_H

#include "../objects/registry.h"
#include "context.h"

typedef enum registry_kind {
  REGISTRY_IMPORT,       /* host memory of piextUSMImport */
  REGISTRY_IMAGE_MEMORY, /* of bindless images */
  REGISTRY_UNSAMPLED,    /* handles of them */
  REGISTRY_SAMPLED,
  REGISTRY_EXTERNAL_MEMORY,
  REGISTRY_EXTERNAL_SEMAPHORE,
} registry_kind;

/*
 * A new entry of size bytes, which begin with a registry_entry and of which all else is 0, with a
 * reference to the context; not listed yet. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result registry_new(registry_kind kind, uint64_t number, pi_context context, size_t size,
                       registry_entry **ret);

/* Frees an entry that is not listed, and its reference to the context. */
void registry_free(registry_entry *entry);

/*
 * What becomes of an entry that was taken out, by the result of the driver's call that destroys
 * what it stands for: freed, or listed again when the call failed. Returns result.
 */
pi_result registry_end(registry_entry *entry, pi_result result);

#endif
