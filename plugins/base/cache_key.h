/*
 * Keys of the program cache: canonical bytes with everything that changes a program's code, and
 * their hash. Each part is written with its length, so two lists of parts never have the same
 * bytes.
 */
#ifndef BASE_CACHE_KEY_H
#define BASE_CACHE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * XXH3's hash of 128 bits, for tables and names of files: quick, but no protection against somebody
 * who wants a collision, so all bytes of a key are compared as well. A part of a key that stands
 * for other bytes is a digest (digest.h).
 */
typedef struct cache_hash {
  uint64_t low, high;
} cache_hash;

cache_hash cache_hash_make(const void *bytes, size_t size);

static inline bool cache_hash_equal(cache_hash a, cache_hash b) {
  return a.low == b.low && a.high == b.high;
}

/* A finished key. It points to memory of its writer, or of its keeper. */
typedef struct cache_key {
  cache_hash hash;   /* of the bytes */
  const void *scope; /* what the same bytes mean something else in: a device of this process.
                        In memory it counts, on disk it does not */
  const unsigned char *bytes;
  size_t size;
} cache_key;

/* Returns whether two keys are the same: all of their bytes, and the scope. */
bool cache_key_equal(const cache_key *a, const cache_key *b);

/*
 * Collects the bytes of a key. Keys of usual size need no allocation. A failed allocation is
 * remembered and reported at the end. Must not be copied.
 */
typedef struct cache_key_writer {
  unsigned char *bytes; /* here, or a block of its own */
  size_t size, capacity;
  bool failed;
  unsigned char here[2048];
} cache_key_writer;

void cache_key_begin(cache_key_writer *writer);
void cache_key_add_number(cache_key_writer *writer, uint64_t number);
/* bytes may be NULL when size is 0. */
void cache_key_add_bytes(cache_key_writer *writer, const void *bytes, size_t size);
/* NULL counts as "". */
void cache_key_add_text(cache_key_writer *writer, const char *text);
/* A value of a constant: its id and its bytes. Must be added in rising order of ids. */
void cache_key_add_value(cache_key_writer *writer, uint32_t id, const void *value, uint32_t size);
/* Bytes that another writer has collected, as they are. */
void cache_key_add_parts(cache_key_writer *writer, const void *bytes, size_t size);

/* *ret points into the writer. false, with nothing written, when an allocation had failed. */
bool cache_key_end(const cache_key_writer *writer, const void *scope, cache_key *ret);

/* Gives up what the writer allocated; keys that point into it end. */
void cache_key_clear(cache_key_writer *writer);

#endif
