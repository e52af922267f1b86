/* Commands of the fake OpenCL. A command runs in the thread that completes its wait list. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "fake.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Commands that cannot run yet, in order of submission. */
static fake_command *pending_first;
static fake_command **pending_last = &pending_first;

static cl_ulong now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (cl_ulong)time.tv_sec * 1000000000U + (cl_ulong)time.tv_nsec;
}

static unsigned char *row_of(const fake_box *box, size_t row, size_t slice) {
  return box->bytes + row * box->row + slice * box->slice;
}

static void copy_bytes(const fake_command *command) {
  for (size_t slice = 0; slice < command->region[2]; slice++)
    for (size_t row = 0; row < command->region[1]; row++)
      memmove(row_of(&command->to, row, slice), row_of(&command->from, row, slice),
              command->region[0]);
}

static void fill_bytes(const fake_command *command) {
  for (size_t slice = 0; slice < command->region[2]; slice++)
    for (size_t row = 0; row < command->region[1]; row++)
      for (size_t i = 0; i < command->region[0]; i++)
        row_of(&command->to, row, slice)[i] = command->pattern[i % command->pattern_size];
}

/* The destination of a launch's records. */
typedef struct sink {
  unsigned char *bytes;
  size_t room;
} sink;

static void put_value(sink *sink, uint32_t what, uint32_t size, uint64_t value) {
  const fake_opencl_record record = {what, size, value};
  if (sink->room < sizeof record)
    return;
  memcpy(sink->bytes, &record, sizeof record);
  sink->bytes += sizeof record;
  sink->room -= sizeof record;
}

static sink find_sink(const fake_command *command) {
  for (cl_uint i = 0; i < command->kernel->entry->argument_count; i++) {
    const fake_argument *argument = &command->arguments[i];
    if (argument->mem)
      return (sink){argument->mem->bytes, argument->mem->size};
    const fake_usm *usm =
        argument->pointer ? fake_usm_find(command->queue->context, argument->pointer) : NULL;
    if (usm)
      return (sink){argument->pointer,
                    (size_t)(usm->bytes + usm->size - (unsigned char *)argument->pointer)};
    if (argument->pointer && getenv("FAKE_OPENCL_POINTERS"))
      return (sink){argument->pointer, FAKE_POINTER_ROOM};
  }
  return (sink){NULL, 0};
}

static void launch_kernel(const fake_command *command) {
  sink sink = find_sink(command);
  if (!sink.bytes)
    return;
  put_value(&sink, FAKE_RECORD_LAUNCH, command->dimensions, command->items);
  const cl_program program = command->kernel->program;
  for (size_t part = 0; part < program->part_count; part++)
    for (size_t i = 0; i < program->parts[part].constant_count; i++) {
      const fake_constant *constant = &program->parts[part].constants[i];
      put_value(&sink, constant->id, constant->size, constant->value);
    }
  for (cl_uint i = 0; i < command->kernel->entry->argument_count; i++) {
    const fake_argument *argument = &command->arguments[i];
    if (command->kernel->entry->kinds[i] != FAKE_ARGUMENT_VALUE)
      continue;
    uint64_t value = 0;
    memcpy(&value, argument->value, argument->size < sizeof value ? argument->size : sizeof value);
    put_value(&sink, FAKE_RECORD_ARGUMENT | i, (uint32_t)argument->size, value);
  }
  put_value(&sink, FAKE_RECORD_END, 0, 0);
}

static void run_command(const fake_command *command) {
  switch (command->work) {
  case FAKE_WORK_NONE:
    break;
  case FAKE_WORK_COPY:
    copy_bytes(command);
    break;
  case FAKE_WORK_FILL:
    fill_bytes(command);
    break;
  case FAKE_WORK_LAUNCH:
    launch_kernel(command);
    break;
  }
}

