#include "command_buffer.h"

#include "checks.h"
#include "memory.h"
#include "queue.h"

#include <stdlib.h>

pi_result driver_command_buffer_open(pi_ext_command_buffer buffer) {
  TRY(context_member(buffer->context, buffer->device, &buffer->driver.member));
  TRY(cuda_enter(buffer->driver.member));
  CU_TRY(GraphCreate, &buffer->driver.graph, 0);
  return PI_SUCCESS;
}

/* Waits for the latest run, unless the context cannot be made current: then the run is lost. */
void driver_command_buffer_close(pi_ext_command_buffer buffer) {
  struct driver_command_buffer *driver = &buffer->driver;
  if (driver->member && cuda_enter(driver->member) == PI_SUCCESS) {
    if (driver->run) {
      cu.EventSynchronize(driver->run);
      cu.EventDestroy(driver->run);
    }
    if (driver->exec)
      cu.GraphExecDestroy(driver->exec);
    if (driver->graph)
      cu.GraphDestroy(driver->graph);
  }
  free(driver->nodes.items);
  free(driver->commands.items);
}

pi_result driver_command_buffer_finalize(pi_ext_command_buffer buffer) {
  TRY(cuda_enter(buffer->driver.member));
  CU_TRY(GraphInstantiateWithFlags, &buffer->driver.exec, buffer->driver.graph, 0);
  return PI_SUCCESS;
}

/* ---- Recording ---- */

/* Collects the nodes of the sync points. Each is listed once: CUDA refuses repeated nodes. */
static pi_result read_sync_points(sink *sink) {
  const CUgraphNode *commands = sink->buffer->driver.commands.items;
  const pi_uint32 count = sink->wait_count;
  /* One block: the nodes, then a flag for each command that says if its node is listed. */
  const size_t size = count * sizeof(CUgraphNode) + sink->buffer->command_count;
  CUgraphNode *nodes = calloc(size, 1);
  REQUIRE_MEMORY(nodes, "%u sync points", count);
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
  TRY(cuda_enter(sink->buffer->driver.member));
  return sink->wait_count ? read_sync_points(sink) : PI_SUCCESS;
}

/* Adds the command to the list of sync points. A command without nodes gets an empty node. */
static pi_result add_command(sink *sink) {
  if (!sink->command.last)
    TRY(record_empty(sink));
  return command_list_add(&sink->buffer->driver.commands, &sink->command.last,
                          sizeof sink->command.last);
}

/* Completes a command, or removes its nodes after a failure, the latest first. */
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
 * The caller holds the buffer's lock, because CUDA allows one call at a time for a graph. Runs of a
 * graph follow each other, so waiting for the event after the latest run waits for all runs.
 */
static pi_result launch_graph(pi_ext_command_buffer buffer, CUstream stream) {
  if (!buffer->driver.run)
    CU_TRY(EventCreate, &buffer->driver.run, CU_EVENT_DISABLE_TIMING);
  CU_TRY(GraphLaunch, buffer->driver.exec, stream);
  CU_TRY(EventRecord, buffer->driver.run, stream);
  return PI_SUCCESS;
}

/* Moves all memory objects of the commands to the device. */
static pi_result bring_objects(pi_ext_command_buffer buffer, const sink *sink) {
  const command_object *list = buffer->objects.items;
  for (size_t i = 0; buffer->context->driver.members && i < buffer->objects.count; i++)
    if (object_is(list[i].object, OBJECT_MEM))
      TRY(memory_bring(sink, list[i].object));
  return PI_SUCCESS;
}

pi_result driver_command_buffer_run(pi_ext_command_buffer buffer, sink *sink) {
  TRY(sink_begin(sink, SINK_COMPUTE));
  sink->command.is_several = true;
  pi_result result = bring_objects(buffer, sink);
  if (result == PI_SUCCESS)
    result = launch_graph(buffer, sink->command.stream);
  return sink_end(sink, result);
}
