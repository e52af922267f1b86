#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "../objects/driver.h"
#include "checks.h"
#include "context.h"

#include <time.h>

pi_uint64 clock_host(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (pi_uint64)now.tv_sec * 1000000000u + (pi_uint64)now.tv_nsec;
}

/* Records the event now. *host is the midpoint of the host's times just before and after it. */
static pi_result mark_event(CUstream stream, CUevent event, pi_uint64 *host) {
  const pi_uint64 before = clock_host();
  CU_TRY(EventRecord, event, stream);
  CU_TRY(EventSynchronize, event);
  *host = before + (clock_host() - before) / 2;
  return PI_SUCCESS;
}

pi_result clock_begin(cuda_clock *ret) {
  cuda_clock clock = {NULL, NULL, 0};
  CU_TRY(StreamCreate, &clock.stream, CU_STREAM_NON_BLOCKING);
  pi_result result = CU_CALL(EventCreate, &clock.origin, CU_EVENT_DEFAULT);
  /* Records twice, because the first record in a stream is slow and would distort origin_time. */
  for (int i = 0; i < 2 && result == PI_SUCCESS; i++)
    result = mark_event(clock.stream, clock.origin, &clock.origin_time);
  if (result == PI_SUCCESS)
    *ret = clock;
  else
    clock_end(&clock);
  return result;
}

void clock_end(cuda_clock *clock) {
  if (clock->origin)
    cu.EventDestroy(clock->origin);
  if (clock->stream)
    cu.StreamDestroy(clock->stream);
  *clock = (cuda_clock){NULL, NULL, 0};
}

pi_result clock_time(const cuda_clock *clock, CUevent event, pi_uint64 *ret) {
  float milliseconds;
  CU_TRY(EventElapsedTime, &milliseconds, clock->origin, event);
  /* Negative if the event is the application's own, recorded before the origin. */
  const double nanoseconds = (double)milliseconds * 1e6;
  *ret = clock->origin_time + (nanoseconds > 0 ? (pi_uint64)nanoseconds : 0);
  return PI_SUCCESS;
}

pi_result clock_hold(pi_device device) {
  pthread_mutex_lock(&device->driver.clock_lock);
  const pi_result result =
      device->driver.clock_users == 0 ? clock_begin(&device->driver.clock) : PI_SUCCESS;
  if (result == PI_SUCCESS)
    device->driver.clock_users++;
  pthread_mutex_unlock(&device->driver.clock_lock);
  return result;
}

void clock_yield(pi_device device) {
  pthread_mutex_lock(&device->driver.clock_lock);
  if (--device->driver.clock_users == 0)
    clock_end(&device->driver.clock);
  pthread_mutex_unlock(&device->driver.clock_lock);
}

/* Reads both clocks at the same moment, in the current context. */
static pi_result read_clocks(const cuda_clock *clock, pi_uint64 *device_time,
                             pi_uint64 *host_time) {
  CUevent event;
  CU_TRY(EventCreate, &event, CU_EVENT_DEFAULT);
  pi_result result = mark_event(clock->stream, event, host_time);
  if (result == PI_SUCCESS)
    result = clock_time(clock, event, device_time);
  cu.EventDestroy(event);
  return result;
}

/* Keeps the device's time from going back, which it might when the clock is restarted. */
static pi_uint64 never_back(pi_device device, pi_uint64 time) {
  pthread_mutex_lock(&device->driver.clock_lock);
  if (time < device->driver.latest_time)
    time = device->driver.latest_time;
  device->driver.latest_time = time;
  pthread_mutex_unlock(&device->driver.clock_lock);
  return time;
}

/*
 * Uses the primary context, as runtimes do. If nobody holds the context's clock, the clock begins
 * with this call, and so shows the host's time.
 */
pi_result driver_device_time(pi_device device, pi_uint64 *device_time, pi_uint64 *host_time) {
  pi_context context;
  TRY(context_create(1, &device, NULL, &context));
  pi_uint64 device_now = 0;
  pi_result result = cuda_enter(context);
  if (result == PI_SUCCESS)
    result = read_clocks(context->driver.clock, &device_now, host_time);
  context_release(context);
  if (result == PI_SUCCESS)
    *device_time = never_back(device, device_now);
  return result;
}
