/*
 * Keys of the program cache: bytes that describe everything that changes a program's code, and
 * their hash. Each part has its length before it, so that different parts never give the same
 * bytes.
 */
#ifndef BASE_CACHE_KEY_H
#define BASE_CACHE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Hash XXH3 of 128 bits, for tables and file names. It is fast, but collisions can be made on
 * purpose, so keys are also compared byte by byte. If a key stands for large data such as code, it
 * contains the data's digest (digest.h) instead.
 */
typedef struct cache_hash {
  uint64_t low, high;
} cache_hash;

cache_hash cache_hash_make(const void *bytes, size_t size);

static inline bool cache_hash_equal(cache_hash a, cache_hash b) {
  return a.low == b.low && a.high == b.high;
}

/* A finished key. Its bytes belong to its writer, or to the cache entry that copied them. */
typedef struct cache_key {
  cache_hash hash; /* of the bytes */
  /* A device of this process, or NULL: distinguishes equal bytes in memory, but not on disk. */
  const void *scope;
  const unsigned char *bytes;
  size_t size;
} cache_key;

/* Returns whether two keys have the same bytes and the same scope. */
bool cache_key_equal(const cache_key *a, const cache_key *b);

/*
 * Collects the bytes of a key. Usual keys need no allocation. If an allocation fails, cache_key_end
 * reports it. A writer must not be copied.
 */
typedef struct cache_key_writer {
  unsigned char *bytes; /* the member `here`, or an allocated block */
  size_t size, capacity;
  bool failed;
  unsigned char here[2048];
} cache_key_writer;

void cache_key_begin(cache_key_writer *writer);
void cache_key_add_number(cache_key_writer *writer, uint64_t number);
/* bytes may be NULL when size is 0. */
void cache_key_add_bytes(cache_key_writer *writer, const void *bytes, size_t size);
/* text NULL is the same as "". */
void cache_key_add_text(cache_key_writer *writer, const char *text);
/* Adds a constant's id and value. The caller adds constants in ascending order of ids. */
void cache_key_add_value(cache_key_writer *writer, uint32_t id, const void *value, uint32_t size);
/* Adds bytes without their length, for example those of another writer. */
void cache_key_add_parts(cache_key_writer *writer, const void *bytes, size_t size);

/* Finishes a key; *ret points into the writer. Returns false if an allocation has failed. */
bool cache_key_end(const cache_key_writer *writer, const void *scope, cache_key *ret);

/* Frees the writer's memory and makes it empty. Keys from it become invalid. */
void cache_key_clear(cache_key_writer *writer);

#endif
