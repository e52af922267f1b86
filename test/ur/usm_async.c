/*
 * Memory pools of the driver, and allocations in a queue's order: a pool keeps memory up to its
 * threshold, frees do not wait, and the memory is USM like any other. A device without pools
 * behaves the same otherwise.
 */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { BYTES = 64 };

/* True if the driver has memory pools. They reserve more memory than requested. */
static bool is_pooled;
static ur_queue_handle_t unordered;

static ur_usm_pool_handle_t make_pool(ur_usm_pool_flags_t flags) {
  ur_usm_pool_desc_t desc = {UR_STRUCTURE_TYPE_USM_POOL_DESC, NULL, flags};
  ur_usm_pool_handle_t pool = NULL;
  assert_ok(UR(urUSMPoolCreate)(place.context, &desc, &pool));
  return pool;
}

static size_t ask_pool(ur_usm_pool_handle_t pool, ur_usm_pool_info_t query) {
  size_t answer = 99;
  assert_ok(UR(urUSMPoolGetInfo)(pool, query, sizeof answer, &answer, NULL));
  return answer;
}
#define USED(pool) ask_pool(pool, UR_USM_POOL_INFO_USED_CURRENT_EXP)
#define RESERVED(pool) ask_pool(pool, UR_USM_POOL_INFO_RESERVED_CURRENT_EXP)

static uint32_t type_of(ur_context_handle_t context, const void *memory) {
  uint32_t type = 99;
  assert_ok(UR(urUSMGetMemAllocInfo)(context, memory, UR_USM_ALLOC_INFO_TYPE, 4, &type, NULL));
  return type;
}

static ur_result_t enqueue_allocation(ur_queue_handle_t queue, ur_usm_pool_handle_t pool,
                                      size_t size, ur_event_handle_t *wait, void **ret,
                                      ur_event_handle_t *event) {
  return UR(urEnqueueUSMDeviceAllocExp)(queue, pool, size, NULL, wait != NULL, wait, ret, event);
}

static char *allocate(ur_queue_handle_t queue, ur_usm_pool_handle_t pool,
                      ur_event_handle_t *event) {
  void *memory = NULL;
  assert_ok(enqueue_allocation(queue, pool, BYTES, NULL, &memory, event));
  return memory;
}

static ur_result_t enqueue_free(ur_queue_handle_t queue, void *memory, ur_event_handle_t *wait,
                                ur_event_handle_t *event) {
  return UR(urEnqueueUSMFreeExp)(queue, NULL, memory, wait != NULL, wait, event);
}

static void fill(ur_queue_handle_t queue, void *memory, char value) {
  assert_ok(UR(urEnqueueUSMFill)(queue, memory, 1, &value, BYTES, 0, NULL, NULL));
}

static void check_bytes(const char *bytes, char value) {
  for (int i = 0; i < BYTES; i++)
    assert_int_equal(bytes[i], value);
}

/* ---- The memory that a pool keeps ---- */

