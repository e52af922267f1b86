/*
 * For each function of libspecpi, every driver call that it makes fails once, over the fake OpenCL.
 * The function returns an error with a message, does not change its outputs and leaks no object.
 */
#include "launch_world.h"

#include "../../fakes/opencl/fake_opencl.h"
#include "../../runtime/queue.h"

enum { SIZE = 128, TOO_MANY = 200 };

typedef struct world {
  specpi_queue queue;
  specpi_queue other;
  specpi_buffer buffer;
  specpi_kernel kernel;
  specpi_event event; /* of a command in `other` */
  specpi_event own;   /* of a command in `queue` */
  void *memory;
} world;

static void open_world(world *world) {
  *world = (struct world){.queue = world_queue(SPECPI_QUEUE_PROFILING),
                          .other = world_queue(0),
                          .buffer = world_buffer(SIZE, NULL),
                          .kernel = world_kernel(WORLD_LAUNCH, "stamp")};
  WORKS(specpiMemoryAllocate(world_device(), SPECPI_MEMORY_SHARED, SIZE, 0, &world->memory));
  WORKS(specpiBufferFill(world->other, world->buffer, "a", 1, 0, SIZE, 0, NULL, &world->event));
  WORKS(specpiBufferFill(world->queue, world->buffer, "a", 1, 0, SIZE, 0, NULL, &world->own));
}

static void close_world(world *world) {
  specpiEventRelease(world->event);
  specpiEventRelease(world->own);
  WORKS(specpiMemoryFree(world_device(), world->memory));
  specpiKernelRelease(world->kernel);
  specpiBufferRelease(world->buffer);
  specpiQueueRelease(world->other);
  specpiQueueRelease(world->queue);
}

/* Calls one function and releases its result; sets *untouched if the output did not change. */
typedef specpi_result step(world *world, bool *untouched);

static specpi_result make_queue(world *world, bool *untouched) {
  (void)world;
  specpi_queue queue = NULL;
  const specpi_result result = specpiQueueCreate(world_device(), 0, &queue);
  *untouched = !queue;
  specpiQueueRelease(queue);
  return result;
}

static specpi_result finish_queue(world *world, bool *untouched) {
  *untouched = true;
  return specpiQueueFinish(world->queue);
}

static specpi_result make_buffer(world *world, bool *untouched) {
  (void)world;
  specpi_buffer buffer = NULL;
  const specpi_result result = specpiBufferCreate(world_device(), SIZE, NULL, &buffer);
  *untouched = !buffer;
  specpiBufferRelease(buffer);
  return result;
}

static specpi_result allocate(world *world, bool *untouched) {
  (void)world;
  void *pointer = NULL;
  const specpi_result result =
      specpiMemoryAllocate(world_device(), SPECPI_MEMORY_DEVICE, SIZE, 0, &pointer);
  *untouched = !pointer;
  if (pointer)
    WORKS(specpiMemoryFree(world_device(), pointer));
  return result;
}

static specpi_result get_kind(world *world, bool *untouched) {
  specpi_memory_kind kind = SPECPI_MEMORY_KIND_COUNT;
  const specpi_result result = specpiMemoryGetKind(world_device(), world->memory, &kind);
  *untouched = kind == SPECPI_MEMORY_KIND_COUNT;
  return result;
}

static specpi_result make_kernel(world *world, bool *untouched) {
  (void)world;
  specpi_kernel kernel = NULL;
  const specpi_result result = specpiKernelCreate(world_bundle(WORLD_LAUNCH), "stamp", &kernel);
  *untouched = !kernel;
  specpiKernelRelease(kernel);
  return result;
}

static specpi_result ended(specpi_result result, specpi_event event, bool *untouched) {
  *untouched = !event;
  specpiEventRelease(event);
  return result;
}

/* The commands from here on wait for an event of another queue. */
static specpi_result fill(world *world, bool *untouched) {
  specpi_event event = NULL;
  const specpi_result result =
      specpiBufferFill(world->queue, world->buffer, "b", 1, 0, SIZE, 1, &world->event, &event);
  return ended(result, event, untouched);
}

static specpi_result copy(world *world, bool *untouched) {
  specpi_event event = NULL;
  const specpi_result result = specpiBufferCopy(world->queue, world->buffer, 0, world->buffer, 64,
                                                64, 1, &world->event, &event);
  return ended(result, event, untouched);
}

static specpi_result read_buffer(world *world, bool *untouched) {
  char bytes[SIZE];
  *untouched = true;
  return specpiBufferRead(world->queue, world->buffer, 0, SIZE, bytes, 1, &world->event, NULL);
}

