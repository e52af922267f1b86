/*
 * The clock of a device. Its ticks have a length of the device's own and wrap after some number of
 * bits, another one for the timestamps of kernels; PI's times are nanoseconds that only grow. So
 * ticks are counted on from a first reading, by help of the host's clock, and then converted.
 *
 * The functions without a device are pure arithmetic, and are tested as such.
 */
#ifndef LEVEL_ZERO_CLOCK_H
#define LEVEL_ZERO_CLOCK_H

#include <pi/pi.h>

typedef struct level_zero_clock {
  pi_uint64 resolution; /* ticks in a second, or nanoseconds of a tick; never 0 */
  bool is_frequency;    /* resolution is the former: drivers since version 1.2 */
  unsigned bits;        /* of the device's timestamps that count, 1 to 64 */
  unsigned kernel_bits; /* the same of kernels' timestamps */
} level_zero_clock;

/* Both clocks at one moment. */
typedef struct clock_reading {
  pi_uint64 ticks; /* of the device */
  pi_uint64 host;  /* nanoseconds */
} clock_reading;

/* Nanoseconds of so many ticks, rounded down; exact for all that 64 bits of nanoseconds hold. */
pi_uint64 clock_nanoseconds(const level_zero_clock *clock, pi_uint64 ticks);

/* The ticks of so many nanoseconds, rounded down. */
pi_uint64 clock_ticks(const level_zero_clock *clock, pi_uint64 nanoseconds);

/* The nanoseconds from one tick to the next, at least 1: PI's resolution of a timer. */
pi_uint64 clock_resolution(const level_zero_clock *clock);

/* The ticks from start to end where both have this many bits and at most one wrap lies between. */
pi_uint64 clock_elapsed(pi_uint64 start, pi_uint64 end, unsigned bits);

/*
 * The ticks of a reading whose ticks wrap, counted on from an origin: what has passed on the host
 * tells how often they wrapped since. The origin's ticks are taken as they are; host times that go
 * backwards count as no time.
 */
pi_uint64 clock_unwrap(const level_zero_clock *clock, clock_reading origin, clock_reading now);

/*
 * The unwrapped ticks of a timestamp of this many bits, which was taken at or before now (unwrapped
 * ticks) and less than one wrap of its bits ago. So now is read after what is asked about ended.
 */
pi_uint64 clock_before(pi_uint64 now, pi_uint64 timestamp, unsigned bits);

/*
 * Reads both clocks of a device: unwrapped ticks, and the host's nanoseconds. Any thread. Outputs
 * never go back from call to call, as far as the driver's do not.
 *
 * PI_ERROR_INVALID_OPERATION: the loader or the driver has no zeDeviceGetGlobalTimestamps. Else
 * what the driver's failures are mapped to.
 */
pi_result clock_read(pi_device device, clock_reading *ret);

#endif
