/*
 * Build locks: of all processes that share a directory only one builds a key, and the others wait
 * for the result. A lock is a byte of an empty file in the directory; the key's hash selects the
 * byte. The kernel releases the lock when the process ends for any reason. If the file system's
 * locks do not work between machines, a claim (cache_claim.h) is made as well. Any thread.
 */
#ifndef BASE_CACHE_LOCK_H
#define BASE_CACHE_LOCK_H

#include "cache_claim.h"

/* Name of the file with the locks. It stays when the directory is cleared. */
#define CACHE_LOCK_FILE ".specpi.lock"

typedef struct cache_lock {
  int file; /* descriptor of the file with the byte; -1: no byte is locked */
  cache_claim claim;
} cache_lock;

#define CACHE_LOCK_INITIALIZER                                                                     \
  {                                                                                                \
    .file = -1, .claim = {.directory = -1 }                                                        \
  }

/* Number of locks of a key. A process that has waited too long for one lock tries the next. */
enum { CACHE_LOCKS = 3 };

/*
 * Takes lock number 0 to CACHE_LOCKS - 1 of a key. If another process has it, waits until it is
 * released, or until the deadline by os_time_ns. Returns CACHE_LOCK_NONE if the directory cannot be
 * used or its file system has no locks.
 */
cache_lock_state cache_lock_take(const char *directory, const cache_key *key, unsigned number,
                                 uint64_t deadline, cache_lock *ret);

/* Releases a lock. Ignores a lock that was not taken. */
void cache_lock_release(cache_lock *lock);

#endif
