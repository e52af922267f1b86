/* Command buffers: recorded once, replayed. */
#include "fixture.h"

/* A new command buffer; skips the test when the plugin has none. */
static pi_ext_command_buffer create(void) {
  const pi_ext_command_buffer_desc desc = {PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC, NULL, NULL};
  pi_ext_command_buffer made = NULL;
  if (!is_supported(pi.piextCommandBufferCreate(the_context(), the_device(), &desc, &made)))
    skip_test("the plugin has no command buffers");
  return made;
}

/* Finalizes, runs n times, waits. */
static void replay(pi_ext_command_buffer commands, int times) {
  expect_success(pi.piextCommandBufferFinalize(commands));
  for (int i = 0; i < times; i++) {
    pi_event event = NULL;
    expect_success(pi.piextEnqueueCommandBuffer(commands, the_queue(), 0, NULL, &event));
    release_event_later(event);
    expect_success(pi.piEventsWait(1, &event));
  }
  expect_success(pi.piextCommandBufferRelease(commands));
}

TEST(command_buffer, life) {
  const pi_ext_command_buffer commands = create();
  expect_success(pi.piextCommandBufferRetain(commands));
  expect_success(pi.piextCommandBufferRelease(commands));
  replay(commands, 1);
}

TEST(command_buffer, kernels_in_order_of_sync_points) {
  pi_uint32 data[64] = {0};
  const pi_ext_command_buffer commands = create();
  const pi_program program = new_built_program(module_basic());
  const pi_mem buffer = new_buffer(sizeof data, data);
  const size_t zero[3] = {0, 0, 0};
  const size_t global[3] = {64, 1, 1};
  const char *const steps[] = {"increment", "double_up", "increment"};
  pi_ext_sync_point point = 0;
  for (int i = 0; i < 3; i++) {
    const pi_kernel kernel = new_kernel(program, steps[i]);
    const pi_ext_sync_point before = point;
    set_buffer(kernel, 0, buffer);
    expect_success(pi.piextCommandBufferNDRangeKernel(commands, kernel, 1, zero, global, NULL,
                                                      i > 0, i > 0 ? &before : NULL, &point));
  }
  /* 0 -> 3 -> 9 -> 21 */
  replay(commands, 3);
  read_buffer(buffer, sizeof data, data);
  for (int i = 0; i < 64; i++)
    expect_equal(21, data[i]);
}

/* A replay uses the arguments that the kernel had at the time of the recording. */
TEST(command_buffer, kernel_arguments_are_recorded) {
  pi_uint32 first = 10;
  pi_uint32 second = 20;
  const pi_ext_command_buffer commands = create();
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "increment");
  const pi_mem buffers[2] = {new_buffer(4, &first), new_buffer(4, &second)};
  const size_t zero[3] = {0, 0, 0};
  const size_t global[3] = {1, 1, 1};
  set_buffer(kernel, 0, buffers[0]);
  expect_success(
      pi.piextCommandBufferNDRangeKernel(commands, kernel, 1, zero, global, NULL, 0, NULL, NULL));
  set_buffer(kernel, 0, buffers[1]);
  replay(commands, 2);
  read_buffer(buffers[0], 4, &first);
  read_buffer(buffers[1], 4, &second);
  expect_equal(12, first);
  expect_equal(20, second);
}

TEST(command_buffer, buffer_commands) {
  unsigned char source[128];
  unsigned char got[128] = {0};
  unsigned char want[128] = {0};
  for (size_t i = 0; i < sizeof source; i++)
    source[i] = (unsigned char)(i + 1);
  const pi_ext_command_buffer commands = create();
  const pi_mem a = new_buffer(sizeof want, want);
  const pi_mem b = new_buffer(sizeof want, want);
  const pi_uint32 pattern = 0x01020304;
  pi_ext_sync_point points[4] = {0};
  expect_success(pi.piextCommandBufferMemBufferWrite(commands, a, 0, sizeof source, source, 0, NULL,
                                                     &points[0]));
  expect_success(pi.piextCommandBufferMemBufferFill(commands, a, &pattern, sizeof pattern, 64, 32,
                                                    1, &points[0], &points[1]));
  expect_success(
      pi.piextCommandBufferMemBufferCopy(commands, a, b, 32, 0, 64, 1, &points[1], &points[2]));
  expect_success(pi.piextCommandBufferMemBufferRead(commands, b, 0, sizeof got, got, 1, &points[2],
                                                    &points[3]));
  replay(commands, 2);
  memcpy(want, source + 32, 32);
  for (size_t i = 32; i < 64; i += sizeof pattern)
    memcpy(want + i, &pattern, sizeof pattern);
  expect_bytes(want, got, sizeof want);
}

