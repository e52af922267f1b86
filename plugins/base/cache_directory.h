/*
 * The one directory in which a library keeps what it has built, if any: SPECPI_CACHE_DIR's, the one
 * in the user's cache (directory_find_cache) where that variable is not set, or one that is named
 * later, with its limits and its counts. No failure here is one of a build; it is counted, and the
 * first one in a directory is said, once by all libraries of a process that has libspecpi. Of a
 * directory that nobody has named only broken rules are said: a home that is read-only or full is
 * as good as none. Any thread.
 */
#ifndef BASE_CACHE_DIRECTORY_H
#define BASE_CACHE_DIRECTORY_H

#include "cache_disk.h"
#include "cache_lock.h"

#include <pthread.h>

/* Longest path, with the NUL. */
enum { CACHE_DIRECTORY_PATH = 4096 };

/* Longest wait, unless another time is set before the first call. */
#define CACHE_DIRECTORY_WAIT_NS (UINT64_C(30) * 1000000000u)

/* X(name): what a directory counts. */
#define CACHE_DIRECTORY_COUNTS(X)                                                                  \
  X(disk_hits)                                                                                     \
  X(disk_misses)                                                                                   \
  X(disk_rejected)                                                                                 \
  X(disk_writes)                                                                                   \
  X(disk_failures)                                                                                 \
  X(disk_evictions)

typedef struct cache_directory_counts {
#define CACHE_DIRECTORY_COUNT(name) uint64_t name;
  CACHE_DIRECTORY_COUNTS(CACHE_DIRECTORY_COUNT)
#undef CACHE_DIRECTORY_COUNT
} cache_directory_counts;

typedef struct cache_directory {
  pthread_mutex_t lock;
  void (*say)(const char *line);   /* to the user */
  void (*trace)(const char *line); /* to the user who wants to hear of each program */
  bool begun;                      /* the environment was looked at, or does not count any more */
  bool named;
  bool is_usual;   /* nobody has named it */
  bool is_given;   /* cache_directory_name has */
  bool complained; /* about this directory */
  cache_disk_limits limits;
  uint64_t wait_ns; /* how long one waits for each lock of somebody else's build */
  cache_directory_counts counts;
  char path[CACHE_DIRECTORY_PATH];
  os_reason reason; /* why that of the environment is not used; empty when nothing is wrong */
} cache_directory;

/* The value of a static one, with its limits. */
#define CACHE_DIRECTORY_INITIALIZER(say, trace, total, file)                                       \
  {                                                                                                \
    PTHREAD_MUTEX_INITIALIZER, (say), (trace), false, false, false, false, false,                  \
        {(total), (file)}, CACHE_DIRECTORY_WAIT_NS, {0}, {0}, {                                    \
      { 0 }                                                                                        \
    }                                                                                              \
  }

/* Returns whether there is a directory; false, too, when it turned out to be unusable. */
bool cache_directory_is_named(cache_directory *directory);

/* Returns whether there is one that cache_directory_name has named. */
bool cache_directory_is_given(cache_directory *directory);

/* Tries to use a payload; NULL, or why it is no good, and then its file goes. */
typedef const char *(*cache_directory_load)(void *data, const void *payload, size_t size);

/*
 * Loads what is there for a key, or makes the caller the one who builds it among all processes:
 * false, with the lock if there is one. Who has waited for another one loads what that has written.
 * Where it has written nothing, because it was killed or its build failed, the next one builds.
 * Nobody waits longer than 30 seconds for each of a key's locks: then those who wait agree on one
 * of them, by the next lock, and in the end each builds for itself.
 */
bool cache_directory_find(cache_directory *directory, const cache_key *key,
                          cache_directory_load load, void *data, cache_lock *lock);

/* Keeps a payload. */
void cache_directory_write(cache_directory *directory, const cache_key *key, const void *payload,
                           size_t size);

/* Takes another directory, or none with NULL. False with a reason; then nothing is changed. */
bool cache_directory_name(cache_directory *directory, const char *path, os_reason *reason);

/*
 * Where it is, and what is in it; an empty path where there is none. False with a reason: the
 * directory that the environment names, or its files, cannot be used.
 */
bool cache_directory_measure(cache_directory *directory, char path[CACHE_DIRECTORY_PATH],
                             cache_disk_usage *usage, os_reason *reason);

/* Removes the cache's files; *path receives where. False with a reason. */
bool cache_directory_clear(cache_directory *directory, char path[CACHE_DIRECTORY_PATH],
                           os_reason *reason);

void cache_directory_set_limits(cache_directory *directory, const cache_disk_limits *limits);
cache_disk_limits cache_directory_get_limits(cache_directory *directory);
cache_directory_counts cache_directory_get_counts(cache_directory *directory);

#endif
