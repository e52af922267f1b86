/*
 * Each flow is a sequence of calls on the fake CUDA driver. Every allocation in a flow fails once:
 * the call then reports the failure with a message and returns no object, and the flow's releases
 * leave nothing held. In the flows for virtual memory and pools, which PI lacks, each call of the
 * driver fails once too.
 */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include "../../fakes/cuda/fake_cuda.h"
#include "../unit/memory.h"

#include <level_zero/ze_api.h>
#include <time.h>

/* One step of a flow. If it fails, the flow ends, and the output must still be NULL. */
#define STEP(call, output)                                                                         \
  do {                                                                                             \
    result = (call);                                                                               \
    assert_true(result == UR_RESULT_SUCCESS || (output) == NULL);                                  \
    if (result != UR_RESULT_SUCCESS)                                                               \
      goto end;                                                                                    \
  } while (0)
/* The same for a call without an output. */
#define DO(call) STEP(call, (void *)NULL)
#define RELEASE(entry, object)                                                                     \
  do {                                                                                             \
    if (object)                                                                                    \
      assert_ok(UR(entry)(object));                                                                \
  } while (0)

enum { BYTES = 64 };

/* Objects created before anything fails. */
static ur_kernel_handle_t add;
static int32_t *numbers;
static run_argument arguments[3];
static const size_t items = 4;

static void ignore_call(ur_event_handle_t event, ur_execution_info_t status, void *user_data) {
  (void)event;
  (void)status;
  (void)user_data;
}

static ur_result_t flow_events(void) {
  ur_context_handle_t context = NULL;
  ur_queue_handle_t queue = NULL;
  ur_event_handle_t events[2] = {NULL, NULL};
  ur_result_t result;
  STEP(UR(urContextCreate)(1, &place.device, NULL, &context), context);
  STEP(UR(urQueueCreate)(context, place.device, NULL, &queue), queue);
  STEP(UR(urEnqueueEventsWait)(queue, 0, NULL, &events[0]), events[0]);
  STEP(UR(urEnqueueEventsWaitWithBarrier)(queue, 1, events, &events[1]), events[1]);
  DO(UR(urEventSetCallback)(events[1], UR_EXECUTION_INFO_COMPLETE, ignore_call, NULL));
end:
  RELEASE(urQueueFinish, queue);
  RELEASE(urEventRelease, events[0]);
  RELEASE(urEventRelease, events[1]);
  RELEASE(urQueueRelease, queue);
  RELEASE(urContextRelease, context);
  return result;
}

static ur_result_t flow_memory(void) {
  ur_mem_handle_t buffer = NULL, part = NULL;
  ur_sampler_handle_t sampler = NULL;
  ur_usm_pool_handle_t pool = NULL;
  ur_usm_pool_desc_t pool_desc = {.stype = UR_STRUCTURE_TYPE_USM_POOL_DESC};
  void *memory[2] = {NULL, NULL};
  void *mapped = NULL;
  const ur_buffer_region_t region = {.size = BYTES / 2};
  const ur_sampler_desc_t desc = {.stype = UR_STRUCTURE_TYPE_SAMPLER_DESC,
                                  .addressingMode = UR_SAMPLER_ADDRESSING_MODE_NONE,
                                  .filterMode = UR_SAMPLER_FILTER_MODE_NEAREST};
  ur_result_t result;
  STEP(UR(urMemBufferCreate)(place.context, UR_MEM_FLAG_READ_WRITE, BYTES, NULL, &buffer), buffer);
  STEP(UR(urMemBufferPartition)(buffer, UR_MEM_FLAG_READ_WRITE, UR_BUFFER_CREATE_TYPE_REGION,
                                &region, &part),
       part);
  STEP(UR(urSamplerCreate)(place.context, &desc, &sampler), sampler);
  STEP(UR(urUSMPoolCreate)(place.context, &pool_desc, &pool), pool);
  STEP(UR(urUSMDeviceAlloc)(place.context, place.device, NULL, pool, BYTES, &memory[0]), memory[0]);
  STEP(UR(urUSMSharedAlloc)(place.context, place.device, NULL, NULL, BYTES, &memory[1]), memory[1]);
  DO(UR(urEnqueueUSMMemcpy)(place.queue, false, memory[0], memory[1], BYTES, 0, NULL, NULL));
  STEP(UR(urEnqueueMemBufferMap)(place.queue, buffer, true, UR_MAP_FLAG_READ, 0, BYTES, 0, NULL,
                                 NULL, &mapped),
       mapped);
end:
  if (mapped)
    assert_ok(UR(urEnqueueMemUnmap)(place.queue, buffer, mapped, 0, NULL, NULL));
  assert_ok(UR(urQueueFinish)(place.queue));
  for (int i = 0; i < 2; i++)
    if (memory[i])
      assert_ok(UR(urUSMFree)(place.context, memory[i]));
  RELEASE(urUSMPoolRelease, pool);
  RELEASE(urSamplerRelease, sampler);
  RELEASE(urMemRelease, part);
  RELEASE(urMemRelease, buffer);
  return result;
}