TEST(command_buffer, rect_commands) {
  unsigned char source[64];
  unsigned char got[16] = {0};
  for (size_t i = 0; i < sizeof source; i++)
    source[i] = (unsigned char)i;
  const pi_ext_command_buffer commands = create();
  const pi_mem a = new_buffer(64, NULL);
  const pi_mem b = new_buffer(64, NULL);
  struct pi_buff_rect_offset_struct corner = {0, 0, 0};
  struct pi_buff_rect_offset_struct inside = {2, 3, 0};
  struct pi_buff_rect_region_struct whole = {8, 8, 1};
  struct pi_buff_rect_region_struct part = {4, 4, 1};
  pi_ext_sync_point points[3] = {0};
  expect_success(pi.piextCommandBufferMemBufferWriteRect(commands, a, &corner, &corner, &whole, 8,
                                                         64, 8, 64, source, 0, NULL, &points[0]));
  expect_success(pi.piextCommandBufferMemBufferCopyRect(commands, a, b, &inside, &corner, &part, 8,
                                                        64, 8, 64, 1, &points[0], &points[1]));
  expect_success(pi.piextCommandBufferMemBufferReadRect(commands, b, &corner, &corner, &part, 8, 64,
                                                        4, 16, got, 1, &points[1], &points[2]));
  replay(commands, 1);
  for (size_t y = 0; y < 4; y++)
    expect_bytes(source + 2 + 8 * (3 + y), got + 4 * y, 4);
}

/* The slice pitch is no multiple of the row pitch. */
TEST(command_buffer, rect_commands_with_odd_slice_pitch) {
  enum { SIZE = 200, ROW = 7, SLICE = 40 };
  unsigned char source[SIZE];
  unsigned char want[SIZE] = {0};
  unsigned char got[SIZE] = {0};
  for (size_t i = 0; i < sizeof source; i++)
    source[i] = (unsigned char)i;
  const pi_ext_command_buffer commands = create();
  const pi_mem a = new_buffer(SIZE, source);
  const pi_mem b = new_buffer(SIZE, want);
  struct pi_buff_rect_offset_struct from = {1, 1, 1};
  struct pi_buff_rect_offset_struct to = {2, 0, 0};
  struct pi_buff_rect_region_struct region = {4, 3, 2};
  pi_ext_sync_point point = 0;
  expect_success(pi.piextCommandBufferMemBufferCopyRect(commands, a, b, &from, &to, &region, ROW,
                                                        SLICE, ROW, SLICE, 0, NULL, &point));
  expect_success(pi.piextCommandBufferMemBufferReadRect(commands, b, &to, &to, &region, ROW, SLICE,
                                                        ROW, SLICE, got, 1, &point, NULL));
  replay(commands, 1);
  for (size_t z = 0; z < 2; z++)
    for (size_t y = 0; y < 3; y++)
      memcpy(want + 2 + y * ROW + z * SLICE, source + 1 + (1 + y) * ROW + (1 + z) * SLICE, 4);
  expect_bytes(want, got, SIZE);
}

TEST(command_buffer, usm_commands) {
  const pi_ext_command_buffer commands = create();
  unsigned char *a = new_usm(USM_SHARED, 64);
  unsigned char *b = new_usm(USM_SHARED, 64);
  const unsigned char pattern[2] = {0x12, 0x34};
  pi_ext_sync_point point = 0;
  memset(a, 0, 64);
  memset(b, 0, 64);
  expect_success(
      pi.piextCommandBufferFillUSM(commands, a, pattern, sizeof pattern, 64, 0, NULL, &point));
  expect_success(pi.piextCommandBufferMemcpyUSM(commands, b, a, 32, 1, &point, NULL));
  replay(commands, 1);
  for (size_t i = 0; i < 64; i++) {
    expect_equal(pattern[i % 2], a[i]);
    expect_equal(i < 32 ? pattern[i % 2] : 0, b[i]);
  }
}

