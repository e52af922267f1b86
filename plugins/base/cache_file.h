/*
 * A file of the cache: a header, the key, the payload, and nothing after it. The header holds both
 * sizes and the hash of key and payload, which reveal a file that was cut, changed, mixed up or
 * written by another version. Pure: bytes in, bytes out.
 */
#ifndef BASE_CACHE_FILE_H
#define BASE_CACHE_FILE_H

#include "cache_key.h"
#include "os.h"

enum { CACHE_FILE_HEADER = 48 };

/* The size of a file; 0 when it is too large for a size_t. */
size_t cache_file_size(size_t key_size, size_t payload_size);

/* Writes the file of that size to bytes. */
void cache_file_write(const cache_key *key, const void *payload, size_t size, unsigned char *bytes);

/*
 * Returns whether bytes are the file of this key; *payload points into them. false with a reason
 * for any others: nothing of them may be used.
 */
bool cache_file_read(const void *bytes, size_t size, const cache_key *key, const void **payload,
                     size_t *payload_size, os_reason *reason);

#endif
