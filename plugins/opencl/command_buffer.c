#include "command_buffer.h"

#include "../../pi/sinks.h"
#include "../base/vector.h"
#include "../objects/queue_command.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * A command buffer. Commands are added under the lock until it is finalized. After that nothing
 * changes any more, so any number of threads may enqueue it without a lock.
 */
struct pi_ext_command_buffer_object {
  object_head handle;
  cl_context context;  /* retained */
  cl_device_id device; /* retained */
  pthread_mutex_t lock;
  atomic_bool finalized;
  command *commands;
  pi_uint32 count;
  size_t capacity;
  pi_uint32 most_waits; /* the longest wait list */
};

pi_result piextCommandBufferCreate(pi_context context, pi_device device,
                                   const pi_ext_command_buffer_desc *desc,
                                   pi_ext_command_buffer *ret_command_buffer) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(ret_command_buffer);
  TRY(check_command_buffer_desc(desc));

  struct pi_ext_command_buffer_object *buffer = calloc(1, sizeof *buffer);
  REQUIRE_MEMORY(buffer, "a command buffer");
  buffer->context = cl_from_context(context);
  buffer->device = cl_from_device(device);
  pi_result result = CL_CALL(RetainContext, buffer->context);
  if (result == PI_SUCCESS) {
    result = CL_CALL(RetainDevice, buffer->device);
    if (result != PI_SUCCESS)
      cl.ReleaseContext(buffer->context);
  }
  if (result != PI_SUCCESS) {
    free(buffer);
    return result;
  }
  object_init(&buffer->handle, OBJECT_COMMAND_BUFFER);
  pthread_mutex_init(&buffer->lock, NULL);
  *ret_command_buffer = buffer;
  return PI_SUCCESS;
}

pi_result piextCommandBufferRetain(pi_ext_command_buffer command_buffer) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  object_retain(&command_buffer->handle);
  return PI_SUCCESS;
}

/* Releases the objects and memory of a recorded command, which may have got only some of them. */
static void dispose_command(command *command) {
  if (command->kernel)
    cl.ReleaseKernel(command->kernel);
  for (size_t i = 0; i < 2; i++)
    if (command->mems[i])
      cl.ReleaseMemObject(command->mems[i]);
  free(command->pattern);
  free(command->waits);
}

pi_result piextCommandBufferRelease(pi_ext_command_buffer command_buffer) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  if (!object_release(&command_buffer->handle))
    return PI_SUCCESS;
  for (pi_uint32 i = 0; i < command_buffer->count; i++)
    dispose_command(&command_buffer->commands[i]);
  free(command_buffer->commands);
  pthread_mutex_destroy(&command_buffer->lock);
  cl.ReleaseDevice(command_buffer->device);
  cl.ReleaseContext(command_buffer->context);
  free(command_buffer);
  return PI_SUCCESS;
}

pi_result piextCommandBufferFinalize(pi_ext_command_buffer command_buffer) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  pthread_mutex_lock(&command_buffer->lock);
  const bool was_finalized = atomic_exchange(&command_buffer->finalized, true);
  pthread_mutex_unlock(&command_buffer->lock);
  return check_finalizing(was_finalized);
}

/* Copies a kernel with its arguments, which piKernelSetArg of the original does not change. */
static pi_result copy_kernel(cl_kernel kernel, cl_kernel *ret) {
  if (!cl.CloneKernel || opencl_extensions_of_kernel(kernel)->version < 210)
    return OPENCL_UNSUPPORTED("recording a kernel takes clCloneKernel of OpenCL 2.1");
  cl_int code;
  const cl_kernel copy = cl.CloneKernel(kernel, &code);
  TRY(cl_result(code, "clCloneKernel"));
  *ret = copy;
  return PI_SUCCESS;
}

static pi_result copy_bytes(const void *bytes, size_t size, void **ret) {
  if (!bytes || size == 0)
    return PI_SUCCESS;
  void *copy = malloc(size);
  REQUIRE_MEMORY(copy, "a command of a command buffer");
  memcpy(copy, bytes, size);
  *ret = copy;
  return PI_SUCCESS;
}

/* Gives recorded, which owns nothing yet, references to or copies of all that command uses. */
static pi_result acquire_objects(command *recorded, const command *command, const void *pattern,
                                 const sink *sink) {
  void *waits = NULL;
  TRY(copy_bytes(sink->sync_points, sink->wait_count * sizeof *sink->sync_points, &waits));
  recorded->waits = waits;
  recorded->wait_count = sink->wait_count;
  if (pattern)
    TRY(copy_bytes(pattern, command->fill.pattern_size, &recorded->pattern));
  for (size_t i = 0; i < 2 && command->mems[i]; i++) {
    TRY(CL_CALL(RetainMemObject, command->mems[i]));
    recorded->mems[i] = command->mems[i];
  }
  if (command->kernel)
    TRY(copy_kernel(command->kernel, &recorded->kernel));
  return PI_SUCCESS;
}

