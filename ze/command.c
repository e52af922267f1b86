#include "command.h"

#include "../plugins/objects/launch_kernel.h"
#include "../plugins/objects/usm_command.h"

#include <stdlib.h>

/* ---- Events ---- */

static bool is_event(ze_event_handle_t handle) {
  return ZE_IS(handle, SIGNAL) || ZE_IS(handle, EVENT);
}

/* Checks an event that the command signals or resets. */
static ze_result_t check_signal(const char *name, ze_event_handle_t handle) {
  if (!handle)
    return ZE_RESULT_SUCCESS;
  ZE_REQUIRE(is_event(handle), INVALID_SYNCHRONIZATION_OBJECT, "%s is not a live handle", name);
  ZE_REQUIRE(ZE_IS(handle, SIGNAL), INVALID_SYNCHRONIZATION_OBJECT,
             "%s belongs to a command of a SYCL runtime, and no other command signals it", name);
  return ZE_RESULT_SUCCESS;
}

ze_result_t command_check(const ze_command *command) {
  ZE_PASS(check_signal("hSignalEvent", command->signal));
  ZE_PASS(check_signal("hEvent", command->reset));
  ZE_REQUIRE(command->wait_count == 0 || command->waits, INVALID_SIZE,
             "phWaitEvents is NULL and numWaitEvents is %u", command->wait_count);
  for (uint32_t i = 0; i < command->wait_count; i++)
    ZE_REQUIRE(is_event(command->waits[i]), INVALID_SYNCHRONIZATION_OBJECT,
               "phWaitEvents[%u] is not a live handle", i);
  const uint32_t count = command->run == command_report ? command->report.count : 0;
  for (uint32_t i = 0; i < count; i++)
    ZE_REQUIRE(is_event(command->report.events[i]), INVALID_SYNCHRONIZATION_OBJECT,
               "phEvents[%u] is not a live handle", i);
  return ZE_RESULT_SUCCESS;
}

/* The events of PI that a command waits for, with a reference to each. */
typedef struct waits {
  uint32_t count;
  pi_event *events; /* few, or allocated */
  pi_event few[8];
} waits;

static void release_waits(waits *waits) {
  for (uint32_t i = 0; i < waits->count; i++)
    event_release(waits->events[i]);
  if (waits->events != waits->few)
    free(waits->events);
}

static pi_result take_wait(ze_event_handle_t handle, pi_event *ret) {
  if (!ZE_IS(handle, EVENT))
    return signal_await(signal_of(handle), ret);
  event_retain(event_of(handle));
  *ret = event_of(handle);
  return PI_SUCCESS;
}

/* Fills in waits; the caller releases them even after a failure. */
static pi_result take_waits(const ze_command *command, waits *waits) {
  waits->count = 0;
  waits->events = waits->few;
  if (command->wait_count > sizeof waits->few / sizeof waits->few[0]) {
    waits->events = malloc(command->wait_count * sizeof(pi_event));
    REQUIRE_MEMORY(waits->events, "%u events", command->wait_count);
  }
  for (uint32_t i = 0; i < command->wait_count; i++) {
    pi_event event;
    TRY(take_wait(command->waits[i], &event));
    if (event)
      waits->events[waits->count++] = event;
  }
  return PI_SUCCESS;
}

/* ---- In a queue ---- */

static ze_signal *signal_or_null(ze_event_handle_t handle) {
  return handle ? signal_of(handle) : NULL;
}

/* Has the command's event set the signal, and records the reset. Takes over the event. */
static void conclude(const ze_command *command, pi_queue queue, pi_event event) {
  if (command->reset)
    signal_reset_by(signal_of(command->reset), queue);
  if (!event)
    return;
  signal_by_command(signal_of(command->signal), event, queue);
  event_release(event);
}

static pi_result run_with(const ze_command *command, pi_queue queue, bool is_blocking,
                          waits *waits) {
  const ze_signal *signal = signal_or_null(command->signal);
  pi_event event = NULL;
  TRY(take_waits(command, waits));
  sink sink = sink_of_queue(queue, (pi_command_type)command->type, waits->count, waits->events,
                            is_blocking, signal ? &event : NULL);
  sink.has_times |= signal && signal->has_times;
  TRY(command->run(command, &sink));
  conclude(command, queue, event);
  return PI_SUCCESS;
}

ze_result_t command_run(const ze_command *command, pi_queue queue, bool is_blocking) {
  waits waits;
  const pi_result result = run_with(command, queue, is_blocking, &waits);
  release_waits(&waits);
  return ze_answer(result);
}

