/* The cache in memory: hits, eviction, limits and failures. */
#include "cache_check.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum { KEY = 16, MANY = 1000 };

static counted objects[MANY];

static void forget_objects(void) {
  for (int i = 0; i < MANY; i++)
    atomic_init(&objects[i].references, 0);
}

/* Gets the object of a number, of a size in bytes; returns whether it had to be built. */
static bool get(cache *cache, unsigned number, size_t bytes) {
  cache_key_writer writer;
  const cache_key key = number_key(&writer, number, KEY);
  build_order order = {&objects[number], bytes, SPECPI_SUCCESS, 0};
  void *object = NULL;
  assert_int_equal(cache_get(cache, &key, build_ordered, &order, &object), SPECPI_SUCCESS);
  assert_ptr_equal(object, &objects[number]);
  counted_release(object);
  return atomic_load(&order.built) != 0;
}

static void holds(cache *cache, size_t count, size_t bytes) {
  const cache_counts counts = cache_get_counts(cache);
  assert_int_equal(counts.objects, count);
  assert_int_equal(counts.bytes, bytes);
  int references = 0;
  for (int i = 0; i < MANY; i++)
    references += atomic_load(&objects[i].references);
  assert_int_equal(references, count);
}

TEST(builds_once) {
  cache cache = CACHE_INITIALIZER(&counted_class, MANY, SIZE_MAX);
  forget_objects();
  assert_true(get(&cache, 1, 100));
  assert_false(get(&cache, 1, 100));
  assert_true(get(&cache, 2, 100));
  assert_false(get(&cache, 1, 100));
  holds(&cache, 2, 2 * (100 + KEY));
  const cache_counts counts = cache_get_counts(&cache);
  assert_int_equal(counts.hits, 2);
  assert_int_equal(counts.misses, 2);
  assert_int_equal(counts.evictions, 0);
  cache_clear(&cache);
  holds(&cache, 0, 0);
  assert_true(get(&cache, 1, 100));
  cache_clear(&cache);
}

/* The table grows several times. */
TEST(grows) {
  cache cache = CACHE_INITIALIZER(&counted_class, MANY, SIZE_MAX);
  forget_objects();
  for (int round = 0; round < 2; round++) {
    for (unsigned i = 0; i < MANY; i++)
      assert_true(get(&cache, i, 0));
    for (unsigned i = 0; i < MANY; i++)
      assert_false(get(&cache, i, 0));
    holds(&cache, MANY, (size_t)MANY * KEY);
    cache_clear(&cache);
    holds(&cache, 0, 0);
  }
}

TEST(oldest_use_goes_first) {
  cache cache = CACHE_INITIALIZER(&counted_class, 3, SIZE_MAX);
  forget_objects();
  get(&cache, 1, 1);
  get(&cache, 2, 1);
  get(&cache, 3, 1);
  assert_false(get(&cache, 1, 1)); /* now 2 is the oldest */
  assert_true(get(&cache, 4, 1));
  assert_int_equal(atomic_load(&objects[2].references), 0);
  assert_int_equal(cache_get_counts(&cache).evictions, 1);
  assert_false(get(&cache, 1, 1));
  assert_false(get(&cache, 3, 1));
  assert_false(get(&cache, 4, 1));
  assert_true(get(&cache, 2, 1)); /* evicts 1 */
  assert_int_equal(atomic_load(&objects[1].references), 0);
  holds(&cache, 3, 3 * (1 + KEY));
  cache_clear(&cache);
}

TEST(bytes_are_bounded) {
  cache cache = CACHE_INITIALIZER(&counted_class, MANY, 1000);
  forget_objects();
  get(&cache, 1, 300 - KEY);
  get(&cache, 2, 300 - KEY);
  get(&cache, 3, 400 - KEY);
  holds(&cache, 3, 1000);
  assert_true(
      get(&cache, 4, 601 - KEY)); /* evicts all, as 601 bytes do not fit beside any of them */
  holds(&cache, 1, 601);
  /* An object larger than the limit evicts nothing. */
  assert_true(get(&cache, 5, 1001 - KEY));
  assert_true(get(&cache, 5, SIZE_MAX));
  holds(&cache, 1, 601);
  assert_false(get(&cache, 4, 0));
  cache_clear(&cache);
}

TEST(tiny_limits_keep_what_fits) {
  static const cache_limits limits[] = {{0, SIZE_MAX}, {MANY, 0}, {0, 0}, {MANY, KEY - 1}};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    cache cache = CACHE_INITIALIZER(&counted_class, limits[i].objects, limits[i].bytes);
    forget_objects();
    assert_true(get(&cache, 1, 0));
    assert_true(get(&cache, 1, 0));
    holds(&cache, 0, 0);
    assert_int_equal(cache_get_counts(&cache).evictions, 2);
  }
  cache one = CACHE_INITIALIZER(&counted_class, 1, KEY);
  forget_objects();
  assert_true(get(&one, 1, 0));
  assert_false(get(&one, 1, 0));
  assert_true(get(&one, 2, 0));
  holds(&one, 1, KEY);
  cache_clear(&one);
}

