#include "recorded_launch.h"

#include "../checks/arguments.h"
#include "driver.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- References to the memory objects and samplers among the arguments of launch->kernel ---- */

static void retain_argument(object_head *object) {
  if (object && (object_is(object, OBJECT_MEM) || object_is(object, OBJECT_SAMPLER)))
    object_retain(object);
}

static void release_argument(object_head *object) {
  if (!object)
    return;
  if (object_is(object, OBJECT_MEM))
    memory_release((pi_mem)(void *)object);
  else if (object_is(object, OBJECT_SAMPLER))
    sampler_release((pi_sampler)(void *)object);
}

static void each_argument(pi_kernel kernel, void (*deed)(object_head *object)) {
  for (pi_uint32 i = 0; i < kernel->argument_count; i++)
    deed(kernel->arguments[i].object);
}

static void give_up_kernel(pi_kernel kernel) {
  if (!kernel)
    return;
  each_argument(kernel, release_argument);
  kernel_release(kernel);
}

/* ---- Lifetime ---- */

void recorded_launch_release(recorded_launch *launch) {
  if (!object_release(&launch->handle))
    return;
  give_up_kernel(launch->kernel);
  for (pi_uint32 i = 0; i < launch->alternative_count; i++)
    kernel_release(launch->alternatives[i]);
  free(launch);
}

/* Called when the command buffer ends; the application may still have references to the launch. */
static void end_launch(void *object) {
  recorded_launch *launch = object;
  launch->buffer = NULL;
  recorded_launch_release(launch);
}

static pi_result new_launch(pi_kernel kernel, pi_uint32 count, const pi_kernel *alternatives,
                            recorded_launch **ret) {
  recorded_launch *launch = calloc(1, sizeof *launch + (count + 1) * sizeof(pi_kernel));
  REQUIRE_MEMORY(launch, "a launch that can be changed");
  object_init(&launch->handle, OBJECT_COMMAND);
  for (pi_uint32 i = 0; i < count; i++)
    launch->alternatives[i] = alternatives[i];
  launch->alternatives[count] = kernel; /* so that an update can return to the first kernel */
  launch->alternative_count = count + 1;
  for (pi_uint32 i = 0; i < launch->alternative_count; i++)
    kernel_retain(launch->alternatives[i]);
  const pi_result result = kernel_copy(kernel, &launch->kernel);
  if (result != PI_SUCCESS) {
    recorded_launch_release(launch);
    return result;
  }
  each_argument(launch->kernel, retain_argument);
  *ret = launch;
  return PI_SUCCESS;
}

/* ---- Recording ---- */

static void read_range(recorded_launch *launch, const range_arrays *range) {
  launch_range_set(&launch->range, range->dimensions, range->offset, range->global, range->local);
}

pi_result launch_record(sink *sink, pi_kernel kernel, const range_arrays *range, pi_uint32 count,
                        const pi_kernel *alternatives, recorded_launch **ret) {
  recorded_launch *launch;
  pi_ext_sync_point number;
  REQUIRE(sink->buffer->is_updatable, PI_ERROR_INVALID_OPERATION,
          "the command buffer was not created so that its launches can be changed");
  TRY(new_launch(kernel, count, alternatives, &launch));
  launch->buffer = sink->buffer;
  pi_ext_sync_point *const wanted = sink->sync_point;
  sink->sync_point = &number;
  sink->launch = launch;
  const pi_result result = launch_kernel(sink, launch->kernel, range->dimensions, range->offset,
                                         range->global, range->local, false);
  if (result == PI_SUCCESS) {
    launch->number = number;
    read_range(launch, range);
    if (wanted)
      *wanted = number;
    *ret = launch;
  } else {
    recorded_launch_release(launch);
  }
  return result;
}

pi_result sink_hold_launch(sink *sink, recorded_launch *launch) {
  TRY(sink_hold(sink, launch, end_launch));
  recorded_launch_retain(launch);
  return PI_SUCCESS;
}

