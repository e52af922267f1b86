/* Queues. */
#include "fixture.h"

INFO_CALL(queue_info, pi_queue, pi_queue_info, piQueueGetInfo)

static pi_uint32 references(pi_queue queue) {
  pi_uint32 count = 0;
  expect_success(
      pi.piQueueGetInfo(queue, PI_QUEUE_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

static uint64_t properties(pi_queue queue) {
  uint64_t flags = 0;
  expect_success(pi.piQueueGetInfo(queue, PI_QUEUE_INFO_PROPERTIES, sizeof flags, &flags, NULL));
  return flags;
}

TEST(queue, create) {
  static const uint64_t flags[] = {
      0, PI_QUEUE_FLAG_PROFILING_ENABLE, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE,
      PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
    expect_equal(flags[i], properties(new_queue(flags[i])) & 3);
}

TEST(queue, create_plain_entry) {
  pi_queue queue = NULL;
  expect_success(
      pi.piQueueCreate(the_context(), the_device(), PI_QUEUE_FLAG_PROFILING_ENABLE, &queue));
  expect_equal(PI_QUEUE_FLAG_PROFILING_ENABLE, properties(queue) & 3);
  expect_success(pi.piQueueFinish(queue));
  expect_success(pi.piQueueRelease(queue));
}

/* A compute index selects a hardware queue; a device with only one accepts it, too. */
TEST(queue, create_with_compute_index) {
  pi_queue queue = NULL;
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, 0, PI_QUEUE_COMPUTE_INDEX, 0, 0};
  expect_success(pi.piextQueueCreate(the_context(), the_device(), list, &queue));
  expect_success(pi.piQueueRelease(queue));
}

TEST(queue, create_with_priority) {
  static const uint64_t priorities[] = {PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW,
                                        PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH};
  for (size_t i = 0; i < 2; i++) {
    pi_queue queue = NULL;
    pi_queue_properties list[] = {PI_QUEUE_FLAGS, priorities[i], 0};
    expect_success(pi.piextQueueCreate(the_context(), the_device(), list, &queue));
    expect_success(pi.piQueueRelease(queue));
  }
}

TEST(queue, create_refuses_null) {
  pi_queue queue;
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, 0, 0};
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, queue,
                     pi.piextQueueCreate(NULL, the_device(), list, &queue));
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, queue,
                     pi.piextQueueCreate(the_context(), NULL, list, &queue));
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, queue,
                     pi.piQueueCreate(NULL, the_device(), 0, &queue));
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, queue,
                     pi.piQueueCreate(the_context(), NULL, 0, &queue));
}

TEST(queue, create_refuses_null_list) {
  pi_queue queue;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, queue,
                     pi.piextQueueCreate(the_context(), the_device(), NULL, &queue));
}

TEST(queue, create_refuses_null_output) {
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, 0, 0};
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextQueueCreate(the_context(), the_device(), list, NULL));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piQueueCreate(the_context(), the_device(), 0, NULL));
}

TEST(queue, create_refuses_contradictory_flags) {
  static const uint64_t flags[] = {
      PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW | PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH,
      PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE | PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE,
      PI_QUEUE_FLAG_ON_DEVICE};
  pi_queue queue;
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    pi_queue_properties list[] = {PI_QUEUE_FLAGS, flags[i], 0};
    expect_refused_keeps(queue, pi.piextQueueCreate(the_context(), the_device(), list, &queue));
    expect_refused_keeps(queue, pi.piQueueCreate(the_context(), the_device(), flags[i], &queue));
  }
}

TEST(queue, create_refuses_unknown_index) {
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, 0, PI_QUEUE_COMPUTE_INDEX, 1000, 0};
  pi_queue queue;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, queue,
                     pi.piextQueueCreate(the_context(), the_device(), list, &queue));
}

TEST(queue, create_refuses_unknown_property) {
  pi_queue queue;
  pi_queue_properties unknown_key[] = {0x1234, 1, 0};
  pi_queue_properties unknown_flag[] = {PI_QUEUE_FLAGS, UINT64_C(1) << 40, 0};
  expect_refused_keeps(queue,
                       pi.piextQueueCreate(the_context(), the_device(), unknown_key, &queue));
  expect_refused_keeps(queue,
                       pi.piextQueueCreate(the_context(), the_device(), unknown_flag, &queue));
}

/* Only device queues have a size and a default; PI_EXT_ONEAPI_QUEUE_INFO_EMPTY is new. */
static bool optional_query(pi_uint32 query) {
  return query == PI_QUEUE_INFO_SIZE || query == PI_QUEUE_INFO_DEVICE_DEFAULT ||
         query == PI_EXT_ONEAPI_QUEUE_INFO_EMPTY;
}

QUERY_TESTS(queue, query, pi_queue_info, queue_info, the_queue(), optional_query,
            PI_ERROR_INVALID_QUEUE)

