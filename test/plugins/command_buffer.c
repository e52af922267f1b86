/* Command buffers: their copies and fills, the lifetime of the objects that they use, failures. */
#include "world.h"

#include <pthread.h>

static pi_ext_command_buffer create(void) {
  pi_ext_command_buffer commands = NULL;
  must(piextCommandBufferCreate(w.context, w.device, NULL, &commands));
  return commands;
}

/* Finalizes and runs the commands several times, and waits for the last run. */
static void run(pi_ext_command_buffer commands, int times) {
  pi_event event = NULL;
  must(piextCommandBufferFinalize(commands));
  while (times-- > 0) {
    must(piextEnqueueCommandBuffer(commands, w.queue, 0, NULL, times ? NULL : &event));
  }
  must(piEventsWait(1, &event));
  must(piEventRelease(event));
}

static void count_up(unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(i * 7 + 1);
}

/* Patterns for which the driver has no command, at places not aligned for others. */
WORLD_TEST(fills_write_every_pattern) {
  enum { SIZE = 240 };
  unsigned char pattern[24];
  unsigned char want[SIZE];
  unsigned char got[SIZE];
  count_up(pattern, sizeof pattern);
  static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    const size_t period = sizes[i];
    const pi_mem buffer = new_buffer(SIZE, NULL);
    fill_buffer(w.queue, buffer, 0xee, NULL, NULL);
    const pi_ext_command_buffer commands = create();
    const size_t size = (SIZE / 2 / period) * period;
    must(piextCommandBufferMemBufferFill(commands, buffer, pattern, period, period, size, 0, NULL,
                                         NULL));
    run(commands, 2);
    memset(want, 0xee, sizeof want);
    for (size_t at = 0; at < size; at++)
      want[period + at] = pattern[at % period];
    read_all(buffer, got, SIZE);
    assert_memory_equal(got, want, SIZE);
    must(piextCommandBufferRelease(commands));
    must(piMemRelease(buffer));
  }
}

/* Recorded buffers live on, although the application releases them before the run. */
WORLD_TEST(objects_are_kept) {
  unsigned char got[32];
  const unsigned char byte = 9;
  const pi_mem a = new_buffer(sizeof got, NULL);
  const pi_mem b = new_buffer(sizeof got, NULL);
  const pi_ext_command_buffer commands = create();
  pi_ext_sync_point points[2];
  must(piextCommandBufferMemBufferFill(commands, a, &byte, 1, 0, sizeof got, 0, NULL, &points[0]));
  must(
      piextCommandBufferMemBufferCopy(commands, a, b, 0, 0, sizeof got, 1, &points[0], &points[1]));
  must(piextCommandBufferMemBufferRead(commands, b, 0, sizeof got, got, 1, &points[1], NULL));
  must(piMemRelease(a));
  must(piMemRelease(b));
  run(commands, 2);
  for (size_t i = 0; i < sizeof got; i++)
    assert_int_equal(got[i], byte);
  must(piextCommandBufferRelease(commands));
}

static pi_kernel new_kernel(void) {
  pi_program program = NULL;
  pi_kernel kernel = NULL;
  must(piProgramCreate(w.context, backend_kernels(), backend_kernels_size(), &program));
  must(piProgramBuild(program, 1, &w.device, "", NULL, NULL));
  must(piKernelCreate(program, "add", &kernel));
  must(piProgramRelease(program));
  return kernel;
}

static void set_arguments(pi_kernel kernel, pi_mem buffer, pi_uint32 n) {
  const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_WRITE};
  must(piextKernelSetArgMemObj(kernel, 0, &access, &buffer));
  must(piKernelSetArg(kernel, 1, sizeof n, &n));
}