TEST(a_pool_keeps_memory_up_to_its_threshold) {
  if (!HAS(urUSMPoolSetInfoExp))
    return;
  const ur_usm_pool_handle_t pool = make_pool(0);
  size_t most = SIZE_MAX, none = 0;
  assert_int_equal(RESERVED(pool), 0);
  char *memory = allocate(place.queue, pool, NULL);
  const size_t reserved = RESERVED(pool);
  assert_true(is_pooled ? reserved > BYTES : reserved == BYTES);
  assert_ok(enqueue_free(place.queue, memory, NULL, NULL));
  assert_ok(UR(urQueueFinish)(place.queue));
  assert_int_equal(RESERVED(pool), 0);
  assert_ok(
      UR(urUSMPoolSetInfoExp)(pool, UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP, &most, sizeof most));
  memory = allocate(place.queue, pool, NULL);
  assert_int_equal(USED(pool), BYTES);
  assert_ok(enqueue_free(place.queue, memory, NULL, NULL));
  assert_ok(UR(urQueueFinish)(place.queue));
  assert_int_equal(USED(pool), 0);
  assert_int_equal(RESERVED(pool), is_pooled ? reserved : 0);
  /* Allocations outside of a queue come from the same pool and return to it. */
  void *other = NULL;
  assert_ok(UR(urUSMDeviceAlloc)(place.context, place.device, NULL, pool, BYTES, &other));
  assert_int_equal(RESERVED(pool), reserved);
  assert_ok(UR(urUSMFree)(place.context, other));
  assert_int_equal(RESERVED(pool), is_pooled ? reserved : 0);
  assert_ok(UR(urUSMPoolTrimToExp)(place.context, place.device, pool, 1));
  assert_int_equal(RESERVED(pool), is_pooled ? reserved : 0);
  assert_ok(UR(urUSMPoolTrimToExp)(place.context, place.device, pool, 0));
  assert_int_equal(RESERVED(pool), 0);
  assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_RESERVED_HIGH_EXP), reserved);
  assert_ok(UR(urUSMPoolSetInfoExp)(pool, UR_USM_POOL_INFO_RESERVED_HIGH_EXP, &none, sizeof none));
  assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_RESERVED_HIGH_EXP), 0);
  assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_USED_HIGH_EXP), BYTES);
  assert_ok(UR(urUSMPoolRelease)(pool));
}

/* A pool's counts include host memory, which is not from the driver's pool. */
TEST(each_kind_counts_in_the_pool) {
  const ur_usm_pool_handle_t pool = make_pool(0);
  void *host = NULL, *device = NULL;
  assert_ok(UR(urUSMHostAlloc)(place.context, NULL, pool, BYTES, &host));
  assert_int_equal(RESERVED(pool), BYTES);
  assert_ok(UR(urUSMDeviceAlloc)(place.context, place.device, NULL, pool, BYTES, &device));
  assert_int_equal(USED(pool), 2 * BYTES);
  const size_t reserved = RESERVED(pool);
  assert_true(is_pooled ? reserved > 2 * (size_t)BYTES : reserved == 2 * (size_t)BYTES);
  assert_ok(UR(urUSMFree)(place.context, host));
  assert_int_equal(RESERVED(pool), reserved - BYTES);
  assert_ok(UR(urUSMFree)(place.context, device));
  assert_int_equal(RESERVED(pool), 0);
  assert_ok(UR(urUSMPoolRelease)(pool));
}

TEST(memory_of_a_pool_can_be_zero) {
  const ur_usm_pool_handle_t pool = make_pool(UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK);
  char seen[BYTES];
  for (int i = 0; HAS(urEnqueueUSMDeviceAllocExp) && i < 2; i++) {
    char *const memory = allocate(place.queue, pool, NULL);
    memset(seen, 1, sizeof seen);
    assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, seen, memory, BYTES, 0, NULL, NULL));
    check_bytes(seen, 0);
    fill(place.queue, memory, 7);
    assert_ok(enqueue_free(place.queue, memory, NULL, NULL));
  }
  assert_ok(UR(urQueueFinish)(place.queue));
  assert_ok(UR(urUSMPoolRelease)(pool));
}

TEST(a_pool_keeps_its_limit) {
  if (!HAS(urUSMPoolCreateExp))
    return;
  ur_usm_pool_limits_desc_t limits = {UR_STRUCTURE_TYPE_USM_POOL_LIMITS_DESC, NULL, 100, 0};
  ur_usm_pool_desc_t desc = {UR_STRUCTURE_TYPE_USM_POOL_DESC, &limits, 0};
  ur_usm_pool_handle_t pool = NULL;
  void *more = NULL;
  assert_ok(UR(urUSMPoolCreateExp)(place.context, place.device, &desc, &pool));
  char *const memory = allocate(place.queue, pool, NULL);
  assert_refused(enqueue_allocation(place.queue, pool, 37, NULL, &more, NULL), OUT_OF_RESOURCES,
                 "64 bytes in use and may have 100, 37 more");
  assert_refused(enqueue_allocation(place.queue, pool, 0, NULL, &more, NULL), INVALID_USM_SIZE,
                 "size is 0");
  assert_null(more);
  assert_ok(enqueue_allocation(place.queue, pool, 36, NULL, &more, NULL));
  assert_ok(enqueue_free(place.queue, more, NULL, NULL));
  assert_ok(enqueue_free(place.queue, memory, NULL, NULL));
  assert_int_equal(USED(pool), 0);
  assert_ok(UR(urUSMPoolDestroyExp)(place.context, place.device, pool));
  more = NULL;
  assert_int_equal(enqueue_allocation(place.queue, NULL, SIZE_MAX / 2, NULL, &more, NULL),
                   UR_RESULT_ERROR_INVALID_USM_SIZE);
  assert_null(more);
}