static ur_result_t flow_program(void) {
  ur_program_handle_t program = NULL;
  ur_kernel_handle_t kernel = NULL;
  ur_event_handle_t event = NULL;
  ur_program_metadata_t entry = {
      .pName = "what", .type = UR_PROGRAM_METADATA_TYPE_UINT32, .size = 4, .value.data32 = 1};
  const ur_program_properties_t properties = {
      .stype = UR_STRUCTURE_TYPE_PROGRAM_PROPERTIES, .count = 1, .pMetadatas = &entry};
  size_t size;
  const unsigned char *const code = run_code(MODULE_arguments, &size);
  ur_result_t result;
  STEP(UR(urProgramCreateWithIL)(place.context, code, size, &properties, &program), program);
  DO(run_build(program, ""));
  STEP(UR(urKernelCreate)(program, "add", &kernel), kernel);
  DO(run_launch(kernel, 1, &items, NULL, 3, arguments));
  STEP(UR(urEnqueueUSMFill)(place.queue, numbers, 4, &(int32_t){1}, 16, 0, NULL, &event), event);
end:
  assert_ok(UR(urQueueFinish)(place.queue));
  RELEASE(urEventRelease, event);
  RELEASE(urKernelRelease, kernel);
  RELEASE(urProgramRelease, program);
  return result;
}

static ur_result_t flow_constants(void) {
  ur_program_handle_t program = NULL;
  const uint32_t value = 5;
  const ur_specialization_constant_info_t constant = {
      .id = 105, .size = sizeof value, .pValue = &value};
  size_t size;
  const unsigned char *const code = run_code(MODULE_scalars, &size);
  ur_result_t result;
  STEP(UR(urProgramCreateWithIL)(place.context, code, size, NULL, &program), program);
  DO(UR(urProgramSetSpecializationConstants)(program, 1, &constant));
end:
  RELEASE(urProgramRelease, program);
  return result;
}

static ur_result_t flow_command_buffer(void) {
  const ur_exp_command_buffer_desc_t desc = {.stype = UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC};
  ur_exp_command_buffer_handle_t buffer = NULL;
  ur_result_t result;
  STEP(UR(urCommandBufferCreateExp)(place.context, place.device, &desc, &buffer), buffer);
  DO(UR(urCommandBufferAppendUSMFillExp)(buffer, numbers, &(int32_t){3}, 4, 16, 0, NULL, 0, NULL,
                                         NULL, NULL, NULL));
  DO(UR(urCommandBufferAppendKernelLaunchWithArgsExp)(buffer, add, 1, NULL, &items, NULL, 3,
                                                      arguments, 0, NULL, 0, NULL, 0, NULL, NULL,
                                                      NULL, NULL));
  DO(UR(urCommandBufferFinalizeExp)(buffer));
  DO(UR(urEnqueueCommandBufferExp)(place.queue, buffer, 0, NULL, NULL));
end:
  assert_ok(UR(urQueueFinish)(place.queue));
  RELEASE(urCommandBufferReleaseExp, buffer);
  return result;
}

enum { GRANULARITY = 2 << 20 };