/* Arguments are those of the recording; code and memory live on after their release. */
WORLD_TEST(kernels_keep_their_arguments) {
  static const size_t one[] = {1, 1, 1};
  static const size_t none[] = {0, 1, 1};
  pi_uint32 got = 0;
  const pi_uint32 start = 100;
  const pi_mem buffer = new_buffer(sizeof start, &start);
  const pi_mem other = new_buffer(sizeof start, &start);
  const pi_kernel kernel = new_kernel();
  const pi_ext_command_buffer commands = create();
  pi_ext_sync_point points[3];
  set_arguments(kernel, buffer, 1);
  must(piextCommandBufferNDRangeKernel(commands, kernel, 1, NULL, one, NULL, 0, NULL, &points[0]));
  set_arguments(kernel, buffer, 20);
  must(piextCommandBufferNDRangeKernel(commands, kernel, 1, NULL, one, one, 1, points, &points[1]));
  must(piextCommandBufferNDRangeKernel(commands, kernel, 1, NULL, none, NULL, 1, &points[1],
                                       &points[2]));
  must(piextCommandBufferMemBufferRead(commands, buffer, 0, sizeof got, &got, 1, &points[2], NULL));
  set_arguments(kernel, other, 5000);
  must(piKernelRelease(kernel));
  must(piMemRelease(buffer));
  run(commands, 3);
  assert_int_equal(got, 163);
  must(piextCommandBufferRelease(commands));
  read_all(other, (unsigned char *)&got, sizeof got);
  assert_int_equal(got, start);
  must(piMemRelease(other));
}

WORLD_TEST(a_refused_launch_adds_no_command) {
  static const size_t one[] = {1, 1, 1};
  static const size_t two[] = {2, 1, 1};
  const pi_mem buffer = new_buffer(4, NULL);
  const pi_kernel kernel = new_kernel();
  const pi_ext_command_buffer commands = create();
  pi_ext_sync_point point = 77;
  fails(PI_ERROR_INVALID_KERNEL_ARGS,
        piextCommandBufferNDRangeKernel(commands, kernel, 1, NULL, one, NULL, 0, NULL, &point));
  set_arguments(kernel, buffer, 1);
  fails(PI_ERROR_INVALID_WORK_GROUP_SIZE,
        piextCommandBufferNDRangeKernel(commands, kernel, 1, NULL, one, two, 0, NULL, &point));
  if (backend.offsets_need_code)
    fails(PI_ERROR_INVALID_GLOBAL_OFFSET,
          piextCommandBufferNDRangeKernel(commands, kernel, 1, one, one, NULL, 0, NULL, &point));
  fails(PI_ERROR_INVALID_WORK_DIMENSION,
        piextCommandBufferNDRangeKernel(commands, kernel, 4, NULL, one, NULL, 0, NULL, &point));
  fails(PI_ERROR_INVALID_KERNEL,
        piextCommandBufferNDRangeKernel(commands, NULL, 1, NULL, one, NULL, 0, NULL, &point));
  assert_int_equal(point, 77);
  must(piextCommandBufferNDRangeKernel(commands, kernel, 1, NULL, one, NULL, 0, NULL, &point));
  assert_int_equal(point, 0);
  must(piKernelRelease(kernel));
  must(piMemRelease(buffer));
  must(piextCommandBufferRelease(commands));
}

/* A release while the commands run does not stop the run. */
WORLD_TEST(a_release_does_not_stop_the_run) {
  const unsigned char byte = 3;
  const pi_mem buffer = new_buffer(1 << 20, NULL);
  const pi_ext_command_buffer commands = create();
  must(piextCommandBufferMemBufferFill(commands, buffer, &byte, 1, 0, 1 << 20, 0, NULL, NULL));
  must(piextCommandBufferFinalize(commands));
  for (int i = 0; i < 8; i++)
    must(piextEnqueueCommandBuffer(commands, w.queue, 0, NULL, NULL));
  must(piextCommandBufferRelease(commands));
  expect_filled(buffer, byte);
  must(piMemRelease(buffer));
}

/* Nothing waits for a run that a user event holds back, not even the release. */
WORLD_TEST(a_release_waits_for_no_user_event) {
  const unsigned char byte = 3;
  const pi_mem buffer = new_buffer(64, NULL);
  fill_buffer(w.queue, buffer, 1, NULL, NULL);
  must(piQueueFinish(w.queue));
  const size_t runs = driver_live(DRIVER_RUN);
  const pi_event gate = new_user_event();
  const pi_ext_command_buffer commands = create();
  must(piextCommandBufferMemBufferFill(commands, buffer, &byte, 1, 0, 64, 0, NULL, NULL));
  must(piextCommandBufferFinalize(commands));
  pi_event event = NULL;
  must(piextEnqueueCommandBuffer(commands, w.queue, 1, &gate, &event));
  must(piextCommandBufferRelease(commands));
  assert_true(status_of(event) > PI_EVENT_COMPLETE);
  assert_int_equal(driver_live(DRIVER_RUN), runs + 1);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  expect_done(event);
  /* The next call of the plugin destroys it. */
  must(piQueueFinish(w.queue));
  assert_int_equal(driver_live(DRIVER_RUN), runs);
  expect_filled(buffer, byte);
  must(piEventRelease(event));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
}

