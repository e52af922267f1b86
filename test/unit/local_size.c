/* Sizes of work-groups: refused sizes, the choice if the caller gives none, and the cache of
 * choices. */
#include "../../plugins/checks/launch.h"

#include "check.h"

#include <pthread.h>

static const kernel_limits device = {.max_group = {1024, 1024, 64},
                                     .max_groups = {INT32_MAX, 65535, 65535},
                                     .max_items = 1024,
                                     .max_device_items = 1024,
                                     .preferred_multiple = 32};

static kernel_limits with_items(size_t items) {
  kernel_limits limits = device;
  limits.max_items = items;
  return limits;
}

/* Codes and messages for groups that the device above does not allow. */
TEST(impossible_groups_are_refused) {
#define CHECK(code, sentence, g0, g1, g2, ...)                                                     \
  do {                                                                                             \
    const size_t global[3] = {g0, g1, g2};                                                         \
    const size_t local[3] = {__VA_ARGS__};                                                         \
    launch_range range;                                                                            \
    launch_groups groups;                                                                          \
    launch_range_set(&range, 3, NULL, global, local);                                              \
    assert_false(launch_make_groups(&device, &range, &groups));                                    \
    assert_failure(launch_check_groups("k", &device, &range), code, sentence);                     \
  } while (0)
  CHECK(PI_ERROR_INVALID_WORK_GROUP_SIZE, "local_work_size is 8x0x1: entry 1 is 0", 8, 8, 1, 8, 0,
        1);
  /* The limit of a dimension is checked before the limit of the whole group. */
  CHECK(PI_ERROR_INVALID_WORK_ITEM_SIZE,
        "local_work_size is 2048x2048x1: entry 0 exceeds the device's maximum of 1024", 2048, 2048,
        1, 2048, 2048, 1);
  CHECK(PI_ERROR_INVALID_WORK_GROUP_SIZE,
        "local_work_size is 1024x2x1 = 2048 work-items, kernel k can have 1024 on this device, "
        "whose maximum is 1024",
        1024, 2, 1, 1024, 2, 1);
  CHECK(PI_ERROR_INVALID_WORK_GROUP_SIZE,
        "local_work_size is 3x1x1, which does not divide global_work_size 8x1x1 in entry 0: all "
        "work-groups have one size",
        8, 1, 1, 3, 1, 1);
  CHECK(PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
        "global_work_size 1x1x65536 in work-groups of 1x1x1 has 65536 groups in entry 2, the "
        "device's maximum is 65535",
        1, 1, 65536, 1, 1, 1);
#undef CHECK
}

static bool fits_in(size_t items, size_t x, size_t y, size_t z, pi_uint32 a, pi_uint32 b,
                    pi_uint32 c) {
  const kernel_limits limits = with_items(items);
  return local_size_fits(&limits, (const size_t[3]){x, y, z}, (const pi_uint32[3]){a, b, c});
}

TEST(only_groups_within_the_limits_fit) {
  assert_true(fits_in(256, 64, 4, 2, 32, 4, 2));
  assert_false(fits_in(255, 64, 4, 2, 32, 4, 2));
  assert_false(fits_in(256, 64, 4, 2, 0, 4, 2));
  assert_false(fits_in(256, 64, 4, 2, 48, 1, 1));
  assert_false(fits_in(4096, 2048, 1, 1, 2048, 1, 1));
  assert_false(fits_in(1024, 1, 1, 128, 1, 1, 128));
  assert_false(fits_in(1024, 1, 65536, 1, 1, 1, 1));
}

/* X(global size, threads, preferred, expected local size). */
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

TEST(the_expected_sizes_are_chosen) {
#define CHECK(g0, g1, g2, threads, preferred, l0, l1, l2)                                          \
  do {                                                                                             \
    const size_t global[3] = {g0, g1, g2};                                                         \
    pi_uint32 local[3] = {0, 0, 0};                                                                \
    const kernel_limits limits = with_items(threads);                                              \
    const bool found = local_size_choose(&limits, global, preferred, local);                       \
    assert_true(found);                                                                            \
    assert_int_equal(local[0], l0);                                                                \
    assert_int_equal(local[1], l1);                                                                \
    assert_int_equal(local[2], l2);                                                                \
  } while (0);
  CHOICES(CHECK)
#undef CHECK
  const size_t prime[3] = {1, 65537, 1};
  pi_uint32 local[3];
  assert_false(local_size_choose(&device, prime, 1024, local));
}

/* A chosen size divides the range and fits. */
TEST(a_chosen_size_divides_the_range) {
  for (size_t x = 1; x <= 200; x++)
    for (size_t y = 1; y <= 40; y += 3) {
      const size_t global[3] = {x, y, x % 5 + 1};
      pi_uint32 local[3];
      assert_true(local_size_choose(&device, global, 300, local));
      assert_true(local[0] * local[1] * local[2] <= 300);
      for (int i = 0; i < 3; i++)
        assert_int_equal(global[i] % local[i], 0);
    }
}

TEST(a_choice_is_found_for_its_range) {
  static local_size_cache cache;
  pi_uint32 local[3];
  const size_t global[3] = {640, 480, 1};
  const pi_uint32 chosen[3] = {32, 8, 1};
  assert_false(local_size_find(&cache, global, 0, local));
  local_size_add(&cache, global, 0, chosen);
  assert_true(local_size_find(&cache, global, 0, local));
  assert_memory_equal(local, chosen, sizeof chosen);
  assert_false(local_size_find(&cache, global, 16, local));
  const size_t other[3] = {640, 481, 1};
  assert_false(local_size_find(&cache, other, 0, local));
}

/* Threads add and find choices in the same entries. A found choice belongs to its range. */
static local_size_cache shared;

static void *use_cache(void *data) {
  const size_t first = (size_t)(uintptr_t)data;
  bool right = true;
  for (size_t i = 0; i < 20000; i++) {
    const size_t global[3] = {first + i % 16, 2, 3};
    const pi_uint32 mine[3] = {(pi_uint32)global[0], 2, 3};
    pi_uint32 local[3];
    if (local_size_find(&shared, global, 0, local))
      right = right && local[0] == global[0] && local[1] == 2 && local[2] == 3;
    else
      local_size_add(&shared, global, 0, mine);
  }
  return right ? data : NULL;
}

TEST(threads_find_only_choices_for_their_range) {
  pthread_t list[4];
  for (uintptr_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&list[i], NULL, use_cache, (void *)(i + 1)), 0);
  for (uintptr_t i = 0; i < 4; i++) {
    void *result = NULL;
    assert_int_equal(pthread_join(list[i], &result), 0);
    assert_ptr_equal(result, (void *)(i + 1));
  }
}
