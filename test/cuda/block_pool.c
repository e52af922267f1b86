/* Pooled memory: which allocation reuses a freed block, and when. FAKE_CUDA_MEMORY is 256 MiB. */
#include "world.h"

#include <pthread.h>
#include <semaphore.h>

enum { KINDS = 3, SIZE = 4096, MIB = 1 << 20, THREADS = 4, ROUNDS = 100 };

static void *take(int kind, size_t size) {
  void *memory = NULL;
  must(kind == 0   ? piextUSMDeviceAlloc(&memory, w.context, w.device, NULL, size, 0)
       : kind == 1 ? piextUSMSharedAlloc(&memory, w.context, w.device, NULL, size, 0)
                   : piextUSMHostAlloc(&memory, w.context, NULL, size, 0));
  return memory;
}

static void give(void *memory) {
  must(piextUSMFree(w.context, memory));
}

static void set_bytes(pi_queue queue, void *memory, int byte, size_t size, pi_event gate) {
  must(piextUSMEnqueueMemset(queue, memory, byte, size, gate != NULL, gate ? &gate : NULL, NULL));
}

/* Returns the number of driver allocations of all kinds, in use or idle. */
static size_t live(void) {
  return fake_cuda_live(FAKE_MEMORY) + fake_cuda_live(FAKE_MANAGED) + fake_cuda_live(FAKE_HOST);
}

static size_t free_bytes(void) {
  pi_uint64 bytes = 0;
  must(piDeviceGetInfo(w.device, PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY, sizeof bytes, &bytes, NULL));
  return (size_t)bytes;
}

/* ---- */

static void a_freed_block_is_reused(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    void *first = take(kind, SIZE);
    give(first);
    const unsigned long calls = fake_cuda_calls(NULL);
    const size_t before = live();
    void *second = take(kind, SIZE - 100);
    assert_ptr_equal(second, first);
    assert_int_equal(live(), before);
    give(second);
    assert_int_equal(live(), before);
    assert_true(fake_cuda_calls(NULL) - calls < 10);
  }
}

static void a_block_is_reused_only_for_its_kind(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    void *first = take(kind, SIZE);
    give(first);
    for (int other = 0; other < KINDS; other++)
      if (other != kind) {
        void *second = take(other, SIZE);
        assert_ptr_not_equal(second, first);
        give(second);
      }
  }
}

static void a_block_has_the_size_that_was_asked_for(void **state) {
  (void)state;
  for (size_t power = 1; power <= 16 * MIB; power *= 2)
    for (size_t size = power - (power > 1); size <= power + 1; size++) {
      void *memory = take(0, size);
      size_t told = 0, whole = 0;
      CUdeviceptr base;
      must(piextUSMGetMemAllocInfo(w.context, memory, PI_MEM_ALLOC_SIZE, sizeof told, &told, NULL));
      driver(cu.MemGetAddressRange(&base, &whole, cu_pointer(memory)));
      assert_int_equal(told, size);
      assert_true(whole >= size && (whole - size) * 4 <= whole + 4 * 512);
      fails(PI_ERROR_INVALID_VALUE,
            piextUSMEnqueueMemset(w.queue, memory, 0, size + 1, 0, NULL, NULL));
      give(memory);
    }
}

