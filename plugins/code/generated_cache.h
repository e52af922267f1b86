/*
 * Cache of generated PTX, in memory and in the directory of base/cache_directory.h. The code that
 * drivers compile from the PTX is in the same directory (docs/internals/cache.md). Any thread may
 * call these functions.
 */
#ifndef CODE_GENERATED_CACHE_H
#define CODE_GENERATED_CACHE_H

#include "../base/cache.h"
#include "../base/cache_directory.h"

#include <pi/pi.h>

#include <stdatomic.h>

/* Generated PTX, immutable and reference counted. */
typedef struct generated_text {
  atomic_uint references;
  size_t size; /* without the NUL after it */
  char text[];
} generated_text;

/* Copies size bytes into a text with one reference; NULL if memory runs out. */
generated_text *generated_text_new(const char *text, size_t size);
void generated_text_release(generated_text *text);

/* Generates a missing text and returns it with one reference, or fails with a message. */
typedef pi_result (*generated_make)(void *data, generated_text **ret);

/*
 * Returns the text of a key, with a reference for the caller. Calls make if the cache has no text.
 * If threads, or processes that share the directory, want the same text at the same time, only one
 * makes it. is_lasting: the text may be written to the directory, because the key includes the
 * version of the generator. Errors of make, and PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result generated_cache_get(const cache_key *key, bool is_lasting, generated_make make,
                              void *data, generated_text **ret);

/* The cache in memory, the one on disk, and the number of texts that this process has generated. */
extern cache generated_texts;
extern cache_directory generated_directory;
extern atomic_ullong generated_count;

/* Functions of a cache_class for entries whose build failed: keep and repeat code and message. */
void *generated_keep_failure(void *data, int result);
int generated_tell_failure(void *data, int result, const void *kept);
int generated_lack_memory(void);

#endif
