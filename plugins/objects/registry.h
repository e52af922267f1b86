/*
 * The registry of the driver's numbers that PI returns and takes back. They are of two kinds.
 * Things without an object of PI (image memory, image handles, imported memory and semaphores) are
 * listed here while they exist, so that an unknown number is refused before the driver gets it. A
 * native handle is recorded here with its object, because drivers do not count references: a handle
 * that comes back must not get a second owner.
 *
 * Any thread may call all functions.
 */
#ifndef OBJECTS_REGISTRY_H
#define OBJECTS_REGISTRY_H

#include "handle.h"

/* A member of listed objects and entries; an object's is all zero while it is not listed. */
typedef struct registry_link {
  struct registry_link *next;
  uint64_t number;
  object_head *object; /* owner of a native handle; NULL in the link of an entry */
} registry_link;

/* ---- Native handles ---- */

/*
 * Records that native, which is not 0, is the handle of object; link is a member of object.
 * Replaces the object's earlier record. If several objects have the same handle, such as a buffer
 * and its first part, registry_find returns the one recorded last.
 */
void registry_note(registry_link *link, pi_native_handle native, object_head *object);

/* Drops a record before its object or handle is destroyed. Without a record it costs one load. */
void registry_forget(registry_link *link);

/*
 * The live object of that kind that is recorded with native, or NULL. The caller gets a reference:
 * the one that came with the handle if is_owned, else a new one.
 */
object_head *registry_find(object_kind kind, pi_native_handle native, bool is_owned);

/* ---- Numbers without an object ---- */

/* Kinds of numbers. The same number may be listed once for each kind. */
typedef enum registry_kind {
  REGISTRY_IMPORT,       /* host memory of piextUSMImport */
  REGISTRY_POOLED,       /* allocation of a USM pool */
  REGISTRY_IMAGE_MEMORY, /* of bindless images */
  REGISTRY_UNSAMPLED,    /* handle of an unsampled bindless image */
  REGISTRY_SAMPLED,
  REGISTRY_EXTERNAL_MEMORY,
  REGISTRY_EXTERNAL_SEMAPHORE,
} registry_kind;

typedef struct registry_entry {
  registry_link link;
  registry_kind kind;
  uint64_t owner;     /* number of another entry, of the same kind, that this is a part of; or 0 */
  pi_context context; /* a reference */
} registry_entry;

/*
 * A new structure of size bytes, which begins with a registry_entry and is otherwise 0. The entry
 * is not listed, and has a reference to the context. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result registry_new(registry_kind kind, uint64_t number, pi_context context, size_t size,
                       registry_entry **ret);

/* Frees an entry that is not listed, and its reference to the context. */
void registry_free(registry_entry *entry);

/* Lists an entry until it is taken out; returns false if its number is listed already. */
bool registry_add(registry_entry *entry);

/*
 * Copies size bytes of the entry with that kind and number. Returns false if there is none, or if
 * it is of another context of the driver; a NULL context allows any. The copy's link is not valid.
 */
bool registry_read(registry_kind kind, uint64_t number, pi_context context, void *ret, size_t size);

/* Takes an entry out, so that only one thread destroys it; NULL where registry_read is false. */
registry_entry *registry_take(registry_kind kind, uint64_t number, pi_context context);

/* Takes out any one entry with that owner; NULL if there is none left. */
registry_entry *registry_take_part(registry_kind kind, uint64_t owner);

/*
 * Frees an entry that was taken out, or lists it again if the driver's call to destroy its object
 * failed, which result tells. Returns result.
 */
pi_result registry_end(registry_entry *entry, pi_result result);

/* The number of listed entries. */
size_t registry_count(void);

#endif
