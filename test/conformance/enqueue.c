/* Commands on buffers, and launches: real data, dependencies, bad shapes. */
#include "fixture.h"

#include <stdlib.h>

/* --- launches */

/* Launches "positions" and checks what every work-item saw. local may be NULL. */
static void launch(pi_uint32 dimensions, const size_t offset[3], const size_t global[3],
                   const size_t *local) {
  const pi_kernel kernel = new_kernel(new_built_program(module_positions()), "positions");
  const size_t items = global[0] * global[1] * global[2];
  const size_t size = items * 6 * sizeof(pi_uint32);
  pi_uint32 *got = malloc(size);
  expect(got, "no memory");
  memset(got, 0xff, size);
  const pi_mem out = new_buffer(size, got);
  set_buffer(kernel, 0, out);
  for (pi_uint32 d = 0; d < 3; d++) {
    const pi_uint32 first = (pi_uint32)offset[d];
    expect_success(pi.piKernelSetArg(kernel, 1 + d, sizeof first, &first));
  }
  pi_event event = NULL;
  expect_success(pi.piEnqueueKernelLaunch(the_queue(), kernel, dimensions, offset, global, local, 0,
                                          NULL, &event));
  release_event_later(event);
  expect_success(pi.piEventsWait(1, &event));
  read_buffer(out, size, got);
  for (size_t i = 0; i < items; i++) {
    const size_t want[3] = {offset[0] + i % global[0], offset[1] + i / global[0] % global[1],
                            offset[2] + i / global[0] / global[1]};
    for (size_t d = 0; d < 3; d++) {
      expect(got[6 * i + d] == want[d], "item %zu, dimension %zu: expected %zu, got %u", i, d,
             want[d], got[6 * i + d]);
      if (local)
        expect_equal(local[d], got[6 * i + 3 + d]);
    }
  }
  free(got);
}

static const size_t zero[3] = {0, 0, 0};

TEST(enqueue, launch_1d) {
  launch(1, zero, (size_t[]){1000, 1, 1}, (size_t[]){50, 1, 1});
}

TEST(enqueue, launch_1d_odd_size) {
  launch(1, zero, (size_t[]){997, 1, 1}, NULL);
}

TEST(enqueue, launch_1d_offset) {
  launch(1, (size_t[]){12345, 0, 0}, (size_t[]){64, 1, 1}, (size_t[]){16, 1, 1});
}

TEST(enqueue, launch_2d) {
  launch(2, zero, (size_t[]){24, 10, 1}, (size_t[]){8, 5, 1});
}

TEST(enqueue, launch_2d_offset) {
  launch(2, (size_t[]){7, 100, 0}, (size_t[]){13, 11, 1}, NULL);
}

TEST(enqueue, launch_3d) {
  launch(3, zero, (size_t[]){8, 6, 4}, (size_t[]){4, 3, 2});
}

TEST(enqueue, launch_3d_offset) {
  launch(3, (size_t[]){1, 2, 3}, (size_t[]){5, 7, 3}, (size_t[]){5, 1, 3});
}

TEST(enqueue, launch_single_item) {
  launch(1, zero, (size_t[]){1, 1, 1}, (size_t[]){1, 1, 1});
}

/* NULL is an offset of 0. */
TEST(enqueue, launch_without_offset) {
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "numbers");
  const pi_mem out = new_buffer(16, NULL);
  const size_t global[3] = {4, 1, 1};
  pi_uint32 got[4] = {0};
  set_buffer(kernel, 0, out);
  expect_success(
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 1, NULL, global, NULL, 0, NULL, NULL));
  read_buffer(out, sizeof got, got);
  expect_equal(3, got[3]);
}

TEST(enqueue, launch_refuses_null) {
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "empty");
  const size_t global[3] = {1, 1, 1};
  pi_event event;
  expect_error_keeps(
      PI_ERROR_INVALID_QUEUE, event,
      pi.piEnqueueKernelLaunch(NULL, kernel, 1, zero, global, NULL, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_KERNEL, event,
      pi.piEnqueueKernelLaunch(the_queue(), NULL, 1, zero, global, NULL, 0, NULL, &event));
}

TEST(enqueue, launch_refuses_null_size) {
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "empty");
  pi_event event;
  expect_refused_keeps(
      event, pi.piEnqueueKernelLaunch(the_queue(), kernel, 1, zero, NULL, NULL, 0, NULL, &event));
}

