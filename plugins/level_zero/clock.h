/*
 * The clock of a device. The device determines the length of a tick and the number of bits after
 * which ticks wrap; kernel timestamps may wrap after fewer bits. PI's times are nanoseconds that
 * never wrap. The plugin therefore counts ticks from its first reading, finds the number of wraps
 * with the host's clock, and converts the sum to nanoseconds.
 *
 * The functions without a device argument are pure arithmetic and have unit tests.
 */
#ifndef LEVEL_ZERO_CLOCK_H
#define LEVEL_ZERO_CLOCK_H

#include <pi/pi.h>

typedef struct level_zero_clock {
  pi_uint64 resolution; /* ticks per second or nanoseconds per tick; never 0 */
  bool is_frequency;    /* resolution is in ticks per second: drivers since version 1.2 */
  unsigned bits;        /* valid bits of the device's timestamps, 1 to 64 */
  unsigned kernel_bits; /* valid bits of kernel timestamps, 1 to 64 */
} level_zero_clock;

/* Both clocks at one moment. */
typedef struct clock_reading {
  pi_uint64 ticks; /* device time in ticks */
  pi_uint64 host;  /* host time in nanoseconds */
} clock_reading;

/* Converts ticks to nanoseconds, rounded down. Exact for every result that fits 64 bits. */
pi_uint64 clock_nanoseconds(const level_zero_clock *clock, pi_uint64 ticks);

/* Converts nanoseconds to ticks, rounded down. */
pi_uint64 clock_ticks(const level_zero_clock *clock, pi_uint64 nanoseconds);

/* Returns PI's timer resolution: nanoseconds per tick, at least 1. */
pi_uint64 clock_resolution(const level_zero_clock *clock);

/* Returns the ticks from start to end, two timestamps of this many bits. There is at most one wrap
 * between them. */
pi_uint64 clock_elapsed(pi_uint64 start, pi_uint64 end, unsigned bits);

/*
 * Returns the ticks of a reading with the wraps since an origin added. The host time that has
 * passed since the origin gives the number of wraps; host time that goes backwards counts as 0. The
 * origin's ticks are taken unchanged.
 */
pi_uint64 clock_unwrap(const level_zero_clock *clock, clock_reading origin, clock_reading now);

/*
 * Returns the unwrapped ticks of a timestamp of this many bits. The timestamp was taken at or
 * before now (unwrapped ticks), and less than one wrap of its bits earlier. So the caller reads now
 * after the timed command has ended.
 */
pi_uint64 clock_before(pi_uint64 now, pi_uint64 timestamp, unsigned bits);

/*
 * Reads both clocks at one moment: the device's in unwrapped ticks, the host's in nanoseconds. Safe
 * from any thread. The outputs never go backwards unless the driver's do.
 *
 * PI_ERROR_INVALID_OPERATION: the loader or the driver has no zeDeviceGetGlobalTimestamps. Other
 * errors are mapped from the driver's.
 */
pi_result clock_read(pi_device device, clock_reading *ret);

#endif