static specpi_result write_buffer(world *world, bool *untouched) {
  static const char bytes[SIZE];
  specpi_event event = NULL;
  const specpi_result result =
      specpiBufferWrite(world->queue, world->buffer, 0, SIZE, bytes, 1, &world->event, &event);
  return ended(result, event, untouched);
}

static specpi_result copy_memory(world *world, bool *untouched) {
  static const char bytes[SIZE];
  specpi_event event = NULL;
  const specpi_result result =
      specpiMemoryCopy(world->queue, world->memory, bytes, SIZE, 1, &world->event, &event);
  return ended(result, event, untouched);
}

static specpi_result fill_memory(world *world, bool *untouched) {
  specpi_event event = NULL;
  const specpi_result result =
      specpiMemoryFill(world->queue, world->memory, 7, SIZE, 1, &world->event, &event);
  return ended(result, event, untouched);
}

/* The wait list is so long that libspecpi replaces it by a marker. */
static specpi_result launch(world *world, bool *untouched) {
  const uint64_t first = 1;
  const uint32_t second = 2;
  const specpi_range range = {.dimensions = 1, .global = {16}};
  const specpi_argument arguments[] = {specpiArgumentBuffer(world->buffer),
                                       SPECPI_ARGUMENT_OF(first), SPECPI_ARGUMENT_OF(second)};
  specpi_event waits[80];
  for (size_t i = 0; i < COUNT_OF(waits); i++)
    waits[i] = world->event;
  specpi_event event = NULL;
  const specpi_result result = specpiKernelLaunch(world->kernel, world->queue, &range, 3, arguments,
                                                  COUNT_OF(waits), waits, &event);
  return ended(result, event, untouched);
}

static specpi_result wait(world *world, bool *untouched) {
  *untouched = true;
  return specpiEventWait(1, &world->event);
}

static specpi_result get_state(world *world, bool *untouched) {
  specpi_event_state found = (specpi_event_state)99;
  const specpi_result result = specpiEventGetState(world->event, &found);
  *untouched = found == (specpi_event_state)99;
  return result;
}

static specpi_result get_times(world *world, bool *untouched) {
  specpi_times times = {0};
  const specpi_result result = specpiEventGetTimes(world->own, &times);
  *untouched = times.queued + times.submitted + times.started + times.ended == 0;
  return result;
}

/*
 * Returns whether the step may succeed although this call fails: the call only queries limits, or
 * belongs to the hint that a kernel follows pointers (for which the plugin queries its context).
 */
static bool may_fail(const char *call) {
  return strcmp(call, "clGetKernelWorkGroupInfo") == 0 || strcmp(call, "clGetDeviceInfo") == 0 ||
         strcmp(call, "clSetKernelExecInfo") == 0 || strcmp(call, "clGetKernelInfo") == 0;
}

/* Lets the step's driver call n fail; returns false if the step makes fewer calls. */
static bool fail_once(step *step, unsigned long n) {
  world world;
  open_world(&world);
  const size_t before = fake_opencl_live_all();
  bool untouched = true;
  fake_opencl_fail(NULL, n, CL_OUT_OF_RESOURCES);
  const specpi_result result = step(&world, &untouched);
  const char *failed = fake_opencl_unfail();
  if (!failed) {
    if (result != SPECPI_SUCCESS)
      fail_msg("no call failed and the step did: %s", specpiGetLastError());
  } else if (result == SPECPI_SUCCESS) {
    if (!may_fail(failed))
      fail_msg("%s failed and nobody noticed", failed);
  } else {
    if (result != SPECPI_ERROR_DRIVER && result != SPECPI_ERROR_UNSUPPORTED)
      fail_msg("%s failed: %s", failed, specpiResultGetName(result));
    if (*specpiGetLastError() == '\0' || !untouched)
      fail_msg("%s failed: untouched %d, \"%s\"", failed, untouched, specpiGetLastError());
  }
  assert_int_equal(fake_opencl_live_all(), before);
  close_world(&world);
  return failed;
}

TEST(failed_calls_of_the_driver_leak_nothing) {
  static const struct {
    const char *name;
    step *step;
  } steps[] = {
      {"specpiQueueCreate", make_queue},   {"specpiQueueFinish", finish_queue},
      {"specpiBufferCreate", make_buffer}, {"specpiMemoryAllocate", allocate},
      {"specpiMemoryGetKind", get_kind},   {"specpiKernelCreate", make_kernel},
      {"specpiBufferFill", fill},          {"specpiBufferCopy", copy},
      {"specpiBufferRead", read_buffer},   {"specpiBufferWrite", write_buffer},
      {"specpiMemoryCopy", copy_memory},   {"specpiMemoryFill", fill_memory},
      {"specpiKernelLaunch", launch},      {"specpiEventWait", wait},
      {"specpiEventGetState", get_state},  {"specpiEventGetTimes", get_times},
  };
  for (size_t i = 0; i < COUNT_OF(steps); i++) {
    unsigned long n = 1;
    while (n < TOO_MANY && fail_once(steps[i].step, n))
      n++;
    print_message("%s: %lu driver calls\n", steps[i].name, n - 1);
    assert_in_range(n, 2, TOO_MANY - 1);
  }
}

