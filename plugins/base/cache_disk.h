/*
 * The cache's files in a directory that belongs to the user alone. Several processes may use one
 * directory: a file appears whole or not at all, and whoever reads it while it is replaced or
 * removed goes on with the opened file. Nothing here is trusted before it is checked. Any thread.
 */
#ifndef BASE_CACHE_DISK_H
#define BASE_CACHE_DISK_H

#include "cache_file.h"

/*
 * Writers look at the whole directory after each sixteenth of its limit, and then free as much. In
 * between each process may exceed the limit by that.
 */
enum { CACHE_DISK_LOOKS = 16 };

typedef struct cache_disk_limits {
  uint64_t total; /* bytes of all files, each in whole blocks of 4096 */
  uint64_t file;  /* bytes of a file */
} cache_disk_limits;

typedef enum cache_disk_found {
  CACHE_DISK_FOUND,
  CACHE_DISK_ABSENT,   /* there is no such file */
  CACHE_DISK_REJECTED, /* the file, or the directory, is not to be trusted */
  CACHE_DISK_FAILED    /* neither is known: no memory, no right to read */
} cache_disk_found;

/*
 * Checks that a directory can be used: without any right for others, as plugins/base/directory.h
 * has it. Makes the parts of the path that are missing. false with a reason, and with errno as
 * directory_open.
 */
bool cache_disk_check(const char *directory, os_reason *reason);

/*
 * Reads the payload of a key into memory that the caller frees; the file counts as used now. A
 * reason comes with REJECTED and FAILED.
 */
cache_disk_found cache_disk_read(const char *directory, const cache_key *key, uint64_t file_limit,
                                 void **payload, size_t *size, os_reason *reason);

/* Returns whether the limits allow such a file. */
bool cache_disk_fits(size_t key_size, size_t payload_size, const cache_disk_limits *limits);

/*
 * Writes the file of a key, in place of an existing one. If a look is due, it removes those used
 * longest ago first; *removed receives their number, whatever the result. Makes the directory again
 * when it is gone. false with a reason: it cannot be used, it is full, the file is beyond a limit,
 * or there is no memory.
 */
bool cache_disk_write(const char *directory, const cache_key *key, const void *payload, size_t size,
                      const cache_disk_limits *limits, size_t *removed, os_reason *reason);

/* Removes the file of a key, if it is there: it was good, but the driver did not take it. */
void cache_disk_remove(const char *directory, const cache_key *key);

/*
 * Removes all files of the cache, and nothing else, and restarts the counts. false with a reason.
 */
bool cache_disk_clear(const char *directory, os_reason *reason);

typedef struct cache_disk_usage {
  uint64_t files;
  uint64_t bytes;  /* of these files, each in whole blocks of 4096 */
  uint64_t hits;   /* reads of files by any process since it was cleared */
  uint64_t writes; /* writes of files */
} cache_disk_usage;

/* Measures the content of a directory, which need not be there. false with a reason. */
bool cache_disk_measure(const char *directory, cache_disk_usage *ret, os_reason *reason);

#endif
