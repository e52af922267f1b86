/* Keys: equal only if their parts are equal, and without allocations at usual sizes. */
#include "cache_check.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*write_key)(cache_key_writer *writer);

static void value_one(cache_key_writer *w) {
  cache_key_add_value(w, 7, "\1\0\0\0", 4);
}
static void value_two(cache_key_writer *w) {
  cache_key_add_value(w, 7, "\2\0\0\0", 4);
}
static void other_id(cache_key_writer *w) {
  cache_key_add_value(w, 8, "\1\0\0\0", 4);
}
static void other_size(cache_key_writer *w) {
  cache_key_add_value(w, 7, "\1\0\0\0\0\0\0\0", 8);
}
static void unset(cache_key_writer *w) {
  (void)w;
}
static void two_texts(cache_key_writer *w) {
  cache_key_add_text(w, "ab");
  cache_key_add_text(w, "c");
}
static void two_others(cache_key_writer *w) {
  cache_key_add_text(w, "a");
  cache_key_add_text(w, "bc");
}
static void one_text(cache_key_writer *w) {
  cache_key_add_text(w, "abc");
}
static void empty_text(cache_key_writer *w) {
  cache_key_add_text(w, "");
}
static void two_empty_texts(cache_key_writer *w) {
  cache_key_add_text(w, NULL);
  cache_key_add_bytes(w, NULL, 0);
}
static void long_text(cache_key_writer *w) {
  for (int i = 0; i < 5000; i++)
    cache_key_add_text(w, "long");
}

TEST(differ_as_their_parts) {
  static const write_key all[] = {value_one,  value_two,       other_id,   other_size,
                                  unset,      two_texts,       two_others, one_text,
                                  empty_text, two_empty_texts, long_text};
  enum { COUNT = sizeof all / sizeof all[0] };
  static cache_key_writer left[COUNT], right[COUNT];
  cache_key a[COUNT], b[COUNT];
  for (int i = 0; i < COUNT; i++) {
    cache_key_begin(&left[i]);
    cache_key_begin(&right[i]);
    all[i](&left[i]);
    all[i](&right[i]);
    assert_true(cache_key_end(&left[i], NULL, &a[i]));
    assert_true(cache_key_end(&right[i], NULL, &b[i]));
  }
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      assert_int_equal(cache_key_equal(&a[i], &b[j]), i == j);
      assert_int_equal(cache_hash_equal(a[i].hash, b[j].hash), i == j);
    }
  for (int i = 0; i < COUNT; i++) {
    cache_key_clear(&left[i]);
    cache_key_clear(&right[i]);
  }
}

TEST(scope_counts) {
  cache_key_writer writer;
  cache_key a = number_key(&writer, 1, 8);
  cache_key b = a;
  assert_true(cache_key_equal(&a, &b));
  b.scope = &writer;
  assert_false(cache_key_equal(&a, &b));
  /* Keys with the same hash and different bytes are different. */
  unsigned char other[8] = {9};
  b = a;
  b.bytes = other;
  assert_false(cache_key_equal(&a, &b));
}

TEST(the_hash_is_that_of_xxh3) {
  /* XXH3's test vector for an empty input. The hash must not change, because it names files. */
  const cache_hash hash = cache_hash_make("", 0);
  assert_int_equal(hash.high, UINT64_C(0x99AA06D3014798D8));
  assert_int_equal(hash.low, UINT64_C(0x6001C324468D497F));
}

TEST(usual_keys_allocate_nothing) {
  cache_key_writer writer;
  cache_key key;
  memory_watch(MEMORY_NEVER);
  cache_key_begin(&writer);
  for (uint32_t id = 0; id < 64; id++)
    cache_key_add_value(&writer, id, &id, sizeof id);
  const bool made = cache_key_end(&writer, NULL, &key);
  cache_key_clear(&writer);
  const memory_use use = memory_unwatch();
  assert_true(made);
  assert_int_equal(use.calls, 0);
}

TEST(a_failed_allocation_makes_no_key) {
  for (long fail = 0;; fail++) {
    cache_key_writer writer;
    cache_key key = {0};
    memory_watch(fail);
    cache_key_begin(&writer);
    long_text(&writer);
    const bool made = cache_key_end(&writer, NULL, &key);
    cache_key_clear(&writer);
    const memory_use use = memory_unwatch();
    assert_int_equal(use.held, 0);
    assert_int_equal(made, !use.failed);
    if (!use.failed)
      break;
    assert_null(key.bytes);
    assert_true(fail < 100);
  }
}