static void freed_memory_is_refused(void **state) {
  (void)state;
  char bytes[8] = {0};
  for (int kind = 0; kind < KINDS; kind++) {
    char *memory = take(kind, SIZE);
    give(memory);
    fails(PI_ERROR_INVALID_VALUE, piextUSMFree(w.context, memory));
    fails(PI_ERROR_INVALID_VALUE,
          piextUSMEnqueueMemcpy(w.queue, PI_TRUE, memory + 8, bytes, 8, 0, NULL, NULL));
    fails(PI_ERROR_INVALID_VALUE,
          piextUSMEnqueueMemcpy(w.queue, PI_TRUE, bytes, memory, 8, 0, NULL, NULL));
    pi_uint32 type = 0;
    must(piextUSMGetMemAllocInfo(w.context, memory, PI_MEM_ALLOC_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, PI_MEM_TYPE_UNKNOWN);
  }
}

/* Commands that wait for a user event run when the test sets it. */
static void a_block_in_use_is_not_reused(void **state) {
  (void)state;
  for (int order = 0; order < 2; order++)
    for (int kind = 0; kind < KINDS; kind++) {
      const pi_queue queue = new_queue(order ? OUT_OF_ORDER : IN_ORDER);
      const pi_event gate = new_user_event();
      unsigned char *first = take(kind, SIZE);
      set_bytes(queue, first, 1, SIZE, gate);
      give(first);
      void *second = take(kind, SIZE);
      assert_ptr_not_equal(second, first);
      must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
      driver(cu.CtxSynchronize()); /* fences have a stream of their own */
      void *third = take(kind, SIZE);
      assert_ptr_equal(third, first);
      give(second);
      give(third);
      must(piEventRelease(gate));
      must(piQueueRelease(queue));
    }
}

static void a_released_queue_still_uses_its_memory(void **state) {
  (void)state;
  const pi_queue queue = new_queue(IN_ORDER);
  const pi_event gate = new_user_event();
  void *first = take(0, SIZE);
  set_bytes(queue, first, 1, SIZE, gate);
  must(piQueueRelease(queue));
  give(first);
  void *second = take(0, SIZE);
  assert_ptr_not_equal(second, first);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  give(second);
  must(piEventRelease(gate));
}

static void wait_for_post(void *data) {
  sem_wait(data);
}

/* The application puts a host function into the native stream of the queue. */
static void a_native_stream_is_waited_for(void **state) {
  (void)state;
  sem_t sem;
  sem_init(&sem, 0, 0);
  pi_native_handle stream = 0;
  must(piextQueueGetNativeHandle(w.queue, &stream, NULL));
  void *first = take(0, SIZE);
  driver(cu.LaunchHostFunc((CUstream)stream, wait_for_post, &sem));
  give(first);
  void *second = take(0, SIZE);
  assert_ptr_not_equal(second, first);
  sem_post(&sem);
  must(piQueueFinish(w.queue));
  give(second);
  sem_destroy(&sem);
}

/* A block that is freed while one queue reads it is not written by another queue. */
static void a_freed_block_is_not_overwritten_while_read(void **state) {
  (void)state;
  static unsigned char results[ROUNDS][SIZE];
  const pi_queue others[] = {new_queue(OUT_OF_ORDER), new_queue(IN_ORDER)};
  for (int i = 0; i < ROUNDS; i++) {
    void *first = take(0, SIZE);
    set_bytes(w.queue, first, i + 1, SIZE, NULL);
    must(piextUSMEnqueueMemcpy(w.queue, PI_FALSE, results[i], first, SIZE, 0, NULL, NULL));
    give(first);
    void *second = take(0, SIZE);
    set_bytes(others[i % 2], second, 0xee, SIZE, NULL);
    give(second);
  }
  must(piQueueFinish(w.queue));
  for (int i = 0; i < ROUNDS; i++)
    for (int k = 0; k < SIZE; k++)
      assert_int_equal(results[i][k], i + 1);
  for (int i = 0; i < 2; i++) {
    must(piQueueFinish(others[i]));
    must(piQueueRelease(others[i]));
  }
}

static void idle_memory_is_freed_when_memory_runs_out(void **state) {
  (void)state;
  void *blocks[3];
  for (int i = 0; i < 3; i++)
    blocks[i] = take(0, 20 * MIB);
  for (int i = 0; i < 3; i++)
    give(blocks[i]);
  assert_int_equal(fake_cuda_live(FAKE_MEMORY), 3);
  void *most = take(0, 240 * MIB);
  assert_int_equal(fake_cuda_live(FAKE_MEMORY), 1);
  give(most);
}

static void idle_memory_above_the_limit_is_freed(void **state) {
  (void)state;
  void *blocks[6];
  for (int i = 0; i < 6; i++)
    blocks[i] = take(0, 20 * MIB);
  for (int i = 0; i < 6; i++)
    give(blocks[i]);
  assert_int_equal(fake_cuda_live(FAKE_MEMORY), 3); /* the limit is a quarter of 256 MiB */
  void *last = take(0, 20 * MIB);
  assert_ptr_equal(last, blocks[3]); /* the oldest blocks went back to the driver */
  give(last);
}

static void idle_memory_counts_as_free(void **state) {
  (void)state;
  const size_t before = free_bytes();
  void *memory = take(0, 20 * MIB);
  assert_int_equal(before - free_bytes(), 20 * MIB);
  give(memory);
  assert_int_equal(free_bytes(), before);
}

static void memory_with_advice_is_freed_at_once(void **state) {
  (void)state;
  char *memory = take(1, SIZE);
  must(
      piextUSMEnqueueMemAdvise(w.queue, memory + 16, 16, PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY, NULL));
  give(memory);
  assert_int_equal(fake_cuda_live(FAKE_MANAGED), 0);
}

static void buffers_use_the_pool(void **state) {
  (void)state;
  void *first = take(0, SIZE);
  give(first);
  const pi_mem buffer = new_buffer(SIZE, NULL);
  pi_native_handle native = 0;
  must(piextMemGetNativeHandle(buffer, NULL, &native));
  assert_int_equal(native, (uintptr_t)first);
  must(piMemRelease(buffer));
  assert_int_equal(fake_cuda_live(FAKE_MEMORY), 1);
}

/* Contexts of PI over one CUcontext share one pool; releasing the last context destroys it. */
static void contexts_share_a_pool(void **state) {
  (void)state;
  pi_context second = NULL;
  must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &second));
  void *memory = NULL;
  must(piextUSMDeviceAlloc(&memory, second, w.device, NULL, SIZE, 0));
  must(piextUSMFree(w.context, memory));
  must(piContextRelease(second));
  void *again = take(0, SIZE);
  assert_ptr_equal(again, memory);
  give(again);
}

