/* The work-group size that is chosen where none is given, and the memory of choices. */
#include "../../plugins/cuda/local_size.h"

#include "../unit/check.h"

#include <pthread.h>

static const struct pi_device_object device = {.driver.max_block_x = 1024,
                                               .driver.max_block_y = 1024,
                                               .driver.max_block_z = 64,
                                               .driver.max_grid_x = INT32_MAX,
                                               .driver.max_grid_y = 65535,
                                               .driver.max_grid_z = 65535,
                                               .driver.warp_size = 32};

/* X(global, threads, preferred, local that is expected). */
#define CHOICES(X)                                                                                 \
  X(1, 1, 1, 1024, 1024, 1, 1, 1)                                                                  \
  X(1024, 1, 1, 1024, 1024, 1024, 1, 1)                                                            \
  X(4096, 4096, 1, 1024, 256, 256, 1, 1)                                                           \
  X(1000, 1, 1, 1024, 1024, 1000, 1, 1)                                                            \
  X(1009, 1, 1, 1024, 1024, 1009, 1, 1)                                                            \
  X(1031, 1, 1, 1024, 1024, 1, 1, 1)                                                               \
  X(37 * 32, 1, 1, 1024, 1024, 592, 1, 1)                                                          \
  X(7, 64, 1, 1024, 1024, 7, 64, 1)                                                                \
  X(3, 3, 3, 1024, 1024, 3, 3, 3)                                                                  \
  X(1, 131072, 1, 1024, 1024, 1, 1024, 1)                                                          \
  X(1, 1, 128, 1024, 1024, 1, 1, 64)                                                               \
  X(1, 65536, 1, 1024, 1, 1, 1024, 1)                                                              \
  X(96, 1, 1, 64, 1024, 48, 1, 1)

static void choices(void **state) {
  (void)state;
#define CHECK(g0, g1, g2, threads, preferred, l0, l1, l2)                                          \
  do {                                                                                             \
    const size_t global[3] = {g0, g1, g2};                                                         \
    unsigned local[3] = {0, 0, 0};                                                                 \
    const bool found = local_size_choose(&device, global, threads, preferred, local);              \
    assert_true(found);                                                                            \
    assert_int_equal(local[0], l0);                                                                \
    assert_int_equal(local[1], l1);                                                                \
    assert_int_equal(local[2], l2);                                                                \
  } while (0);
  CHOICES(CHECK)
#undef CHECK
  const size_t prime[3] = {1, 65537, 1};
  unsigned local[3];
  assert_false(local_size_choose(&device, prime, 1024, 1024, local));
}

/* Whatever is chosen divides the range and fits. */
static void all_ranges(void **state) {
  (void)state;
  for (size_t x = 1; x <= 200; x++)
    for (size_t y = 1; y <= 40; y += 3) {
      const size_t global[3] = {x, y, x % 5 + 1};
      unsigned local[3];
      assert_true(local_size_choose(&device, global, 512, 300, local));
      assert_true(local[0] * local[1] * local[2] <= 300);
      for (int i = 0; i < 3; i++)
        assert_int_equal(global[i] % local[i], 0);
    }
}

static void remembered(void **state) {
  (void)state;
  static local_size_cache cache;
  unsigned local[3];
  const size_t global[3] = {640, 480, 1};
  const unsigned chosen[3] = {32, 8, 1};
  assert_false(local_size_find(&cache, global, 0, local));
  local_size_add(&cache, global, 0, chosen);
  assert_true(local_size_find(&cache, global, 0, local));
  assert_memory_equal(local, chosen, sizeof chosen);
  assert_false(local_size_find(&cache, global, 16, local));
  const size_t other[3] = {640, 481, 1};
  assert_false(local_size_find(&cache, other, 0, local));
}

/* Threads that add and find at the same places: what is found is what was added for that range. */
static local_size_cache shared;

static void *use_cache(void *data) {
  const size_t first = (size_t)(uintptr_t)data;
  bool right = true;
  for (size_t i = 0; i < 20000; i++) {
    const size_t global[3] = {first + i % 16, 2, 3};
    const unsigned mine[3] = {(unsigned)global[0], 2, 3};
    unsigned local[3];
    if (local_size_find(&shared, global, 0, local))
      right = right && local[0] == global[0] && local[1] == 2 && local[2] == 3;
    else
      local_size_add(&shared, global, 0, mine);
  }
  return right ? data : NULL;
}

static void threads(void **state) {
  (void)state;
  pthread_t list[4];
  for (uintptr_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&list[i], NULL, use_cache, (void *)(i + 1)), 0);
  for (uintptr_t i = 0; i < 4; i++) {
    void *result = NULL;
    assert_int_equal(pthread_join(list[i], &result), 0);
    assert_ptr_equal(result, (void *)(i + 1));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choices),
      cmocka_unit_test(all_ranges),
      cmocka_unit_test(remembered),
      cmocka_unit_test(threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
