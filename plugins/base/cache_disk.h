/*
 * The cache's files, in a directory that only the user may access. Several processes may use one
 * directory: a new file appears complete, and a reader of a replaced or removed file keeps reading
 * the old one. The content of a file is checked before it is used. Any thread.
 */
#ifndef BASE_CACHE_DISK_H
#define BASE_CACHE_DISK_H

#include "cache_file.h"

/*
 * A writer measures the directory each time it has written limit / CACHE_DISK_LOOKS bytes, and then
 * removes files until so many bytes are free below the limit. Until its next look, each process may
 * exceed the limit by that amount.
 */
enum { CACHE_DISK_LOOKS = 16 };

typedef struct cache_disk_limits {
  uint64_t total; /* bytes of all files, each rounded up to blocks of 4096 */
  uint64_t file;  /* bytes of one file */
} cache_disk_limits;

typedef enum cache_disk_found {
  CACHE_DISK_FOUND,
  CACHE_DISK_ABSENT,   /* there is no such file */
  CACHE_DISK_REJECTED, /* the file is damaged, for another key, or might be another user's */
  CACHE_DISK_FAILED    /* the file or the directory cannot be read, or memory ran out */
} cache_disk_found;

/*
 * Checks that a directory can be used by directory_open, and that others have no rights for it.
 * Creates missing directories of the path. Returns false with a reason and directory_open's errno.
 */
bool cache_disk_check(const char *directory, os_reason *reason);

/*
 * Reads the payload of a key into memory that the caller frees, and sets the file's time of last
 * use. REJECTED and FAILED come with a reason.
 */
cache_disk_found cache_disk_read(const char *directory, const cache_key *key, uint64_t file_limit,
                                 void **payload, size_t *size, os_reason *reason);

/* Returns whether the limits allow a file with a key and a payload of these sizes. */
bool cache_disk_fits(size_t key_size, size_t payload_size, const cache_disk_limits *limits);

/*
 * Writes or replaces the file of a key. Recreates a missing directory. May first remove the least
 * recently used files (CACHE_DISK_LOOKS); *removed receives their number, also on failure. Returns
 * false with a reason: the directory cannot be used or is full, the file exceeds a limit, or memory
 * ran out.
 */
bool cache_disk_write(const char *directory, const cache_key *key, const void *payload, size_t size,
                      const cache_disk_limits *limits, size_t *removed, os_reason *reason);

/* Removes the file of a key, if it exists. For intact files that the driver refuses. */
void cache_disk_remove(const char *directory, const cache_key *key);

/* Removes the cache's files, but no others, and resets the counts. Returns false with a reason. */
bool cache_disk_clear(const char *directory, os_reason *reason);

typedef struct cache_disk_usage {
  uint64_t files;
  uint64_t bytes;  /* of these files, each rounded up to blocks of 4096 */
  uint64_t hits;   /* files read by any process since the cache was cleared */
  uint64_t writes; /* files written, likewise */
} cache_disk_usage;

/* Measures the content of a directory, which may be missing. Returns false with a reason. */
bool cache_disk_measure(const char *directory, cache_disk_usage *ret, os_reason *reason);

#endif