/* ---- Changing ---- */

static bool is_same_kernel(const recorded_launch *launch, pi_kernel kernel) {
  return launch->kernel->build == kernel->build && strcmp(launch->kernel->name, kernel->name) == 0;
}

/* Returns whether an update may make the launch one of the kernel. */
static bool may_become(const recorded_launch *launch, pi_kernel kernel) {
  for (pi_uint32 i = 0; i < launch->alternative_count; i++)
    if (launch->alternatives[i] == kernel)
      return true;
  return is_same_kernel(launch, kernel);
}

pi_result launch_change_begin(recorded_launch *launch, pi_kernel replacement, pi_kernel *ret) {
  TRY(check_finalized(launch->buffer->is_finalized));
  REQUIRE(!launch->range.is_empty, PI_ERROR_INVALID_OPERATION,
          "the launch was recorded with no work-items, and there is nothing to change");
  REQUIRE(!replacement || may_become(launch, replacement), PI_ERROR_INVALID_VALUE,
          "kernel %s is no alternative that the launch of %s was recorded with",
          replacement ? replacement->name : "", launch->kernel->name);
  pthread_mutex_lock(&launch->buffer->lock); /* guards launch->kernel */
  /*
   * Copies launch->kernel if replacement is the same kernel, because the arguments may have been
   * passed with the recorded launch, and then the application's kernel has none.
   */
  const bool is_new = replacement && !is_same_kernel(launch, replacement);
  const pi_result result = kernel_copy(is_new ? replacement : launch->kernel, ret);
  pthread_mutex_unlock(&launch->buffer->lock);
  return result;
}

/* Fills missing members of range from the former launch. */
static pi_result complete_range(const recorded_launch *launch, range_arrays *range) {
  const launch_range *former = &launch->range;
  if (range->dimensions == 0)
    range->dimensions = former->dimensions;
  REQUIRE((range->global && range->offset) || range->dimensions == former->dimensions,
          PI_ERROR_INVALID_VALUE,
          "the range gets %u dimensions without a global size and an offset of its own, it has %u",
          range->dimensions, former->dimensions);
  if (!range->offset)
    range->offset = former->offset;
  if (!range->local && !range->global && former->has_local)
    range->local = former->local;
  if (!range->global)
    range->global = former->global;
  return PI_SUCCESS;
}

/* The caller holds the command buffer's lock. */
static pi_result change_launch(recorded_launch *recorded_launch, pi_kernel kernel,
                               const range_arrays *range) {
  const sink sink = sink_of_command_buffer(recorded_launch->buffer, 0, NULL, NULL);
  kernel_launch launch = {.is_cooperative = false};
  TRY(launch_prepare(&sink, kernel, range->dimensions, range->offset, range->global, range->local,
                     &launch));
  REQUIRE(!launch.range.is_empty, PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
          "a launch cannot be changed to one of no work-items");
  return driver_command_update(recorded_launch->buffer, recorded_launch->number, &launch);
}

pi_result launch_change_end(recorded_launch *launch, pi_kernel kernel, const range_arrays *range) {
  range_arrays whole = *range;
  pi_result result = complete_range(launch, &whole);
  pthread_mutex_lock(&launch->buffer->lock);
  if (result == PI_SUCCESS)
    result = change_launch(launch, kernel, &whole);
  pi_kernel former = NULL;
  if (result == PI_SUCCESS) {
    launch_range range_now;
    launch_range_set(&range_now, whole.dimensions, whole.offset, whole.global, whole.local);
    launch->range = range_now;
    each_argument(kernel, retain_argument);
    kernel_launched(kernel);
    former = launch->kernel;
    launch->kernel = kernel;
  }
  pthread_mutex_unlock(&launch->buffer->lock);
  if (result != PI_SUCCESS)
    kernel_release(kernel);
  give_up_kernel(former);
  return result;
}
