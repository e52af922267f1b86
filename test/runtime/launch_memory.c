/*
 * Each allocation in the creation of objects and in commands fails once. Commands allocate nothing
 * where the documentation promises that.
 */
#include "launch_world.h"

#include "../unit/memory.h"

#include <stdlib.h>

enum { MANY = 40, TOO_MANY = 1000 };

/* The objects that the steps use. */
typedef struct world {
  specpi_queue queue;
  specpi_buffer buffer;
  specpi_kernel kernel;
  specpi_event events[MANY]; /* held, so that the queue has no free event */
} world;

/* Creates an object and releases it; sets *untouched if the output did not change. */
typedef specpi_result step(world *world, bool *untouched);

static specpi_result make_queue(world *world, bool *untouched) {
  (void)world;
  specpi_queue queue = NULL;
  const specpi_result result = specpiQueueCreate(world_device(), SPECPI_QUEUE_PROFILING, &queue);
  *untouched = !queue;
  specpiQueueRelease(queue);
  return result;
}

static specpi_result make_buffer(world *world, bool *untouched) {
  (void)world;
  specpi_buffer buffer = NULL;
  const specpi_result result = specpiBufferCreate(world_device(), 64, NULL, &buffer);
  *untouched = !buffer;
  specpiBufferRelease(buffer);
  return result;
}

static specpi_result make_kernel(world *world, bool *untouched) {
  (void)world;
  specpi_kernel kernel = NULL;
  const specpi_result result = specpiKernelCreate(world_bundle(WORLD_LAUNCH), "scale", &kernel);
  *untouched = !kernel;
  specpiKernelRelease(kernel);
  return result;
}

static specpi_result list_parameters(world *world, bool *untouched) {
  (void)world;
  specpi_image image;
  size_t count = TOO_MANY;
  specpi_parameter list[2];
  specpiBundleGetImages(world_bundle(WORLD_LAUNCH), 1, &image, &count);
  count = TOO_MANY;
  const specpi_result result = specpiImageGetParameters(image, "scale", 2, list, &count);
  *untouched = count == TOO_MANY;
  return result;
}

/* A command that needs a new event and gets no memory fails before the driver is called. */
static specpi_result launch(world *world, bool *untouched) {
  const float factor = 2;
  const specpi_range range = {.dimensions = 1, .global = {16}};
  const specpi_argument arguments[] = {specpiArgumentBuffer(world->buffer),
                                       SPECPI_ARGUMENT_OF(factor)};
  specpi_event event = NULL;
  const specpi_result result =
      specpiKernelLaunch(world->kernel, world->queue, &range, 2, arguments, 0, NULL, &event);
  *untouched = !event;
  specpiEventRelease(event);
  return result;
}

static specpi_result fill(world *world, bool *untouched) {
  specpi_event event = NULL;
  const specpi_result result =
      specpiBufferFill(world->queue, world->buffer, "1234", 4, 0, 64, 0, NULL, &event);
  *untouched = !event;
  specpiEventRelease(event);
  return result;
}

static void open_world(world *world) {
  *world = (struct world){.queue = world_queue(SPECPI_QUEUE_OUT_OF_ORDER),
                          .buffer = world_buffer(64, NULL),
                          .kernel = world_kernel(WORLD_LAUNCH, "scale")};
}

/* Takes all events that the queue has from the start, and a few more. */
static void take_events(world *world) {
  for (size_t i = 0; i < MANY; i++)
    WORKS(specpiBufferFill(world->queue, world->buffer, "0000", 4, 0, 64, 0, NULL,
                           &world->events[i]));
}

static void close_world(world *world) {
  WORKS(specpiQueueFinish(world->queue));
  for (size_t i = 0; i < MANY; i++)
    specpiEventRelease(world->events[i]);
  specpiKernelRelease(world->kernel);
  specpiBufferRelease(world->buffer);
  specpiQueueRelease(world->queue);
}

/* Lets every allocation of a step fail once; the step must make at least `least` allocations. */
static void try_step(step *step, long least, bool keeps) {
  long n = 0;
  for (; n < TOO_MANY; n++) {
    world world;
    bool untouched = false;
    open_world(&world);
    take_events(&world);
    memory_watch(n);
    const specpi_result result = step(&world, &untouched);
    const memory_use use = memory_unwatch();
    close_world(&world);
    if (!use.failed) {
      assert_int_equal(result, SPECPI_SUCCESS);
      break;
    }
    assert_int_equal(result, SPECPI_ERROR_OUT_OF_MEMORY);
    assert_true(untouched);
    /* A queue keeps a new event for reuse, and an image keeps the facts read from its code. */
    assert_true(use.held == 0 || keeps);
  }
  assert_in_range(n, least, TOO_MANY - 1);
}

TEST(failed_allocations_leak_nothing) {
  try_step(make_queue, 2, false);
  try_step(make_buffer, 1, false);
  try_step(make_kernel, 3, false);
  try_step(list_parameters, 8, true);
  try_step(launch, 1, true);
  try_step(fill, 1, true);
}

/* Commands of every kind, with and without event, with long wait lists. */
static void use_everything(world *world, const specpi_event *waits, size_t wait_count) {
  static const specpi_range range = {.dimensions = 1, .global = {16}};
  const float factor = 2;
  const specpi_argument arguments[] = {specpiArgumentBuffer(world->buffer),
                                       SPECPI_ARGUMENT_OF(factor)};
  char bytes[64];
  specpi_event event;
  WORKS(specpiKernelLaunch(world->kernel, world->queue, &range, 2, arguments, wait_count, waits,
                           NULL));
  WORKS(specpiKernelLaunch(world->kernel, world->queue, &range, 2, arguments, wait_count, waits,
                           &event));
  WORKS(specpiBufferRead(world->queue, world->buffer, 0, 64, bytes, 1, &event, NULL));
  specpiEventRelease(event);
  WORKS(specpiBufferWrite(world->queue, world->buffer, 0, 64, bytes, 0, NULL, &event));
  WORKS(specpiEventWait(1, &event));
  specpiEventRelease(event);
}

TEST(allocates_nothing) {
  world world;
  open_world(&world);
  use_everything(&world, NULL, 0);
  memory_watch(MEMORY_NEVER);
  for (int i = 0; i < 100; i++)
    use_everything(&world, NULL, 0);
  assert_int_equal(memory_unwatch().calls, 0);
  take_events(&world);
  /* More events than the queue had; later commands reuse them. */
  use_everything(&world, world.events, MANY);
  memory_watch(MEMORY_NEVER);
  for (int i = 0; i < 100; i++)
    use_everything(&world, world.events, MANY);
  assert_int_equal(memory_unwatch().calls, 0);
  close_world(&world);
}

int main(void) {
  return tests_run(NULL, world_end);
}
