/*
 * A clock of the device in nanoseconds. CUDA has no clock that can be read, only the time between
 * two events. So a context records one event when it begins and reads the host's clock
 * (CLOCK_MONOTONIC) beside it: the device's time of any later event is that host time plus the time
 * between the two events.
 *
 * Accuracy: the clock's start is known to half the time of recording an event, some microseconds.
 * CUDA reports the time between events as a float of milliseconds, whose last digit is 60 ns after
 * one second, 4 us after a minute and 0.25 ms after an hour; for a short interval between two late
 * events use cuEventElapsedTime. Device and host drift apart as two quartzes do. Of two events the
 * later one never has the smaller time.
 */
#ifndef CUDA_CLOCK_H
#define CUDA_CLOCK_H

#include "cuda.h"

typedef struct cuda_clock {
  CUstream stream; /* does not wait for others */
  CUevent origin;
  pi_uint64 origin_time; /* nanoseconds of CLOCK_MONOTONIC */
} cuda_clock;

/* The host's clock now: nanoseconds of CLOCK_MONOTONIC. */
pi_uint64 clock_host(void);

/* Begins a clock in the current context; *ret is untouched on failure. */
pi_result clock_begin(cuda_clock *ret);

/* Frees the parts of a clock; its context is current. */
void clock_end(cuda_clock *clock);

/*
 * The time of an event that is complete, was made with timing, and is of the clock's context.
 * Any thread may call it, without a lock.
 */
pi_result clock_time(const cuda_clock *clock, CUevent event, pi_uint64 *ret);

/*
 * The clock of a device's primary context, shared by all who hold it; each clock_hold needs one
 * clock_yield. The primary context is current, and stays retained in between.
 */
pi_result clock_hold(pi_device device);
void clock_yield(pi_device device);

#endif
