#include "command_buffer.h"

#include "checks.h"

#include "../base/vector.h"
#include "../objects/handle.h"

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

#define REQUIRE_COMMAND_BUFFER(command_buffer)                                                     \
  REQUIRE((command_buffer) && object_is(&(command_buffer)->handle, OBJECT_COMMAND_BUFFER),         \
          PI_ERROR_INVALID_COMMAND_BUFFER_KHR, "command_buffer is %s",                             \
          (command_buffer) ? "not a command buffer" : "NULL")

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
                                 const command_sync *sync) {
  void *waits = NULL;
  TRY(copy_bytes(sync->list, sync->count * sizeof *sync->list, &waits));
  recorded->waits = waits;
  recorded->wait_count = sync->count;
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

static pi_result append_command(struct pi_ext_command_buffer_object *buffer, const command *command,
                                const void *pattern, const command_sync *sync) {
  TRY(check_recording(atomic_load(&buffer->finalized), buffer->count, sync->count, sync->list));
  REQUIRE_MEMORY(
      vector_reserve(&buffer->commands, &buffer->capacity, buffer->count, sizeof *buffer->commands),
      "%u commands of a command buffer", buffer->count + 1);

  struct command *recorded = &buffer->commands[buffer->count];
  *recorded = *command;
  recorded->kernel = NULL;
  recorded->mems[0] = recorded->mems[1] = NULL;
  const pi_result result = acquire_objects(recorded, command, pattern, sync);
  if (result != PI_SUCCESS) {
    dispose_command(recorded);
    return result;
  }
  for (pi_uint32 i = 0; i < sync->count; i++)
    buffer->commands[sync->list[i]].is_waited_for = true;
  if (buffer->most_waits < sync->count)
    buffer->most_waits = sync->count;
  if (sync->ret)
    *sync->ret = buffer->count;
  buffer->count++;
  return PI_SUCCESS;
}

pi_result command_buffer_append(pi_ext_command_buffer command_buffer, const command *command,
                                const void *pattern, const command_sync *sync) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  pthread_mutex_lock(&command_buffer->lock);
  const pi_result result = append_command(command_buffer, command, pattern, sync);
  pthread_mutex_unlock(&command_buffer->lock);
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
  pi_queue queue;
  pi_uint32 wait_count; /* length of the caller's wait list */
  const pi_event *wait_list;
  pi_event *events; /* one per enqueued command */
  pi_uint32 count;
  pi_event *list; /* scratch memory for the longest wait list, or the events of all commands */
} replay;

/*
 * Enqueues the next command. A command without sync points waits for the caller's wait list. All
 * other commands wait for such commands, directly or through others, so this is enough in any
 * queue.
 */
static pi_result replay_next(replay *replay) {
  const command *command = &replay->buffer->commands[replay->count];
  for (pi_uint32 i = 0; i < command->wait_count; i++)
    replay->list[i] = replay->events[command->waits[i]];
  const bool waits = command->wait_count != 0;
  TRY(command->replay(command, replay->queue, waits ? command->wait_count : replay->wait_count,
                      waits ? replay->list : replay->wait_list, &replay->events[replay->count]));
  replay->count++;
  return PI_SUCCESS;
}

/* Makes the event of the replay: a marker over the commands that no other command waits for. */
static pi_result replay_marker(replay *replay, pi_event *event) {
  pi_uint32 count = 0;
  for (pi_uint32 i = 0; i < replay->count; i++)
    if (!replay->buffer->commands[i].is_waited_for)
      replay->list[count++] = replay->events[i];
  if (count == 0)
    return piEnqueueEventsWait(replay->queue, replay->wait_count, replay->wait_list, event);
  return piEnqueueEventsWait(replay->queue, count, replay->list, event);
}

static pi_result replay_all(replay *replay, pi_event *event) {
  while (replay->count < replay->buffer->count)
    TRY(replay_next(replay));
  return event ? replay_marker(replay, event) : PI_SUCCESS;
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
  replay replay = {.buffer = command_buffer,
                   .queue = queue,
                   .wait_count = num_events_in_wait_list,
                   .wait_list = event_wait_list,
                   .events = events,
                   .list = events + count};
  const pi_result result = replay_all(&replay, event);
  if (result != PI_SUCCESS && replay.count != 0)
    cl.WaitForEvents(replay.count, cl_from_events(events));
  for (pi_uint32 i = 0; i < replay.count; i++)
    cl.ReleaseEvent(cl_from_event(events[i]));
  free(events);
  return result;
}
