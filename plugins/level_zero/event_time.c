/* Start and end times of an event's command. */
#include "clock.h"
#include "queue.h"

/* Reads the driver's timestamps of an event, which have the clock's kernel_bits. */
static pi_result read_ticks(pi_event event, pi_uint64 *start, pi_uint64 *end) {
  ze_kernel_timestamp_result_t result;
  ZE_TRY(EventQueryKernelTimestamp, event->driver.event, &result);
  *start = result.global.kernelStart;
  *end = result.global.kernelEnd;
  return PI_SUCCESS;
}

/*
 * Adds the missing high bits to the timestamps. The device's clock is read after the command has
 * ended, so the end is the latest time before that with the same low bits; the start is before the
 * end.
 */
pi_result driver_event_times(pi_event event, pi_uint64 *start, pi_uint64 *end) {
  const level_zero_clock *clock = &event->queue->device->driver.clock;
  pi_uint64 started, ended, unused;
  TRY(read_ticks(event, &started, &ended));
  if (event->driver.start)
    TRY(read_ticks(event->driver.start, &started, &unused));
  clock_reading now;
  TRY(clock_read(event->queue->device, &now));
  const pi_uint64 end_ticks = clock_before(now.ticks, ended, clock->kernel_bits);
  const pi_uint64 took = clock_elapsed(started, ended, clock->kernel_bits);
  *start = clock_nanoseconds(clock, end_ticks > took ? end_ticks - took : 0);
  *end = clock_nanoseconds(clock, end_ticks);
  return PI_SUCCESS;
}
