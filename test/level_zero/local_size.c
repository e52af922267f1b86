/* The choice of a work-group size where the driver's suggestion does not help. */
#include "../unit/check.h"

#include "../../plugins/level_zero/local_size.h"

#include <string.h>

static const uint32_t limits[3] = {256, 256, 64};

#define SIZE(x, y, z) ((const size_t[3]){(x), (y), (z)})
#define LOCAL(x, y, z) ((const uint32_t[3]){(x), (y), (z)})

static void fits(void **state) {
  (void)state;
  assert_true(local_size_fits(SIZE(64, 4, 2), LOCAL(32, 4, 2), 256, limits));
  assert_false(local_size_fits(SIZE(64, 4, 2), LOCAL(32, 4, 2), 255, limits));
  assert_false(local_size_fits(SIZE(64, 4, 2), LOCAL(0, 4, 2), 256, limits));
  assert_false(local_size_fits(SIZE(64, 4, 2), LOCAL(48, 1, 1), 256, limits));
  assert_false(local_size_fits(SIZE(512, 1, 1), LOCAL(512, 1, 1), 1024, limits));
  assert_false(local_size_fits(SIZE(1, 1, 128), LOCAL(1, 1, 128), 1024, limits));
}

static void check_choice(const size_t global[3], size_t items, uint32_t multiple,
                         const uint32_t want[3]) {
  uint32_t local[3];
  local_size_choose(global, items, limits, multiple, local);
  assert_memory_equal(local, want, sizeof local);
  assert_true(local_size_fits(global, local, items, limits));
}

static void choice(void **state) {
  (void)state;
  check_choice(SIZE(1, 1, 1), 256, 16, LOCAL(1, 1, 1));
  check_choice(SIZE(1024, 1, 1), 256, 16, LOCAL(256, 1, 1));
  check_choice(SIZE(48, 48, 1), 256, 16, LOCAL(48, 4, 1));
  check_choice(SIZE(97, 1, 1), 256, 16, LOCAL(97, 1, 1));
  check_choice(SIZE(251 * 257, 1, 1), 256, 16, LOCAL(251, 1, 1));
  check_choice(SIZE(1, 1, 1000), 1024, 16, LOCAL(1, 1, 50));
  /* 96 is a multiple of 32, 160 is larger and is not preferred to 160, which is one, too. */
  check_choice(SIZE(480, 1, 1), 256, 32, LOCAL(160, 1, 1));
  check_choice(SIZE(240, 1, 1), 256, 16, LOCAL(240, 1, 1));
  check_choice(SIZE(720, 1, 1), 256, 16, LOCAL(240, 1, 1));
  check_choice(SIZE((size_t)1 << 40, 1, 1), 256, 16, LOCAL(256, 1, 1));
}

static void memory_of_choices(void **state) {
  (void)state;
  local_size_cache cache = {0};
  uint32_t local[3];
  assert_false(local_size_find(&cache, SIZE(0, 0, 0), local));
  for (uint32_t i = 1; i <= 100; i++) {
    local_size_add(&cache, SIZE(i, 1, 1), LOCAL(i, 1, 1));
    assert_true(local_size_find(&cache, SIZE(i, 1, 1), local));
    assert_int_equal(local[0], i);
    assert_false(local_size_find(&cache, SIZE(i + 1, 1, 1), local));
    assert_false(local_size_find(&cache, SIZE(1, i + 1, 1), local));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fits),
      cmocka_unit_test(choice),
      cmocka_unit_test(memory_of_choices),
  };
  return cmocka_run_group_tests_name("level_zero.local_size", tests, NULL, NULL);
}