/* Prefetch and advice are hints, which a plugin may report as unsupported. */
TEST(command_buffer, usm_hints) {
  const pi_ext_command_buffer commands = create();
  void *memory = new_usm(USM_SHARED, 64);
  pi_ext_sync_point point = 0;
  (void)is_supported(pi.piextCommandBufferPrefetchUSM(commands, memory, 64, 0, 0, NULL, &point));
  (void)is_supported(
      pi.piextCommandBufferAdviseUSM(commands, memory, 64, PI_MEM_ADVICE_RESET, 0, NULL, &point));
  replay(commands, 1);
}

/* PI defines no flag of a prefetch yet, and advice cannot set something and undo it. */
TEST(command_buffer, recording_refuses_wrong_hints) {
  const pi_ext_command_buffer commands = create();
  void *memory = new_usm(USM_SHARED, 64);
  const pi_mem_advice both =
      PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY | PI_MEM_ADVICE_CUDA_UNSET_READ_MOSTLY;
  pi_ext_sync_point point;
  expect_refused_keeps(point,
                       pi.piextCommandBufferPrefetchUSM(commands, memory, 64, 1, 0, NULL, &point));
  expect_refused_keeps(point,
                       pi.piextCommandBufferAdviseUSM(commands, memory, 64, both, 0, NULL, &point));
  expect_success(pi.piextCommandBufferRelease(commands));
}

/* The replay waits for its events; the event of the replay completes after all of its commands. */
TEST(command_buffer, enqueue_with_events) {
  pi_uint32 value = 5;
  const pi_ext_command_buffer commands = create();
  const pi_queue queue = new_queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const pi_program program = new_built_program(module_basic());
  const pi_kernel kernel = new_kernel(program, "double_up");
  const pi_kernel after = new_kernel(program, "increment");
  const pi_mem buffer = new_buffer(4, &value);
  const size_t zero[3] = {0, 0, 0};
  const size_t global[3] = {1, 1, 1};
  const pi_uint32 start = 100;
  set_buffer(kernel, 0, buffer);
  set_buffer(after, 0, buffer);
  expect_success(
      pi.piextCommandBufferNDRangeKernel(commands, kernel, 1, zero, global, NULL, 0, NULL, NULL));
  expect_success(pi.piextCommandBufferFinalize(commands));
  pi_event events[3] = {NULL};
  expect_success(pi.piEnqueueMemBufferFill(queue, buffer, &start, 4, 0, 4, 0, NULL, &events[0]));
  expect_success(pi.piextEnqueueCommandBuffer(commands, queue, 1, &events[0], &events[1]));
  expect_success(
      pi.piEnqueueKernelLaunch(queue, after, 1, zero, global, NULL, 1, &events[1], &events[2]));
  expect_success(pi.piEventsWait(1, &events[2]));
  for (int i = 0; i < 3; i++)
    release_event_later(events[i]);
  read_buffer(buffer, 4, &value);
  expect_equal(201, value);
  expect_success(pi.piextCommandBufferRelease(commands));
}

TEST(command_buffer, enqueue_refuses_before_finalize) {
  const pi_ext_command_buffer commands = create();
  expect_refused(pi.piextEnqueueCommandBuffer(commands, the_queue(), 0, NULL, NULL));
  expect_success(pi.piextCommandBufferRelease(commands));
}