TEST(enqueue, launch_refuses_dimensions) {
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "empty");
  const size_t global[4] = {1, 1, 1, 1};
  pi_event event;
  expect_error_keeps(
      PI_ERROR_INVALID_WORK_DIMENSION, event,
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 0, zero, global, NULL, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_WORK_DIMENSION, event,
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 4, global, global, NULL, 0, NULL, &event));
}

/* Ranges whose number of work-items or largest id overflows size_t; a driver may compute with the
 * wrapped numbers. */
static const struct {
  pi_result code;
  pi_uint32 dimensions;
  size_t offset[3];
  size_t global[3];
} uncountable[] = {
    {PI_ERROR_INVALID_GLOBAL_WORK_SIZE, 1, {0}, {SIZE_MAX}},
    {PI_ERROR_INVALID_GLOBAL_WORK_SIZE, 1, {0}, {SIZE_MAX / 2 + 1}},
    {PI_ERROR_INVALID_GLOBAL_WORK_SIZE, 2, {0}, {(size_t)1 << 32, (size_t)1 << 32}},
    {PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
     3,
     {0},
     {(size_t)1 << 22, (size_t)1 << 21, (size_t)1 << 21}},
    {PI_ERROR_INVALID_GLOBAL_OFFSET, 1, {SIZE_MAX}, {1}},
    {PI_ERROR_INVALID_GLOBAL_OFFSET, 1, {SIZE_MAX - 62}, {64}},
    {PI_ERROR_INVALID_GLOBAL_OFFSET, 3, {0, 1, SIZE_MAX - 2}, {1, 1, 3}},
};
enum { UNCOUNTABLE = sizeof uncountable / sizeof uncountable[0] };

TEST(enqueue, launch_refuses_uncountable) {
  static const size_t ones[3] = {1, 1, 1};
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "empty");
  pi_event event;
  for (int i = 0; i < 2 * UNCOUNTABLE; i++)
    expect_error_keeps(uncountable[i / 2].code, event,
                       pi.piEnqueueKernelLaunch(the_queue(), kernel, uncountable[i / 2].dimensions,
                                                uncountable[i / 2].offset,
                                                uncountable[i / 2].global, i % 2 ? ones : NULL, 0,
                                                NULL, &event));
}

TEST(enqueue, cooperative_launch_refuses_uncountable) {
  static const size_t ones[3] = {1, 1, 1};
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "empty");
  pi_event event;
  for (int i = 0; i < UNCOUNTABLE; i++)
    expect_refused_keeps(event,
                         pi.piextEnqueueCooperativeKernelLaunch(
                             the_queue(), kernel, uncountable[i].dimensions, uncountable[i].offset,
                             uncountable[i].global, ones, 0, NULL, &event));
}

/* A group too long in one dimension, and one that only has too many work-items, get different
 * codes. */
TEST(enqueue, launch_refuses_huge_group) {
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "empty");
  size_t largest = 0;
  size_t items[3] = {0};
  device_answer(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE, sizeof largest, &largest);
  device_answer(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES, sizeof items, items);
  const size_t long_row[3] = {2 * items[0], 1, 1};
  const size_t square[3] = {items[0], 2 * largest / items[0], 1};
  pi_event event;
  expect_error_keeps(
      PI_ERROR_INVALID_WORK_ITEM_SIZE, event,
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 1, zero, long_row, long_row, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_WORK_GROUP_SIZE, event,
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 2, zero, square, square, 0, NULL, &event));
}

/* The kernel requires groups of 4 x 2 x 1. */
TEST(enqueue, launch_refuses_other_than_fixed_group) {
  const pi_kernel kernel = new_kernel(new_built_program(module_arguments()), "fixed_group");
  const size_t global[3] = {8, 8, 1};
  const size_t wrong[3] = {2, 2, 1};
  const size_t right[3] = {4, 2, 1};
  const pi_mem out = new_buffer(64 * sizeof(pi_uint32), NULL);
  pi_uint32 got[64] = {0};
  pi_event event;
  set_buffer(kernel, 0, out);
  expect_error_keeps(
      PI_ERROR_INVALID_WORK_GROUP_SIZE, event,
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 2, zero, global, wrong, 0, NULL, &event));
  expect_success(
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 2, zero, global, right, 0, NULL, NULL));
  read_buffer(out, sizeof got, got);
  for (int i = 0; i < 64; i++)
    expect_equal(4, got[i]);
}

