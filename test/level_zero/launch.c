/*
 * Launches over the fake driver: their calls of the driver, that repeated ones allocate nothing,
 * offsets, group sizes, cooperative launches, refusals.
 */
#include "programs.h"

#include "../unit/memory.h"

#include <stdio.h>

/* Returns the number of calls that change a kernel of the driver. */
static unsigned long kernel_calls(void) {
  static const char *const symbols[] = {"zeKernelSetArgumentValue",   "zeKernelSetGroupSize",
                                        "zeKernelSetGlobalOffsetExp", "zeKernelSuggestGroupSize",
                                        "zeKernelGetProperties",      "zeKernelSetIndirectAccess"};
  unsigned long calls = 0;
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
    calls += fake_ze_calls(symbols[i]);
  return calls;
}

WORLD_TEST(a_repeated_launch_allocates_nothing) {
  const pi_kernel kernel = built_kernel(MODULE_basic, "increment");
  const pi_mem data = new_buffer(64 * sizeof(pi_uint32), NULL);
  set_buffer(kernel, 0, data);
  launch(kernel, 64);
  must(piQueueFinish(w.queue));
  const unsigned long before = kernel_calls();
  for (int i = 0; i < 100; i++)
    launch(kernel, 64);
  assert_int_equal(kernel_calls(), before);
  must(piQueueFinish(w.queue));
  /* The events and lists of so many launches exist now. */
  memory_watch(MEMORY_NEVER);
  const size_t global[3] = {64, 1, 1};
  const size_t zero[3] = {0, 0, 0};
  pi_result result = PI_SUCCESS;
  for (int i = 0; i < 50 && result == PI_SUCCESS; i++)
    result = piEnqueueKernelLaunch(w.queue, kernel, 3, zero, global, NULL, 0, NULL, NULL);
  const memory_use use = memory_unwatch();
  must(result);
  assert_int_equal(use.calls, 0);
  must(piQueueFinish(w.queue));
  must(piKernelRelease(kernel));
  must(piMemRelease(data));
}

/* A new range takes a suggestion, which is remembered; a given local size takes none. */
WORLD_TEST(each_range_takes_one_suggestion) {
  const pi_kernel kernel = built_kernel(MODULE_basic, "increment");
  const pi_mem data = new_buffer(64 * sizeof(pi_uint32), NULL);
  set_buffer(kernel, 0, data);
  const unsigned long before = fake_ze_calls("zeKernelSuggestGroupSize");
  for (int round = 0; round < 3; round++)
    for (size_t items = 8; items <= 64; items *= 8)
      launch(kernel, items);
  assert_int_equal(fake_ze_calls("zeKernelSuggestGroupSize"), before + 2);
  const size_t global[1] = {64};
  const size_t local[1] = {4};
  must(piEnqueueKernelLaunch(w.queue, kernel, 1, NULL, global, local, 0, NULL, NULL));
  assert_int_equal(fake_ze_calls("zeKernelSuggestGroupSize"), before + 2);
  must(piQueueFinish(w.queue));
  must(piKernelRelease(kernel));
  must(piMemRelease(data));
}

/* A range of more than 32 bits has no suggestion, and no grid on this device. */
WORLD_TEST(a_long_range_is_refused_without_a_suggestion) {
  const pi_kernel kernel = built_kernel(MODULE_basic, "empty");
  const unsigned long before = fake_ze_calls("zeKernelSuggestGroupSize");
  const size_t global[1] = {(size_t)1 << 60};
  fails(PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
        piEnqueueKernelLaunch(w.queue, kernel, 1, NULL, global, NULL, 0, NULL, NULL));
  assert_int_equal(fake_ze_calls("zeKernelSuggestGroupSize"), before);
  must(piKernelRelease(kernel));
}

static bool has_offsets(void) {
  const char *without = getenv("FAKE_ZE_WITHOUT");
  return !without || !strstr(without, ZE_GLOBAL_OFFSET_EXP_NAME);
}