pi_result command_launch(const ze_command *command, sink *sink) {
  return launch_kernel(sink, command->launch.kernel, 3, command->launch.offset,
                       command->launch.global, command->launch.local,
                       command->launch.is_cooperative);
}

/* Fills the bytes after the last whole pattern, with the start of another one. */
static pi_result fill_rest(const ze_command *command, const sink *sink, size_t size,
                           pi_event *ret) {
  struct sink own = *sink;
  char *rest = (char *)command->fill.pointer + command->fill.size - size;
  own.event = ret;
  own.is_blocking = false;
  return usm_fill(&own, rest, command->fill.pattern, size, size);
}

pi_result command_fill(const ze_command *command, sink *sink) {
  const size_t size = command->fill.size, rest = size % command->fill.pattern_size;
  pi_event event = NULL;
  if (rest) {
    TRY(fill_rest(command, sink, rest, &event));
    sink->waits = &event;
    sink->wait_count = 1;
  }
  const pi_result result = usm_fill(sink, command->fill.pointer, command->fill.pattern,
                                    command->fill.pattern_size, size - rest);
  if (event)
    event_release(event);
  return result;
}

/* ---- In a list ---- */

/* Keeps the memory of an event, or gives it up. NULL is no event. */
static void hold_event(ze_event_handle_t handle) {
  if (handle && ZE_IS(handle, EVENT))
    event_retain(event_of(handle));
  else if (handle)
    signal_pool_retain(signal_of(handle)->pool);
}

/*
 * The application may have destroyed an event of a pool in the meantime. Its memory is kept, and so
 * is its pool's address in it.
 */
static void drop_event(ze_event_handle_t handle) {
  if (handle && ZE_IS(handle, EVENT))
    event_release(event_of(handle));
  else if (handle)
    signal_pool_release(signal_of(handle)->pool);
}

/* Calls what with each event of a command. */
static void each_event(const ze_command *command, void (*what)(ze_event_handle_t handle)) {
  what(command->signal);
  what(command->reset);
  for (uint32_t i = 0; i < command->wait_count; i++)
    what(command->waits[i]);
  if (command->run == command_report)
    for (uint32_t i = 0; i < command->report.count; i++)
      what(command->report.events[i]);
}

/* Replaces a pointer to size bytes of the caller by one to a copy; one that is NULL stays. */
static pi_result copy_bytes(const void **place, size_t size) {
  if (!*place || size == 0)
    return PI_SUCCESS;
  void *copy = malloc(size);
  REQUIRE_MEMORY(copy, "%zu bytes of a command", size);
  memcpy(copy, *place, size);
  *place = copy;
  return PI_SUCCESS;
}

/* A pointer of a command to memory of the caller. */
typedef struct part {
  const void **place;
  size_t size;
} part;

enum { MAX_PARTS = 3 };

/* Lists these pointers; those without bytes have none to copy or to free. */
static void list_parts(ze_command *command, part ret[MAX_PARTS]) {
  memset(ret, 0, MAX_PARTS * sizeof *ret);
  ret[0] = (part){(const void **)&command->waits, command->wait_count * sizeof *command->waits};
  if (command->run == command_fill)
    ret[1] = (part){&command->fill.pattern, command->fill.pattern_size};
  if (command->run != command_report)
    return;
  const size_t count = command->report.count;
  ret[1] = (part){(const void **)&command->report.events, count * sizeof *command->report.events};
  ret[2] = (part){(const void **)&command->report.offsets, count * sizeof *command->report.offsets};
}

static void free_parts(const part *parts, int count) {
  for (int i = 0; i < count; i++)
    if (parts[i].size)
      free((void *)*parts[i].place);
}

ze_result_t command_keep(const ze_command *command, ze_command *ret) {
  ze_command made = *command;
  part parts[MAX_PARTS];
  int count = 0;
  pi_result result = PI_SUCCESS;
  list_parts(&made, parts);
  while (count < MAX_PARTS && result == PI_SUCCESS) {
    result = parts[count].size ? copy_bytes(parts[count].place, parts[count].size) : PI_SUCCESS;
    count += result == PI_SUCCESS;
  }
  if (result == PI_SUCCESS && made.run == command_launch)
    result = kernel_copy(command->launch.kernel, &made.launch.kernel);
  if (result != PI_SUCCESS) {
    free_parts(parts, count);
    return ze_answer(result);
  }
  each_event(&made, hold_event);
  *ret = made;
  return ZE_RESULT_SUCCESS;
}

void command_drop(ze_command *command) {
  part parts[MAX_PARTS];
  each_event(command, drop_event);
  list_parts(command, parts);
  free_parts(parts, MAX_PARTS);
  if (command->run == command_launch)
    kernel_release(command->launch.kernel);
}
