/*
 * Digests that identify code: BLAKE2b of 256 bits, because nobody can make two inputs with the same
 * digest. Tables in memory use a faster hash (cache_key.h), because they also compare all bytes.
 */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <blake2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct digest {
  unsigned char bytes[32];
} digest;

typedef blake2b_state digest_state;

static inline void digest_begin(digest_state *state) {
  blake2b_init(state, sizeof(digest));
}

/* bytes may be NULL when size is 0. */
static inline void digest_add(digest_state *state, const void *bytes, size_t size) {
  if (size > 0)
    blake2b_update(state, bytes, size);
}

static inline digest digest_end(digest_state *state) {
  digest made;
  blake2b_final(state, made.bytes, sizeof made.bytes);
  return made;
}

static inline digest digest_make(const void *bytes, size_t size) {
  digest_state state;
  digest_begin(&state);
  digest_add(&state, bytes, size);
  return digest_end(&state);
}

/* The first 128 bits of a digest in hexadecimal, for unique names. */
typedef struct digest_name {
  char text[33];
} digest_name;

static inline digest_name digest_name_of(digest of) {
  digest_name name;
  for (size_t i = 0; i < sizeof name.text / 2; i++)
    snprintf(name.text + 2 * i, 3, "%02x", of.bytes[i]);
  return name;
}

static inline bool digest_equal(const digest *a, const digest *b) {
  return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

#endif
