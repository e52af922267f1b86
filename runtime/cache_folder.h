/*
 * The one folder in which this process keeps programs, if any: SPECPI_CACHE_DIR's or that of
 * specpiCacheSetFolder, with its limits and its counts. No failure here is one of a build; it is
 * counted, and the first one in a folder is said on stderr. Any thread.
 */
#ifndef SPECPI_CACHE_FOLDER_H
#define SPECPI_CACHE_FOLDER_H

#include "cache_disk.h"
#include "cache_lock.h"

#include <specpi/specpi.h>

/* Whether there is a folder; false, too, when it turned out to be unusable. */
bool cache_folder_named(void);

/*
 * The payload of a key, in memory that the caller frees; NULL when there is none to be trusted.
 * again: the caller looks once more for the same program, which counts only if it is there.
 */
void *cache_folder_read(const cache_key *key, bool again, size_t *size);

/*
 * The lock under which one process builds a key, and the others wait for it, to a deadline of
 * os_time_ns. CACHE_LOCK_NONE, too, without a folder.
 */
cache_lock_state cache_folder_lock(const cache_key *key, uint64_t deadline, cache_lock *ret);

/* What became of a payload that was read: it served, or it did not, and its file goes. */
void cache_folder_accept(void);
void cache_folder_refuse(const cache_key *key, const char *why);

/* Keeps a payload. */
void cache_folder_write(const cache_key *key, const void *payload, size_t size);

void cache_folder_set_limits(const cache_disk_limits *limits);
cache_disk_limits cache_folder_get_limits(void);

/* Fills in what begins with disk_. */
void cache_folder_count(specpi_cache_statistics *statistics);

#endif
