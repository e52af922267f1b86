/*
 * Cache of generated PTX: in memory, and in the directory of base/cache_directory.h, where drivers
 * also keep what they make of it (docs/internals/cache.md). Any thread.
 */
#ifndef CODE_GENERATED_CACHE_H
#define CODE_GENERATED_CACHE_H

#include "../base/cache.h"
#include "../base/cache_directory.h"

#include <pi/pi.h>

#include <stdatomic.h>

/* PTX, which does not change. */
typedef struct generated_text {
  atomic_uint references;
  size_t size; /* without the NUL after it */
  char text[];
} generated_text;

/* A text with one reference; NULL without memory. */
generated_text *generated_text_new(const char *text, size_t size);
void generated_text_release(generated_text *text);

/* Makes a missing text: PI_SUCCESS with one of one reference, or a failure with its message. */
typedef pi_result (*generated_make)(void *data, generated_text **ret);

/*
 * Returns the text of a key, with a reference for the caller; make's, if there is none. Threads,
 * and processes with one directory, that want the same at the same time make it once. is_lasting:
 * the key identifies the generator, so that the directory may keep the text. Errors of make, and
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result generated_cache_get(const cache_key *key, bool is_lasting, generated_make make,
                              void *data, generated_text **ret);

/* Texts in memory, the directory, and the number of texts made by this process. */
extern cache generated_texts;
extern cache_directory generated_directory;
extern atomic_ullong generated_count;

/* Failures of builds for caches of plugins (cache_class): code and message. */
void *generated_keep_failure(void *data, int result);
int generated_tell_failure(void *data, int result, const void *kept);
int generated_lack_memory(void);

#endif