static ur_result_t map_memory(void *start, ur_physical_mem_handle_t memory,
                              ur_virtual_mem_access_flags_t flags) {
  return UR(urVirtualMemMap)(place.context, start, GRANULARITY, memory, 0, flags);
}

static ur_result_t unmap_memory(void *start) {
  return UR(urVirtualMemUnmap)(place.context, start, GRANULARITY);
}

/* The driver's function that failed in the latest run of a flow; NULL if none failed. */
static const char *failed_call;

static ur_result_t flow_virtual(void) {
  ur_physical_mem_handle_t memory = NULL;
  void *start = NULL;
  bool is_mapped = false;
  ur_result_t result;
  STEP(UR(urPhysicalMemCreate)(place.context, place.device, GRANULARITY, NULL, &memory), memory);
  STEP(UR(urVirtualMemReserve)(place.context, NULL, GRANULARITY, &start), start);
  DO(map_memory(start, memory, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  is_mapped = true;
  DO(UR(urEnqueueUSMFill)(place.queue, start, 4, &(int32_t){1}, 16, 0, NULL, NULL));
  DO(UR(urVirtualMemSetAccess)(place.context, start, GRANULARITY,
                               UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY));
  DO(unmap_memory(start));
  is_mapped = false;
  DO(map_memory(start, memory, UR_VIRTUAL_MEM_ACCESS_FLAG_NONE));
  is_mapped = true;
end:
  failed_call = fake_cuda_unfail();
  if (is_mapped)
    assert_ok(unmap_memory(start));
  if (start)
    assert_ok(UR(urVirtualMemFree)(place.context, start, GRANULARITY));
  RELEASE(urPhysicalMemRelease, memory);
  return result;
}

/* Frees memory after a failed flow. A failed free command may nevertheless have freed it. */
static void free_left(void *memory) {
  uint32_t type = UR_USM_TYPE_UNKNOWN;
  if (memory)
    assert_ok(UR(urUSMGetMemAllocInfo)(place.context, memory, UR_USM_ALLOC_INFO_TYPE, sizeof type,
                                       &type, NULL));
  if (type != UR_USM_TYPE_UNKNOWN)
    assert_ok(UR(urUSMFree)(place.context, memory));
}

static ur_result_t flow_pool(void) {
  ur_usm_pool_desc_t desc = {UR_STRUCTURE_TYPE_USM_POOL_DESC, NULL,
                             UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK};
  ur_usm_pool_handle_t pool = NULL;
  void *memory[3] = {NULL, NULL, NULL};
  ur_event_handle_t events[2] = {NULL, NULL};
  size_t size = 0;
  ur_result_t result;
  STEP(UR(urUSMPoolCreateExp)(place.context, place.device, &desc, &pool), pool);
  DO(UR(urUSMPoolSetInfoExp)(pool, UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP, &(size_t){1},
                             sizeof size));
  STEP(UR(urEnqueueUSMDeviceAllocExp)(place.queue, pool, BYTES, NULL, 0, NULL, &memory[0],
                                      &events[0]),
       memory[0]);
  STEP(UR(urEnqueueUSMHostAllocExp)(place.queue, pool, BYTES, NULL, 1, events, &memory[1], NULL),
       memory[1]);
  STEP(UR(urUSMDeviceAlloc)(place.context, place.device, NULL, pool, BYTES, &memory[2]), memory[2]);
  DO(UR(urUSMPoolGetInfo)(pool, UR_USM_POOL_INFO_RESERVED_CURRENT_EXP, sizeof size, &size, NULL));
  DO(UR(urUSMPoolSetInfoExp)(pool, UR_USM_POOL_INFO_RESERVED_HIGH_EXP, &(size_t){0}, sizeof size));
  DO(UR(urUSMPoolTrimToExp)(place.context, place.device, pool, 0));
  STEP(UR(urEnqueueUSMFreeExp)(place.queue, NULL, memory[0], 0, NULL, &events[1]), events[1]);
  DO(UR(urEnqueueUSMFreeExp)(place.queue, NULL, memory[1], 0, NULL, NULL));
end:
  failed_call = fake_cuda_unfail();
  assert_ok(UR(urQueueFinish)(place.queue));
  for (int i = 0; i < 3; i++)
    free_left(memory[i]);
  for (int i = 0; i < 2; i++)
    RELEASE(urEventRelease, events[i]);
  if (pool)
    assert_answer(urUSMPoolGetInfo, pool, UR_USM_POOL_INFO_USED_CURRENT_EXP, size_t, 0);
  RELEASE(urUSMPoolRelease, pool);
  return result;
}

/* ---- Level Zero's entries, whose handles are the objects ---- */

static ur_result_t result_of(ze_result_t result) {
  return result == ZE_RESULT_SUCCESS                    ? UR_RESULT_SUCCESS
         : result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ? UR_RESULT_ERROR_OUT_OF_HOST_MEMORY
                                                        : UR_RESULT_ERROR_UNKNOWN;
}

#define ZE_STEP(call, output) STEP(result_of(call), output)
#define ZE_DO(call) DO(result_of(call))
#define ZE_RELEASE(entry, object)                                                                  \
  do {                                                                                             \
    if (object)                                                                                    \
      assert_int_equal(entry(object), ZE_RESULT_SUCCESS);                                          \
  } while (0)

/* Appends commands to a list: more waits than usual, a fill with a rest, a launch, a report. */
static ur_result_t append_all(ze_command_list_handle_t list, ze_event_handle_t *events) {
  const ze_group_count_t groups = {1, 1, 1};
  const ze_kernel_handle_t kernel = (ze_kernel_handle_t)(void *)add;
  ze_event_handle_t waits[10];
  ur_result_t result;
  for (uint32_t i = 0; i < 3; i++)
    ZE_DO(zeKernelSetArgumentValue(kernel, i, sizeof numbers, &numbers));
  for (int i = 0; i < 10; i++)
    waits[i] = events[0];
  ZE_DO(zeCommandListAppendMemoryFill(list, numbers, "xyz", 3, 10, NULL, 10, waits));
  ZE_DO(zeCommandListAppendLaunchKernel(list, kernel, &groups, events[1], 0, NULL));
  ZE_DO(
      zeCommandListAppendQueryKernelTimestamps(list, 1, &events[1], numbers, NULL, NULL, 0, NULL));
  ZE_DO(zeCommandListAppendEventReset(list, events[0]));
end:
  return result;
}

/* A queue waits for an event that another one's command signals, and for one of the host. */
static ur_result_t flow_native(void) {
  const ze_context_handle_t context = (ze_context_handle_t)(void *)place.context;
  const ze_device_handle_t device = (ze_device_handle_t)(void *)place.device;
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                          .flags = ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                                          .count = 3};
  const ze_command_list_desc_t list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  const ze_fence_desc_t fence_desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ur_queue_handle_t other = NULL;
  ze_event_pool_handle_t pool = NULL;
  ze_event_handle_t events[3] = {NULL};
  ze_command_list_handle_t list = NULL;
  ze_fence_handle_t fence = NULL;
  ur_result_t result;
  STEP(UR(urQueueCreate)(place.context, place.device, NULL, &other), other);
  ZE_STEP(zeEventPoolCreate(context, &pool_desc, 0, NULL, &pool), pool);
  for (uint32_t i = 0; i < 3; i++) {
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};
    ZE_STEP(zeEventCreate(pool, &desc, &events[i]), events[i]);
  }
  ZE_STEP(zeCommandListCreate(context, device, &list_desc, &list), list);
  DO(append_all(list, events));
  ZE_DO(zeCommandListClose(list));
  ZE_STEP(zeFenceCreate((ze_command_queue_handle_t)(void *)other, &fence_desc, &fence), fence);
  ZE_DO(zeCommandListAppendWaitOnEvents((ze_command_list_handle_t)(void *)other, 1, &events[2]));
  ZE_DO(
      zeCommandQueueExecuteCommandLists((ze_command_queue_handle_t)(void *)other, 1, &list, fence));
  ZE_DO(zeCommandListAppendSignalEvent((ze_command_list_handle_t)(void *)place.queue, events[2]));
end:
  for (int i = 0; i < 3; i++)
    ZE_RELEASE(zeEventHostSignal, events[i]);
  RELEASE(urQueueFinish, other);
  assert_ok(UR(urQueueFinish)(place.queue));
  ZE_RELEASE(zeFenceDestroy, fence);
  ZE_RELEASE(zeCommandListDestroy, list);
  for (int i = 0; i < 3; i++)
    ZE_RELEASE(zeEventDestroy, events[i]);
  ZE_RELEASE(zeEventPoolDestroy, pool);
  RELEASE(urQueueRelease, other);
  return result;
}

