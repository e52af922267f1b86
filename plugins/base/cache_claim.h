/*
 * Locks of a build on a file system without locks between its machines. A claim is a file in the
 * directory, named after the key; whoever builds makes it with O_EXCL and removes it. Nobody
 * measures a claim's age: those who wait watch it for a time by their own clock, and then go on to
 * the key's next claim. Any thread.
 */
#ifndef BASE_CACHE_CLAIM_H
#define BASE_CACHE_CLAIM_H

#include "cache_key.h"

#include <stdio.h>

typedef enum cache_lock_state {
  CACHE_LOCK_TAKEN,  /* it is the caller's, until cache_lock_release */
  CACHE_LOCK_PASSED, /* somebody else had it, and it is free again */
  CACHE_LOCK_LATE,   /* somebody else has it beyond the deadline */
  CACHE_LOCK_NONE    /* there is no such lock */
} cache_lock_state;

enum { CACHE_CLAIM_OWNER = 256 };

typedef struct cache_claim {
  int directory; /* -1: nothing is claimed */
  cache_hash hash;
  unsigned number;
  char owner[CACHE_CLAIM_OWNER]; /* the file's text, which nobody else writes */
} cache_claim;

/*
 * Returns whether an open file's byte-range locks hold only within this machine, as far as its
 * mount shows: through FUSE, or with an option that says so.
 */
bool cache_claim_is_needed(int file);

/* The same for a device's numbers, by a text like that of /proc/self/mountinfo. */
bool cache_claim_reads_mounts(FILE *mounts, unsigned major, unsigned minor);

/*
 * Makes a claim of a key in an open directory, or waits while somebody else has it, to a deadline
 * of os_time_ns. is_only: nobody else on this machine can have it now, so a claim of this machine
 * is a dead process's, and becomes the caller's. NONE: no file can be made there.
 */
cache_lock_state cache_claim_make(int directory, const cache_key *key, unsigned number,
                                  bool is_only, uint64_t deadline, cache_claim *ret);

/*
 * Removes a claim, if it is still the caller's, and the key's claims before it, whose owners have
 * kept others waiting. Ignores a claim that was not made.
 */
void cache_claim_end(cache_claim *claim);

/* The state of somebody else's lock: PASSED, LATE while it is held, or NONE. */
typedef cache_lock_state (*cache_lock_look)(const void *data);

/* Looks again and again, until the lock is no longer held, or to the deadline. */
cache_lock_state cache_lock_wait(cache_lock_look look, const void *data, uint64_t deadline);

#endif