TEST(command_buffer, enqueue_refuses_wait_list) {
  const pi_ext_command_buffer commands = create();
  const pi_event none = NULL;
  pi_event event;
  expect_success(pi.piextCommandBufferFinalize(commands));
  expect_error_keeps(PI_ERROR_INVALID_EVENT_WAIT_LIST, event,
                     pi.piextEnqueueCommandBuffer(commands, the_queue(), 1, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_EVENT_WAIT_LIST, event,
                     pi.piextEnqueueCommandBuffer(commands, the_queue(), 0, &none, &event));
  expect_error_keeps(PI_ERROR_INVALID_EVENT_WAIT_LIST, event,
                     pi.piextEnqueueCommandBuffer(commands, the_queue(), 1, &none, &event));
  expect_success(pi.piextCommandBufferRelease(commands));
}

TEST(command_buffer, recording_refuses_null_size) {
  const pi_ext_command_buffer commands = create();
  const pi_program program = new_built_program(module_basic());
  const pi_kernel kernel = new_kernel(program, "increment");
  const size_t offset = 0;
  pi_ext_sync_point point;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, point,
                     pi.piextCommandBufferNDRangeKernel(commands, kernel, 1, &offset, NULL, NULL, 0,
                                                        NULL, &point));
  expect_success(pi.piextCommandBufferRelease(commands));
}

/* Recording refuses the range at once, as a launch does. */
TEST(command_buffer, recording_refuses_uncountable_range) {
  static const size_t far[1] = {SIZE_MAX};
  static const size_t two[1] = {2};
  pi_ext_sync_point point;
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "empty");
  const pi_ext_command_buffer commands = create();
  expect_error_keeps(
      PI_ERROR_INVALID_GLOBAL_OFFSET, point,
      pi.piextCommandBufferNDRangeKernel(commands, kernel, 1, far, two, NULL, 0, NULL, &point));
  expect_error_keeps(
      PI_ERROR_INVALID_GLOBAL_WORK_SIZE, point,
      pi.piextCommandBufferNDRangeKernel(commands, kernel, 1, NULL, far, NULL, 0, NULL, &point));
  expect_success(pi.piextCommandBufferRelease(commands));
}

TEST(command_buffer, recording_refuses_after_finalize) {
  const pi_ext_command_buffer commands = create();
  const pi_mem buffer = new_buffer(64, NULL);
  expect_success(pi.piextCommandBufferFinalize(commands));
  expect_refused(
      pi.piextCommandBufferMemBufferCopy(commands, buffer, buffer, 0, 32, 32, 0, NULL, NULL));
  expect_refused(pi.piextCommandBufferFinalize(commands));
  expect_success(pi.piextCommandBufferRelease(commands));
}

TEST(command_buffer, recording_refuses_unknown_sync_point) {
  const pi_ext_command_buffer commands = create();
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_ext_sync_point unknown = 12345;
  pi_ext_sync_point point;
  expect_refused_keeps(point, pi.piextCommandBufferMemBufferCopy(commands, buffer, buffer, 0, 32,
                                                                 32, 1, &unknown, &point));
  expect_success(pi.piextCommandBufferRelease(commands));
}

TEST(command_buffer, wait_list_may_repeat_sync_point) {
  const pi_ext_command_buffer commands = create();
  const pi_mem buffer = new_buffer(64, NULL);
  const char bytes[2] = {5, 6};
  char got[64];
  pi_ext_sync_point points[3];
  expect_success(pi.piextCommandBufferMemBufferFill(commands, buffer, &bytes[0], 1, 0, 64, 0, NULL,
                                                    &points[0]));
  points[1] = points[2] = points[0];
  expect_success(
      pi.piextCommandBufferMemBufferFill(commands, buffer, &bytes[1], 1, 0, 64, 3, points, NULL));
  replay(commands, 1);
  read_buffer(buffer, sizeof got, got);
  for (size_t i = 0; i < sizeof got; i++)
    expect_equal(bytes[1], got[i]);
}

