/*
 * The one directory in which a library keeps its builds, if any, with its limits and counts:
 * SPECPI_CACHE_DIR's; without that variable the one in the user's cache (directory_find_cache); or
 * one that is named later. Failures here never fail a build. They are counted, and the first one in
 * a directory is reported, once by all libraries of a process that has libspecpi. For a directory
 * that nobody has named only broken rules are reported: a home that is read-only or full is as good
 * as none. Any thread.
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

/* X(name): counts of a directory. */
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
  void (*trace)(const char *line); /* to the user who wants a line about each program */
  bool begun;                      /* the environment was read, or does not count any more */
  bool named;
  bool is_usual;   /* nobody has named it */
  bool is_given;   /* cache_directory_name has */
  bool complained; /* about this directory */
  cache_disk_limits limits;
  uint64_t wait_ns; /* longest wait for each lock of somebody else's build */
  cache_directory_counts counts;
  char path[CACHE_DIRECTORY_PATH];
  os_reason reason; /* why the environment's is not used; empty when nothing is wrong */
} cache_directory;

/* The value of a static cache_directory, with its limits. */
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

/* Tries to use a payload. Returns NULL, or why it is unusable, and then its file is removed. */
typedef const char *(*cache_directory_load)(void *data, const void *payload, size_t size);

/*
 * Loads the payload of a key, or returns false and makes the caller the one who builds it among all
 * processes, with the lock if there is one. A process that has waited for another one loads what
 * that has written. If it has written nothing, because it was killed or its build failed, the next
 * process builds. Nobody waits longer than 30 seconds for each of a key's locks. After that, those
 * who wait agree on one builder by the next lock, and in the end each builds for itself.
 */
bool cache_directory_find(cache_directory *directory, const cache_key *key,
                          cache_directory_load load, void *data, cache_lock *lock);

/* Keeps a payload. */
void cache_directory_write(cache_directory *directory, const cache_key *key, const void *payload,
                           size_t size);

/* Takes another directory, or none with NULL. False with a reason; then nothing has changed. */
bool cache_directory_name(cache_directory *directory, const char *path, os_reason *reason);

/*
 * The path of the directory, and its content; an empty path where there is none. False with a
 * reason: the directory that the environment names, or its files, cannot be used.
 */
bool cache_directory_measure(cache_directory *directory, char path[CACHE_DIRECTORY_PATH],
                             cache_disk_usage *usage, os_reason *reason);

/* Removes the cache's files; *path receives the directory. False with a reason. */
bool cache_directory_clear(cache_directory *directory, char path[CACHE_DIRECTORY_PATH],
                           os_reason *reason);

void cache_directory_set_limits(cache_directory *directory, const cache_disk_limits *limits);
cache_disk_limits cache_directory_get_limits(cache_directory *directory);
cache_directory_counts cache_directory_get_counts(cache_directory *directory);

#endif
