#include "cache_key.h"

#include "vector.h"

#include <stdlib.h>
#include <string.h>

/* Compiles the hash into libspecpi, which then needs no library for it. */
#define XXH_INLINE_ALL
#include <xxhash.h>

cache_hash cache_hash_make(const void *bytes, size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return (cache_hash){hash.low64, hash.high64};
}

bool cache_key_equal(const cache_key *a, const cache_key *b) {
  return cache_hash_equal(a->hash, b->hash) && a->scope == b->scope && a->size == b->size &&
         (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

void cache_key_begin(cache_key_writer *writer) {
  writer->bytes = writer->here;
  writer->size = 0;
  writer->capacity = sizeof writer->here;
  writer->failed = false;
}

/* Returns space for size more bytes. If memory runs out, sets writer->failed and returns NULL. */
static unsigned char *extend_text(cache_key_writer *writer, size_t size) {
  if (writer->failed)
    return NULL;
  if (size > writer->capacity - writer->size) {
    const bool moved = writer->bytes != writer->here;
    unsigned char *bytes = moved ? writer->bytes : NULL;
    if (!vector_extend(&bytes, &writer->capacity, writer->size, size, 1) || !bytes) {
      writer->failed = true;
      return NULL;
    }
    if (!moved)
      memcpy(bytes, writer->here, writer->size);
    writer->bytes = bytes;
  }
  unsigned char *place = writer->bytes + writer->size;
  writer->size += size;
  return place;
}

void cache_key_add_parts(cache_key_writer *writer, const void *bytes, size_t size) {
  unsigned char *place = extend_text(writer, size);
  if (place && size > 0)
    memcpy(place, bytes, size);
}

void cache_key_add_number(cache_key_writer *writer, uint64_t number) {
  /* In the machine's byte order, because machines with another one cannot use the cache's files. */
  cache_key_add_parts(writer, &number, sizeof number);
}

void cache_key_add_bytes(cache_key_writer *writer, const void *bytes, size_t size) {
  cache_key_add_number(writer, size);
  cache_key_add_parts(writer, bytes, size);
}

void cache_key_add_text(cache_key_writer *writer, const char *text) {
  cache_key_add_bytes(writer, text, text ? strlen(text) : 0);
}

void cache_key_add_value(cache_key_writer *writer, uint32_t id, const void *value, uint32_t size) {
  /* Reserves the space once, because values are the longest part of most keys. */
  const uint64_t head[2] = {id, size};
  unsigned char *place = extend_text(writer, sizeof head + size);
  if (!place)
    return;
  memcpy(place, head, sizeof head);
  if (size > 0)
    memcpy(place + sizeof head, value, size);
}

bool cache_key_end(const cache_key_writer *writer, const void *scope, cache_key *ret) {
  if (writer->failed)
    return false;
  *ret =
      (cache_key){cache_hash_make(writer->bytes, writer->size), scope, writer->bytes, writer->size};
  return true;
}

void cache_key_clear(cache_key_writer *writer) {
  if (writer->bytes != writer->here)
    free(writer->bytes);
  cache_key_begin(writer);
}
