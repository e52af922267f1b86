/*
 * One build of a key among all processes that share a directory: whoever builds has a lock, and the
 * others wait for the result. The lock is a byte, chosen by the key's hash, of an empty file in the
 * directory. The kernel releases it when its process ends, in whatever way. Where the file system
 * has no such locks, or only within a machine, a claim (cache_claim.h) is the lock among machines.
 * Any thread.
 */
#ifndef BASE_CACHE_LOCK_H
#define BASE_CACHE_LOCK_H

#include "cache_claim.h"

/* Name of the file, which is not one of the cache's. It stays when the directory is cleared. */
#define CACHE_LOCK_FILE ".specpi.lock"

typedef struct cache_lock {
  int file; /* with the byte; -1: no byte is locked */
  cache_claim claim;
} cache_lock;

#define CACHE_LOCK_INITIALIZER                                                                     \
  {                                                                                                \
    .file = -1, .claim = {.directory = -1 }                                                        \
  }

/* Locks of a key: each is for those whom the one before it has kept for too long. */
enum { CACHE_LOCKS = 3 };

/*
 * Takes one of the locks of a key, 0 to CACHE_LOCKS - 1, or waits while somebody else has it, to a
 * deadline of os_time_ns. A directory that cannot be used, or a file system without locks, is no
 * error: there is no lock then.
 */
cache_lock_state cache_lock_take(const char *directory, const cache_key *key, unsigned number,
                                 uint64_t deadline, cache_lock *ret);

/* Gives a lock back; ignores one that was not taken. */
void cache_lock_release(cache_lock *lock);

#endif
