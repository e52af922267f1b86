/* When the command of an event was enqueued, given to the driver, started and ended. */
#include "checks.h"
#include "queue.h"

/* What CUDA says between start and end, in nanoseconds. */
static pi_result duration(pi_event event, pi_uint64 *nanoseconds) {
  float milliseconds;
  CU_TRY(EventElapsedTime, &milliseconds, event->driver.start, event->driver.end);
  *nanoseconds = milliseconds > 0 ? (pi_uint64)((double)milliseconds * 1e6) : 0;
  return PI_SUCCESS;
}

/*
 * The start is counted back from the end: CUDA's time between two close events is exact, that from
 * the clock's origin is not (clock.h). The first two moments are the host's, whose clock and the
 * device's are not exactly together: they are never said to be later than the start.
 */
static pi_result read_times(pi_event event, pi_uint64 times[4]) {
  PI_TRY(cuda_enter(event->context));
  pi_uint64 took, end;
  PI_TRY(duration(event, &took));
  PI_TRY(context_time(event->context, event->driver.end, &end));
  const pi_uint64 start = end > took ? end - took : 0;
  times[0] = event->queued < start ? event->queued : start;
  times[1] = event->submitted < start ? event->submitted : start;
  times[2] = start;
  times[3] = end;
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
  PI_REQUIRE(event->driver.start, PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
             "the queue of the event's command has no profiling");
  PI_REQUIRE(event_status(event) == PI_EVENT_COMPLETE, PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
             "the event's command is not complete, or has failed");
  pi_uint64 times[4];
  PI_TRY(read_times(event, times));
  return pi_answer_uint64(&answer, times[param_name - PI_PROFILING_INFO_COMMAND_QUEUED]);
}