/* ---- In the order of a queue ---- */

TEST(allocations_and_frees_keep_the_order) {
  if (!HAS(urEnqueueUSMDeviceAllocExp))
    return;
  char seen[BYTES] = "";
  char *const memory = allocate(place.queue, NULL, NULL);
  fill(place.queue, memory, 5);
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, false, seen, memory, BYTES, 0, NULL, NULL));
  ur_event_handle_t freed = NULL;
  assert_ok(enqueue_free(place.queue, memory, NULL, &freed));
  assert_ok(UR(urEventWait)(1, &freed));
  assert_answer(urEventGetInfo, freed, UR_EVENT_INFO_COMMAND_TYPE, uint32_t,
                UR_COMMAND_ENQUEUE_USM_FREE_EXP);
  assert_ok(UR(urEventRelease)(freed));
  check_bytes(seen, 5);
  assert_int_equal(type_of(place.context, memory), UR_USM_TYPE_UNKNOWN);
}

/* A queue out of order uses several streams, so that only events order its commands. */
TEST(events_order_allocations_and_frees) {
  if (!HAS(urEnqueueUSMDeviceAllocExp))
    return;
  for (int i = 0; i < 40; i++) {
    ur_event_handle_t events[4] = {NULL};
    char seen[BYTES] = "";
    const char value = (char)(i + 1);
    char *const memory = allocate(unordered, NULL, &events[0]);
    assert_ok(UR(urEnqueueUSMFill)(unordered, memory, 1, &value, BYTES, 1, &events[0], &events[1]));
    assert_ok(
        UR(urEnqueueUSMMemcpy)(unordered, false, seen, memory, BYTES, 1, &events[1], &events[2]));
    assert_ok(enqueue_free(unordered, memory, &events[2], &events[3]));
    /* The next allocation may get the same memory. */
    char *const next = allocate(unordered, NULL, NULL);
    assert_ok(UR(urEventWait)(1, &events[3]));
    check_bytes(seen, value);
    assert_ok(enqueue_free(unordered, next, NULL, NULL));
    for (int k = 0; k < 4; k++)
      assert_ok(UR(urEventRelease)(events[k]));
  }
  assert_ok(UR(urQueueFinish)(unordered));
}

/* A free without a wait list runs after all commands in the queue. */
TEST(a_free_comes_after_all_commands) {
  if (!HAS(urEnqueueUSMDeviceAllocExp))
    return;
  char seen[3][BYTES];
  char *const memory = allocate(unordered, NULL, NULL);
  assert_ok(UR(urQueueFinish)(unordered));
  fill(unordered, memory, 6);
  assert_ok(UR(urQueueFinish)(unordered));
  for (int i = 0; i < 3; i++)
    assert_ok(UR(urEnqueueUSMMemcpy)(unordered, false, seen[i], memory, BYTES, 0, NULL, NULL));
  assert_ok(enqueue_free(unordered, memory, NULL, NULL));
  assert_ok(UR(urQueueFinish)(unordered));
  for (int i = 0; i < 3; i++)
    check_bytes(seen[i], 6);
}