WORLD_TEST(wrong_calls_are_refused) {
  pi_device both[2];
  get_two_devices(both);
  pi_context other = NULL;
  must(piContextCreate(NULL, 1, &both[1], NULL, NULL, &other));
  pi_ext_command_buffer commands = NULL;
  fails(PI_ERROR_INVALID_DEVICE, piextCommandBufferCreate(w.context, both[1], NULL, &commands));
  pi_queue_properties properties[] = {PI_QUEUE_FLAGS, 0, 0};
  pi_ext_command_buffer_desc description = {PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC, NULL,
                                            properties};
  fails(PI_ERROR_INVALID_PROPERTY,
        piextCommandBufferCreate(w.context, w.device, &description, &commands));
  assert_null(commands);
  commands = create();
  pi_mem buffer = NULL;
  const unsigned char byte = 0;
  must(piMemBufferCreate(other, PI_MEM_FLAGS_ACCESS_RW, 16, NULL, &buffer, NULL));
  fails(PI_ERROR_INVALID_CONTEXT,
        piextCommandBufferMemBufferFill(commands, buffer, &byte, 1, 0, 16, 0, NULL, NULL));
  fails(PI_ERROR_INVALID_OPERATION, piextEnqueueCommandBuffer(commands, w.queue, 0, NULL, NULL));
  must(piextCommandBufferFinalize(commands));
  fails(PI_ERROR_INVALID_OPERATION, piextCommandBufferFinalize(commands));
  pi_queue queue = NULL;
  must(piextQueueCreate(other, both[1], properties, &queue));
  fails(PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR,
        piextEnqueueCommandBuffer(commands, queue, 0, NULL, NULL));
  fails(PI_ERROR_INVALID_COMMAND_BUFFER_KHR,
        piextCommandBufferRetain((pi_ext_command_buffer)(void *)w.queue));
  must(piQueueRelease(queue));
  must(piMemRelease(buffer));
  must(piextCommandBufferRelease(commands));
  must(piContextRelease(other));
}

/* ---- Each call of the driver fails once ---- */

static unsigned char host[96];

/* A command of several nodes: a pattern of 24 bytes, and a copy in pieces. */
static pi_result record_fill(pi_ext_command_buffer commands, pi_mem buffer,
                             pi_ext_sync_point *point) {
  return piextCommandBufferMemBufferFill(commands, buffer, host, 24, 0, 96, 0, NULL, point);
}

static pi_result record_read(pi_ext_command_buffer commands, pi_mem buffer,
                             pi_ext_sync_point *point) {
  const pi_ext_sync_point first = 0;
  return piextCommandBufferMemBufferRead(commands, buffer, 0, sizeof host, host, 1, &first, point);
}

/*
 * A failed step has no effect and succeeds when it is tried again; or it has left a part of a
 * command in the list, and each further call of the buffer reports that.
 */
static bool is_whole;
static const char *failed; /* the driver's function that failed */

static void try_step(pi_result result, pi_result (*again)(void)) {
  failed = driver_unfail();
  if (result == PI_SUCCESS)
    return;
  assert_non_null(failed);
  assert_int_equal(result, PI_ERROR_OUT_OF_RESOURCES);
  const pi_result second = again();
  if (second == PI_SUCCESS)
    return;
  assert_int_equal(second, PI_ERROR_INVALID_OPERATION);
  is_whole = false;
}

static pi_ext_command_buffer failing;
static pi_mem failing_memory;
static pi_event failing_event;

static pi_result step_create(void) {
  return piextCommandBufferCreate(w.context, w.device, NULL, &failing);
}

static pi_result step_fill(void) {
  pi_ext_sync_point point = 77;
  const pi_result result = record_fill(failing, failing_memory, &point);
  assert_int_equal(point, result == PI_SUCCESS ? 0 : 77);
  return result;
}