/* Launches positions(out, first_x, first_y, first_z), which writes the work-items' positions. */
static pi_uint32 first_position(pi_kernel kernel, pi_mem out, size_t x) {
  const size_t offset[3] = {x, 0, 0};
  const size_t global[3] = {4, 1, 1};
  const pi_uint32 first = (pi_uint32)x;
  pi_uint32 got[24] = {0};
  must(piKernelSetArg(kernel, 1, sizeof first, &first));
  must(piEnqueueKernelLaunch(w.queue, kernel, 3, offset, global, NULL, 0, NULL, NULL));
  must(piEnqueueMemBufferRead(w.queue, out, PI_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  return got[0];
}

WORLD_TEST(offsets_reach_the_kernel) {
  const pi_kernel kernel = built_kernel(MODULE_positions, "positions");
  const pi_mem out = new_buffer(24 * sizeof(pi_uint32), NULL);
  const pi_uint32 zero = 0;
  set_buffer(kernel, 0, out);
  must(piKernelSetArg(kernel, 2, sizeof zero, &zero));
  must(piKernelSetArg(kernel, 3, sizeof zero, &zero));
  assert_int_equal(first_position(kernel, out, 0), 0);
  const unsigned long before = fake_ze_calls("zeKernelSetGlobalOffsetExp");
  if (has_offsets()) {
    assert_int_equal(first_position(kernel, out, 100), 100);
    assert_int_equal(first_position(kernel, out, 100), 100);
    assert_int_equal(fake_ze_calls("zeKernelSetGlobalOffsetExp"), before + 1);
    assert_int_equal(first_position(kernel, out, 0), 0);
    assert_int_equal(fake_ze_calls("zeKernelSetGlobalOffsetExp"), before + 2);
  }
  const size_t offset[1] = {has_offsets() ? (size_t)1 << 32 : 1};
  const size_t global[1] = {4};
  fails(PI_ERROR_INVALID_GLOBAL_OFFSET,
        piEnqueueKernelLaunch(w.queue, kernel, 1, offset, global, NULL, 0, NULL, NULL));
  assert_int_equal(first_position(kernel, out, 0), 0);
  must(piKernelRelease(kernel));
  must(piMemRelease(out));
}

WORLD_TEST(impossible_groups_are_refused) {
  const pi_kernel kernel = built_kernel(MODULE_basic, "empty");
  static const struct {
    size_t global, local;
    pi_result code;
  } cases[] = {
      {8, 0, PI_ERROR_INVALID_WORK_GROUP_SIZE},
      {8, 3, PI_ERROR_INVALID_WORK_GROUP_SIZE},
      {(size_t)1 << 50, 1, PI_ERROR_INVALID_GLOBAL_WORK_SIZE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    fails(cases[i].code, piEnqueueKernelLaunch(w.queue, kernel, 1, NULL, &cases[i].global,
                                               &cases[i].local, 0, NULL, NULL));
  pi_uint32 most = 0;
  fails(PI_ERROR_INVALID_WORK_GROUP_SIZE,
        piextKernelSuggestMaxCooperativeGroupCount(kernel, (size_t)1 << 40, 0, &most));
  must(piKernelRelease(kernel));
}

WORLD_TEST(a_required_group_is_taken_where_none_is_given) {
  const pi_kernel kernel = built_kernel(MODULE_arguments, "fixed_group");
  const pi_mem out = new_buffer(4096, NULL);
  const size_t odd[2] = {6, 8};
  const size_t even[2] = {8, 8};
  set_buffer(kernel, 0, out);
  fails(PI_ERROR_INVALID_WORK_GROUP_SIZE,
        piEnqueueKernelLaunch(w.queue, kernel, 2, NULL, odd, NULL, 0, NULL, NULL));
  must(piEnqueueKernelLaunch(w.queue, kernel, 2, NULL, even, NULL, 0, NULL, NULL));
  must(piQueueFinish(w.queue));
  must(piKernelRelease(kernel));
  must(piMemRelease(out));
}

/* Nothing runs, and the event comes after its wait list. */
WORLD_TEST(an_empty_range_waits_and_runs_nothing) {
  const pi_kernel kernel = built_kernel(MODULE_basic, "empty");
  const size_t global[3] = {4, 0, 1};
  const pi_event gate = new_user_event();
  pi_event event = NULL;
  const unsigned long before = fake_ze_calls("zeCommandListAppendLaunchKernel");
  must(piEnqueueKernelLaunch(w.queue, kernel, 3, NULL, global, NULL, 1, &gate, &event));
  assert_int_equal(fake_ze_calls("zeCommandListAppendLaunchKernel"), before);
  assert_int_not_equal(status_of(event), PI_EVENT_COMPLETE);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  expect_done(event);
  must(piEventRelease(event));
  must(piEventRelease(gate));
  must(piKernelRelease(kernel));
}

/* The driver fails a launch: nothing is lost, and the next one runs. */
WORLD_TEST(a_failed_launch_loses_nothing) {
  const pi_kernel kernel = built_kernel(MODULE_basic, "increment");
  const pi_uint32 zero[8] = {0};
  const pi_mem data = new_buffer(sizeof zero, zero);
  const size_t global[1] = {8};
  const size_t local[1] = {2};
  pi_event event = NULL;
  set_buffer(kernel, 0, data);
  static const char *const symbols[] = {"zeCommandListAppendLaunchKernel", "zeKernelSetGroupSize",
                                        "zeKernelSuggestGroupSize"};
  for (size_t i = 0; i < 3; i++) {
    fake_ze_fail(symbols[i], 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    fails(PI_ERROR_OUT_OF_RESOURCES, piEnqueueKernelLaunch(w.queue, kernel, 1, NULL, global,
                                                           i == 2 ? NULL : local, 0, NULL, &event));
    fake_ze_unfail();
    assert_null(event);
    /* Another size, so that the next launch has to set its own. */
    if (i == 0) {
      const size_t other[1] = {4};
      must(piEnqueueKernelLaunch(w.queue, kernel, 1, NULL, global, other, 0, NULL, NULL));
    }
  }
  must(piEnqueueKernelLaunch(w.queue, kernel, 1, NULL, global, local, 0, NULL, NULL));
  pi_uint32 got[8] = {0};
  must(piEnqueueMemBufferRead(w.queue, data, PI_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  assert_int_equal(got[7], 2);
  must(piKernelRelease(kernel));
  must(piMemRelease(data));
}