TEST(queue, queries_make_sense) {
  pi_context context = NULL;
  pi_device device = NULL;
  const pi_queue queue = the_queue();
  expect_success(pi.piQueueGetInfo(queue, PI_QUEUE_INFO_CONTEXT, sizeof context, &context, NULL));
  expect_success(pi.piQueueGetInfo(queue, PI_QUEUE_INFO_DEVICE, sizeof device, &device, NULL));
  expect_same(the_context(), context);
  expect_same(the_device(), device);
}

TEST(queue, references) {
  const pi_queue queue = the_queue();
  expect_equal(1, references(queue));
  expect_success(pi.piQueueRetain(queue));
  expect_equal(2, references(queue));
  expect_success(pi.piQueueRelease(queue));
  expect_equal(1, references(queue));
}

TEST(queue, calls_refuse_null) {
  expect_error(PI_ERROR_INVALID_QUEUE, pi.piQueueRetain(NULL));
  expect_error(PI_ERROR_INVALID_QUEUE, pi.piQueueRelease(NULL));
  expect_error(PI_ERROR_INVALID_QUEUE, pi.piQueueFinish(NULL));
  expect_error(PI_ERROR_INVALID_QUEUE, pi.piQueueFlush(NULL));
}

/* piQueueFinish waits for all commands; piQueueFlush only starts them. */
TEST(queue, finish_and_flush) {
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "numbers");
  const pi_mem buffer = new_buffer(64 * sizeof(pi_uint32), NULL);
  const pi_queue queue = new_queue(0);
  const size_t global[3] = {64, 1, 1};
  const size_t offset[3] = {0, 0, 0};
  pi_event event = NULL;
  set_buffer(kernel, 0, buffer);
  expect_success(pi.piEnqueueKernelLaunch(queue, kernel, 1, offset, global, NULL, 0, NULL, &event));
  release_event_later(event);
  expect_success(pi.piQueueFlush(queue));
  expect_success(pi.piQueueFinish(queue));
  pi_int32 status = -1;
  expect_success(pi.piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof status,
                                   &status, NULL));
  expect_equal(PI_EVENT_COMPLETE, status);
}

TEST(queue, native_handle_not_owned) {
  const pi_queue queue = the_queue();
  pi_native_handle native = 0;
  int32_t desc = -1;
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, PI_QUEUE_FLAG_PROFILING_ENABLE, 0};
  if (!is_supported(pi.piextQueueGetNativeHandle(queue, &native, &desc)))
    return;
  pi_queue second = NULL;
  expect_success(pi.piextQueueCreateWithNativeHandle(native, desc, the_context(), the_device(),
                                                     false, list, &second));
  expect_success(pi.piQueueFinish(second));
  expect_success(pi.piQueueRelease(second));
  expect_equal(1, references(queue));
}

/*
 * Owned: the plugin takes over the caller's reference. The OpenCL plugin retains the queue once
 * more even so, because libsycl passes "owned" for queues that the application keeps.
 */
TEST(queue, native_handle_owned) {
  const pi_queue queue = the_queue();
  pi_native_handle native = 0;
  int32_t desc = -1;
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, PI_QUEUE_FLAG_PROFILING_ENABLE, 0};
  if (!is_supported(pi.piextQueueGetNativeHandle(queue, &native, &desc)))
    return;
  expect_success(pi.piQueueRetain(queue));
  pi_queue second = NULL;
  expect_success(pi.piextQueueCreateWithNativeHandle(native, desc, the_context(), the_device(),
                                                     true, list, &second));
  expect_success(pi.piQueueRelease(second));
  if (the_backend() == PI_EXT_PLATFORM_BACKEND_OPENCL && !code_is_ptx()) {
    expect_equal(2, references(queue));
    expect_success(pi.piQueueRelease(queue));
  }
  expect_equal(1, references(queue));
}

TEST(queue, native_handle_refuses_null) {
  pi_native_handle native;
  pi_queue queue;
  int32_t desc = 0;
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, 0, 0};
  expect_error_keeps(PI_ERROR_INVALID_QUEUE, native,
                     pi.piextQueueGetNativeHandle(NULL, &native, &desc));
  expect_refused_keeps(queue, pi.piextQueueCreateWithNativeHandle(0, 0, the_context(), the_device(),
                                                                  false, list, &queue));
}

TEST(queue, native_handle_refuses_null_output) {
  pi_native_handle native = 0;
  int32_t desc = 0;
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, 0, 0};
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextQueueGetNativeHandle(the_queue(), NULL, &desc));
  expect_success(pi.piextQueueGetNativeHandle(the_queue(), &native, &desc));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextQueueCreateWithNativeHandle(native, desc, the_context(), the_device(), false,
                                                   list, NULL));
}