/* A refused command is not recorded, so that the next one has its number. */
TEST(command_buffer, recording_refuses_wait_list) {
  const pi_ext_command_buffer commands = create();
  const pi_mem buffer = new_buffer(64, NULL);
  const char byte = 5;
  pi_ext_sync_point points[2] = {0, 0};
  pi_ext_sync_point point;
  expect_success(
      pi.piextCommandBufferMemBufferFill(commands, buffer, &byte, 1, 0, 64, 0, NULL, &points[0]));
  expect_refused_keeps(point, pi.piextCommandBufferMemBufferFill(commands, buffer, &byte, 1, 0, 64,
                                                                 1, NULL, &point));
  expect_refused_keeps(point, pi.piextCommandBufferMemBufferFill(commands, buffer, &byte, 1, 0, 64,
                                                                 0, points, &point));
  expect_success(
      pi.piextCommandBufferMemBufferFill(commands, buffer, &byte, 1, 0, 64, 1, points, &points[1]));
  expect_equal(points[0] + 1, points[1]);
  replay(commands, 1);
}

TEST(command_buffer, create_refuses_null) {
  const pi_ext_command_buffer_desc desc = {PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC, NULL, NULL};
  pi_ext_command_buffer commands;
  expect_refused_keeps(commands, pi.piextCommandBufferCreate(NULL, the_device(), &desc, &commands));
  expect_refused_keeps(commands,
                       pi.piextCommandBufferCreate(the_context(), NULL, &desc, &commands));
  expect_refused(pi.piextCommandBufferCreate(the_context(), the_device(), &desc, NULL));
}

TEST(command_buffer, life_refuses_null) {
  expect_refused(pi.piextCommandBufferRetain(NULL));
  expect_refused(pi.piextCommandBufferRelease(NULL));
  expect_refused(pi.piextCommandBufferFinalize(NULL));
  expect_refused(pi.piextEnqueueCommandBuffer(NULL, the_queue(), 0, NULL, NULL));
}

/* Every recording entry refuses NULL as the command buffer. */
TEST(command_buffer, recording_refuses_null) {
  const pi_mem a = new_buffer(64, NULL);
  const pi_mem b = new_buffer(64, NULL);
  static unsigned char memory[128];
  struct pi_buff_rect_offset_struct corner = {0, 0, 0};
  struct pi_buff_rect_region_struct part = {4, 4, 1};
  const size_t sizes[3] = {1, 1, 1};
  pi_ext_sync_point point;
  expect_refused_keeps(point, pi.piextCommandBufferNDRangeKernel(NULL, NULL, 1, sizes, sizes, sizes,
                                                                 0, NULL, &point));
  expect_refused_keeps(
      point, pi.piextCommandBufferMemcpyUSM(NULL, memory, memory + 64, 64, 0, NULL, &point));
  expect_refused_keeps(point,
                       pi.piextCommandBufferMemBufferCopy(NULL, a, b, 0, 0, 64, 0, NULL, &point));
  expect_refused_keeps(point,
                       pi.piextCommandBufferMemBufferCopyRect(NULL, a, b, &corner, &corner, &part,
                                                              8, 64, 8, 64, 0, NULL, &point));
  expect_refused_keeps(
      point, pi.piextCommandBufferMemBufferWrite(NULL, a, 0, 64, memory, 0, NULL, &point));
  expect_refused_keeps(point,
                       pi.piextCommandBufferMemBufferWriteRect(NULL, a, &corner, &corner, &part, 8,
                                                               64, 8, 64, memory, 0, NULL, &point));
  expect_refused_keeps(point,
                       pi.piextCommandBufferMemBufferRead(NULL, a, 0, 64, memory, 0, NULL, &point));
  expect_refused_keeps(point,
                       pi.piextCommandBufferMemBufferReadRect(NULL, a, &corner, &corner, &part, 8,
                                                              64, 8, 64, memory, 0, NULL, &point));
  expect_refused_keeps(
      point, pi.piextCommandBufferMemBufferFill(NULL, a, memory, 4, 0, 64, 0, NULL, &point));
  expect_refused_keeps(point,
                       pi.piextCommandBufferFillUSM(NULL, memory, memory, 4, 64, 0, NULL, &point));
  expect_refused_keeps(point,
                       pi.piextCommandBufferPrefetchUSM(NULL, memory, 64, 0, 0, NULL, &point));
  expect_refused_keeps(point, pi.piextCommandBufferAdviseUSM(NULL, memory, 64, PI_MEM_ADVICE_RESET,
                                                             0, NULL, &point));
}