/* Waits for the thread that destroys the objects of a released context. */
static void settle(size_t live) {
  const struct timespec moment = {0, 1000000};
  for (int i = 0; i < 2000 && (memory_held() > 0 || fake_cuda_live_all() > live); i++)
    nanosleep(&moment, NULL);
}

/* Fails each allocation of a flow. A first run fails none: it creates objects that are kept. */
static void fail_each(ur_result_t (*flow)(void), unsigned at_least) {
  assert_ok(flow());
  memory_use use = {.failed = true};
  unsigned failed = 0;
  size_t live = fake_cuda_live_all();
  for (long nth = 0; use.failed; nth++) {
    memory_watch(nth);
    const ur_result_t result = flow();
    settle(live);
    use = memory_unwatch();
    if (use.failed && result != UR_RESULT_SUCCESS) {
      assert_refused(result, OUT_OF_HOST_MEMORY, " ");
      failed++;
    } else {
      assert_ok(result); /* a build succeeds even if its log has no memory */
    }
    if (use.held > 0)
      fail_msg("allocation %ld: %ld blocks are held", nth, use.held);
    const size_t left = fake_cuda_live_all();
    assert_true(left <= live);
    live = left; /* the run before may have had objects that were released only now */
  }
  assert_in_range(failed, at_least, 500);
}