TEST(enqueue, cooperative_launch) {
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "numbers");
  const size_t global[3] = {16, 1, 1};
  const size_t local[3] = {16, 1, 1};
  pi_uint32 got[16] = {0};
  const pi_mem out = new_buffer(sizeof got, NULL);
  pi_event event = NULL;
  set_buffer(kernel, 0, out);
  if (is_supported(pi.piextEnqueueCooperativeKernelLaunch(the_queue(), kernel, 1, zero, global,
                                                          local, 0, NULL, &event))) {
    release_event_later(event);
    expect_success(pi.piEventsWait(1, &event));
    read_buffer(out, sizeof got, got);
    for (pi_uint32 i = 0; i < 16; i++)
      expect_equal(i, got[i]);
  }
}

/* All groups of a cooperative launch must fit on the device at once; a million never do. */
TEST(enqueue, cooperative_launch_refuses_too_many) {
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "empty");
  pi_uint32 most = 0;
  if (!is_supported(pi.piextKernelSuggestMaxCooperativeGroupCount(kernel, 16, 0, &most)))
    skip_test("the device has no cooperative launches");
  const size_t local[3] = {16, 1, 1};
  const size_t right[3] = {16 * (size_t)most, 1, 1};
  const size_t wrong[3] = {(size_t)16 << 20, 1, 1};
  pi_event event;
  const pi_result result = pi.piextEnqueueCooperativeKernelLaunch(the_queue(), kernel, 1, zero,
                                                                  right, local, 0, NULL, NULL);
  if (result == PI_ERROR_UNSUPPORTED_FEATURE)
    skip_test("the device has no cooperative launches");
  expect_success(result);
  expect_error_keeps(PI_ERROR_OUT_OF_RESOURCES, event,
                     pi.piextEnqueueCooperativeKernelLaunch(the_queue(), kernel, 1, zero, wrong,
                                                            local, 0, NULL, &event));
}

TEST(enqueue, cooperative_launch_refuses_null) {
  const size_t global[3] = {16, 1, 1};
  expect_refused(
      pi.piextEnqueueCooperativeKernelLaunch(NULL, NULL, 1, zero, global, NULL, 0, NULL, NULL));
}

/* --- order */

static pi_event launch_after(pi_queue queue, const char *name, pi_program program, pi_mem data,
                             size_t items, pi_uint32 count, const pi_event *after) {
  const pi_kernel kernel = new_kernel(program, name);
  const size_t global[3] = {items, 1, 1};
  pi_event event = NULL;
  set_buffer(kernel, 0, data);
  expect_success(
      pi.piEnqueueKernelLaunch(queue, kernel, 1, zero, global, NULL, count, after, &event));
  release_event_later(event);
  return event;
}

/* In the right order data = ((0 + 1) * 2 + 1) * 2 = 6; any other order gives another number. */
static void check_chain(pi_queue queue, bool with_events, bool with_barrier) {
  pi_uint32 data[1024] = {0};
  const pi_program program = new_built_program(module_basic());
  const pi_mem buffer = new_buffer(sizeof data, data);
  static const char *const steps[] = {"increment", "double_up", "increment", "double_up"};
  pi_event last = NULL;
  for (int i = 0; i < 4; i++) {
    const bool wait = with_events && last;
    last = launch_after(queue, steps[i], program, buffer, 1024, wait ? 1 : 0, wait ? &last : NULL);
    if (with_barrier) {
      pi_event barrier = NULL;
      expect_success(pi.piEnqueueEventsWaitWithBarrier(queue, 0, NULL, &barrier));
      release_event_later(barrier);
    }
  }
  expect_success(pi.piQueueFinish(queue));
  read_buffer(buffer, sizeof data, data);
  for (int i = 0; i < 1024; i++)
    expect_equal(6, data[i]);
}

TEST(enqueue, in_order_queue) {
  check_chain(the_queue(), false, false);
}

TEST(enqueue, out_of_order_queue_with_events) {
  check_chain(new_queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE), true, false);
}

TEST(enqueue, out_of_order_queue_with_barriers) {
  check_chain(new_queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE), false, true);
}

/* Only events order commands of two queues. */
TEST(enqueue, two_queues) {
  pi_uint32 data[256] = {0};
  const pi_program program = new_built_program(module_basic());
  const pi_mem buffer = new_buffer(sizeof data, data);
  const pi_queue queues[2] = {new_queue(0), new_queue(0)};
  pi_event first = launch_after(queues[0], "increment", program, buffer, 256, 0, NULL);
  expect_success(pi.piQueueFlush(queues[0]));
  pi_event second = launch_after(queues[1], "double_up", program, buffer, 256, 1, &first);
  expect_success(pi.piQueueFlush(queues[1]));
  pi_event third = launch_after(queues[0], "increment", program, buffer, 256, 1, &second);
  expect_success(pi.piEventsWait(1, &third));
  read_buffer(buffer, sizeof data, data);
  for (int i = 0; i < 256; i++)
    expect_equal(3, data[i]);
}

