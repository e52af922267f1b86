#define _GNU_SOURCE /* secure_getenv */
#include "backend.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cuda_backend_entry entries[] = {
#define CUDA_BACKEND(word, backend, name, version, extensions)                                     \
  {word, PI_EXT_PLATFORM_BACKEND_##backend, name, extensions},
    CUDA_BACKENDS(CUDA_BACKEND)
#undef CUDA_BACKEND
};

static pthread_once_t read_once = PTHREAD_ONCE_INIT;
static const cuda_backend_entry *chosen;
static char refused[64];

const cuda_backend_entry *cuda_backend_find(const char *word) {
  if (!word)
    return &entries[0];
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    if (strcmp(entries[i].word, word) == 0)
      return &entries[i];
  return NULL;
}

/* A process with more rights than its user does not let the user choose. */
static void read_variable(void) {
  const char *word = secure_getenv("SPECPI_CUDA_BACKEND");
  chosen = cuda_backend_find(word);
  if (chosen)
    return;
  chosen = &entries[0];
  snprintf(refused, sizeof refused, "%s", word);
}

const cuda_backend_entry *cuda_backend_chosen(void) {
  pthread_once(&read_once, read_variable);
  return chosen;
}

const char *cuda_backend_refused(void) {
  cuda_backend_chosen();
  return refused[0] ? refused : NULL;
}

/* Expanded, so that compilers see each format. */
void cuda_backend_version(const cuda_backend_entry *entry, int version, char *text, size_t size) {
#define CUDA_BACKEND(word, NAME, name, format, extensions)                                         \
  if (entry->backend == PI_EXT_PLATFORM_BACKEND_##NAME)                                            \
    snprintf(text, size, format, version / 1000, version % 1000 / 10);
  CUDA_BACKENDS(CUDA_BACKEND)
#undef CUDA_BACKEND
}
