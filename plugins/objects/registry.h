/*
 * The one registry of the driver's own numbers that PI returns and takes back. They are of two
 * kinds. Things without an object of PI's (image memory, image handles, imported memory and
 * semaphores) are listed here while they live: a number that is not listed is refused before the
 * driver meets it. A native handle is recorded here with its object: drivers count no references of
 * theirs, so one that comes back must not get a second owner.
 *
 * All is safe from any thread.
 */
#ifndef OBJECTS_REGISTRY_H
#define OBJECTS_REGISTRY_H

#include "handle.h"

/* A member of listed objects; all zero while it is not listed. */
typedef struct registry_link {
  struct registry_link *next;
  uint64_t number;
  object_head *object; /* owner of a native handle; NULL: the link of an entry */
} registry_link;

/* ---- Native handles ---- */

/*
 * Records that native, not 0, is a handle of object, whose member link is, instead of an earlier
 * record. Several objects may have the same handle, as a part of a buffer has the pointer of the
 * whole: the latest counts.
 */
void registry_note(registry_link *link, pi_native_handle native, object_head *object);

/* Drops the record, if there is one, before object or handle is destroyed. Else costs one load. */
void registry_forget(registry_link *link);

/*
 * The live object of that kind that native belongs to, NULL when it is not ours. The caller gets a
 * reference: the one that comes with the handle if is_owned, a new one otherwise.
 */
object_head *registry_find(object_kind kind, pi_native_handle native, bool is_owned);

/* ---- Numbers without an object ---- */

/* Numbers of different kinds are different. */
typedef enum registry_kind {
  REGISTRY_IMPORT,       /* host memory of piextUSMImport */
  REGISTRY_POOLED,       /* memory of a pool */
  REGISTRY_IMAGE_MEMORY, /* of bindless images */
  REGISTRY_UNSAMPLED,    /* handles of them */
  REGISTRY_SAMPLED,
  REGISTRY_EXTERNAL_MEMORY,
  REGISTRY_EXTERNAL_SEMAPHORE,
} registry_kind;

typedef struct registry_entry {
  registry_link link;
  registry_kind kind;
  uint64_t owner;     /* number of the entry, of the same kind, that this one goes with; or 0 */
  pi_context context; /* a reference */
} registry_entry;

/*
 * A new entry of size bytes, which begin with a registry_entry and are otherwise 0, with a
 * reference to the context; not listed yet. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result registry_new(registry_kind kind, uint64_t number, pi_context context, size_t size,
                       registry_entry **ret);

/* Frees an entry that is not listed, and its reference to the context. */
void registry_free(registry_entry *entry);

/* Lists an entry, which stays in place until it is taken out; false: its number is listed. */
bool registry_add(registry_entry *entry);

/*
 * Copies size bytes of the entry of that kind and number; false without one, or when it is of
 * another context of the driver's. context may be NULL for any. The copy's next is meaningless.
 */
bool registry_read(registry_kind kind, uint64_t number, pi_context context, void *ret, size_t size);

/* Takes the entry out, so that one of several threads destroys it; NULL as registry_read. */
registry_entry *registry_take(registry_kind kind, uint64_t number, pi_context context);

/* Takes out any one entry that goes with another one; NULL when there is none left. */
registry_entry *registry_take_part(registry_kind kind, uint64_t owner);

/*
 * Ends an entry that was taken out, by the result of the driver's call that destroys its object:
 * frees the entry, or lists it again when the call failed. Returns result.
 */
pi_result registry_end(registry_entry *entry, pi_result result);

/* The number of listed entries. */
size_t registry_count(void);

#endif