TEST(a_kernel_uses_the_memory) {
  if (!HAS(urEnqueueUSMDeviceAllocExp))
    return;
  const size_t items = BYTES / sizeof(int32_t);
  int32_t seen[BYTES / sizeof(int32_t)];
  ur_kernel_handle_t add = run_kernel(MODULE_arguments, "add");
  char *const memory = allocate(place.queue, NULL, NULL);
  int32_t *const out = run_memory(BYTES);
  fill(place.queue, memory, 1);
  const run_argument arguments[] = {run_pointer(0, memory), run_pointer(1, memory),
                                    run_pointer(2, out)};
  assert_ok(run_launch(add, 1, &items, NULL, 3, arguments));
  assert_ok(enqueue_free(place.queue, memory, NULL, NULL));
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, seen, out, BYTES, 0, NULL, NULL));
  for (size_t i = 0; i < items; i++)
    assert_int_equal(seen[i], 0x02020202);
  run_free(out);
  assert_ok(UR(urKernelRelease)(add));
}

/* ---- Held back ---- */

static atomic_bool is_open;

static void hold(void *data) {
  (void)data;
  const struct timespec moment = {0, 100000};
  while (!atomic_load(&is_open))
    nanosleep(&moment, NULL);
}

/* Makes later commands in a CUDA queue wait for is_open. */
static void hold_back(ur_queue_handle_t queue) {
  typedef int launch_host_fn(void *stream, void (*function)(void *), void *data);
  ur_native_handle_t native = 0;
  launch_host_fn *launch = NULL;
  void *const library = dlopen("libcuda.so.1", RTLD_NOW);
  assert_non_null(library);
  void *const symbol = dlsym(library, "cuLaunchHostFunc");
  memcpy(&launch, &symbol, sizeof launch);
  assert_ok(UR(urQueueGetNativeHandle)(queue, NULL, &native));
  atomic_store(&is_open, false);
  assert_int_equal(launch((void *)(uintptr_t)native, hold, NULL), 0);
  assert_int_equal(dlclose(library), 0);
}

/* Allocations and frees return while their queue is held back, and another queue can use the
 * same pool meanwhile. */
TEST(allocations_and_frees_do_not_wait) {
  if (!is_pooled || !HAS(urEnqueueUSMDeviceAllocExp))
    return;
  const ur_usm_pool_handle_t pool = make_pool(0);
  ur_event_handle_t allocated = NULL, freed = NULL, last = NULL;
  char other[BYTES] = "";
  void *seen = NULL; /* a copy to pageable memory would wait */
  assert_ok(UR(urUSMHostAlloc)(place.context, NULL, NULL, BYTES, &seen));
  hold_back(place.queue);
  char *const memory = allocate(place.queue, pool, &allocated);
  fill(place.queue, memory, 8);
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, false, seen, memory, BYTES, 0, NULL, NULL));
  assert_ok(enqueue_free(place.queue, memory, NULL, &freed));
  assert_int_equal(USED(pool), 0);
  assert_true(RESERVED(pool) > 0);
  assert_answer(urEventGetInfo, freed, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS, int32_t,
                UR_EVENT_STATUS_SUBMITTED);
  assert_int_equal(type_of(place.context, memory), UR_USM_TYPE_UNKNOWN);
  assert_refused(enqueue_free(unordered, memory, NULL, NULL), INVALID_VALUE, "no USM allocation");
  /* This queue waits for the other one only where a wait list has its event. */
  char *const free_one = allocate(unordered, pool, &last);
  assert_ptr_not_equal(free_one, memory);
  const char value = 9;
  assert_ok(UR(urEnqueueUSMFill)(unordered, free_one, 1, &value, BYTES, 1, &last, NULL));
  assert_ok(UR(urQueueFinish)(unordered));
  assert_ok(UR(urEnqueueUSMMemcpy)(unordered, true, other, free_one, BYTES, 0, NULL, NULL));
  check_bytes(other, 9);
  assert_ok(enqueue_free(unordered, free_one, &allocated, NULL));
  assert_ok(UR(urUSMPoolRelease)(pool)); /* the driver's pool lives until its memory is freed */
  atomic_store(&is_open, true);
  assert_ok(UR(urQueueFinish)(place.queue));
  assert_ok(UR(urQueueFinish)(unordered));
  check_bytes(seen, 8);
  assert_ok(UR(urUSMFree)(place.context, seen));
  assert_ok(UR(urEventRelease)(allocated));
  assert_ok(UR(urEventRelease)(freed));
  assert_ok(UR(urEventRelease)(last));
}

