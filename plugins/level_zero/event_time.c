/* When the command of an event was enqueued, given to the driver, started and ended. */
#include "checks.h"
#include "clock.h"
#include "queue.h"

/* What the driver noted about an event; its ticks have the valid bits of kernels' timestamps. */
static pi_result read_ticks(pi_event event, pi_uint64 *start, pi_uint64 *end) {
  ze_kernel_timestamp_result_t result;
  ZE_TRY(EventQueryKernelTimestamp, event->driver.event, &result);
  *start = result.global.kernelStart;
  *end = result.global.kernelEnd;
  return PI_SUCCESS;
}

/*
 * The device's clock is read after the command has ended: its end is the latest time with these
 * bits before that, and its start lies before the end. The first two moments were read by the host
 * and are never said to be later than the start.
 */
static pi_result read_times(pi_event event, pi_uint64 times[4]) {
  const level_zero_clock *clock = &event->queue->device->clock;
  pi_uint64 start, end, unused;
  PI_TRY(read_ticks(event, &start, &end));
  if (event->driver.start)
    PI_TRY(read_ticks(event->driver.start, &start, &unused));
  clock_reading now;
  PI_TRY(clock_read(event->queue->device, &now));
  const pi_uint64 end_ticks = clock_before(now.ticks, end, clock->kernel_bits);
  const pi_uint64 took = clock_elapsed(start, end, clock->kernel_bits);
  const pi_uint64 start_ticks = end_ticks > took ? end_ticks - took : 0;
  const pi_uint64 submitted = atomic_load_explicit(&event->submitted, memory_order_relaxed);
  times[2] = clock_nanoseconds(clock, start_ticks);
  times[3] = clock_nanoseconds(clock, end_ticks);
  times[1] = submitted < times[2] ? submitted : times[2];
  times[0] = event->queued < times[1] ? event->queued : times[1];
  return PI_SUCCESS;
}

pi_result piEventGetProfilingInfo(pi_event event, pi_profiling_info param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_EVENT(event);
  PI_TRY(pi_answer_check(&answer));
  if (param_name < PI_PROFILING_INFO_COMMAND_QUEUED || param_name > PI_PROFILING_INFO_COMMAND_END)
    return pi_answer_unknown("pi_profiling_info", (pi_uint32)param_name);
  PI_REQUIRE(event->queue, PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
             "the event does not belong to a command");
  PI_REQUIRE(event->queue->has_profiling, PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
             "the queue of the event's command has no profiling");
  PI_REQUIRE(event_status(event) == PI_EVENT_COMPLETE, PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
             "the event's command is not complete, or has failed");
  pi_uint64 times[4];
  PI_TRY(read_times(event, times));
  return pi_answer_uint64(&answer, times[param_name - PI_PROFILING_INFO_COMMAND_QUEUED]);
}
