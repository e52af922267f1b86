/* Lists the cache's files in its directory, and removes those used longest ago. */
#ifndef BASE_CACHE_DISK_LIST_H
#define BASE_CACHE_DISK_LIST_H

#include "os.h"

#include <stdbool.h>
#include <stddef.h>

/* A file's name: the key's hash as 32 hexadecimal digits, and the suffix. */
#define CACHE_DISK_SUFFIX ".specpi"
/* Start of an unfinished file's name. */
#define CACHE_DISK_TEMPORARY "new.specpi."
enum { CACHE_DISK_NAME = 32 + sizeof CACHE_DISK_SUFFIX - 1 };

/* Bytes that a file counts for: whole blocks, so that tiny files are bounded, too. */
uint64_t cache_disk_cost(uint64_t size);

/*
 * Removes files, the one used longest ago first, until the rest costs at most limit. The file
 * called except, which is about to be replaced, does not count and stays. Also removes the remains
 * of writers that died. *removed receives the number of files. false with a reason.
 */
bool cache_disk_make_room(int directory, const char *except, uint64_t limit, size_t *removed,
                          os_reason *reason);

/* Counts the cache's files in a directory, and what they cost. false with a reason. */
bool cache_disk_count_files(int directory, size_t *files, uint64_t *cost, os_reason *reason);

#endif