/* ---- USM like any other ---- */

TEST(the_memory_is_described_and_checked) {
  if (!HAS(urEnqueueUSMDeviceAllocExp))
    return;
  const ur_usm_pool_handle_t pool = make_pool(0);
  char *const memory = allocate(place.queue, pool, NULL);
  void *handle = NULL;
  size_t size = 0;
#define DESCRIBE(query, value)                                                                     \
  assert_ok(UR(urUSMGetMemAllocInfo)(place.context, memory + 5, UR_USM_ALLOC_INFO_##query,         \
                                     sizeof(value), &(value), NULL))
  assert_int_equal(type_of(place.context, memory + 5), UR_USM_TYPE_DEVICE);
  DESCRIBE(BASE_PTR, handle);
  assert_ptr_equal(handle, memory);
  DESCRIBE(SIZE, size);
  assert_int_equal(size, BYTES);
  DESCRIBE(DEVICE, handle);
  assert_ptr_equal(handle, place.device);
  DESCRIBE(POOL, handle);
  assert_ptr_equal(handle, pool);
#undef DESCRIBE
  const char value = 1;
  assert_refused(UR(urEnqueueUSMFill)(place.queue, memory, 1, &value, BYTES + 1, 0, NULL, NULL),
                 INVALID_SIZE, "allocation");
  assert_refused(enqueue_free(place.queue, memory + 8, NULL, NULL), INVALID_VALUE,
                 "8 bytes past the start");
  assert_refused(UR(urUSMFree)(place.context, memory + 8), INVALID_VALUE, "8 bytes past the start");
  assert_ok(UR(urUSMFree)(place.context, memory));
  assert_refused(UR(urUSMFree)(place.context, memory), INVALID_VALUE, "no USM allocation");
  assert_refused(enqueue_free(place.queue, memory, NULL, NULL), INVALID_VALUE, "no USM allocation");
  assert_int_equal(USED(pool), 0);
  assert_ok(UR(urUSMPoolRelease)(pool));
}

/* Memory of a queue and other USM can be freed by each of the functions that free. */
TEST(each_function_frees_each_kind) {
  if (!HAS(urEnqueueUSMDeviceAllocExp))
    return;
  const ur_usm_pool_handle_t pools[] = {NULL, make_pool(0)};
  for (int i = 0; i < 2; i++) {
    void *memory = NULL;
    ur_event_handle_t freed = NULL;
    assert_ok(UR(urUSMDeviceAlloc)(place.context, place.device, NULL, pools[i], BYTES, &memory));
    fill(place.queue, memory, 1);
    assert_ok(enqueue_free(place.queue, memory, NULL, &freed));
    assert_ok(UR(urEventWait)(1, &freed));
    assert_ok(UR(urEventRelease)(freed));
    assert_int_equal(type_of(place.context, memory), UR_USM_TYPE_UNKNOWN);
    memory = allocate(place.queue, pools[i], NULL);
    fill(place.queue, memory, 2);
    assert_ok(UR(urUSMFree)(place.context, memory));
    assert_int_equal(type_of(place.context, memory), UR_USM_TYPE_UNKNOWN);
  }
  assert_ok(UR(urUSMPoolRelease)(pools[1]));
}

