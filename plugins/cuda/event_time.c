/* Start and end of an event's command. */
#include "queue.h"

/* Returns CUDA's time between start and end, in nanoseconds. */
static pi_result duration(pi_event event, pi_uint64 *nanoseconds) {
  float milliseconds;
  CU_TRY(EventElapsedTime, &milliseconds, event->driver.start, event->driver.end);
  *nanoseconds = milliseconds > 0 ? (pi_uint64)((double)milliseconds * 1e6) : 0;
  return PI_SUCCESS;
}

/*
 * Computes the start as the end minus the duration, because CUDA's time between two close events is
 * exact, while its time from the clock's origin is not (clock.h).
 */
pi_result driver_event_times(pi_event event, pi_uint64 *start, pi_uint64 *end) {
  const pi_context member = event->queue->driver.member;
  TRY(cuda_enter(member));
  pi_uint64 took;
  TRY(duration(event, &took));
  TRY(context_time(member, event->driver.end, end));
  *start = *end > took ? *end - took : 0;
  return PI_SUCCESS;
}
