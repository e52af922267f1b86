/* Measures the cache's files in its directory, and removes the least recently used ones. */
#ifndef BASE_CACHE_DISK_LIST_H
#define BASE_CACHE_DISK_LIST_H

#include "os.h"

#include <stdbool.h>
#include <stddef.h>

/* Suffix of file names; before it are 32 hexadecimal digits, the key's hash. */
#define CACHE_DISK_SUFFIX ".specpi"
/* Prefix of the names of unfinished files and claims. */
#define CACHE_DISK_TEMPORARY "new.specpi."
enum { CACHE_DISK_NAME = 32 + sizeof CACHE_DISK_SUFFIX - 1 };

/* Returns a file's size rounded up to whole blocks, to limit the number of tiny files, too. */
uint64_t cache_disk_cost(uint64_t size);

/*
 * Removes the least recently used files until the rest costs at most limit. The file named except
 * is about to be replaced: it is not counted and not removed. Also removes unfinished files of dead
 * writers. *removed receives the number of removed files. Returns false with a reason.
 */
bool cache_disk_make_room(int directory, const char *except, uint64_t limit, size_t *removed,
                          os_reason *reason);

/* Counts the cache's files in a directory and adds up their costs. Returns false with a reason. */
bool cache_disk_count_files(int directory, size_t *files, uint64_t *cost, os_reason *reason);

#endif