/* X(flow, the smallest number of allocations whose failure makes it fail) */
#define FLOWS(X)                                                                                   \
  X(events, 4)                                                                                     \
  X(memory, 6)                                                                                     \
  X(program, 8)                                                                                    \
  X(constants, 3)                                                                                  \
  X(command_buffer, 4)                                                                             \
  X(native, 10)                                                                                    \
  X(virtual, 3)                                                                                    \
  X(pool, 4)

#define FLOW(name, at_least)                                                                       \
  TEST(failed_allocations_leak_nothing_of_##name) { fail_each(flow_##name, at_least); }
FLOWS(FLOW)

/* ---- Calls of the driver ---- */

/* Fails each call of the driver in a flow. The flow may succeed nevertheless, or an event may
 * report that its command failed. */
static void fail_each_call(ur_result_t (*flow)(void)) {
  const size_t live = fake_cuda_live_all();
  unsigned long nth = 1, failed = 0;
  do {
    fake_cuda_fail(NULL, nth++, CUDA_ERROR_UNKNOWN);
    const ur_result_t result = flow();
    if (failed_call && result == UR_RESULT_ERROR_IN_EVENT_LIST_EXEC_STATUS)
      assert_sentence("PI_ERROR_UNKNOWN");
    else if (failed_call && result != UR_RESULT_SUCCESS)
      assert_refused(result, UNKNOWN, failed_call);
    else
      assert_ok(result); /* a wait that the pool makes does not report failed commands */
    failed += result != UR_RESULT_SUCCESS;
    assert_int_equal(fake_cuda_live_all(), live);
  } while (failed_call);
  assert_in_range(failed, 10, 100);
}

TEST(failed_calls_leak_no_virtual_memory) {
  fail_each_call(flow_virtual);
}

TEST(failed_calls_leak_no_pool) {
  fail_each_call(flow_pool);
}

/* After a failed free the memory can still be used, and freed. */
TEST(a_failed_release_leaves_the_pool) {
  ur_usm_pool_desc_t desc = {.stype = UR_STRUCTURE_TYPE_USM_POOL_DESC};
  ur_usm_pool_handle_t pool = NULL;
  ur_event_handle_t event = NULL;
  void *memory = NULL;
  char seen[4];
  assert_ok(UR(urUSMPoolCreate)(place.context, &desc, &pool));
  /* If an allocation fails, the adapter waits for pending frees and tries again. */
  const unsigned long waits = fake_cuda_calls("cuCtxSynchronize");
  fake_cuda_fail("cuMemAllocFromPoolAsync", 1, CUDA_ERROR_OUT_OF_MEMORY);
  assert_ok(UR(urEnqueueUSMDeviceAllocExp)(place.queue, pool, BYTES, NULL, 0, NULL, &memory, NULL));
  assert_int_equal(fake_cuda_calls("cuCtxSynchronize"), waits + 1);
  assert_ok(UR(urEnqueueUSMFill)(place.queue, memory, 1, "x", sizeof seen, 0, NULL, NULL));
  fake_cuda_fail("cuMemFreeAsync", 1, CUDA_ERROR_UNKNOWN);
  assert_refused(UR(urEnqueueUSMFreeExp)(place.queue, NULL, memory, 0, NULL, &event), UNKNOWN,
                 "cuMemFreeAsync");
  assert_null(event);
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, seen, memory, sizeof seen, 0, NULL, NULL));
  assert_memory_equal(seen, "xxxx", sizeof seen);
  assert_ok(UR(urEnqueueUSMFreeExp)(place.queue, NULL, memory, 0, NULL, &event));
  assert_int_equal(fake_cuda_calls("cuCtxSynchronize"), waits + 1);
  assert_ok(UR(urEventWait)(1, &event));
  assert_ok(UR(urEventRelease)(event));
  assert_ok(UR(urUSMPoolRelease)(pool));
  /* The next pool reuses the driver's pool with its counters reset. */
  const unsigned long made = fake_cuda_calls("cuMemPoolCreate");
  assert_ok(UR(urUSMPoolCreate)(place.context, &desc, &pool));
  assert_answer(urUSMPoolGetInfo, pool, UR_USM_POOL_INFO_RESERVED_HIGH_EXP, size_t, 0);
  assert_ok(UR(urUSMPoolRelease)(pool));
  assert_int_equal(fake_cuda_calls("cuMemPoolCreate"), made);
  assert_int_equal(fake_cuda_calls("cuMemPoolDestroy"), 0);
}

