/*
 * Claims: build locks for file systems whose locks do not work between machines. A claim is a file
 * in the directory, named after the key. The builder creates it with O_EXCL and removes it after
 * the build. A waiter does not trust the file's date: it waits a limited time by its own clock, and
 * then tries the key's next claim. Any thread.
 */
#ifndef BASE_CACHE_CLAIM_H
#define BASE_CACHE_CLAIM_H

#include "cache_key.h"

#include <stdio.h>

typedef enum cache_lock_state {
  CACHE_LOCK_TAKEN,  /* the caller has the lock until cache_lock_release */
  CACHE_LOCK_PASSED, /* another holder had the lock and released it */
  CACHE_LOCK_LATE,   /* another holder has the lock */
  CACHE_LOCK_NONE    /* the file system or the directory allows no such lock */
} cache_lock_state;

enum { CACHE_CLAIM_OWNER = 256 };

typedef struct cache_claim {
  int directory; /* descriptor; -1: there is no claim */
  cache_hash hash;
  unsigned number;
  char owner[CACHE_CLAIM_OWNER]; /* text of the file, unique for each claim */
} cache_claim;

/*
 * Returns whether an open file's byte-range locks hold only within this machine. Judges by the type
 * and options of the file's mount.
 */
bool cache_claim_is_needed(int file);

/* Returns the same for a device number, by a list of mounts like /proc/self/mountinfo. */
bool cache_claim_reads_mounts(FILE *mounts, unsigned major, unsigned minor);

/*
 * Makes a claim of a key in an open directory. If another process has the claim, waits until it is
 * released, or until the deadline by os_time_ns. is_only: no living process of this machine can
 * have the claim, so the caller takes over an existing claim of this machine. NONE: no file can be
 * created there.
 */
cache_lock_state cache_claim_make(int directory, const cache_key *key, unsigned number,
                                  bool is_only, uint64_t deadline, cache_claim *ret);

/*
 * Removes a claim if it still belongs to the caller. Also removes the key's claims with lower
 * numbers, because their owners have exceeded the waiting time. Ignores a claim that was not made.
 */
void cache_claim_end(cache_claim *claim);

/* Returns the state of another process's lock: LATE while it is held, PASSED after it, or NONE. */
typedef cache_lock_state (*cache_lock_look)(const void *data);

/* Calls look repeatedly until the lock is no longer held, or until the deadline. */
cache_lock_state cache_lock_wait(cache_lock_look look, const void *data, uint64_t deadline);

#endif