/* The memory is unknown to a context of another device, but usable in others of its device. */
TEST(a_context_of_another_device_does_not_know_the_memory) {
  if (!HAS(urEnqueueUSMDeviceAllocExp))
    return;
  const ur_device_handle_t device = world_device(1);
  ur_context_handle_t other = NULL;
  ur_queue_handle_t queue = NULL;
  assert_ok(UR(urContextCreate)(1, &device, NULL, &other));
  assert_ok(UR(urQueueCreate)(other, device, NULL, &queue));
  char *const memory = allocate(place.queue, NULL, NULL);
  assert_int_equal(type_of(other, memory), UR_USM_TYPE_UNKNOWN);
  assert_refused(UR(urUSMFree)(other, memory), INVALID_VALUE, "no USM allocation");
  assert_refused(enqueue_free(queue, memory, NULL, NULL), INVALID_VALUE, "no USM allocation");
  assert_int_equal(type_of(place.context, memory), UR_USM_TYPE_DEVICE);
  assert_ok(UR(urUSMFree)(place.context, memory));
  assert_ok(UR(urQueueRelease)(queue));
  assert_ok(UR(urContextRelease)(other));
}

/* ---- Lifetimes ---- */

/* Memory outlives its queue, and the handles of its pool and context. */
TEST(memory_outlives_its_queue_and_handles) {
  if (!HAS(urEnqueueUSMDeviceAllocExp))
    return;
  ur_context_handle_t context = NULL;
  ur_queue_handle_t queues[2] = {NULL};
  ur_usm_pool_desc_t desc = {UR_STRUCTURE_TYPE_USM_POOL_DESC, NULL, 0};
  ur_usm_pool_handle_t pool = NULL;
  void *memory[2] = {NULL};
  char seen[BYTES] = "";
  const char value = 4;
  assert_ok(UR(urContextCreate)(1, &place.device, NULL, &context));
  assert_ok(UR(urQueueCreate)(context, place.device, NULL, &queues[0]));
  assert_ok(UR(urQueueCreate)(context, place.device, NULL, &queues[1]));
  assert_ok(UR(urUSMPoolCreate)(context, &desc, &pool));
  assert_ok(enqueue_allocation(queues[0], pool, BYTES, NULL, &memory[0], NULL));
  assert_ok(enqueue_allocation(queues[0], NULL, BYTES, NULL, &memory[1], NULL));
  assert_ok(UR(urUSMPoolRelease)(pool));
  assert_ok(UR(urQueueFinish)(queues[0]));
  assert_ok(UR(urQueueRelease)(queues[0]));
  for (int i = 0; i < 2; i++) {
    assert_ok(UR(urEnqueueUSMFill)(queues[1], memory[i], 1, &value, BYTES, 0, NULL, NULL));
    assert_ok(UR(urEnqueueUSMMemcpy)(queues[1], true, seen, memory[i], BYTES, 0, NULL, NULL));
    check_bytes(seen, value);
  }
  assert_ok(enqueue_free(queues[1], memory[0], NULL, NULL));
  assert_ok(UR(urQueueRelease)(queues[1]));
  /* The allocation keeps its context alive, and the context the device's default pool. */
  assert_ok(UR(urContextRelease)(context));
  assert_int_equal(type_of(context, memory[1]), UR_USM_TYPE_DEVICE);
  assert_ok(UR(urUSMFree)(context, memory[1]));
}

static int open_queues(void **state) {
  const int result = run_open(state);
  const ur_queue_properties_t properties = {UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, NULL,
                                            UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE};
  assert_ok(UR(urQueueCreate)(place.context, place.device, &properties, &unordered));
  const ur_usm_pool_handle_t pool = make_pool(0);
  void *memory = NULL;
  assert_ok(UR(urUSMDeviceAlloc)(place.context, place.device, NULL, pool, BYTES, &memory));
  is_pooled = RESERVED(pool) > BYTES;
  assert_ok(UR(urUSMFree)(place.context, memory));
  assert_ok(UR(urUSMPoolRelease)(pool));
  return result;
}

static int release_queues(void **state) {
  assert_ok(UR(urQueueRelease)(unordered));
  return run_close(state);
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  return tests_run(open_queues, release_queues);
}
