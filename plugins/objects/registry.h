/*
 * The one registry of the driver's own numbers that PI hands out and takes back. They are of two
 * kinds. What has no object of PI's (image memory, image handles, imported memory and semaphores)
 * is listed here while it lives: a number that is not listed is refused before the driver meets it.
 * A native handle is noted here with its object: drivers count no references of theirs, so one that
 * comes back must not get a second owner.
 *
 * All is safe from any thread, and allocates nothing.
 */
#ifndef PI_OBJECTS_REGISTRY_H
#define PI_OBJECTS_REGISTRY_H

#include "handle.h"

/* A member of what is listed; all zero it is not listed. */
typedef struct registry_entry {
  struct registry_entry *next;
  uint64_t number;
  pi_handle *object; /* of a native handle: whose it is */
  int kind;          /* a pi_handle_kind, or of the plugin's enumeration */
  uint64_t owner;    /* the number of the entry, of the same kind, with which this one goes; or 0 */
  const void *scope; /* the driver's context it belongs to */
  pi_context context; /* who lists the entry keeps a reference */
} registry_entry;

/*
 * Lists an entry, whose members but next are set and which stays where it is until it is taken out.
 * Numbers of different kinds are different. false: the number is listed already.
 */
bool pi_registry_add(registry_entry *entry);

/*
 * Copies size bytes of the entry of that kind and number; false without one, or when it is of
 * another scope. scope may be NULL for any. The copy's next is meaningless.
 */
bool pi_registry_read(int kind, uint64_t number, const void *scope, void *ret, size_t size);

/* Takes the entry out, so that one of several threads destroys it; NULL as pi_registry_read. */
registry_entry *pi_registry_take(int kind, uint64_t number, const void *scope);

/* Takes any one entry out that goes with another one; NULL when there is none left. */
registry_entry *pi_registry_take_part(int kind, uint64_t owner);

/* How many entries are listed that are no native handles. */
size_t registry_count(void);

/*
 * Notes that native, not 0, is a handle of object, whose member entry is, instead of one that was
 * noted before. Several objects may have the same one, as a part of a buffer has the pointer of the
 * whole: the latest counts.
 */
void registry_note(registry_entry *entry, pi_native_handle native, pi_handle *object);

/* Drops the note, if there is one: before object, or the handle, is destroyed. Costs one load else.
 */
void registry_forget(registry_entry *entry);

/*
 * The live object of that kind which native belongs to, NULL when it is none of ours. The caller
 * gets a reference: the one that comes with the handle if is_owned, a new one otherwise.
 */
pi_handle *registry_find(pi_handle_kind kind, pi_native_handle native, bool is_owned);

#endif
