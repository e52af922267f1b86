/*
 * What PI hands out as CUDA's own numbers: image memory, surfaces and textures, imported memory and
 * semaphores. None of them can be looked into, so each is listed here while it lives: a number that
 * is not listed is refused before the driver meets it.
 */
#ifndef PI_CUDA_REGISTRY_H
#define PI_CUDA_REGISTRY_H

#include "context.h"

typedef enum registry_kind {
  REGISTRY_IMAGE_MEMORY,
  REGISTRY_SURFACE,
  REGISTRY_TEXTURE,
  REGISTRY_EXTERNAL_MEMORY,
  REGISTRY_EXTERNAL_SEMAPHORE,
  REGISTRY_IMPORT, /* host memory of piextUSMImport */
} registry_kind;

/* The first member of what is listed. */
typedef struct registry_entry {
  struct registry_entry *next;
  registry_kind kind;
  uint64_t number;
  uint64_t owner; /* the number of the entry, of the same kind, with which this one goes; or 0 */
  pi_context context; /* who lists the entry keeps a reference */
} registry_entry;

/*
 * Lists an entry, whose members but next are set and which stays where it is until it is taken out.
 * Numbers of different kinds are different. false: the number is listed already. Safe from any
 * thread, as is all here.
 */
bool registry_add(registry_entry *entry);

/*
 * Copies size bytes of the entry of that kind and number; false without one, or when it belongs to
 * another CUDA context than the given one's. context may be NULL for any. The copy's next is
 * meaningless.
 */
bool registry_read(registry_kind kind, uint64_t number, pi_context context, void *ret, size_t size);

/* Takes the entry out, so that one of several threads destroys it; NULL as registry_read. */
registry_entry *registry_take(registry_kind kind, uint64_t number, pi_context context);

/*
 * What becomes of an entry that was taken out, of malloc's, by the result of the driver's call that
 * destroys what it stands for: freed, with its reference to the context, or listed again when the
 * call failed. Returns result.
 */
pi_result registry_end(registry_entry *entry, pi_result result);

/* Takes any one entry out that goes with another one; NULL when there is none left. */
registry_entry *registry_take_part(registry_kind kind, uint64_t owner);

/* How many entries are listed. */
size_t registry_count(void);

#endif