static pi_result append_command(const sink *sink, const command *command, const void *pattern) {
  struct pi_ext_command_buffer_object *buffer = sink->buffer;
  TRY(check_recording(atomic_load(&buffer->finalized), buffer->count, sink->wait_count,
                      sink->sync_points));
  REQUIRE_MEMORY(
      vector_reserve(&buffer->commands, &buffer->capacity, buffer->count, sizeof *buffer->commands),
      "%u commands of a command buffer", buffer->count + 1);

  struct command *recorded = &buffer->commands[buffer->count];
  *recorded = *command;
  recorded->kernel = NULL;
  recorded->mems[0] = recorded->mems[1] = NULL;
  const pi_result result = acquire_objects(recorded, command, pattern, sink);
  if (result != PI_SUCCESS) {
    dispose_command(recorded);
    return result;
  }
  for (pi_uint32 i = 0; i < sink->wait_count; i++)
    buffer->commands[sink->sync_points[i]].is_waited_for = true;
  if (buffer->most_waits < sink->wait_count)
    buffer->most_waits = sink->wait_count;
  if (sink->sync_point)
    *sink->sync_point = buffer->count;
  buffer->count++;
  return PI_SUCCESS;
}

pi_result command_buffer_append(const sink *sink, const command *command, const void *pattern) {
  pthread_mutex_lock(&sink->buffer->lock);
  const pi_result result = append_command(sink, command, pattern);
  pthread_mutex_unlock(&sink->buffer->lock);
  return result;
}

static pi_result check_queue(const struct pi_ext_command_buffer_object *buffer,
                             cl_command_queue queue) {
  cl_context context;
  cl_device_id device;
  TRY(CL_GET(CommandQueue, queue, CL_QUEUE_CONTEXT, &context));
  TRY(CL_GET(CommandQueue, queue, CL_QUEUE_DEVICE, &device));
  return check_running(atomic_load(&buffer->finalized), context == buffer->context,
                       device == buffer->device);
}

/* A replay in progress. */
typedef struct replay {
  const struct pi_ext_command_buffer_object *buffer;
  const sink *sink; /* the caller's */
  pi_event *events; /* one per enqueued command */
  pi_uint32 count;
  pi_event *list; /* scratch memory for the longest wait list, or the events of all commands */
} replay;

/*
 * Returns the sink of a command that waits for the first count events of the list. A command
 * without sync points waits for the caller's wait list. All other commands wait for such commands,
 * directly or through others, so this is enough in any queue.
 */
static sink replay_sink(const replay *replay, pi_uint32 count, pi_event *event) {
  return sink_of_queue(replay->sink->queue, PI_COMMAND_TYPE_EXT_COMMAND_BUFFER,
                       count ? count : replay->sink->wait_count,
                       count ? replay->list : replay->sink->waits, false, event);
}

/* Enqueues the next command. */
static pi_result replay_next(replay *replay) {
  const command *command = &replay->buffer->commands[replay->count];
  for (pi_uint32 i = 0; i < command->wait_count; i++)
    replay->list[i] = replay->events[command->waits[i]];
  sink sink = replay_sink(replay, command->wait_count, &replay->events[replay->count]);
  TRY(command->replay(command, &sink));
  replay->count++;
  return PI_SUCCESS;
}

/* Makes the event of the replay: a marker over the commands that no other command waits for. */
static pi_result replay_marker(replay *replay) {
  pi_uint32 count = 0;
  for (pi_uint32 i = 0; i < replay->count; i++)
    if (!replay->buffer->commands[i].is_waited_for)
      replay->list[count++] = replay->events[i];
  sink sink = replay_sink(replay, count, replay->sink->event);
  return marker_enqueue(&sink, count == 0);
}

static pi_result replay_all(replay *replay) {
  while (replay->count < replay->buffer->count)
    TRY(replay_next(replay));
  return replay->sink->event ? replay_marker(replay) : PI_SUCCESS;
}

/*
 * After a failure, waits for the commands that are already in the queue: the caller believes that
 * nothing runs, and may free memory that they use.
 */
pi_result piextEnqueueCommandBuffer(pi_ext_command_buffer command_buffer, pi_queue queue,
                                    pi_uint32 num_events_in_wait_list,
                                    const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  TRY(check_queue(command_buffer, cl_from_queue(queue)));

  const size_t count = command_buffer->count;
  const size_t most = count > command_buffer->most_waits ? count : command_buffer->most_waits;
  pi_event *events = calloc(count + most + 1, sizeof *events);
  REQUIRE_MEMORY(events, "the events of %zu commands", count);
  const sink sink = SINK_OF_QUEUE(EXT_COMMAND_BUFFER, false);
  replay replay = {
      .buffer = command_buffer, .sink = &sink, .events = events, .list = events + count};
  const pi_result result = replay_all(&replay);
  if (result != PI_SUCCESS && replay.count != 0)
    cl.WaitForEvents(replay.count, cl_from_events(events));
  for (pi_uint32 i = 0; i < replay.count; i++)
    cl.ReleaseEvent(cl_from_event(events[i]));
  free(events);
  return result;
}
