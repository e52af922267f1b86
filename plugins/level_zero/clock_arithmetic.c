#include "clock.h"

enum { NANOSECONDS = 1000000000 };

static pi_uint64 mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : ((pi_uint64)1 << bits) - 1;
}

/* Holds the product of two 64-bit numbers. */
__extension__ typedef unsigned __int128 wide;

static pi_uint64 scale(pi_uint64 a, pi_uint64 b, pi_uint64 c) {
  return (pi_uint64)((wide)a * b / c);
}

pi_uint64 clock_nanoseconds(const level_zero_clock *clock, pi_uint64 ticks) {
  return clock->is_frequency ? scale(ticks, NANOSECONDS, clock->resolution)
                             : ticks * clock->resolution;
}

pi_uint64 clock_ticks(const level_zero_clock *clock, pi_uint64 nanoseconds) {
  return clock->is_frequency ? scale(nanoseconds, clock->resolution, NANOSECONDS)
                             : nanoseconds / clock->resolution;
}

pi_uint64 clock_resolution(const level_zero_clock *clock) {
  if (!clock->is_frequency)
    return clock->resolution;
  const pi_uint64 nanoseconds = NANOSECONDS / clock->resolution;
  return nanoseconds ? nanoseconds : 1;
}

pi_uint64 clock_elapsed(pi_uint64 start, pi_uint64 end, unsigned bits) {
  return (end - start) & mask(bits);
}

pi_uint64 clock_unwrap(const level_zero_clock *clock, clock_reading origin, clock_reading now) {
  const pi_uint64 elapsed = clock_elapsed(origin.ticks, now.ticks, clock->bits);
  if (clock->bits >= 64)
    return origin.ticks + elapsed;
  const pi_uint64 host = now.host > origin.host ? now.host - origin.host : 0;
  const pi_uint64 expected = clock_ticks(clock, host);
  const pi_uint64 wrap = mask(clock->bits) + 1;
  /* Rounds to the nearest number of wraps, because the two clocks drift apart. */
  const pi_uint64 wraps =
      expected > elapsed ? (expected - elapsed) / wrap + ((expected - elapsed) % wrap > wrap / 2)
                         : 0;
  return origin.ticks + elapsed + wraps * wrap;
}

pi_uint64 clock_before(pi_uint64 now, pi_uint64 timestamp, unsigned bits) {
  const pi_uint64 ago = clock_elapsed(timestamp, now, bits);
  return ago <= now ? now - ago : 0;
}