/* A freed block bypasses the pool if the driver cannot record a fence for it. */
static void a_failed_driver_call_leaks_no_freed_memory(void **state) {
  (void)state;
  const char *symbol = "";
  for (unsigned long n = 1; symbol; n++) {
    void *memory = take(0, SIZE);
    set_bytes(w.queue, memory, 1, SIZE, NULL);
    fake_cuda_fail(NULL, n, CUDA_ERROR_OUT_OF_MEMORY);
    const pi_result result = piextUSMFree(w.context, memory);
    symbol = fake_cuda_unfail();
    if (result != PI_SUCCESS) /* the pointer's attributes could not be queried */
      give(memory);
  }
}

static void *use_blocks(void *data) {
  const unsigned char byte = *(const unsigned char *)data;
  const pi_queue queue = new_queue(byte % 2 ? IN_ORDER : OUT_OF_ORDER);
  for (int i = 0; i < ROUNDS; i++) {
    unsigned char *memory = take(2, (size_t)SIZE + (size_t)(i % 3) * 1000);
    set_bytes(queue, memory, byte, SIZE, NULL);
    must(piQueueFinish(queue));
    for (int k = 0; k < SIZE; k++)
      assert_int_equal(memory[k], byte);
    give(memory);
  }
  must(piQueueRelease(queue));
  return NULL;
}

static void threads_have_blocks_of_their_own(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  unsigned char bytes[THREADS];
  for (int i = 0; i < THREADS; i++) {
    bytes[i] = (unsigned char)(i + 1);
    assert_int_equal(pthread_create(&threads[i], NULL, use_blocks, &bytes[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

RUN_CASES(WORLD_TEST(a_freed_block_is_reused), WORLD_TEST(a_block_is_reused_only_for_its_kind),
          WORLD_TEST(a_block_has_the_size_that_was_asked_for), WORLD_TEST(freed_memory_is_refused),
          WORLD_TEST(a_block_in_use_is_not_reused),
          WORLD_TEST(a_released_queue_still_uses_its_memory),
          WORLD_TEST(a_native_stream_is_waited_for),
          WORLD_TEST(a_freed_block_is_not_overwritten_while_read),
          WORLD_TEST(idle_memory_is_freed_when_memory_runs_out),
          WORLD_TEST(idle_memory_above_the_limit_is_freed), WORLD_TEST(idle_memory_counts_as_free),
          WORLD_TEST(memory_with_advice_is_freed_at_once), WORLD_TEST(buffers_use_the_pool),
          WORLD_TEST(contexts_share_a_pool), WORLD_TEST(a_failed_driver_call_leaks_no_freed_memory),
          WORLD_TEST(threads_have_blocks_of_their_own))
