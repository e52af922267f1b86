#include "command_buffer.h"

#include "checks.h"
#include "gate.h"
#include "queue.h"

#include <stdlib.h>

pi_result piextCommandBufferCreate(pi_context context, pi_device device,
                                   const pi_ext_command_buffer_desc *desc,
                                   pi_ext_command_buffer *ret_command_buffer) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(ret_command_buffer);
  PI_REQUIRE(device == context->devices[0], PI_ERROR_INVALID_DEVICE,
             "device is %d, the context is of device %d", (int)device->driver.ordinal,
             (int)context->devices[0]->driver.ordinal);
  PI_TRY(pi_check_command_buffer_desc(desc));
  PI_TRY(cuda_enter(context));

  pi_ext_command_buffer buffer = calloc(1, sizeof *buffer);
  PI_REQUIRE(buffer, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a command buffer");
  const pi_result result = cu_result(cu.GraphCreate(&buffer->driver.graph, 0), "cuGraphCreate");
  if (result != PI_SUCCESS) {
    free(buffer);
    return result;
  }
  pi_handle_init(&buffer->handle, PI_HANDLE_COMMAND_BUFFER);
  pthread_mutex_init(&buffer->lock, NULL);
  context_retain(context);
  buffer->context = context;
  buffer->device = device;
  *ret_command_buffer = buffer;
  return PI_SUCCESS;
}

pi_result piextCommandBufferRetain(pi_ext_command_buffer command_buffer) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  pi_handle_retain(&command_buffer->handle);
  return PI_SUCCESS;
}

/* No run is under way any more. */
static void destroy(pi_ext_command_buffer buffer) {
  const pi_context context = buffer->context;
  if (cuda_enter(context) == PI_SUCCESS) {
    if (buffer->driver.run)
      cu.EventDestroy(buffer->driver.run);
    if (buffer->driver.exec)
      cu.GraphExecDestroy(buffer->driver.exec);
    if (buffer->driver.graph)
      cu.GraphDestroy(buffer->driver.graph);
  }
  command_buffer_release_objects(buffer, 0);
  free(buffer->driver.nodes.items);
  free(buffer->driver.commands.items);
  free(buffer->objects.items);
  pthread_mutex_destroy(&buffer->lock);
  free(buffer);
  context_release(context);
}

/* For a run that user events may hold back for ever (gate.h): the buffer ends when the run does. */
static bool destroy_after_run(watched *watched) {
  const pi_ext_command_buffer buffer =
      DEFERRED_OWNER(watched, struct pi_ext_command_buffer_object, driver.released);
  if (cuda_enter(buffer->context) == PI_SUCCESS &&
      cu.EventQuery(buffer->driver.run) == CUDA_ERROR_NOT_READY)
    return false;
  destroy(buffer);
  return true;
}

/*
 * The code and memory of a run must outlive it, so that the last reference waits for its end. The
 * driver may refuse to wait for an event where no context is current.
 */
pi_result piextCommandBufferRelease(pi_ext_command_buffer command_buffer) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  if (!pi_handle_release(&command_buffer->handle))
    return PI_SUCCESS;
  /* A context that cannot be made current is lost, and the run with it. */
  (void)cuda_enter(command_buffer->context);
  if (command_buffer->driver.run && gate_is_any_closed() &&
      cu.EventQuery(command_buffer->driver.run) == CUDA_ERROR_NOT_READY) {
    const pi_result result = watcher_add(&command_buffer->driver.released, destroy_after_run);
    /* The reference is the caller's still. */
    if (result != PI_SUCCESS)
      pi_handle_init(&command_buffer->handle, PI_HANDLE_COMMAND_BUFFER);
    return result;
  }
  if (command_buffer->driver.run)
    cu.EventSynchronize(command_buffer->driver.run);
  destroy(command_buffer);
  return PI_SUCCESS;
}