static bool in_order(cl_command_queue queue) {
  return !(queue->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* Returns whether a command must wait for events, or for pending commands before end. */
static bool is_blocked(const fake_command *command, const fake_command *end) {
  for (cl_uint i = 0; i < command->wait_count; i++)
    if (command->waits[i]->status > CL_COMPLETE)
      return true;
  for (const fake_command *other = pending_first; other != end; other = other->next)
    if (other->queue == command->queue &&
        (command->ordered || other->barrier || in_order(command->queue)))
      return true;
  return false;
}

static cl_int status_of_waits(const fake_command *command) {
  for (cl_uint i = 0; i < command->wait_count; i++)
    if (command->waits[i]->status < 0)
      return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return CL_COMPLETE;
}

/* Runs a command, unless an event in its wait list failed, and completes its event. */
static void finish_command(fake_command *command) {
  const cl_int status = status_of_waits(command);
  if (status == CL_COMPLETE)
    run_command(command);
  if (command->event) {
    command->event->completed = now();
    fake_complete(command->event, status);
  }
}

static void free_pending(fake_command *command) {
  for (cl_uint i = 0; i < command->wait_count; i++)
    fake_unpin(command->waits[i]);
  free(command->waits);
  for (size_t i = 0; i < 2; i++)
    if (command->mems[i])
      fake_unpin(command->mems[i]);
  if (command->kernel) {
    for (cl_uint i = 0; i < command->kernel->entry->argument_count; i++)
      if (command->arguments[i].mem)
        fake_unpin(command->arguments[i].mem);
    free(command->arguments);
    fake_unpin(command->kernel);
  }
  fake_unpin(command->queue);
  fake_unpin(command->event);
  free(command);
}

static void run_pending(void) {
  fake_command **place = &pending_first;
  while (*place) {
    fake_command *command = *place;
    if (is_blocked(command, command)) {
      place = &command->next;
      continue;
    }
    *place = command->next;
    if (!*place)
      pending_last = place;
    finish_command(command);
    free_pending(command);
    place = &pending_first;
  }
}

static void keep_objects(const fake_command *command) {
  fake_command *copied = malloc(sizeof *copied);
  *copied = *command;
  copied->waits = malloc((command->wait_count + 1) * sizeof *copied->waits);
  for (cl_uint i = 0; i < command->wait_count; i++)
    fake_pin(copied->waits[i] = command->waits[i]);
  for (size_t i = 0; i < 2; i++)
    if (copied->mems[i])
      fake_pin(copied->mems[i]);
  if (copied->kernel) {
    const cl_uint count = copied->kernel->entry->argument_count;
    copied->arguments = malloc((count + 1) * sizeof *copied->arguments);
    for (cl_uint i = 0; i < count; i++) {
      copied->arguments[i] = command->arguments[i];
      if (copied->arguments[i].mem)
        fake_pin(copied->arguments[i].mem);
    }
    fake_pin(copied->kernel);
  }
  fake_pin(copied->queue);
  copied->next = NULL;
  *pending_last = copied;
  pending_last = &copied->next;
}

static cl_int check_waits(cl_context context, cl_uint count, const cl_event *waits) {
  FAKE_REQUIRE((count != 0) == (waits != NULL), CL_INVALID_EVENT_WAIT_LIST);
  for (cl_uint i = 0; i < count; i++) {
    FAKE_REQUIRE(fake_is(waits[i], FAKE_EVENT), CL_INVALID_EVENT_WAIT_LIST);
    FAKE_REQUIRE(waits[i]->context == context, CL_INVALID_CONTEXT);
  }
  return CL_SUCCESS;
}

static cl_event new_event(const fake_command *command, bool wanted) {
  cl_event event = fake_new(FAKE_EVENT);
  if (!event)
    return NULL;
  event->object.references = wanted;
  fake_pin(event);
  fake_pin(event->context = command->queue->context);
  fake_pin(event->queue = command->queue);
  event->type = command->type;
  event->status = CL_QUEUED;
  event->queued = now();
  return event;
}

cl_int fake_submit(const fake_command *command, cl_command_queue queue, cl_uint wait_count,
                   const cl_event *waits, cl_bool blocking, cl_event *event) {
  FAKE_TRY(check_waits(queue->context, wait_count, waits));
  fake_command submitted = *command;
  submitted.queue = queue;
  submitted.wait_count = wait_count;
  /* Casts const away. Only copies of commands, which own their lists, write to them. */
  memcpy(&submitted.waits, &waits, sizeof waits);
  const bool blocked = is_blocked(&submitted, NULL);
  FAKE_REQUIRE(!blocking || blocked || status_of_waits(&submitted) == CL_COMPLETE,
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  if (event || blocked) {
    submitted.event = new_event(&submitted, event != NULL);
    FAKE_REQUIRE(submitted.event, CL_OUT_OF_RESOURCES);
    if (event)
      *event = submitted.event;
  }
  if (!blocked) {
    finish_command(&submitted);
    if (submitted.event)
      fake_unpin(submitted.event);
    return CL_SUCCESS;
  }
  /* The kept copy takes over the pin from new_event. */
  keep_objects(&submitted);
  if (!blocking)
    return CL_SUCCESS;
  fake_pin(submitted.event);
  while (submitted.event->status > CL_COMPLETE)
    fake_wait();
  const cl_int status = submitted.event->status;
  fake_unpin(submitted.event);
  return status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

bool fake_queue_busy(cl_command_queue queue) {
  for (const fake_command *command = pending_first; command; command = command->next)
    if (command->queue == queue)
      return true;
  return false;
}

bool fake_context_busy(cl_context context) {
  for (const fake_command *command = pending_first; command; command = command->next)
    if (command->queue->context == context)
      return true;
  return false;
}

void fake_end_event(cl_event event) {
  if (event->queue)
    fake_unpin(event->queue);
  fake_unpin(event->context);
}

cl_int clWaitForEvents(cl_uint num_events, const cl_event *events) {
  FAKE_ENTER(WaitForEvents);
  FAKE_REQUIRE(num_events != 0 && events, CL_INVALID_VALUE);
  for (cl_uint i = 0; i < num_events; i++) {
    FAKE_REQUIRE(fake_is(events[i], FAKE_EVENT), CL_INVALID_EVENT);
    FAKE_REQUIRE(events[i]->context == events[0]->context, CL_INVALID_CONTEXT);
  }
  cl_int result = CL_SUCCESS;
  for (cl_uint i = 0; i < num_events; i++) {
    fake_pin(events[i]);
    while (events[i]->status > CL_COMPLETE)
      fake_wait();
    if (events[i]->status < 0)
      result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    fake_unpin(events[i]);
  }
  return result;
}

cl_int clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                      void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetEventInfo);
  FAKE_REQUIRE(fake_is(event, FAKE_EVENT), CL_INVALID_EVENT);
  switch (param_name) {
  case CL_EVENT_COMMAND_QUEUE:
    return FAKE_ANSWER(event->queue);
  case CL_EVENT_CONTEXT:
    return FAKE_ANSWER(event->context);
  case CL_EVENT_COMMAND_TYPE:
    return FAKE_ANSWER(event->type);
  case CL_EVENT_COMMAND_EXECUTION_STATUS:
    return FAKE_ANSWER(event->status);
  case CL_EVENT_REFERENCE_COUNT:
    return FAKE_ANSWER(event->object.references);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_event clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateUserEvent);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  cl_event event = fake_new(FAKE_EVENT);
  FAKE_REQUIRE_CREATE(event, CL_OUT_OF_RESOURCES);
  fake_pin(event->context = context);
  event->type = CL_COMMAND_USER;
  event->status = CL_SUBMITTED;
  FAKE_CREATED(event);
}

cl_int clSetUserEventStatus(cl_event event, cl_int status) {
  FAKE_ENTER(SetUserEventStatus);
  FAKE_REQUIRE(fake_is(event, FAKE_EVENT) && !event->queue, CL_INVALID_EVENT);
  FAKE_REQUIRE(status <= CL_COMPLETE, CL_INVALID_VALUE);
  FAKE_REQUIRE(event->status > CL_COMPLETE, CL_INVALID_OPERATION);
  fake_complete(event, status);
  run_pending();
  return CL_SUCCESS;
}

cl_int clSetEventCallback(cl_event event, cl_int type,
                          void(CL_CALLBACK *function)(cl_event, cl_int, void *), void *user_data) {
  FAKE_ENTER(SetEventCallback);
  FAKE_REQUIRE(fake_is(event, FAKE_EVENT), CL_INVALID_EVENT);
  FAKE_REQUIRE(function && type >= CL_COMPLETE && type <= CL_SUBMITTED, CL_INVALID_VALUE);
  fake_callback *callback = malloc(sizeof *callback);
  FAKE_REQUIRE(callback, CL_OUT_OF_HOST_MEMORY);
  *callback = (fake_callback){.next = event->callbacks,
                              .event = event,
                              .status = type,
                              .function = function,
                              .user_data = user_data};
  fake_pin(event);
  event->callbacks = callback;
  if (event->status <= CL_COMPLETE)
    fake_complete(event, event->status);
  return CL_SUCCESS;
}

cl_int clRetainEvent(cl_event event) {
  FAKE_ENTER(RetainEvent);
  FAKE_REQUIRE(fake_is(event, FAKE_EVENT), CL_INVALID_EVENT);
  event->object.references++;
  return CL_SUCCESS;
}

cl_int clReleaseEvent(cl_event event) {
  FAKE_ENTER(ReleaseEvent);
  FAKE_REQUIRE(fake_is(event, FAKE_EVENT), CL_INVALID_EVENT);
  fake_release(event);
  return CL_SUCCESS;
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                               size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret) {
  FAKE_ENTER(GetEventProfilingInfo);
  FAKE_REQUIRE(fake_is(event, FAKE_EVENT), CL_INVALID_EVENT);
  FAKE_REQUIRE(event->queue && (event->queue->flags & CL_QUEUE_PROFILING_ENABLE) &&
                   event->status == CL_COMPLETE,
               CL_PROFILING_INFO_NOT_AVAILABLE);
  switch (param_name) {
  case CL_PROFILING_COMMAND_QUEUED:
  case CL_PROFILING_COMMAND_SUBMIT:
  case CL_PROFILING_COMMAND_START:
    return FAKE_ANSWER(event->queued);
  case CL_PROFILING_COMMAND_END:
  case CL_PROFILING_COMMAND_COMPLETE:
    return FAKE_ANSWER(event->completed);
  default:
    return CL_INVALID_VALUE;
  }
}