TEST(changed_limits_apply_at_once) {
  cache cache = CACHE_INITIALIZER(&counted_class, MANY, SIZE_MAX);
  forget_objects();
  for (unsigned i = 0; i < 10; i++)
    get(&cache, i, 100 - KEY);
  cache_set_limits(&cache, (cache_limits){4, SIZE_MAX});
  holds(&cache, 4, 400);
  for (unsigned i = 6; i < 10; i++)
    assert_false(get(&cache, i, 0));
  cache_set_limits(&cache, (cache_limits){4, 250});
  holds(&cache, 2, 200);
  assert_int_equal(cache_get_limits(&cache).bytes, 250);
  assert_false(get(&cache, 8, 0));
  assert_false(get(&cache, 9, 0));
  cache_set_limits(&cache, (cache_limits){0, 0});
  holds(&cache, 0, 0);
}

/* A caller's reference keeps an object alive after the cache released it. */
TEST(objects_outlive_the_cache) {
  cache cache = CACHE_INITIALIZER(&counted_class, 1, SIZE_MAX);
  forget_objects();
  cache_key_writer writer;
  const cache_key key = number_key(&writer, 1, KEY);
  build_order order = {&objects[1], 1, SPECPI_SUCCESS, 0};
  void *object;
  assert_int_equal(cache_get(&cache, &key, build_ordered, &order, &object), SPECPI_SUCCESS);
  cache_clear(&cache);
  assert_int_equal(atomic_load(&objects[1].references), 1);
  counted_release(object);
}

TEST(failures_are_not_kept) {
  cache cache = CACHE_INITIALIZER(&counted_class, MANY, SIZE_MAX);
  forget_objects();
  cache_key_writer writer;
  const cache_key key = number_key(&writer, 1, KEY);
  build_order order = {&objects[1], 1, SPECPI_ERROR_INVALID_IMAGE, 0};
  void *object = &order;
  assert_int_equal(cache_get(&cache, &key, build_ordered, &order, &object),
                   SPECPI_ERROR_INVALID_IMAGE);
  assert_string_equal(specpiGetLastError(), "build 1 failed");
  assert_ptr_equal(object, &order);
  assert_int_equal(cache_get(&cache, &key, build_ordered, &order, &object),
                   SPECPI_ERROR_INVALID_IMAGE);
  assert_string_equal(specpiGetLastError(), "build 2 failed");
  const cache_counts counts = cache_get_counts(&cache);
  assert_int_equal(counts.failures, 2);
  assert_int_equal(counts.misses, 2);
  holds(&cache, 0, 0);
  assert_true(get(&cache, 1, 1));
  cache_clear(&cache);
}

/* Data of a build that gets another key, and clears the cache if `clears`. */
typedef struct nested {
  cache *cache;
  bool clears;
} nested;

static int build_nested(void *data, void **object, size_t *bytes) {
  const nested *order = data;
  assert_true(get(order->cache, 1, 1));
  if (order->clears)
    cache_clear(order->cache);
  counted_retain(&objects[2]);
  *object = &objects[2];
  *bytes = 1;
  return SPECPI_SUCCESS;
}

TEST(builds_use_the_cache) {
  cache cache = CACHE_INITIALIZER(&counted_class, MANY, SIZE_MAX);
  for (int clears = 0; clears < 2; clears++) {
    forget_objects();
    cache_key_writer writer;
    const cache_key key = number_key(&writer, 2, KEY);
    nested order = {&cache, clears};
    void *object;
    assert_int_equal(cache_get(&cache, &key, build_nested, &order, &object), SPECPI_SUCCESS);
    counted_release(object);
    /* The cache does not keep a build that started before a clear. */
    if (clears)
      holds(&cache, 0, 0);
    else
      holds(&cache, 2, 2 * (1 + KEY));
    assert_int_equal(get(&cache, 2, 1), clears);
    cache_clear(&cache);
  }
}

TEST(hits_allocate_nothing) {
  cache cache = CACHE_INITIALIZER(&counted_class, MANY, SIZE_MAX);
  forget_objects();
  get(&cache, 1, 1);
  memory_watch(MEMORY_NEVER);
  const bool built = get(&cache, 1, 1);
  const memory_use use = memory_unwatch();
  assert_false(built);
  assert_int_equal(use.calls, 0);
  cache_clear(&cache);
}

TEST(a_failed_allocation_leaks_nothing) {
  bool failed = true;
  for (long fail = 0; failed; fail++) {
    cache cache = CACHE_INITIALIZER(&counted_class, MANY, SIZE_MAX);
    forget_objects();
    /* The next entry makes the table grow. If that allocation fails, the table stays as it is. */
    for (unsigned i = 0; i < CACHE_FIRST_PLACES; i++)
      get(&cache, i, 1);
    cache_key_writer writer;
    const cache_key key = number_key(&writer, MANY - 1, KEY);
    build_order order = {&objects[MANY - 1], 1, SPECPI_SUCCESS, 0};
    void *object = NULL;
    memory_watch(fail);
    const int result = cache_get(&cache, &key, build_ordered, &order, &object);
    if (result == SPECPI_SUCCESS)
      counted_release(object);
    cache_clear(&cache);
    const memory_use use = memory_unwatch();
    failed = use.failed;
    if (result != SPECPI_SUCCESS) {
      assert_true(failed);
      assert_int_equal(result, SPECPI_ERROR_OUT_OF_MEMORY);
      assert_string_equal(specpiGetLastError(), "an allocation failed");
      assert_null(object);
      assert_int_equal(atomic_load(&order.built), 0);
    }
    holds(&cache, 0, 0);
    /* Clearing freed the entries that were allocated before the watch. */
    assert_int_equal(use.held, -CACHE_FIRST_PLACES);
    assert_true(fail < 100);
  }
}
