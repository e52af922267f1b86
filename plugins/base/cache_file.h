/*
 * Format of a file of the cache: a header, the key and the payload. The header has a version, both
 * sizes, and a hash of key and payload, so that truncated and changed files are detected. These
 * functions only convert bytes and call no system functions.
 */
#ifndef BASE_CACHE_FILE_H
#define BASE_CACHE_FILE_H

#include "cache_key.h"
#include "os.h"

enum { CACHE_FILE_HEADER = 48 };

/* Returns the size of a file; 0 if it is too large for a size_t. */
size_t cache_file_size(size_t key_size, size_t payload_size);

/* Writes a file to bytes, which has space for cache_file_size. */
void cache_file_write(const cache_key *key, const void *payload, size_t size, unsigned char *bytes);

/*
 * Returns whether the bytes are an intact file for this key; *payload then points into the bytes.
 * Returns false with a reason for other bytes, which must not be used.
 */
bool cache_file_read(const void *bytes, size_t size, const cache_key *key, const void **payload,
                     size_t *payload_size, os_reason *reason);

#endif
