/*
 * Commands that write times to memory. CUDA has no command for that: the device records events, and
 * the host reads their times. So the command is a marker, after which a thread of the plugin reads
 * the times, and a copy from the plugin's memory, which waits for a user event that the thread
 * sets. Commands after it find the times in memory.
 */
#include "../plugins/objects/usm.h"
#include "../plugins/objects/usm_command.h"
#include "../plugins/objects/watcher.h"
#include "command.h"

#include <stdlib.h>

/*
 * The times on their way to the application's memory. It is watched from the marker on: the
 * watcher's thread reads the times when the marker has ended, and frees the report when the copy
 * has.
 */
typedef struct report {
  watched watched; /* first, because the watcher's function casts it */
  pi_event marker; /* a reference; NULL before the marker is enqueued */
  pi_event ready;  /* a user event, set when the times are there */
  bool is_filled;
  _Atomic(pi_event) latest; /* a reference to the copy's event; NULL until it is enqueued */
  uint32_t count;           /* of events; 0: the time of the marker */
  pi_event *events;         /* a reference to each, or NULL for one without a command */
  ze_kernel_timestamp_result_t values[];
} report;

static void free_report(report *report) {
  const pi_event latest = atomic_load(&report->latest);
  for (uint32_t i = 0; i < report->count; i++)
    if (report->events[i])
      event_release(report->events[i]);
  if (latest)
    event_release(latest);
  if (report->marker)
    event_release(report->marker);
  event_release(report->ready);
  free(report->events);
  free(report);
}

/* Finds the latest command of an event, with a reference; NULL if there is none. */
static pi_event command_of(ze_event_handle_t handle) {
  if (!ZE_IS(handle, EVENT))
    return signal_command(signal_of(handle));
  event_retain(event_of(handle));
  return event_of(handle);
}

/* After a failure, the caller frees what the report has. */
static pi_result open_report(const ze_command *command, pi_context context, report *ret) {
  const uint32_t count = command->report.count;
  ret->events = calloc(count ? count : 1, sizeof *ret->events);
  REQUIRE_MEMORY(ret->events, "%u events", count);
  TRY(event_create_user(context, &ret->ready));
  ret->count = count;
  for (uint32_t i = 0; i < count; i++)
    ret->events[i] = command_of(command->report.events[i]);
  return PI_SUCCESS;
}

static pi_result make_report(const ze_command *command, pi_context context, report **ret) {
  const uint32_t count = command->report.count;
  report *made = calloc(1, sizeof *made + (count ? count : 1) * sizeof made->values[0]);
  REQUIRE_MEMORY(made, "%u times", count);
  const pi_result result = open_report(command, context, made);
  if (result != PI_SUCCESS) {
    free(made->events);
    free(made);
    return result;
  }
  *ret = made;
  return PI_SUCCESS;
}

/* ---- The times ---- */

/* Leaves 0 for an event that is not signaled, or whose command has no times. */
static void read_times(pi_event event, ze_kernel_timestamp_result_t *ret) {
  pi_uint64 start, end;
  if (event && event->queue && event->has_times && event_status(event) == PI_EVENT_COMPLETE &&
      driver_event_times(event, &start, &end) == PI_SUCCESS)
    ret->global = ret->context = (ze_kernel_timestamp_data_t){start, end};
}

static void fill_report(report *report) {
  if (report->count == 0)
    read_times(report->marker, &report->values[0]);
  for (uint32_t i = 0; i < report->count; i++)
    read_times(report->events[i], &report->values[i]);
  report->is_filled = true;
  (void)event_set(report->ready, PI_EVENT_COMPLETE); /* cannot fail: nobody else sets it */
}

