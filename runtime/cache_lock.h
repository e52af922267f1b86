/*
 * One build of a key among all processes that share a folder: whoever builds has a lock, and the
 * others wait for what it writes. The lock is a byte, by the key's hash, of a file in the folder
 * that holds nothing. The kernel gives it up with the process that has it, however that ends. Any
 * thread.
 */
#ifndef SPECPI_CACHE_LOCK_H
#define SPECPI_CACHE_LOCK_H

#include "cache_key.h"

/* The file's name, which is none of the cache's others. It stays when the folder is cleared. */
#define CACHE_LOCK_FILE ".specpi.lock"

typedef struct cache_lock {
  int file; /* -1: nothing is locked */
} cache_lock;

#define CACHE_LOCK_INITIALIZER                                                                     \
  { -1 }

typedef enum cache_lock_state {
  CACHE_LOCK_TAKEN,  /* it is the caller's, until cache_lock_release */
  CACHE_LOCK_PASSED, /* somebody else had it, and it is free again */
  CACHE_LOCK_NONE    /* there is no such lock, or somebody else has it beyond the deadline */
} cache_lock_state;

/*
 * Takes the lock of a key, or waits while somebody else has it, to a deadline of os_time_ns. A
 * folder that cannot be used, or a file system without locks, is no error: there is no lock then.
 */
cache_lock_state cache_lock_take(const char *folder, const cache_key *key, uint64_t deadline,
                                 cache_lock *ret);

/* Gives a lock back; one that was not taken is passed over. */
void cache_lock_release(cache_lock *lock);

#endif
