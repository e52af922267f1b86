/*
 * The directory in which a library keeps its builds, if any, with its limits and counts. The
 * directory is the one passed to cache_directory_name, else the one in SPECPI_CACHE_DIR, else the
 * usual one in the user's cache (directory_find_cache).
 *
 * Failures here never fail a build. They are counted, and the first failure of a directory is
 * reported to the user; if the process has libspecpi, only one of its libraries reports it. The
 * usual directory is reported only if its owner or rights break the rules of directory.h, and not,
 * for example, if the home directory is read-only or full. Any thread.
 */
#ifndef BASE_CACHE_DIRECTORY_H
#define BASE_CACHE_DIRECTORY_H

#include "cache_disk.h"
#include "cache_lock.h"

#include <pthread.h>

/* Longest path in bytes, including the NUL. */
enum { CACHE_DIRECTORY_PATH = 4096 };

/* Default of wait_ns, which may be changed before the first call. */
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
  void (*say)(const char *line);   /* reports to the user */
  void (*trace)(const char *line); /* reports if the user traces the cache */
  bool begun;                      /* the environment was read, or no longer matters */
  bool named;                      /* there is a directory */
  bool is_usual;                   /* it is the usual one */
  bool is_given;                   /* it was passed to cache_directory_name */
  bool complained;                 /* a failure was reported */
  cache_disk_limits limits;
  uint64_t wait_ns; /* longest wait for each lock of another process's build */
  cache_directory_counts counts;
  char path[CACHE_DIRECTORY_PATH];
  os_reason reason; /* why the environment's directory cannot be used; else empty */
} cache_directory;

/* Initialises a static cache_directory. total and file are its limits in bytes. */
#define CACHE_DIRECTORY_INITIALIZER(say, trace, total, file)                                       \
  {                                                                                                \
    PTHREAD_MUTEX_INITIALIZER, (say), (trace), false, false, false, false, false,                  \
        {(total), (file)}, CACHE_DIRECTORY_WAIT_NS, {0}, {0}, {                                    \
      { 0 }                                                                                        \
    }                                                                                              \
  }

/* Returns whether there is a usable directory. */
bool cache_directory_is_named(cache_directory *directory);

/* Returns whether the directory is one that was passed to cache_directory_name. */
bool cache_directory_is_given(cache_directory *directory);

/* Uses a payload. Returns NULL, or why the payload is unusable; then the cache removes its file. */
typedef const char *(*cache_directory_load)(void *data, const void *payload, size_t size);

/*
 * Loads the payload of a key and returns true, or returns false and lets the caller build it. The
 * caller then has the key's lock, if the directory allows locks, so that only one process builds.
 *
 * A process that waits for another one's lock loads the payload when that one has written it. If it
 * has written nothing, because it was killed or its build failed, one of the waiting processes
 * builds. A process waits up to wait_ns for each lock of a key. Then it tries the key's next lock,
 * and after the last one it builds without a lock.
 */
bool cache_directory_find(cache_directory *directory, const cache_key *key,
                          cache_directory_load load, void *data, cache_lock *lock);

/* Writes the payload of a key to the directory. */
void cache_directory_write(cache_directory *directory, const cache_key *key, const void *payload,
                           size_t size);

/*
 * Changes the directory; path NULL means none. Returns false with a reason, and changes nothing, if
 * the directory cannot be used.
 */
bool cache_directory_name(cache_directory *directory, const char *path, os_reason *reason);

/*
 * Reports the path of the directory and the usage of its files. path is empty if there is no
 * directory. Returns false with a reason if the directory of the environment, or a file, cannot be
 * used.
 */
bool cache_directory_measure(cache_directory *directory, char path[CACHE_DIRECTORY_PATH],
                             cache_disk_usage *usage, os_reason *reason);

/*
 * Removes the cache's files. path receives the directory's path, if there is a directory. Returns
 * false with a reason on failure.
 */
bool cache_directory_clear(cache_directory *directory, char path[CACHE_DIRECTORY_PATH],
                           os_reason *reason);

void cache_directory_set_limits(cache_directory *directory, const cache_disk_limits *limits);
cache_disk_limits cache_directory_get_limits(cache_directory *directory);
cache_directory_counts cache_directory_get_counts(cache_directory *directory);

#endif