/* The watcher's function: does what is due, and returns true once the report is freed. */
static bool advance_report(watched *watched) {
  report *const due = (report *)(void *)watched;
  if (!due->is_filled && event_status(due->marker) <= PI_EVENT_COMPLETE)
    fill_report(due);
  const pi_event latest = atomic_load(&due->latest);
  if (!due->is_filled || !latest || event_status(latest) > PI_EVENT_COMPLETE)
    return false;
  free_report(due);
  return true;
}

static pi_result enqueue_marker(sink *sink, report *report) {
  struct sink own = *sink;
  own.event = &report->marker;
  own.has_times = true;
  own.is_blocking = false;
  TRY(marker_enqueue(&own, own.wait_count == 0));
  return watcher_add(&report->watched, advance_report);
}

/* ---- The copy ---- */

/* Enqueues a part of the copy, which follows *latest, and replaces *latest by its event. */
static pi_result copy_part(const sink *sink, void *to, const void *from, size_t size,
                           pi_event *latest) {
  struct sink own = *sink;
  pi_event event;
  usm_range range;
  own.waits = latest;
  own.wait_count = 1;
  own.event = &event;
  own.is_blocking = false;
  TRY(usm_check_reached(sink->context, sink->device, "dstptr", to, size, &range));
  TRY(usm_copy(&own, to, from, size));
  event_release(*latest);
  *latest = event;
  return PI_SUCCESS;
}

static pi_result copy_parts(const ze_command *command, const sink *sink, const report *report,
                            pi_event *latest) {
  unsigned char *to = command->report.to;
  const size_t *offsets = command->report.offsets;
  const size_t one = sizeof report->values[0];
  if (!offsets)
    return copy_part(sink, to, report->values,
                     report->count ? report->count * one : sizeof(uint64_t), latest);
  for (uint32_t i = 0; i < report->count; i++)
    TRY(copy_part(sink, to + offsets[i], &report->values[i], one, latest));
  return PI_SUCCESS;
}

/* The watcher's thread frees the report, once the parts that are enqueued here have ended. */
static pi_result enqueue_copy(const ze_command *command, sink *sink, report *report) {
  pi_event latest = report->ready;
  event_retain(latest);
  pi_result result = copy_parts(command, sink, report, &latest);
  event_retain(latest);
  atomic_store(&report->latest, latest);
  if (result == PI_SUCCESS && sink->is_blocking)
    result = events_wait(1, &latest);
  if (result == PI_SUCCESS && sink->event)
    *sink->event = latest;
  else
    event_release(latest);
  return result;
}

pi_result command_report(const ze_command *command, sink *sink) {
  report *report;
  TRY(make_report(command, sink->context, &report));
  const pi_result result = enqueue_marker(sink, report);
  if (result == PI_SUCCESS)
    return enqueue_copy(command, sink, report);
  free_report(report);
  return result;
}

/* ---- Entries ---- */

ze_result_t zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t hCommandList,
                                                    uint64_t *dstptr,
                                                    ze_event_handle_t hSignalEvent,
                                                    uint32_t numWaitEvents,
                                                    ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(dstptr);
  ze_command command = ZE_COMMAND(command_report, TIMESTAMP_RECORDING_EXP);
  command.report.to = dstptr;
  command.report.count = 0;
  command.report.events = NULL;
  command.report.offsets = NULL;
  return list_append(hCommandList, &command);
}

/* The times of an event are those of its command that was appended last before this one. */
ze_result_t
zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t hCommandList, uint32_t numEvents,
                                         ze_event_handle_t *phEvents, void *dstptr,
                                         const size_t *pOffsets, ze_event_handle_t hSignalEvent,
                                         uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(phEvents);
  ZE_REQUIRE_POINTER(dstptr);
  ZE_REQUIRE(numEvents, INVALID_SIZE, "numEvents is 0");
  ze_command command = ZE_COMMAND(command_report, USM_MEMCPY);
  command.report.to = dstptr;
  command.report.count = numEvents;
  command.report.events = phEvents;
  command.report.offsets = pOffsets;
  return list_append(hCommandList, &command);
}
