#include "generated_cache.h"

#include "../base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the cache in memory (texts and their bytes), and of one file and all files on disk. */
enum { TEXTS = 256, TEXT_BYTES = 64 << 20, FILE_BYTES = 64 << 20 };
#define DIRECTORY_BYTES ((uint64_t)1 << 30)

/* ---- Texts ---- */

generated_text *generated_text_new(const char *text, size_t size) {
  generated_text *made = malloc(sizeof *made + size + 1);
  if (!made)
    return NULL;
  atomic_init(&made->references, 1);
  made->size = size;
  memcpy(made->text, text, size);
  made->text[size] = '\0';
  return made;
}

static void retain_text(void *object) {
  generated_text *text = object;
  atomic_fetch_add_explicit(&text->references, 1, memory_order_relaxed);
}

void generated_text_release(generated_text *text) {
  if (atomic_fetch_sub_explicit(&text->references, 1, memory_order_acq_rel) == 1)
    free(text);
}

static void release_text(void *object) {
  generated_text_release(object);
}

/* ---- Failures ---- */

void *generated_keep_failure(void *data, int result) {
  const char *sentence;
  (void)data, (void)result;
  plugin_error_last(&sentence);
  const size_t size = strlen(sentence) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, sentence, size);
  return copy;
}

int generated_tell_failure(void *data, int result, const void *kept) {
  (void)data;
  return plugin_error((pi_result)result, "%s",
                      kept ? (const char *)kept : "a build of another thread failed");
}

int generated_lack_memory(void) {
  return plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for an entry of the cache");
}

/* ---- The cache ---- */

static const cache_class text_class = {retain_text, release_text, generated_keep_failure,
                                       generated_tell_failure, generated_lack_memory};

cache generated_texts = CACHE_INITIALIZER(&text_class, TEXTS, TEXT_BYTES);
cache_directory generated_directory =
    CACHE_DIRECTORY_INITIALIZER(plugin_say, plugin_trace_cache, DIRECTORY_BYTES, FILE_BYTES);
atomic_ullong generated_count;

typedef struct generation {
  const cache_key *key;
  bool is_lasting;
  generated_make make;
  void *data;
  generated_text *text;
} generation;

static const char *load_text(void *data, const void *payload, size_t size) {
  generation *generation = data;
  const char *text = payload;
  if (size == 0 || memchr(text, '\0', size) != text + size - 1)
    return "it is no text";
  generation->text = generated_text_new(text, size - 1);
  return generation->text ? NULL : "there is no memory for it";
}

static pi_result make_text(generation *generation) {
  TRY(generation->make(generation->data, &generation->text));
  if (generation->is_lasting)
    cache_directory_write(&generated_directory, generation->key, generation->text->text,
                          generation->text->size + 1);
  return PI_SUCCESS;
}

static int get_text(void *data, void **object, size_t *bytes) {
  generation *generation = data;
  cache_lock lock = CACHE_LOCK_INITIALIZER;
  char line[96];
  const bool is_loaded =
      generation->is_lasting &&
      cache_directory_find(&generated_directory, generation->key, load_text, generation, &lock);
  const pi_result result = is_loaded ? PI_SUCCESS : make_text(generation);
  cache_lock_release(&lock);
  TRY(result);
  if (generation->text->size == 0)
    snprintf(line, sizeof line, "cache: a module %s",
             is_loaded ? "is known from the directory" : "was checked");
  else
    snprintf(line, sizeof line, "cache: PTX of %zu bytes was %s", generation->text->size,
             is_loaded ? "read from the directory" : "generated");
  plugin_trace_cache(line);
  *object = generation->text;
  *bytes = generation->text->size;
  return PI_SUCCESS;
}

pi_result generated_cache_get(const cache_key *key, bool is_lasting, generated_make make,
                              void *data, generated_text **ret) {
  generation generation = {.key = key, .is_lasting = is_lasting, .make = make, .data = data};
  void *object = NULL;
  const pi_result result =
      (pi_result)cache_get(&generated_texts, key, get_text, &generation, &object);
  if (result == PI_SUCCESS)
    *ret = object;
  return result;
}

__attribute__((destructor)) static void clear_texts(void) {
  cache_clear(&generated_texts);
}
