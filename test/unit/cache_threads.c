/* One cache, many threads: each key is built once, and all waiting threads get the result. */
#define _POSIX_C_SOURCE 200809L /* nanosleep, pthread_barrier_t, strdup */
#include "cache_check.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { THREADS = 8, ROUNDS = 200, KEYS = 16 };

static cache shared = CACHE_INITIALIZER(&counted_class, KEYS, SIZE_MAX);
static counted objects[KEYS];
static pthread_barrier_t start;
static atomic_int builds, wrong, waiting_for_failure;

static void nap(void) {
  nanosleep(&(struct timespec){0, 200000}, NULL);
}

/* Builds slowly, so that the other threads wait for it. */
static int build_slowly(void *data, void **object, size_t *bytes) {
  atomic_fetch_add(&builds, 1);
  nap();
  counted_retain(data);
  *object = data;
  *bytes = 1;
  return SPECPI_SUCCESS;
}

static void expect(bool condition) {
  if (!condition)
    atomic_fetch_add(&wrong, 1);
}

static void run(void *(*work)(void *)) {
  atomic_store(&builds, 0);
  atomic_store(&wrong, 0);
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  pthread_t threads[THREADS];
  static uintptr_t numbers[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    numbers[i] = i;
    assert_int_equal(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  pthread_barrier_destroy(&start);
  assert_int_equal(atomic_load(&wrong), 0);
}

static void *all_ask_for_one(void *argument) {
  (void)argument;
  for (unsigned round = 0; round < ROUNDS; round++) {
    cache_key_writer writer;
    const cache_key key = number_key(&writer, round, 8);
    void *object = NULL;
    pthread_barrier_wait(&start);
    expect(cache_get(&shared, &key, build_slowly, &objects[round % KEYS], &object) ==
           SPECPI_SUCCESS);
    expect(object == &objects[round % KEYS]);
    if (object)
      counted_release(object);
    /* The cache holds KEYS objects, so that the slowest thread still finds this round's. */
    pthread_barrier_wait(&start);
  }
  return NULL;
}

TEST(each_key_is_built_once) {
  const cache_counts before = cache_get_counts(&shared);
  run(all_ask_for_one);
  assert_int_equal(atomic_load(&builds), ROUNDS);
  const cache_counts after = cache_get_counts(&shared);
  assert_int_equal(after.misses - before.misses, ROUNDS);
  assert_int_equal(after.hits - before.hits + after.shared - before.shared, ROUNDS * (THREADS - 1));
  assert_true(after.shared > before.shared);
  cache_clear(&shared);
  for (int i = 0; i < KEYS; i++)
    assert_int_equal(atomic_load(&objects[i].references), 0);
}

/* Fails once all other threads wait for it. */
static int build_failing(void *data, void **object, size_t *bytes) {
  (void)object;
  (void)bytes;
  const int number = atomic_fetch_add(&builds, 1);
  for (int i = 0; i < 50000 && atomic_load(&waiting_for_failure) < THREADS; i++)
    nap();
  nap();
  build_log_keep(strdup("what the compiler said"));
  return error_set(SPECPI_ERROR_BUILD_FAILED, "failure %d of round %u", number,
                   *(const unsigned *)data);
}

static void *all_ask_for_failure(void *argument) {
  (void)argument;
  cache_key_writer writer;
  unsigned round = 7;
  const cache_key key = number_key(&writer, 12345, 8);
  void *object = NULL;
  pthread_barrier_wait(&start);
  atomic_fetch_add(&waiting_for_failure, 1);
  expect(cache_get(&shared, &key, build_failing, &round, &object) == SPECPI_ERROR_BUILD_FAILED);
  expect(object == NULL);
  expect(strcmp(specpiGetBuildLog(), "what the compiler said") == 0);
  /* A thread that comes late starts another build, so that the number varies. */
  const char *sentence = specpiGetLastError();
  expect(strncmp(sentence, "failure ", 8) == 0 && strstr(sentence, " of round 7"));
  return NULL;
}

TEST(all_get_the_failure) {
  const cache_counts before = cache_get_counts(&shared);
  run(all_ask_for_failure);
  const cache_counts after = cache_get_counts(&shared);
  assert_int_equal(after.failures - before.failures, atomic_load(&builds));
  assert_int_equal(after.misses - before.misses + after.shared - before.shared, THREADS);
  assert_int_equal(after.objects, 0);
}

/* Gets, clears and changes the limits at once, in a cache that is too small. */
static void *mix(void *argument) {
  const uintptr_t number = *(const uintptr_t *)argument;
  for (unsigned round = 0; round < 20 * ROUNDS; round++) {
    const unsigned which = (round * 7 + (unsigned)number * 3) % KEYS;
    cache_key_writer writer;
    const cache_key key = number_key(&writer, which, 8);
    void *object = NULL;
    expect(cache_get(&shared, &key, build_slowly, &objects[which], &object) == SPECPI_SUCCESS);
    expect(object == &objects[which]);
    if (object)
      counted_release(object);
    if (round % 64 == 0 && number == 0)
      cache_clear(&shared);
    if (round % 64 == 32 && number == 1)
      cache_set_limits(&shared, (cache_limits){round % 128 == 32 ? 4 : KEYS, SIZE_MAX});
  }
  return NULL;
}

TEST(mixed_calls_keep_the_cache_right) {
  run(mix);
  cache_clear(&shared);
  for (int i = 0; i < KEYS; i++)
    assert_int_equal(atomic_load(&objects[i].references), 0);
  const cache_counts counts = cache_get_counts(&shared);
  assert_int_equal(counts.objects, 0);
  assert_int_equal(counts.bytes, 0);
}