/* With the lock. */
static pi_result finalize(pi_ext_command_buffer buffer) {
  PI_REQUIRE(!atomic_load(&buffer->is_finalized), PI_ERROR_INVALID_OPERATION,
             "the command buffer is finalized already");
  PI_TRY(cuda_enter(buffer->context));
  CU_TRY(GraphInstantiateWithFlags, &buffer->driver.exec, buffer->driver.graph, 0);
  atomic_store(&buffer->is_finalized, true);
  return PI_SUCCESS;
}

pi_result piextCommandBufferFinalize(pi_ext_command_buffer command_buffer) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  pthread_mutex_lock(&command_buffer->lock);
  const pi_result result = finalize(command_buffer);
  pthread_mutex_unlock(&command_buffer->lock);
  return result;
}

/* ---- Recording ---- */

/* The nodes of the sync points, each once: CUDA refuses a dependency that is there twice. */
static pi_result read_sync_points(sink *sink) {
  const CUgraphNode *commands = sink->buffer->driver.commands.items;
  const pi_uint32 count = sink->wait_count;
  /* Behind the nodes one byte for each command: whether it is among them. */
  const size_t size = count * sizeof(CUgraphNode) + sink->buffer->command_count;
  CUgraphNode *nodes = calloc(size, 1);
  PI_REQUIRE(nodes, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u sync points", count);
  bool *is_there = (bool *)(void *)(nodes + count);
  for (pi_uint32 i = 0; i < count; i++) {
    const pi_ext_sync_point point = sink->sync_points[i];
    if (is_there[point])
      continue;
    is_there[point] = true;
    nodes[sink->command.dependency_count++] = commands[point];
  }
  sink->command.dependencies = nodes;
  return PI_SUCCESS;
}

pi_result driver_record_begin(sink *sink) {
  sink->command = (struct driver_command){.node_count = sink->buffer->driver.nodes.count};
  PI_TRY(cuda_enter(sink->context));
  return sink->wait_count ? read_sync_points(sink) : PI_SUCCESS;
}

/* Adds it; a command without nodes gets an empty one. */
static pi_result add_command(sink *sink) {
  if (!sink->command.last)
    PI_TRY(record_empty(sink));
  return command_list_add(&sink->buffer->driver.commands, &sink->command.last,
                          sizeof sink->command.last);
}

/* After a failure the command's nodes are taken out again, the latest first. */
pi_result driver_record_end(sink *sink, pi_result result) {
  command_list *list = &sink->buffer->driver.nodes;
  if (result == PI_SUCCESS)
    result = add_command(sink);
  const CUgraphNode *nodes = list->items;
  while (result != PI_SUCCESS && list->count > sink->command.node_count)
    cu.GraphDestroyNode(nodes[--list->count]);
  free(sink->command.dependencies);
  return result;
}

/* ---- Running ---- */

/*
 * With the lock: CUDA wants calls about one graph one at a time. Runs of one graph follow each
 * other, so the event behind the latest one stands for all.
 */
static pi_result launch(pi_ext_command_buffer buffer, CUstream stream) {
  if (!buffer->driver.run)
    CU_TRY(EventCreate, &buffer->driver.run, CU_EVENT_DISABLE_TIMING);
  CU_TRY(GraphLaunch, buffer->driver.exec, stream);
  CU_TRY(EventRecord, buffer->driver.run, stream);
  return PI_SUCCESS;
}

pi_result piextEnqueueCommandBuffer(pi_ext_command_buffer command_buffer, pi_queue queue,
                                    pi_uint32 num_events_in_wait_list,
                                    const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  PI_REQUIRE(atomic_load(&command_buffer->is_finalized), PI_ERROR_INVALID_OPERATION,
             "the command buffer is not finalized");
  PI_REQUIRE(queue->context == command_buffer->context, PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR,
             "the queue is of another context than the command buffer");
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_EXT_COMMAND_BUFFER, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COMPUTE));
  pthread_mutex_lock(&command_buffer->lock);
  const pi_result result = launch(command_buffer, sink.command.stream);
  pthread_mutex_unlock(&command_buffer->lock);
  return sink_end(&sink, result);
}
