/* Launches. */
#include "launch_world.h"

#include <stdlib.h>

/* ---- Launches that work ---- */

/* Launches the kernel `positions` and checks its output: global id and group size, three numbers
 * each. */
static void check_positions(const specpi_range *range) {
  size_t items = 1;
  size_t global[3];
  for (unsigned i = 0; i < 3; i++) {
    global[i] = i < range->dimensions ? range->global[i] : 1;
    items *= global[i];
  }
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(items * 24, NULL);
  specpi_kernel kernel = world_kernel(WORLD_LAUNCH, "positions");
  const specpi_argument argument = specpiArgumentBuffer(buffer);
  WORKS(specpiKernelLaunch(kernel, queue, range, 1, &argument, 0, NULL, NULL));
  uint32_t *found = malloc(items * 24);
  assert_non_null(found);
  world_read(queue, buffer, found);
  for (size_t i = 0; i < items; i++) {
    const size_t ids[3] = {i % global[0], i / global[0] % global[1], i / global[0] / global[1]};
    for (unsigned d = 0; d < 3; d++) {
      const bool used = d < range->dimensions;
      assert_int_equal(found[i * 6 + d], ids[d] + (used ? range->offset[d] : 0));
      if (used && range->local[d])
        assert_int_equal(found[i * 6 + 3 + d], range->local[d]);
    }
  }
  free(found);
  specpiKernelRelease(kernel);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

/* One to three dimensions, with and without a local size and an offset. */
TEST(covers_the_range) {
  const size_t unused = 99; /* entries past the last dimension do not count */
  for (unsigned dimensions = 1; dimensions <= 3; dimensions++)
    for (unsigned variant = 0; variant < 4; variant++) {
      specpi_range range = {.dimensions = dimensions};
      for (unsigned i = 0; i < 3; i++) {
        const bool used = i < dimensions;
        range.global[i] = used ? 12 - 2 * i : unused;
        range.local[i] = used ? (variant & 1 ? 2 : 0) : unused;
        range.offset[i] = used ? (variant & 2 ? 5 + i : 0) : unused;
      }
      check_positions(&range);
    }
}

/* Values of every size, and a structure. */
TEST(passes_values) {
  struct record {
    int number;
    char letter;
    int64_t large;
  } record = {-77, 'r', INT64_C(1) << 40};
  const int8_t c = -1;
  const uint8_t uc = 255;
  const int16_t s = -300;
  const uint16_t us = 60000;
  const int32_t i = -100000;
  const uint32_t ui = 4000000000u;
  const int64_t l = -(INT64_C(1) << 50);
  const float f = 1.5f;
  const int32_t v[4] = {1, 2, 3, 4};
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(12 * 8, NULL);
  specpi_kernel kernel = world_kernel(WORLD_ARGUMENTS, "values");
  const specpi_argument arguments[] = {
      specpiArgumentBuffer(buffer), SPECPI_ARGUMENT_OF(c),     SPECPI_ARGUMENT_OF(uc),
      SPECPI_ARGUMENT_OF(s),        SPECPI_ARGUMENT_OF(us),    SPECPI_ARGUMENT_OF(i),
      SPECPI_ARGUMENT_OF(ui),       SPECPI_ARGUMENT_OF(l),     SPECPI_ARGUMENT_OF(f),
      SPECPI_ARGUMENT_OF(v),        SPECPI_ARGUMENT_OF(record)};
  const specpi_range range = {.dimensions = 1, .global = {1}};
  WORKS(specpiKernelLaunch(kernel, queue, &range, COUNT_OF(arguments), arguments, 0, NULL, NULL));
  const int64_t expected[12] = {
      -1,         255,  -300, 60000, -100000,         4000000000, -(INT64_C(1) << 50),
      0x3fc00000, 4321, -77,  'r',   INT64_C(1) << 40};
  int64_t found[12];
  world_read(queue, buffer, found);
  for (size_t n = 0; n < 12; n++)
    assert_int_equal(found[n], expected[n]);
  specpiKernelRelease(kernel);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

/* Local memory, and a pointer for a parameter that otherwise takes a buffer. */
TEST(passes_local_memory_and_pointers) {
  specpi_queue queue = world_queue(0);
  void *in;
  WORKS(specpiMemoryAllocate(world_device(), SPECPI_MEMORY_SHARED, 64, 0, &in));
  for (int i = 0; i < 16; i++)
    ((int *)in)[i] = i;
  specpi_buffer out = world_buffer(16, NULL);
  specpi_kernel kernel = world_kernel(WORLD_ARGUMENTS, "group_sum");
  const specpi_argument arguments[] = {specpiArgumentPointer(in), specpiArgumentBuffer(out),
                                       specpiArgumentLocal(16)};
  const specpi_range range = {.dimensions = 1, .global = {16}, .local = {4}};
  WORKS(specpiKernelLaunch(kernel, queue, &range, 3, arguments, 0, NULL, NULL));
  int found[4];
  world_read(queue, out, found);
  for (int i = 0; i < 4; i++)
    assert_int_equal(found[i], 16 * i + 6);
  specpiKernelRelease(kernel);
  specpiBufferRelease(out);
  WORKS(specpiMemoryFree(world_device(), in));
  specpiQueueRelease(queue);
}

/* Each launch has its own arguments and starts after the one before it. */
TEST(orders_by_events) {
  float data[16];
  for (int i = 0; i < 16; i++)
    data[i] = (float)i;
  specpi_queue queue = world_queue(SPECPI_QUEUE_OUT_OF_ORDER | SPECPI_QUEUE_PROFILING);
  specpi_buffer buffer = world_buffer(sizeof data, data);
  specpi_kernel kernel = world_kernel(WORLD_LAUNCH, "scale");
  const specpi_range range = {.dimensions = 1, .global = {16}};
  specpi_event events[3];
  for (size_t n = 0; n < 3; n++) {
    const float factor = (float)(n + 2);
    const specpi_argument arguments[] = {specpiArgumentBuffer(buffer), SPECPI_ARGUMENT_OF(factor)};
    WORKS(specpiKernelLaunch(kernel, queue, &range, 2, arguments, n != 0, n ? &events[n - 1] : NULL,
                             &events[n]));
  }
  WORKS(specpiBufferRead(queue, buffer, 0, sizeof data, data, 1, &events[2], NULL));
  for (int i = 0; i < 16; i++)
    assert_true(data[i] == (float)i * 24);
  specpi_times first;
  specpi_times last;
  WORKS(specpiEventGetTimes(events[0], &first));
  WORKS(specpiEventGetTimes(events[2], &last));
  assert_true(first.ended <= last.started);
  for (size_t n = 0; n < 3; n++)
    specpiEventRelease(events[n]);
  specpiKernelRelease(kernel);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

/* A launch without a local size gets the required one. */
TEST(keeps_to_the_required_size) {
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(16 * 4, NULL);
  specpi_kernel kernel = world_kernel(WORLD_ARGUMENTS, "fixed_group");
  const specpi_argument argument = specpiArgumentBuffer(buffer);
  specpi_range range = {.dimensions = 2, .global = {8, 2}};
  WORKS(specpiKernelLaunch(kernel, queue, &range, 1, &argument, 0, NULL, NULL));
  uint32_t found[16];
  world_read(queue, buffer, found);
  for (size_t i = 0; i < 16; i++)
    assert_int_equal(found[i], 4);
  range.local[0] = 4;
  range.local[1] = 2;
  WORKS(specpiKernelLaunch(kernel, queue, &range, 1, &argument, 0, NULL, NULL));
  range.local[1] = 1;
  REFUSES(specpiKernelLaunch(kernel, queue, &range, 1, &argument, 0, NULL, NULL),
          "requires the local size 4x2x1, the given one is 4x1x1");
  range = (specpi_range){.dimensions = 1, .global = {8}};
  REFUSES(specpiKernelLaunch(kernel, queue, &range, 1, &argument, 0, NULL, NULL),
          "the local size 4x2x1 does not divide the global size 8x1x1 in dimension 1");
  WORKS(specpiQueueFinish(queue));
  specpiKernelRelease(kernel);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

TEST(launches_without_arguments) {
  specpi_queue queue = world_queue(0);
  specpi_kernel kernel = world_kernel(WORLD_LAUNCH, "nothing");
  const specpi_range range = {.dimensions = 1, .global = {1}};
  specpi_event event;
  WORKS(specpiKernelLaunch(kernel, queue, &range, 0, NULL, 0, NULL, &event));
  WORKS(specpiEventWait(1, &event));
  specpiEventRelease(event);
  specpiKernelRelease(kernel);
  specpiQueueRelease(queue);
}

/* ---- Refused launches ---- */

/* Objects for failing launches. */
typedef struct attempt {
  specpi_queue queue;
  specpi_buffer buffer;
  specpi_kernel kernel; /* "scale" of launch.cl */
  float factor;
  specpi_argument arguments[2];
  specpi_range range;
} attempt;

static void prepare(attempt *a) {
  *a = (attempt){.queue = world_queue(0),
                 .buffer = world_buffer(64, NULL),
                 .kernel = world_kernel(WORLD_LAUNCH, "scale"),
                 .range = {.dimensions = 1, .global = {16}}};
  a->arguments[0] = specpiArgumentBuffer(a->buffer);
  a->arguments[1] = SPECPI_ARGUMENT_OF(a->factor);
}

static void finish(attempt *a) {
  WORKS(specpiQueueFinish(a->queue));
  specpiKernelRelease(a->kernel);
  specpiBufferRelease(a->buffer);
  specpiQueueRelease(a->queue);
}

static specpi_result try_range(attempt *a, specpi_range range) {
  specpi_event event = NULL;
  const specpi_result result =
      specpiKernelLaunch(a->kernel, a->queue, &range, 2, a->arguments, 0, NULL, &event);
  assert_true(result == SPECPI_SUCCESS || !event);
  specpiEventRelease(event);
  return result;
}

TEST(refuses_ranges) {
  attempt a;
  prepare(&a);
#define RANGE(...) try_range(&a, (specpi_range){__VA_ARGS__})
  WORKS(RANGE(.dimensions = 1, .global = {16}));
  REFUSES(RANGE(.dimensions = 0, .global = {16}), "0 dimensions");
  REFUSES(RANGE(.dimensions = 4, .global = {16}), "4 dimensions");
  REFUSES(RANGE(.dimensions = 1), "the global size is 0: there is nothing to run");
  REFUSES(RANGE(.dimensions = 3, .global = {4, 4, 0}),
          "the global size is 4x4x0: there is nothing to run");
  REFUSES(RANGE(.dimensions = 1, .global = {SIZE_MAX}, .offset = {1}), "more than an address");
  /* 2^66 work-items, which overflows to 0. */
  const size_t large = (size_t)1 << 33;
  REFUSES(RANGE(.dimensions = 2, .global = {large, large}),
          "the global size 8589934592x8589934592 makes more work-items than");
  REFUSES(RANGE(.dimensions = 3, .global = {2, large, large}, .local = {1, 1, 1}),
          "makes more work-items than");
  REFUSES(RANGE(.dimensions = 1, .global = {16}, .local = {5}),
          "the local size 5 does not divide the global size 16 in dimension 0");
  REFUSES(RANGE(.dimensions = 2, .global = {16, 16}, .local = {4, 3}),
          "the local size 4x3 does not divide the global size 16x16 in dimension 1");
  REFUSES(RANGE(.dimensions = 2, .global = {16, 16}, .local = {4, 0}),
          "is 4x0: give one for each dimension, or 0 for all");
  REFUSES(RANGE(.dimensions = 1, .global = {(size_t)1 << 40}, .local = {(size_t)1 << 40}),
          "the local size is 1099511627776: a work-group on ");
  specpi_kernel_info info;
  WORKS(specpiKernelGetInfo(a.kernel, &info));
  size_t items[3];
  assert_int_equal(specpiDeviceGetFunctions(world_device())
                       ->piDeviceGetInfo(specpiDeviceGetHandle(world_device()),
                                         PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES, sizeof items, items,
                                         NULL),
                   PI_SUCCESS);
  REFUSES(RANGE(.dimensions = 2, .global = {items[0], items[1]}, .local = {items[0], items[1]}),
          "work-items, and kernel \"scale\" can have ");
#undef RANGE
  finish(&a);
}

TEST(refuses_arguments) {
  attempt a;
  prepare(&a);
  specpi_event event = NULL;
#define LAUNCH(count, arguments)                                                                   \
  specpiKernelLaunch(a.kernel, a.queue, &a.range, count, arguments, 0, NULL, &event)
  REFUSES(LAUNCH(0, a.arguments), "kernel \"scale\" takes 2 arguments, 0 given");
  REFUSES(LAUNCH(1, a.arguments), "kernel \"scale\" takes 2 arguments, 1 given");
  REFUSES(LAUNCH(3, a.arguments), "kernel \"scale\" takes 2 arguments, 3 given");
  REFUSES(LAUNCH(2, NULL), "arguments is NULL");
  specpi_argument wrong[2] = {a.arguments[0], specpiArgumentValue(4, NULL)};
  REFUSES(LAUNCH(2, wrong), "argument 1 is passed by value, and value is NULL");
  wrong[1] = specpiArgumentValue(0, &a.factor);
  REFUSES(LAUNCH(2, wrong), "argument 1 is passed by value, and size is 0");
  wrong[1] = specpiArgumentLocal(0);
  REFUSES(LAUNCH(2, wrong), "argument 1 is local memory, and size is 0");
  wrong[1] = specpiArgumentLocal(SIZE_MAX);
  REFUSES(LAUNCH(2, wrong), "want 18446744073709551615 bytes of local memory");
  wrong[1].kind = (specpi_argument_kind)9;
  REFUSES(LAUNCH(2, wrong), "argument 1 is of the unknown kind 9");
  /* The driver refuses this; the message names the argument. */
  const double wide = 0;
  wrong[1] = SPECPI_ARGUMENT_OF(wide);
  FAILS(LAUNCH(2, wrong), SPECPI_ERROR_DRIVER,
        "setting argument 1 of kernel \"scale\", kind value,");
#undef LAUNCH
  assert_null(event);
  finish(&a);
}

TEST(refuses_the_rest) {
  attempt a;
  prepare(&a);
  specpi_event event = NULL;
  REFUSES(specpiKernelLaunch(NULL, a.queue, &a.range, 2, a.arguments, 0, NULL, &event),
          "kernel is NULL");
  REFUSES(specpiKernelLaunch(a.kernel, NULL, &a.range, 2, a.arguments, 0, NULL, &event),
          "queue is NULL");
  REFUSES(specpiKernelLaunch(a.kernel, a.queue, NULL, 2, a.arguments, 0, NULL, &event),
          "range is NULL");
  REFUSES(specpiKernelLaunch(a.kernel, a.queue, &a.range, 2, a.arguments, 1, NULL, &event),
          "waits is NULL and wait_count is 1");
  REFUSES(specpiKernelLaunch(a.kernel, a.queue, &a.range, 2, a.arguments, 1, &event, &event),
          "waits[0] is NULL");
  assert_null(event);
  finish(&a);
}

int main(void) {
  return tests_run(NULL, world_end);
}
