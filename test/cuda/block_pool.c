/* Pooled memory of CUDA: native streams, the reported free memory, and contexts that share a pool.
 */
#include "world.h"

#include "../plugins/block_pool.h"

#include <semaphore.h>

enum { SIZE = 4096, MIB = 1 << 20 };

static size_t free_bytes(void) {
  pi_uint64 bytes = 0;
  must(piDeviceGetInfo(w.device, PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY, sizeof bytes, &bytes, NULL));
  return (size_t)bytes;
}

static void wait_for_post(void *data) {
  sem_wait(data);
}

/* The application puts a host function into the native stream of the queue. */
WORLD_TEST(a_native_stream_is_waited_for) {
  sem_t sem;
  sem_init(&sem, 0, 0);
  pi_native_handle stream = 0;
  must(piextQueueGetNativeHandle(w.queue, &stream, NULL));
  void *first = take_memory(DEVICE, SIZE);
  driver(cu.LaunchHostFunc((CUstream)stream, wait_for_post, &sem));
  give_memory(first);
  void *second = take_memory(DEVICE, SIZE);
  assert_ptr_not_equal(second, first);
  sem_post(&sem);
  must(piQueueFinish(w.queue));
  give_memory(second);
  sem_destroy(&sem);
}

WORLD_TEST(idle_memory_counts_as_free) {
  const size_t before = free_bytes();
  void *memory = take_memory(DEVICE, 20 * MIB);
  assert_int_equal(before - free_bytes(), 20 * MIB);
  give_memory(memory);
  assert_int_equal(free_bytes(), before);
}

/* Contexts of PI over one CUcontext share one pool; releasing the last context destroys it. */
WORLD_TEST(contexts_share_a_pool) {
  pi_context second = NULL;
  must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &second));
  void *memory = NULL;
  must(piextUSMDeviceAlloc(&memory, second, w.device, NULL, SIZE, 0));
  must(piextUSMFree(w.context, memory));
  must(piContextRelease(second));
  void *again = take_memory(DEVICE, SIZE);
  assert_ptr_equal(again, memory);
  give_memory(again);
}
