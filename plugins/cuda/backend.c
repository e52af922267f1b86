#define _GNU_SOURCE /* secure_getenv */
#include "backend.h"

#include "../base/error.h"
#include "../objects/driver.h"
#include "../objects/handle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const cuda_backend_entry entries[] = {
#define CUDA_BACKEND(word, backend, name, version, extensions)                                     \
  {word, PI_EXT_PLATFORM_BACKEND_##backend, name, extensions},
    CUDA_BACKENDS(CUDA_BACKEND)
#undef CUDA_BACKEND
};

static pthread_once_t read_once = PTHREAD_ONCE_INIT;
static const cuda_backend_entry *chosen;
static char refused[64];
static bool is_named;
static bool is_of_selector; /* this is an adapter, and SPECPI_CUDA_BACKEND is not set */

const cuda_backend_entry *cuda_backend_find(const char *word) {
  if (!word)
    return &entries[0];
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    if (strcmp(entries[i].word, word) == 0)
      return &entries[i];
  return NULL;
}

/* Returns whether a term of ONEAPI_DEVICE_SELECTOR takes CUDA: "cuda:*", "opencl:cpu;cuda:0". */
static bool selects_cuda(const char *selector) {
  static const char cuda[] = "cuda:";
  for (const char *term = selector; term; term = strchr(term, ';')) {
    term += strspn(term, "; ");
    if (strncasecmp(term, cuda, sizeof cuda - 1) == 0)
      return true;
  }
  return false;
}

/*
 * Returns the backend to report without SPECPI_CUDA_BACKEND. An adapter reports level_zero, because
 * most programs are SPIR-V, which libsycl takes on level_zero only. A user who selects cuda is
 * expected to have PTX.
 */
static const char *default_word(void) {
  if (!object_face)
    return NULL;
  return selects_cuda(secure_getenv("ONEAPI_DEVICE_SELECTOR")) ? "cuda" : "level_zero";
}

/* secure_getenv ignores the variable in a set-user-id process, whose user may not choose. */
static void read_variable(void) {
  const char *word = secure_getenv("SPECPI_CUDA_BACKEND");
  is_of_selector = !word && object_face;
  if (!word)
    word = default_word();
  chosen = cuda_backend_find(word);
  is_named = word && chosen;
  if (chosen)
    return;
  chosen = &entries[0];
  snprintf(refused, sizeof refused, "%s", word);
}

const cuda_backend_entry *cuda_backend_chosen(void) {
  pthread_once(&read_once, read_variable);
  return chosen;
}

pi_platform_backend driver_backend(void) {
  return cuda_backend_chosen()->backend;
}

bool cuda_backend_refuses_spirv(void) {
  return cuda_backend_chosen() == &entries[0] && is_named;
}

static void say_warning(void) {
  plugin_say("ONEAPI_DEVICE_SELECTOR names cuda, where libsycl runs kernels in PTX alone; for "
             "SPIR-V, which dpctl and most programs have, name no backend: *:gpu. "
             "SPECPI_CUDA_BACKEND=cuda leaves this line out");
}

void cuda_backend_warn(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (cuda_backend_chosen() == &entries[0] && is_of_selector)
    pthread_once(&once, say_warning);
}

const char *cuda_backend_refused(void) {
  cuda_backend_chosen();
  return refused[0] ? refused : NULL;
}

/* Has one snprintf for each backend, so that compilers can check the formats. */
void cuda_backend_version(const cuda_backend_entry *entry, int version, char *text, size_t size) {
#define CUDA_BACKEND(word, NAME, name, format, extensions)                                         \
  if (entry->backend == PI_EXT_PLATFORM_BACKEND_##NAME)                                            \
    snprintf(text, size, format, version / 1000, version % 1000 / 10);
  CUDA_BACKENDS(CUDA_BACKEND)
#undef CUDA_BACKEND
}