/* A command fails because an event in its wait list fails: a user event of PI, wrapped in an event
 * of libspecpi. */
TEST(tells_of_a_failed_command) {
  world world;
  open_world(&world);
  const pi_function_table *pi = specpiDeviceGetFunctions(world_device());
  pi_context context;
  struct specpi_event_object gate = {.queue = world.queue};
  specpi_event wait = &gate;
  specpi_event events[2] = {world.event, NULL};
  WORKS(specpiDeviceGetContext(world_device(), &context));
  assert_int_equal(pi->piEventCreate(context, &gate.handle), PI_SUCCESS);
  WORKS(specpiBufferFill(world.queue, world.buffer, "f", 1, 0, SIZE, 1, &wait, &events[1]));
  assert_int_equal(pi->piEventSetStatus(gate.handle, PI_ERROR_OUT_OF_RESOURCES), PI_SUCCESS);
  FAILS(specpiEventWait(2, events), SPECPI_ERROR_DRIVER,
        "the command of events[1] failed with "
        "PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST (-14)");
  specpi_event_state found;
  WORKS(specpiEventGetState(events[1], &found));
  assert_int_equal(found, SPECPI_EVENT_FAILED);
  specpi_times times;
  FAILS(specpiEventGetTimes(events[1], &times), SPECPI_ERROR_INVALID_STATE, "the event is failed");
  specpiEventRelease(events[1]);
  assert_int_equal(pi->piEventRelease(gate.handle), PI_SUCCESS);
  close_world(&world);
}

/* A device refuses the objects of another one. */
TEST(keeps_devices_apart) {
  specpi_device devices[3];
  size_t count;
  WORKS(specpiDevicesGet("*:*", 3, devices, &count));
  assert_int_equal(count, 3);
  world world;
  open_world(&world);
  specpi_queue queue;
  WORKS(specpiQueueCreate(devices[2], 0, &queue));
  const char *text = "a";
  REFUSES(specpiBufferFill(queue, world.buffer, text, 1, 0, 1, 0, NULL, NULL),
          "buffer is of opencl:0, the queue of opencl:2");
  specpi_buffer buffer;
  WORKS(specpiBufferCreate(devices[2], SIZE, NULL, &buffer));
  REFUSES(specpiBufferCopy(queue, buffer, 0, world.buffer, 0, 1, 0, NULL, NULL),
          "destination is of opencl:0, the queue of opencl:2");
  REFUSES(specpiBufferFill(queue, buffer, text, 1, 0, 1, 1, &world.event, NULL),
          "waits[0] is of opencl:0, the queue of opencl:2");
  const specpi_range range = {.dimensions = 1, .global = {16}};
  const uint64_t first = 1;
  const uint32_t second = 2;
  const specpi_argument arguments[] = {specpiArgumentBuffer(buffer), SPECPI_ARGUMENT_OF(first),
                                       SPECPI_ARGUMENT_OF(second)};
  REFUSES(specpiKernelLaunch(world.kernel, queue, &range, 3, arguments, 0, NULL, NULL),
          "kernel \"stamp\" is of opencl:0, and the queue of opencl:2");
  REFUSES(specpiKernelLaunch(world.kernel, world.queue, &range, 3, arguments, 0, NULL, NULL),
          "argument 0 is a buffer of opencl:2, the queue is of opencl:0");
  /* A single wait may have events of several devices. */
  specpi_event events[2] = {world.event, NULL};
  WORKS(specpiBufferFill(queue, buffer, text, 1, 0, 1, 0, NULL, &events[1]));
  WORKS(specpiEventWait(2, events));
  specpiEventRelease(events[1]);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
  close_world(&world);
}

/* The second device has OpenCL 1.2 without unified shared memory. */
TEST(says_what_is_not_supported) {
  specpi_device devices[3];
  size_t count;
  void *pointer = NULL;
  WORKS(specpiDevicesGet("*:*", 3, devices, &count));
  FAILS(specpiMemoryAllocate(devices[1], SPECPI_MEMORY_SHARED, 64, 0, &pointer),
        SPECPI_ERROR_UNSUPPORTED, "opencl:1 has no shared memory");
  assert_null(pointer);
}

int main(void) {
  return tests_run(NULL, world_end);
}
