/*
 * A clock of the device in nanoseconds. CUDA has no device clock that can be read, only the time
 * between two events. So a clock records an event, its origin, when it begins, and reads the host's
 * clock (CLOCK_MONOTONIC) at the same time. The device's time of a later event is that host time
 * plus CUDA's time between the origin and the event.
 *
 * Accuracy: the host time of the origin is uncertain by half the time that recording an event
 * takes, some microseconds. CUDA reports the time between events in milliseconds as a float, whose
 * resolution is 60 ns after a second, 4 us after a minute and 0.25 ms after an hour. So a short
 * interval between two late events should be taken from cuEventElapsedTime. The clocks of device
 * and host drift apart. The later of two events never has the smaller time.
 */
#ifndef CUDA_CLOCK_H
#define CUDA_CLOCK_H

#include "cuda.h"

typedef struct cuda_clock {
  CUstream stream; /* never waits for another stream */
  CUevent origin;
  pi_uint64 origin_time; /* of the origin: nanoseconds of CLOCK_MONOTONIC */
} cuda_clock;

/* Returns the host's time now: nanoseconds of CLOCK_MONOTONIC. */
pi_uint64 clock_host(void);

/* Begins a clock in the current context; *ret is untouched on failure. */
pi_result clock_begin(cuda_clock *ret);

/* Frees the parts of a clock; its context is current. */
void clock_end(cuda_clock *clock);

/*
 * Returns the time of an event of the clock's context that was made with timing and is complete.
 * Any thread may call it, without a lock.
 */
pi_result clock_time(const cuda_clock *clock, CUevent event, pi_uint64 *ret);

/*
 * Begins the shared clock of a device's primary context, unless somebody holds it already. Each
 * clock_hold needs one clock_yield; the last one ends the clock. The primary context is current
 * in both calls, and stays retained in between.
 */
pi_result clock_hold(pi_device device);
void clock_yield(pi_device device);

#endif