static pi_result step_read(void) {
  pi_ext_sync_point point = 77;
  const pi_result result = record_read(failing, failing_memory, &point);
  assert_int_equal(point, result == PI_SUCCESS ? 1 : 77);
  return result;
}

static pi_result step_finalize(void) {
  return piextCommandBufferFinalize(failing);
}

static pi_result step_enqueue(void) {
  return piextEnqueueCommandBuffer(failing, w.queue, 0, NULL, &failing_event);
}

/* The previous run has to end first. */
static pi_result step_again(void) {
  pi_event event = NULL;
  const pi_result result = piextEnqueueCommandBuffer(failing, w.queue, 0, NULL, &event);
  if (result != PI_SUCCESS) {
    assert_null(event);
    return result;
  }
  must(piEventRelease(failing_event));
  failing_event = event;
  return result;
}

static void expect_run(void) {
  must(piEventsWait(1, &failing_event));
  for (size_t i = 0; i < sizeof host; i++)
    assert_int_equal(host[i], (unsigned char)(i % 24 * 7 + 1));
  must(piEventRelease(failing_event));
}

/* Runs all steps, one of which fails in its nth call; returns false if it has fewer calls. */
static bool fail_in_step(size_t failing_step, unsigned long nth) {
  static pi_result (*const steps[])(void) = {step_create,   step_fill,    step_read,
                                             step_finalize, step_enqueue, step_again};
  failing = NULL;
  failing_event = NULL;
  failing_memory = new_buffer(sizeof host, NULL);
  is_whole = true;
  bool has_failed = false;
  count_up(host, sizeof host);
  for (size_t i = 0; i < sizeof steps / sizeof steps[0] && is_whole; i++) {
    if (i == failing_step)
      driver_fail(NULL, nth);
    try_step(steps[i](), steps[i]);
    has_failed |= failed != NULL;
  }
  if (is_whole)
    expect_run();
  must(piextCommandBufferRelease(failing));
  must(piMemRelease(failing_memory));
  return has_failed;
}

WORLD_TEST(a_failed_step_can_be_tried_again_or_is_reported) {
  unsigned long longest = 0;
  unsigned parts = 0;
  for (size_t step = 0; step < 6; step++) {
    unsigned long nth = 1;
    for (; fail_in_step(step, nth); nth++)
      parts += !is_whole;
    longest = nth > longest ? nth : longest;
  }
  assert_true(longest > 5);
  /* A fill in several steps, and finalizing. */
  assert_int_equal(parts > 3, backend.records_parts);
  assert_int_equal(parts != 0, backend.records_parts);
}

/* ---- Threads ---- */

static pi_ext_command_buffer shared;

static void *enqueue(void *unused) {
  (void)unused;
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  for (int i = 0; i < 50; i++) {
    must(piextCommandBufferRetain(shared));
    must(piextEnqueueCommandBuffer(shared, queue, 0, NULL, NULL));
    must(piextCommandBufferRelease(shared));
  }
  must(piQueueFinish(queue));
  must(piQueueRelease(queue));
  return NULL;
}

static pi_mem recorded;

static void *record(void *unused) {
  (void)unused;
  const unsigned char byte = 6;
  for (size_t i = 0; i < 50; i++)
    must(piextCommandBufferMemBufferFill(shared, recorded, &byte, 1, i, 1, 0, NULL, NULL));
  return NULL;
}

static void in_threads(void *(*function)(void *unused)) {
  pthread_t ids[4];
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&ids[i], NULL, function, NULL), 0);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(pthread_join(ids[i], NULL), 0);
}

WORLD_TEST(threads_record_and_enqueue_one_command_buffer) {
  recorded = new_buffer(50, NULL);
  shared = create();
  in_threads(record);
  pi_ext_sync_point point = 0;
  const unsigned char byte = 6;
  must(piextCommandBufferMemBufferFill(shared, recorded, &byte, 1, 0, 1, 0, NULL, &point));
  assert_int_equal(point, 200);
  must(piextCommandBufferFinalize(shared));
  in_threads(enqueue);
  expect_filled(recorded, byte);
  must(piextCommandBufferRelease(shared));
  must(piMemRelease(recorded));
}
