/*
 * What PI hands out as a driver's own numbers: image memory, image handles, imported memory and
 * semaphores. None of them can be looked into, so each is listed here while it lives: a number that
 * is not listed is refused before the driver meets it.
 */
#ifndef PI_BASE_REGISTRY_H
#define PI_BASE_REGISTRY_H

#include <pi/pi.h>

#include <stddef.h>

/* The first member of what is listed. */
typedef struct registry_entry {
  struct registry_entry *next;
  int kind; /* of the plugin's enumeration */
  uint64_t number;
  uint64_t owner;    /* the number of the entry, of the same kind, with which this one goes; or 0 */
  const void *scope; /* the driver's context it belongs to */
  pi_context context; /* who lists the entry keeps a reference */
} registry_entry;

/*
 * Lists an entry, whose members but next are set and which stays where it is until it is taken out.
 * Numbers of different kinds are different. false: the number is listed already. Safe from any
 * thread, as is all here.
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

/* How many entries are listed. */
size_t registry_count(void);

#endif