/* If the driver fails to unmap or to free memory, the memory stays as it was. */
TEST(a_failed_release_leaves_the_memory) {
  ur_physical_mem_handle_t memory = NULL;
  void *start = NULL;
  char seen[4];
  assert_ok(UR(urPhysicalMemCreate)(place.context, place.device, GRANULARITY, NULL, &memory));
  assert_ok(UR(urVirtualMemReserve)(place.context, NULL, GRANULARITY, &start));
  assert_ok(map_memory(start, memory, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  assert_ok(UR(urEnqueueUSMFill)(place.queue, start, 1, "x", sizeof seen, 0, NULL, NULL));
  fake_cuda_fail("cuMemUnmap", 1, CUDA_ERROR_UNKNOWN);
  assert_refused(unmap_memory(start), UNKNOWN, "cuMemUnmap");
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, seen, start, sizeof seen, 0, NULL, NULL));
  assert_memory_equal(seen, "xxxx", sizeof seen);
  const unsigned long waits = fake_cuda_calls("cuCtxSynchronize");
  assert_ok(unmap_memory(start));
  assert_int_equal(fake_cuda_calls("cuCtxSynchronize"), waits + 1);
  fake_cuda_fail("cuMemAddressFree", 1, CUDA_ERROR_UNKNOWN);
  assert_refused(UR(urVirtualMemFree)(place.context, start, GRANULARITY), UNKNOWN,
                 "cuMemAddressFree");
  assert_ok(UR(urVirtualMemFree)(place.context, start, GRANULARITY));
  assert_ok(UR(urPhysicalMemRelease)(memory));
}

static int make_inputs(void **state) {
  run_open(state);
  add = run_kernel(MODULE_arguments, "add");
  numbers = run_memory(BYTES);
  for (uint32_t i = 0; i < 3; i++)
    arguments[i] = run_pointer(i, numbers + i / 2 * items);
  return 0;
}

static int release_inputs(void **state) {
  run_free(numbers);
  assert_ok(UR(urKernelRelease)(add));
  return run_close(state);
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  return tests_run(make_inputs, release_inputs);
}
