/*
 * Shared parts of the tests of the cache: objects that count their references, and keys made from a
 * number.
 */
#ifndef SPECPI_TEST_UNIT_CACHE_CHECK_H
#define SPECPI_TEST_UNIT_CACHE_CHECK_H

#include "../../plugins/base/cache.h"
#include "../../runtime/build_log.h"
#include "../../runtime/error.h"
#include "../support/tests.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cached object, in an array of the test. */
typedef struct counted {
  atomic_int references;
} counted;

static inline void counted_retain(void *object) {
  atomic_fetch_add(&((counted *)object)->references, 1);
}

static inline void counted_release(void *object) {
  if (atomic_fetch_sub(&((counted *)object)->references, 1) < 1)
    fail_msg("an object was released more often than it was retained");
}

/* The message and the build log of a failure, as libspecpi keeps them. */
typedef struct counted_failure {
  char sentence[128], log[128];
} counted_failure;

static inline void *counted_keep(void *data, int result) {
  counted_failure *made = calloc(1, sizeof *made);
  (void)data, (void)result;
  if (made) {
    snprintf(made->sentence, sizeof made->sentence, "%s", specpiGetLastError());
    snprintf(made->log, sizeof made->log, "%s", specpiGetBuildLog());
  }
  return made;
}

static inline int counted_tell(void *data, int result, const void *kept) {
  const counted_failure *failure = kept;
  char *log = failure ? malloc(sizeof failure->log) : NULL;
  (void)data;
  if (log)
    memcpy(log, failure->log, sizeof failure->log);
  build_log_keep(log);
  return error_set((specpi_result)result, "%s", failure ? failure->sentence : "");
}

static inline int counted_lack(void) {
  return error_memory();
}

static const cache_class counted_class = {counted_retain, counted_release, counted_keep,
                                          counted_tell, counted_lack};

/* Makes a key of at least 8 bytes from a number. */
static inline cache_key number_key(cache_key_writer *writer, uint64_t number, size_t size) {
  cache_key key;
  cache_key_begin(writer);
  cache_key_add_number(writer, number);
  while (writer->size < size)
    cache_key_add_parts(writer, &number, 1);
  assert_true(cache_key_end(writer, NULL, &key));
  return key;
}

/* Data of build_ordered: its object, or its failure if result is not SPECPI_SUCCESS. */
typedef struct build_order {
  counted *object;
  size_t bytes;
  specpi_result result;
  atomic_int built;
} build_order;

static inline int build_ordered(void *data, void **object, size_t *bytes) {
  build_order *order = data;
  atomic_fetch_add(&order->built, 1);
  if (order->result != SPECPI_SUCCESS)
    return error_set(order->result, "build %d failed", atomic_load(&order->built));
  counted_retain(order->object);
  *object = order->object;
  *bytes = order->bytes;
  return SPECPI_SUCCESS;
}

#endif