TEST(enqueue, marker) {
  const pi_queue queue = new_queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const pi_mem buffer = new_buffer(64, NULL);
  const char pattern = 5;
  pi_event filled[2] = {NULL};
  pi_event marker = NULL;
  for (int i = 0; i < 2; i++) {
    expect_success(pi.piEnqueueMemBufferFill(queue, buffer, &pattern, 1, 32 * (size_t)i, 32, 0,
                                             NULL, &filled[i]));
    release_event_later(filled[i]);
  }
  expect_success(pi.piEnqueueEventsWait(queue, 2, filled, &marker));
  release_event_later(marker);
  expect_success(pi.piEventsWait(1, &marker));
  for (int i = 0; i < 2; i++) {
    pi_int32 status = 99;
    expect_success(pi.piEventGetInfo(filled[i], PI_EVENT_INFO_COMMAND_EXECUTION_STATUS,
                                     sizeof status, &status, NULL));
    expect_equal(PI_EVENT_COMPLETE, status);
  }
}

TEST(enqueue, marker_and_barrier_refuse) {
  pi_event event;
  expect_error_keeps(PI_ERROR_INVALID_QUEUE, event, pi.piEnqueueEventsWait(NULL, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_QUEUE, event,
                     pi.piEnqueueEventsWaitWithBarrier(NULL, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_EVENT_WAIT_LIST, event,
                     pi.piEnqueueEventsWait(the_queue(), 1, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_EVENT_WAIT_LIST, event,
                     pi.piEnqueueEventsWaitWithBarrier(the_queue(), 1, NULL, &event));
}

/* --- plain transfers */

static void number(unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(i * 5 + i / 256);
}

TEST(enqueue, write_and_read) {
  unsigned char data[1000];
  unsigned char got[sizeof data] = {0};
  number(data, sizeof data);
  const pi_mem buffer = new_buffer(2000, NULL);
  pi_event events[2] = {NULL};
  expect_success(pi.piEnqueueMemBufferWrite(the_queue(), buffer, PI_FALSE, 500, sizeof data, data,
                                            0, NULL, &events[0]));
  expect_success(pi.piEnqueueMemBufferRead(the_queue(), buffer, PI_FALSE, 500, sizeof data, got, 1,
                                           events, &events[1]));
  expect_success(pi.piEventsWait(2, events));
  expect_success(pi.piEventRelease(events[0]));
  expect_success(pi.piEventRelease(events[1]));
  expect_bytes(data, got, sizeof data);
}

TEST(enqueue, write_and_read_refuse) {
  char data[64] = {0};
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_queue queue = the_queue();
  expect_error(PI_ERROR_INVALID_QUEUE,
               pi.piEnqueueMemBufferRead(NULL, buffer, PI_TRUE, 0, 64, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_QUEUE,
               pi.piEnqueueMemBufferWrite(NULL, buffer, PI_TRUE, 0, 64, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_MEM_OBJECT,
               pi.piEnqueueMemBufferRead(queue, NULL, PI_TRUE, 0, 64, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_MEM_OBJECT,
               pi.piEnqueueMemBufferWrite(queue, NULL, PI_TRUE, 0, 64, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferRead(queue, buffer, PI_TRUE, 1, 64, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferWrite(queue, buffer, PI_TRUE, 64, 1, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_EVENT_WAIT_LIST,
               pi.piEnqueueMemBufferRead(queue, buffer, PI_TRUE, 0, 64, data, 1, NULL, NULL));
  expect_error(PI_ERROR_INVALID_EVENT_WAIT_LIST,
               pi.piEnqueueMemBufferWrite(queue, buffer, PI_TRUE, 0, 64, data, 1, NULL, NULL));
}

TEST(enqueue, write_and_read_refuse_null_pointer) {
  const pi_mem buffer = new_buffer(64, NULL);
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferRead(the_queue(), buffer, PI_TRUE, 0, 64, NULL, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEnqueueMemBufferWrite(the_queue(), buffer, PI_TRUE, 0,
                                                                  64, NULL, 0, NULL, NULL));
}

TEST(enqueue, copy) {
  unsigned char data[256];
  unsigned char want[256] = {0};
  unsigned char got[256];
  number(data, sizeof data);
  const pi_mem from = new_buffer(sizeof data, data);
  const pi_mem to = new_buffer(sizeof want, want);
  pi_event event = NULL;
  expect_success(pi.piEnqueueMemBufferCopy(the_queue(), from, to, 10, 100, 50, 0, NULL, &event));
  release_event_later(event);
  expect_success(pi.piEventsWait(1, &event));
  memcpy(want + 100, data + 10, 50);
  read_buffer(to, sizeof got, got);
  expect_bytes(want, got, sizeof got);
}

TEST(enqueue, copy_refuses) {
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_mem other = new_buffer(64, NULL);
  pi_event event;
  expect_error_keeps(PI_ERROR_INVALID_QUEUE, event,
                     pi.piEnqueueMemBufferCopy(NULL, buffer, other, 0, 0, 64, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_MEM_OBJECT, event,
      pi.piEnqueueMemBufferCopy(the_queue(), NULL, other, 0, 0, 64, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_MEM_OBJECT, event,
      pi.piEnqueueMemBufferCopy(the_queue(), buffer, NULL, 0, 0, 64, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_VALUE, event,
      pi.piEnqueueMemBufferCopy(the_queue(), buffer, other, 1, 0, 64, 0, NULL, &event));
}

TEST(enqueue, copy_refuses_overlap) {
  const pi_mem buffer = new_buffer(64, NULL);
  pi_event event;
  expect_error_keeps(
      PI_ERROR_MEM_COPY_OVERLAP, event,
      pi.piEnqueueMemBufferCopy(the_queue(), buffer, buffer, 0, 16, 32, 0, NULL, &event));
}

/* Every command on a range of a buffer refuses ranges whose end wraps around. */
TEST(enqueue, ranges_refuse_wrapping) {
  static const size_t ranges[][2] = {
      {SIZE_MAX, 1}, {SIZE_MAX, 2}, {SIZE_MAX - 3, 8}, {1, SIZE_MAX}, {16, SIZE_MAX - 15}};
  char data[256] = {0};
  const pi_mem buffer = new_buffer(sizeof data, NULL);
  const pi_mem other = new_buffer(sizeof data, NULL);
  const pi_queue queue = the_queue();
  void *map;
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
    const size_t from = ranges[i][0];
    const size_t size = ranges[i][1];
    expect_error(PI_ERROR_INVALID_VALUE, pi.piEnqueueMemBufferRead(queue, buffer, PI_TRUE, from,
                                                                   size, data, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE, pi.piEnqueueMemBufferWrite(queue, buffer, PI_TRUE, from,
                                                                    size, data, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemBufferCopy(queue, buffer, other, from, 0, size, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemBufferCopy(queue, buffer, other, 0, from, size, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemBufferFill(queue, buffer, data, 1, from, size, 0, NULL, NULL));
    expect_error_keeps(PI_ERROR_INVALID_VALUE, map,
                       pi.piEnqueueMemBufferMap(queue, buffer, PI_TRUE, PI_MAP_READ, from, size, 0,
                                                NULL, NULL, &map));
  }
}

/* Every size of pattern, in the middle of a buffer. */
TEST(enqueue, fill_every_pattern) {
  unsigned char pattern[128];
  unsigned char want[1024];
  unsigned char got[1024];
  number(pattern, sizeof pattern);
  static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 64, 100, 128};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    const size_t size = sizes[s];
    const size_t begin = 3 * size; /* offset and length are multiples of the pattern's size */
    const size_t end = begin + 512 / size * size;
    memset(want, 0x99, sizeof want);
    const pi_mem buffer = new_buffer(sizeof want, want);
    pi_event event = NULL;
    expect_success(pi.piEnqueueMemBufferFill(the_queue(), buffer, pattern, size, begin, end - begin,
                                             0, NULL, &event));
    release_event_later(event);
    expect_success(pi.piEventsWait(1, &event));
    for (size_t i = begin; i < end; i += size)
      memcpy(want + i, pattern, size);
    read_buffer(buffer, sizeof got, got);
    expect_bytes(want, got, sizeof got);
  }
}

TEST(enqueue, fill_refuses) {
  const char pattern[256] = {0};
  const pi_mem buffer = new_buffer(1024, NULL);
  pi_event event;
  expect_error_keeps(PI_ERROR_INVALID_QUEUE, event,
                     pi.piEnqueueMemBufferFill(NULL, buffer, pattern, 4, 0, 64, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_MEM_OBJECT, event,
      pi.piEnqueueMemBufferFill(the_queue(), NULL, pattern, 4, 0, 64, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_VALUE, event,
      pi.piEnqueueMemBufferFill(the_queue(), buffer, NULL, 4, 0, 64, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_VALUE, event,
      pi.piEnqueueMemBufferFill(the_queue(), buffer, pattern, 0, 0, 64, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_VALUE, event,
      pi.piEnqueueMemBufferFill(the_queue(), buffer, pattern, 4, 0, 2048, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_VALUE, event,
      pi.piEnqueueMemBufferFill(the_queue(), buffer, pattern, 4, 0, 63, 0, NULL, &event));
}

/* --- rectangles: 8 x 6 x 4 bytes in a space of 16 x 10 x 5 */

enum { ROOM_X = 16, ROOM_Y = 10, ROOM_Z = 5, ROOM = ROOM_X * ROOM_Y * ROOM_Z };
enum { PART_X = 8, PART_Y = 6, PART_Z = 4, PART = PART_X * PART_Y * PART_Z };

static size_t room_at(size_t x, size_t y, size_t z) {
  return x + ROOM_X * (y + ROOM_Y * z);
}

static struct pi_buff_rect_offset_struct inside = {3, 2, 1};
static struct pi_buff_rect_offset_struct corner = {0, 0, 0};
static struct pi_buff_rect_region_struct part_3d = {PART_X, PART_Y, PART_Z};

TEST(enqueue, read_rect) {
  unsigned char room[ROOM];
  unsigned char got[PART] = {0};
  number(room, sizeof room);
  const pi_mem buffer = new_buffer(sizeof room, room);
  expect_success(pi.piEnqueueMemBufferReadRect(the_queue(), buffer, PI_TRUE, &inside, &corner,
                                               &part_3d, ROOM_X, ROOM_X * ROOM_Y, PART_X,
                                               PART_X * PART_Y, got, 0, NULL, NULL));
  for (size_t i = 0; i < PART; i++)
    expect_equal(room[room_at(3 + i % PART_X, 2 + i / PART_X % PART_Y, 1 + i / PART_X / PART_Y)],
                 got[i]);
}

TEST(enqueue, write_rect) {
  unsigned char want[ROOM];
  unsigned char got[ROOM];
  unsigned char part[PART];
  memset(want, 0x31, sizeof want);
  number(part, sizeof part);
  const pi_mem buffer = new_buffer(sizeof want, want);
  pi_event event = NULL;
  expect_success(pi.piEnqueueMemBufferWriteRect(the_queue(), buffer, PI_FALSE, &inside, &corner,
                                                &part_3d, ROOM_X, ROOM_X * ROOM_Y, PART_X,
                                                PART_X * PART_Y, part, 0, NULL, &event));
  release_event_later(event);
  expect_success(pi.piEventsWait(1, &event));
  for (size_t i = 0; i < PART; i++)
    want[room_at(3 + i % PART_X, 2 + i / PART_X % PART_Y, 1 + i / PART_X / PART_Y)] = part[i];
  read_buffer(buffer, sizeof got, got);
  expect_bytes(want, got, sizeof got);
}

/* Copies from the inside of one space to a corner of another one. */
TEST(enqueue, copy_rect) {
  unsigned char room[ROOM];
  unsigned char want[ROOM];
  unsigned char got[ROOM];
  number(room, sizeof room);
  memset(want, 0x31, sizeof want);
  const pi_mem from = new_buffer(sizeof room, room);
  const pi_mem to = new_buffer(sizeof want, want);
  expect_success(pi.piEnqueueMemBufferCopyRect(the_queue(), from, to, &inside, &corner, &part_3d,
                                               ROOM_X, ROOM_X * ROOM_Y, ROOM_X, ROOM_X * ROOM_Y, 0,
                                               NULL, NULL));
  for (size_t z = 0; z < PART_Z; z++)
    for (size_t y = 0; y < PART_Y; y++)
      memcpy(want + room_at(0, y, z), room + room_at(3, 2 + y, 1 + z), PART_X);
  read_buffer(to, sizeof got, got);
  expect_bytes(want, got, sizeof got);
}

/* A pitch of 0 means tightly packed. */
TEST(enqueue, rect_without_pitch) {
  unsigned char data[PART];
  unsigned char got[PART] = {0};
  number(data, sizeof data);
  const pi_mem buffer = new_buffer(sizeof data, data);
  expect_success(pi.piEnqueueMemBufferReadRect(the_queue(), buffer, PI_TRUE, &corner, &corner,
                                               &part_3d, 0, 0, 0, 0, got, 0, NULL, NULL));
  expect_bytes(data, got, sizeof data);
}

TEST(enqueue, rect_2d) {
  unsigned char room[ROOM];
  unsigned char got[PART_X * PART_Y] = {0};
  struct pi_buff_rect_offset_struct at = {3, 2, 0};
  struct pi_buff_rect_region_struct flat = {PART_X, PART_Y, 1};
  number(room, sizeof room);
  const pi_mem buffer = new_buffer(sizeof room, room);
  expect_success(pi.piEnqueueMemBufferReadRect(the_queue(), buffer, PI_TRUE, &at, &corner, &flat,
                                               ROOM_X, 0, 0, 0, got, 0, NULL, NULL));
  for (size_t y = 0; y < PART_Y; y++)
    expect_bytes(room + room_at(3, 2 + y, 0), got + y * PART_X, PART_X);
}

TEST(enqueue, rect_refuses) {
  char data[ROOM] = {0};
  const pi_mem buffer = new_buffer(ROOM, NULL);
  const pi_mem other = new_buffer(ROOM, NULL);
  struct pi_buff_rect_region_struct empty = {0, 1, 1};
  const size_t row = ROOM_X;
  const size_t slice = ROOM_X * ROOM_Y;
  const pi_queue queue = the_queue();
  expect_error(PI_ERROR_INVALID_QUEUE,
               pi.piEnqueueMemBufferReadRect(NULL, buffer, PI_TRUE, &inside, &corner, &part_3d, row,
                                             slice, 0, 0, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_QUEUE,
               pi.piEnqueueMemBufferWriteRect(NULL, buffer, PI_TRUE, &inside, &corner, &part_3d,
                                              row, slice, 0, 0, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_QUEUE,
               pi.piEnqueueMemBufferCopyRect(NULL, buffer, other, &inside, &corner, &part_3d, row,
                                             slice, row, slice, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_MEM_OBJECT,
               pi.piEnqueueMemBufferReadRect(queue, NULL, PI_TRUE, &inside, &corner, &part_3d, row,
                                             slice, 0, 0, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferReadRect(queue, buffer, PI_TRUE, &corner, &corner, &empty, row,
                                             slice, 0, 0, data, 0, NULL, NULL));
}

TEST(enqueue, rect_refuses_outside) {
  char data[ROOM] = {0};
  const pi_mem buffer = new_buffer(ROOM, NULL);
  struct pi_buff_rect_offset_struct outside = {12, 2, 1};
  const size_t slices = 4 * ROOM_X * ROOM_Y;
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferReadRect(the_queue(), buffer, PI_TRUE, &outside, &corner,
                                             &part_3d, ROOM_X, slices, 0, 0, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferWriteRect(the_queue(), buffer, PI_TRUE, &outside, &corner,
                                              &part_3d, ROOM_X, slices, 0, 0, data, 0, NULL, NULL));
}

/*
 * Refused are regions of host memory whose end overflows the address space, and pitches too small
 * for the region.
 */
TEST(enqueue, rect_refuses_wrapping) {
  static char data[ROOM];
  static const struct {
    struct pi_buff_rect_offset_struct offset;
    size_t row, slice;
  } hosts[] = {{{SIZE_MAX - 2, 0, 0}, 0, 0},
               {{0, SIZE_MAX, 0}, 0, 0},
               {{0, 0, SIZE_MAX}, 0, 0},
               {{0, 0, 0}, SIZE_MAX, 0},
               {{0, 0, 0}, 0, SIZE_MAX - 6},
               {{0, 0, 0}, 1, 0},
               {{0, 0, 0}, 0, 1}};
  const pi_mem buffer = new_buffer(ROOM, NULL);
  const pi_queue queue = the_queue();
  for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
    struct pi_buff_rect_offset_struct offset = hosts[i].offset;
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemBufferReadRect(queue, buffer, PI_TRUE, &corner, &offset, &part_3d,
                                               ROOM_X, ROOM_X * ROOM_Y, hosts[i].row,
                                               hosts[i].slice, data, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemBufferWriteRect(queue, buffer, PI_TRUE, &corner, &offset, &part_3d,
                                                ROOM_X, ROOM_X * ROOM_Y, hosts[i].row,
                                                hosts[i].slice, data, 0, NULL, NULL));
  }
}

TEST(enqueue, rect_refuses_null_shapes) {
  char data[ROOM] = {0};
  const pi_mem buffer = new_buffer(ROOM, NULL);
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferReadRect(the_queue(), buffer, PI_TRUE, NULL, &corner, &part_3d,
                                             ROOM_X, 0, 0, 0, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferWriteRect(the_queue(), buffer, PI_TRUE, &corner, NULL, &part_3d,
                                              ROOM_X, 0, 0, 0, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferCopyRect(the_queue(), buffer, buffer, &corner, &corner, NULL,
                                             ROOM_X, 0, 0, 0, 0, NULL, NULL));
}

/* --- map */

TEST(enqueue, map_and_unmap) {
  unsigned char data[512];
  unsigned char got[512];
  number(data, sizeof data);
  const pi_mem buffer = new_buffer(sizeof data, data);
  void *mapped = NULL;
  pi_event event = NULL;
  expect_success(pi.piEnqueueMemBufferMap(the_queue(), buffer, PI_FALSE, PI_MAP_READ | PI_MAP_WRITE,
                                          100, 200, 0, NULL, &event, &mapped));
  release_event_later(event);
  expect_success(pi.piEventsWait(1, &event));
  expect(mapped, "the map is NULL");
  expect_bytes(data + 100, mapped, 200);
  memset(mapped, 0xab, 200);
  event = NULL;
  expect_success(pi.piEnqueueMemUnmap(the_queue(), buffer, mapped, 0, NULL, &event));
  release_event_later(event);
  expect_success(pi.piEventsWait(1, &event));
  memset(data + 100, 0xab, 200);
  read_buffer(buffer, sizeof got, got);
  expect_bytes(data, got, sizeof data);
}

TEST(enqueue, map_to_overwrite) {
  unsigned char want[64];
  unsigned char got[64];
  memset(want, 0x55, sizeof want);
  const pi_mem buffer = new_buffer(sizeof want, NULL);
  void *mapped = NULL;
  expect_success(pi.piEnqueueMemBufferMap(the_queue(), buffer, PI_TRUE,
                                          PI_MAP_WRITE_INVALIDATE_REGION, 0, sizeof want, 0, NULL,
                                          NULL, &mapped));
  memcpy(mapped, want, sizeof want);
  expect_success(pi.piEnqueueMemUnmap(the_queue(), buffer, mapped, 0, NULL, NULL));
  read_buffer(buffer, sizeof got, got);
  expect_bytes(want, got, sizeof got);
}

TEST(enqueue, map_refuses) {
  const pi_mem buffer = new_buffer(64, NULL);
  void *mapped;
  expect_error_keeps(
      PI_ERROR_INVALID_QUEUE, mapped,
      pi.piEnqueueMemBufferMap(NULL, buffer, PI_TRUE, PI_MAP_READ, 0, 64, 0, NULL, NULL, &mapped));
  expect_error_keeps(PI_ERROR_INVALID_MEM_OBJECT, mapped,
                     pi.piEnqueueMemBufferMap(the_queue(), NULL, PI_TRUE, PI_MAP_READ, 0, 64, 0,
                                              NULL, NULL, &mapped));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, mapped,
                     pi.piEnqueueMemBufferMap(the_queue(), buffer, PI_TRUE, PI_MAP_READ, 32, 64, 0,
                                              NULL, NULL, &mapped));
}

TEST(enqueue, map_refuses_flags_and_nothing) {
  const pi_mem buffer = new_buffer(64, NULL);
  static const pi_map_flags flags[] = {0xff00, PI_MAP_WRITE_INVALIDATE_REGION | PI_MAP_READ};
  void *map;
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
    expect_error_keeps(PI_ERROR_INVALID_VALUE, map,
                       pi.piEnqueueMemBufferMap(the_queue(), buffer, PI_TRUE, flags[i], 0, 64, 0,
                                                NULL, NULL, &map));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, map,
                     pi.piEnqueueMemBufferMap(the_queue(), buffer, PI_TRUE, PI_MAP_READ, 0, 0, 0,
                                              NULL, NULL, &map));
}

TEST(enqueue, map_refuses_null_output) {
  const pi_mem buffer = new_buffer(64, NULL);
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemBufferMap(the_queue(), buffer, PI_TRUE, PI_MAP_READ, 0, 64, 0, NULL,
                                        NULL, NULL));
}

TEST(enqueue, unmap_refuses) {
  const pi_mem buffer = new_buffer(64, NULL);
  char mine[64] = {0};
  pi_event event;
  expect_error_keeps(PI_ERROR_INVALID_QUEUE, event,
                     pi.piEnqueueMemUnmap(NULL, buffer, mine, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_MEM_OBJECT, event,
                     pi.piEnqueueMemUnmap(the_queue(), NULL, mine, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, event,
                     pi.piEnqueueMemUnmap(the_queue(), buffer, mine, 0, NULL, &event));
}
