/* The arithmetic of a device's clock. */
#include "check.h"

#include "../../plugins/level_zero/clock.h"

static const level_zero_clock in_cycles = {19200000, true, 36, 32};
static const level_zero_clock in_nanoseconds = {52, false, 36, 32};
static const level_zero_clock wide = {1000000000, true, 64, 64};

TEST(ticks_become_nanoseconds) {
  assert_int_equal(clock_nanoseconds(&in_nanoseconds, 1000), 52000);
  assert_int_equal(clock_nanoseconds(&in_cycles, 19200000), 1000000000);
  assert_int_equal(clock_nanoseconds(&in_cycles, 1), 52);
  assert_int_equal(clock_nanoseconds(&in_cycles, 96), 5000);
  /* The product needs more than 64 bits, but the result does not. */
  assert_true(clock_nanoseconds(&in_cycles, UINT64_C(19200000) * 3600 * 24 * 365) ==
              UINT64_C(1000000000) * 3600 * 24 * 365);
  assert_true(clock_nanoseconds(&wide, UINT64_MAX) == UINT64_MAX);
}

TEST(nanoseconds_become_ticks) {
  assert_int_equal(clock_ticks(&in_nanoseconds, 52000), 1000);
  assert_int_equal(clock_ticks(&in_cycles, 1000000000), 19200000);
  assert_true(clock_ticks(&wide, UINT64_MAX) == UINT64_MAX);
}

TEST(the_resolution_is_the_length_of_a_tick) {
  const level_zero_clock fast = {UINT64_C(4000000000), true, 64, 64};
  assert_int_equal(clock_resolution(&in_nanoseconds), 52);
  assert_int_equal(clock_resolution(&in_cycles), 52);
  assert_int_equal(clock_resolution(&fast), 1);
}

TEST(elapsed_ticks_are_right_across_a_wrap) {
  assert_int_equal(clock_elapsed(10, 25, 32), 15);
  assert_int_equal(clock_elapsed(UINT64_C(0xfffffff0), 0x10, 32), 0x20);
  assert_int_equal(clock_elapsed(UINT64_MAX, 1, 64), 2);
  /* Bits above the valid ones are ignored. */
  assert_int_equal(clock_elapsed(UINT64_C(0xabc00000005), 9, 32), 4);
  assert_int_equal(clock_elapsed(1, 0, 1), 1);
}

TEST(the_hosts_clock_counts_the_wraps) {
  const pi_uint64 wrap = UINT64_C(1) << 36;
  const clock_reading origin = {wrap - 1000, 5000};
  clock_reading now = {wrap - 900, 5000 + 5200};
  assert_true(clock_unwrap(&in_cycles, origin, now) == wrap - 900);
  /* The counter wrapped once. */
  now.ticks = 200;
  assert_true(clock_unwrap(&in_cycles, origin, now) == wrap + 200);
  /* The same ticks three wraps later. */
  now.host = origin.host + clock_nanoseconds(&in_cycles, 1200 + 3 * wrap);
  assert_true(clock_unwrap(&in_cycles, origin, now) == 4 * wrap + 200);
  /* The host's clock may be a little fast or slow. */
  now.host += 40000000;
  assert_true(clock_unwrap(&in_cycles, origin, now) == 4 * wrap + 200);
  now.host -= 80000000;
  assert_true(clock_unwrap(&in_cycles, origin, now) == 4 * wrap + 200);
  /* If the host's clock went back, the fewest possible wraps are assumed. */
  now.host = 0;
  assert_true(clock_unwrap(&in_cycles, origin, now) == wrap + 200);
  /* 64 bits never wrap in practice. */
  now = (clock_reading){77, 1};
  assert_true(clock_unwrap(&wide, (clock_reading){50, 0}, now) == 77);
}

/* Time never goes back, however far apart two readings are. */
TEST(unwrapped_time_never_goes_back) {
  const clock_reading origin = {12345, 999};
  pi_uint64 before = origin.ticks;
  pi_uint64 total = origin.ticks;
  for (pi_uint64 step = 1; step < UINT64_C(1) << 40; step = step * 3 + 1) {
    total += step;
    const clock_reading now = {total & ((UINT64_C(1) << 36) - 1),
                               origin.host + clock_nanoseconds(&in_cycles, total - origin.ticks)};
    const pi_uint64 got = clock_unwrap(&in_cycles, origin, now);
    assert_true(got == total);
    assert_true(got > before);
    before = got;
  }
}

TEST(earlier_ticks_are_right_across_a_wrap) {
  const pi_uint64 now = (UINT64_C(5) << 32) + 100;
  assert_true(clock_before(now, 100, 32) == now);
  assert_true(clock_before(now, 60, 32) == now - 40);
  /* The kernel's time stamp is from before the latest wrap of its bits. */
  assert_true(clock_before(now, UINT64_C(0xffffffff), 32) == now - 101);
  assert_true(clock_before(now, now - 7, 64) == now - 7);
  /* The result is never negative. */
  assert_true(clock_before(50, 60, 32) == 0);
}
