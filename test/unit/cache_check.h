/* What the tests of the cache share: objects that count their references, keys of a number. */
#ifndef SPECPI_TEST_UNIT_CACHE_CHECK_H
#define SPECPI_TEST_UNIT_CACHE_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../runtime/cache.h"
#include "../../runtime/error.h"

#include <stdatomic.h>

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

static const cache_class counted_class = {counted_retain, counted_release};

/* The key of a number, of any size from 8 bytes on. */
static inline cache_key number_key(cache_key_writer *writer, uint64_t number, size_t size) {
  cache_key key;
  cache_key_begin(writer);
  cache_key_add_number(writer, number);
  while (writer->size < size)
    cache_key_add_parts(writer, &number, 1);
  assert_true(cache_key_end(writer, NULL, &key));
  return key;
}

/* What a build of a test makes: an object, and how it fails. */
typedef struct build_order {
  counted *object;
  size_t bytes;
  specpi_result result;
  atomic_int built;
} build_order;

static inline specpi_result build_ordered(void *data, void **object, size_t *bytes) {
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
