#include "driver_error.h"
#include "queue.h"

#include "../plugins/base/names.h"

static const char *const state_names[] = {
#define SPECPI_EVENT_STATE(NAME, name) #name,
    SPECPI_EVENT_STATES(SPECPI_EVENT_STATE)
#undef SPECPI_EVENT_STATE
};

void specpiEventRetain(specpi_event event) {
  if (event)
    references_add(&event->references);
}

void specpiEventRelease(specpi_event event) {
  if (!event || !references_drop(&event->references))
    return;
  specpi_queue queue = event->queue;
  queue->pi->piEventRelease(event->handle);
  queue_give_event(queue, event);
  specpiQueueRelease(queue);
}

specpi_queue specpiEventGetQueue(specpi_event event) {
  return event ? event->queue : NULL;
}

pi_event specpiEventGetHandle(specpi_event event) {
  return event ? event->handle : NULL;
}

const char *specpiEventStateGetName(specpi_event_state state) {
  return (size_t)state < sizeof state_names / sizeof state_names[0] ? state_names[state] : NULL;
}

/* PI's status: a pi_event_status, or the negative code of a failed command. */
static specpi_result status_of(specpi_event event, int32_t *ret) {
  const pi_function_table *pi = event->queue->pi;
  int32_t status = 0;
  DRIVER_TRY(pi,
             pi->piEventGetInfo(event->handle, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS,
                                sizeof status, &status, NULL),
             "piEventGetInfo");
  *ret = status;
  return SPECPI_SUCCESS;
}

static specpi_event_state state_of(int32_t status) {
  switch (status) {
  case PI_EVENT_COMPLETE:
    return SPECPI_EVENT_COMPLETE;
  case PI_EVENT_RUNNING:
    return SPECPI_EVENT_RUNNING;
  case PI_EVENT_SUBMITTED:
    return SPECPI_EVENT_SUBMITTED;
  default:
    return status < 0 ? SPECPI_EVENT_FAILED : SPECPI_EVENT_QUEUED;
  }
}

specpi_result specpiEventGetState(specpi_event event, specpi_event_state *state) {
  ERROR_REQUIRE(event, "event is NULL");
  ERROR_REQUIRE(state, "state is NULL");
  int32_t status = 0;
  ERROR_TRY(status_of(event, &status));
  const specpi_event_state found = state_of(status);
  /* Flush the queue: a driver may hold commands back until a wait, and polling is a way to wait. */
  if (found == SPECPI_EVENT_QUEUED)
    DRIVER_TRY(event->queue->pi, event->queue->pi->piQueueFlush(event->queue->handle),
               "piQueueFlush on %s", specpiDeviceGetSelector(event->queue->device));
  *state = found;
  return SPECPI_SUCCESS;
}

/* Records why a wait for events[index] failed. Prefers the command's result to that of the wait. */
static specpi_result explain(specpi_event event, size_t index, pi_result code) {
  const pi_function_table *pi = event->queue->pi;
  int32_t status = 0;
  const specpi_result told = driver_error(pi, code, "the command of events[%zu] on %s", index,
                                          specpiDeviceGetSelector(event->queue->device));
  if (told == SPECPI_ERROR_DEVICE_LOST)
    return told;
  if (pi->piEventGetInfo(event->handle, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof status,
                         &status, NULL) == PI_SUCCESS &&
      status < 0)
    return error_set(SPECPI_ERROR_DRIVER, "the command of events[%zu] failed with %s (%d)", index,
                     enumerator_name("pi_result", status), status);
  return driver_error(pi, code, "piEventsWait for events[%zu]", index);
}

specpi_result specpiEventWait(size_t count, const specpi_event *events) {
  ERROR_REQUIRE(events || count == 0, "events is NULL and count is %zu", count);
  for (size_t i = 0; i < count; i++)
    ERROR_REQUIRE(events[i], "events[%zu] is NULL", i);
  specpi_result result = SPECPI_SUCCESS;
  for (size_t i = 0; i < count; i++) {
    const pi_result code = events[i]->queue->pi->piEventsWait(1, &events[i]->handle);
    if (code != PI_SUCCESS && result == SPECPI_SUCCESS)
      result = explain(events[i], i, code);
  }
  return result;
}

static specpi_result time_of(specpi_event event, pi_profiling_info which, uint64_t *ret) {
  const pi_function_table *pi = event->queue->pi;
  DRIVER_TRY(pi, pi->piEventGetProfilingInfo(event->handle, which, sizeof *ret, ret, NULL),
             "piEventGetProfilingInfo for %s", enumerator_name("pi_profiling_info", which));
  return SPECPI_SUCCESS;
}

specpi_result specpiEventGetTimes(specpi_event event, specpi_times *times) {
  ERROR_REQUIRE(event, "event is NULL");
  ERROR_REQUIRE(times, "times is NULL");
  if (!(event->queue->flags & SPECPI_QUEUE_PROFILING))
    return error_set(SPECPI_ERROR_NO_PROFILING,
                     "the event is of a queue that was made without SPECPI_QUEUE_PROFILING");
  int32_t status = 0;
  ERROR_TRY(status_of(event, &status));
  if (status != PI_EVENT_COMPLETE)
    return error_set(SPECPI_ERROR_INVALID_STATE,
                     "the event is %s, and only a complete one has "
                     "times",
                     state_names[state_of(status)]);
  specpi_times found;
  ERROR_TRY(time_of(event, PI_PROFILING_INFO_COMMAND_QUEUED, &found.queued));
  ERROR_TRY(time_of(event, PI_PROFILING_INFO_COMMAND_SUBMIT, &found.submitted));
  ERROR_TRY(time_of(event, PI_PROFILING_INFO_COMMAND_START, &found.started));
  ERROR_TRY(time_of(event, PI_PROFILING_INFO_COMMAND_END, &found.ended));
  *times = found;
  return SPECPI_SUCCESS;
}
