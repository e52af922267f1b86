/* Several threads at once use one pool, one queue, one context and one event. */
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 100 };

static ur_device_handle_t device;
static ur_context_handle_t context;
static ur_queue_handle_t queues[2]; /* in order, and out of order */
static ur_usm_pool_handle_t pool;
static atomic_int failures;

/* Counts failures, because assertions are for the main thread. */
static bool works(ur_result_t result) {
  if (result != UR_RESULT_SUCCESS)
    atomic_fetch_add(&failures, 1);
  return result == UR_RESULT_SUCCESS;
}

static void use_memory(ur_queue_handle_t queue, unsigned char value) {
  void *memory = NULL;
  unsigned char seen[16] = {0};
  ur_event_handle_t filled = NULL, recorded = NULL;
  if (!works(UR(urUSMDeviceAlloc)(context, device, NULL, pool, sizeof seen, &memory)))
    return;
  works(UR(urEnqueueUSMFill)(queue, memory, 1, &value, sizeof seen, 0, NULL, &filled));
  works(UR(urEnqueueTimestampRecordingExp)(queue, false, 1, &filled, &recorded));
  works(UR(urEnqueueUSMMemcpy)(queue, true, seen, memory, sizeof seen, 1, &recorded, NULL));
  uint64_t time = 0;
  works(UR(urEventGetProfilingInfo)(recorded, UR_PROFILING_INFO_COMMAND_END, sizeof time, &time,
                                    NULL));
  if (seen[15] != value || time == 0)
    atomic_fetch_add(&failures, 1);
  works(UR(urEventRelease)(filled));
  works(UR(urEventRelease)(recorded));
  works(UR(urUSMFree)(context, memory));
}

static void use_pools_of_devices(ur_queue_handle_t queue) {
  ur_usm_pool_desc_t desc = {UR_STRUCTURE_TYPE_USM_POOL_DESC, NULL, 0};
  ur_usm_pool_handle_t own = NULL, made = NULL;
  works(UR(urUSMPoolGetDefaultDevicePoolExp)(context, device, &own));
  works(UR(urUSMPoolCreateExp)(context, device, &desc, &made));
  works(UR(urUSMPoolSetDevicePoolExp)(context, device, made));
  void *memory = NULL;
  ur_event_handle_t allocated = NULL;
  if (works(UR(urEnqueueUSMDeviceAllocExp)(queue, NULL, 8, NULL, 0, NULL, &memory, &allocated))) {
    works(UR(urEnqueueUSMFreeExp)(queue, NULL, memory, 1, &allocated, NULL));
    works(UR(urEventRelease)(allocated));
  }
  works(UR(urUSMPoolDestroyExp)(context, device, made));
}

static void *work(void *number) {
  const unsigned char value = *(const unsigned char *)number;
  for (int i = 0; i < ROUNDS; i++) {
    use_memory(queues[i % 2], value);
    if (HAS(urUSMPoolCreateExp))
      use_pools_of_devices(queues[i % 2]);
    uint32_t type = 0;
    works(UR(urDeviceGetInfo)(device, UR_DEVICE_INFO_TYPE, sizeof type, &type, NULL));
  }
  return NULL;
}

TEST(threads_use_everything_at_once) {
  pthread_t threads[THREADS];
  unsigned char numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = (unsigned char)(i + 1);
    assert_int_equal(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(failures, 0);
  assert_answer(urUSMPoolGetInfo, pool, UR_USM_POOL_INFO_USED_CURRENT_EXP, size_t, 0);
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  device = world_device(0);
  context = world_context(1);
  const ur_queue_properties_t properties = {UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, NULL,
                                            UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE};
  assert_ok(UR(urQueueCreate)(context, device, NULL, &queues[0]));
  assert_ok(UR(urQueueCreate)(context, device, &properties, &queues[1]));
  ur_usm_pool_desc_t desc = {UR_STRUCTURE_TYPE_USM_POOL_DESC, NULL, 0};
  assert_ok(UR(urUSMPoolCreate)(context, &desc, &pool));
  const int result = tests_run(NULL, NULL);
  UR(urUSMPoolRelease)(pool);
  for (int i = 0; i < 2; i++)
    UR(urQueueRelease)(queues[i]);
  UR(urContextRelease)(context);
  return result;
}
