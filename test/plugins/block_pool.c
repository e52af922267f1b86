/* Pooled memory: which allocation reuses a freed block, and when. The driver has 256 MiB. */
#include "block_pool.h"

#include <pthread.h>

enum { SIZE = 4096, MIB = 1 << 20, THREADS = 4, ROUNDS = 100 };

static pi_result try_take(block_type type, size_t size, void **ret) {
  return type == DEVICE   ? piextUSMDeviceAlloc(ret, w.context, w.device, NULL, size, 0)
         : type == SHARED ? piextUSMSharedAlloc(ret, w.context, w.device, NULL, size, 0)
                          : piextUSMHostAlloc(ret, w.context, NULL, size, 0);
}

void *take_memory(block_type type, size_t size) {
  void *memory = NULL;
  must(try_take(type, size, &memory));
  return memory;
}

void give_memory(void *memory) {
  must(piextUSMFree(w.context, memory));
}

void set_bytes(pi_queue queue, void *memory, int byte, size_t size, pi_event gate) {
  must(piextUSMEnqueueMemset(queue, memory, byte, size, gate != NULL, gate ? &gate : NULL, NULL));
}

size_t live_memory(void) {
  return backend.counts_memory_together
             ? driver_live(DRIVER_MEMORY)
             : driver_live(DRIVER_MEMORY) + driver_live(DRIVER_SHARED) + driver_live(DRIVER_HOST);
}

static size_t size_of(const void *memory) {
  size_t size = 0;
  must(piextUSMGetMemAllocInfo(w.context, memory, PI_MEM_ALLOC_SIZE, sizeof size, &size, NULL));
  return size;
}

/* ---- */

WORLD_TEST(a_freed_block_is_reused) {
  for (block_type type = 0; type < TYPES; type++) {
    void *first = take_memory(type, SIZE);
    give_memory(first);
    const unsigned long calls = driver_calls(NULL);
    const size_t before = live_memory();
    void *second = take_memory(type, SIZE - 100);
    assert_ptr_equal(second, first);
    assert_int_equal(live_memory(), before);
    give_memory(second);
    assert_int_equal(live_memory(), before);
    assert_true(driver_calls(NULL) - calls < 10);
  }
}

WORLD_TEST(a_block_is_reused_only_for_its_kind) {
  for (block_type type = 0; type < TYPES; type++) {
    void *first = take_memory(type, SIZE);
    give_memory(first);
    for (block_type other = 0; other < TYPES; other++)
      if (other != type) {
        void *second = take_memory(other, SIZE);
        assert_ptr_not_equal(second, first);
        give_memory(second);
      }
  }
}

WORLD_TEST(a_block_has_the_size_that_was_asked_for) {
  for (size_t power = 1; power <= 16 * MIB; power *= 2)
    for (size_t size = power - (power > 1); size <= power + 1; size++) {
      char *memory = take_memory(DEVICE, size);
      const size_t whole = driver_size_of(memory);
      assert_int_equal(size_of(memory), size);
      assert_int_equal(size_of(memory + size / 2), size);
      assert_true(whole >= size && (whole - size) * 4 <= whole + 4 * 512);
      fails(PI_ERROR_INVALID_VALUE,
            piextUSMEnqueueMemset(w.queue, memory, 0, size + 1, 0, NULL, NULL));
      give_memory(memory);
    }
}

WORLD_TEST(freed_memory_is_refused) {
  char bytes[8] = {0};
  for (block_type type = 0; type < TYPES; type++) {
    char *memory = take_memory(type, SIZE);
    give_memory(memory);
    fails(PI_ERROR_INVALID_VALUE, piextUSMFree(w.context, memory));
    fails(PI_ERROR_INVALID_VALUE,
          piextUSMEnqueueMemcpy(w.queue, PI_TRUE, memory + 8, bytes, 8, 0, NULL, NULL));
    fails(PI_ERROR_INVALID_VALUE,
          piextUSMEnqueueMemcpy(w.queue, PI_TRUE, bytes, memory, 8, 0, NULL, NULL));
    for (int i = 0; i < 2; i++) {
      pi_uint32 kind = 0;
      must(piextUSMGetMemAllocInfo(w.context, memory + 8 * i, PI_MEM_ALLOC_TYPE, sizeof kind, &kind,
                                   NULL));
      assert_int_equal(kind, PI_MEM_TYPE_UNKNOWN);
    }
  }
}

/*
 * A command that waits for a user event reads a block that is freed meanwhile. Another queue writes
 * to a new block of the same size before the event is set.
 */
static void read_after_free(block_type type, pi_queue_properties order) {
  static unsigned char result[SIZE];
  const pi_queue queue = new_queue(order), other = new_queue(order);
  const pi_event gate = new_user_event();
  void *first = take_memory(type, SIZE);
  set_bytes(queue, first, 1, SIZE, NULL);
  must(piQueueFinish(queue));
  memset(result, 0, sizeof result);
  must(piextUSMEnqueueMemcpy(queue, PI_FALSE, result, first, SIZE, 1, &gate, NULL));
  give_memory(first);
  void *second = take_memory(type, SIZE);
  assert_ptr_not_equal(second, first);
  set_bytes(other, second, 2, SIZE, NULL);
  must(piQueueFinish(other));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piQueueFinish(queue));
  driver_finish();
  for (int i = 0; i < SIZE; i++)
    assert_int_equal(result[i], 1);
  void *third = take_memory(type, SIZE);
  assert_ptr_equal(third, first);
  give_memory(second);
  give_memory(third);
  driver_finish();
  must(piEventRelease(gate));
  must(piQueueRelease(queue));
  must(piQueueRelease(other));
}

WORLD_TEST(a_block_in_use_is_not_reused) {
  for (block_type type = 0; type < TYPES; type++) {
    read_after_free(type, IN_ORDER);
    read_after_free(type, OUT_OF_ORDER);
  }
}

WORLD_TEST(a_released_queue_still_uses_its_memory) {
  const pi_queue queue = new_queue(IN_ORDER);
  const pi_event gate = new_user_event();
  void *first = take_memory(DEVICE, SIZE);
  set_bytes(queue, first, 1, SIZE, gate);
  must(piQueueRelease(queue));
  give_memory(first);
  void *second = take_memory(DEVICE, SIZE);
  assert_ptr_not_equal(second, first);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  give_memory(second);
  must(piEventRelease(gate));
}

/* A block that is freed while one queue reads it is not written by another queue. */
WORLD_TEST(a_freed_block_is_not_overwritten_while_read) {
  static unsigned char results[ROUNDS][SIZE];
  const pi_queue others[] = {new_queue(OUT_OF_ORDER), new_queue(IN_ORDER)};
  for (int i = 0; i < ROUNDS; i++) {
    void *first = take_memory(DEVICE, SIZE);
    set_bytes(w.queue, first, i + 1, SIZE, NULL);
    must(piextUSMEnqueueMemcpy(w.queue, PI_FALSE, results[i], first, SIZE, 0, NULL, NULL));
    give_memory(first);
    void *second = take_memory(DEVICE, SIZE);
    set_bytes(others[i % 2], second, 0xee, SIZE, NULL);
    give_memory(second);
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

WORLD_TEST(idle_memory_is_freed_when_memory_runs_out) {
  void *blocks[3];
  for (int i = 0; i < 3; i++)
    blocks[i] = take_memory(DEVICE, 20 * MIB);
  for (int i = 0; i < 3; i++)
    give_memory(blocks[i]);
  assert_int_equal(driver_live(DRIVER_MEMORY), 3);
  void *most = take_memory(DEVICE, 240 * MIB);
  assert_int_equal(driver_live(DRIVER_MEMORY), 1);
  give_memory(most);
}

/* Waiting for the commands would be for ever. */
WORLD_TEST(running_out_of_memory_does_not_wait_for_the_application) {
  const pi_event gate = new_user_event();
  void *large = take_memory(DEVICE, 120 * MIB), *memory = take_memory(DEVICE, 20 * MIB);
  void *most = NULL;
  set_bytes(w.queue, memory, 1, SIZE, gate);
  give_memory(memory);
  fails(PI_ERROR_OUT_OF_RESOURCES, try_take(DEVICE, 120 * MIB, &most));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  most = take_memory(DEVICE, 120 * MIB);
  give_memory(most);
  give_memory(large);
  must(piEventRelease(gate));
}

WORLD_TEST(idle_memory_above_the_limit_is_freed) {
  void *blocks[6];
  for (int i = 0; i < 6; i++)
    blocks[i] = take_memory(DEVICE, 20 * MIB);
  for (int i = 0; i < 6; i++)
    give_memory(blocks[i]);
  assert_int_equal(driver_live(DRIVER_MEMORY), 3); /* the limit is a quarter of 256 MiB */
  void *last = take_memory(DEVICE, 20 * MIB);
  assert_ptr_equal(last, blocks[3]); /* the oldest blocks went back to the driver */
  give_memory(last);
}

WORLD_TEST(memory_with_advice_is_freed_at_once) {
  char *memory = take_memory(SHARED, SIZE);
  must(
      piextUSMEnqueueMemAdvise(w.queue, memory + 16, 16, PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY, NULL));
  give_memory(memory);
  assert_int_equal(driver_live(DRIVER_SHARED), 0);
}

WORLD_TEST(write_combined_memory_is_freed_at_once) {
  pi_usm_mem_properties properties[] = {PI_MEM_ALLOC_FLAGS, PI_MEM_ALLOC_WRTITE_COMBINED, 0};
  void *memory = NULL;
  must(piextUSMHostAlloc(&memory, w.context, properties, SIZE, 0));
  give_memory(memory);
  assert_int_equal(driver_live(DRIVER_HOST), 0);
}

WORLD_TEST(buffers_use_the_pool) {
  void *first = take_memory(DEVICE, SIZE);
  give_memory(first);
  const pi_mem buffer = new_buffer(SIZE, NULL);
  pi_native_handle native = 0;
  must(piextMemGetNativeHandle(buffer, NULL, &native));
  assert_int_equal(native, (uintptr_t)first);
  must(piMemRelease(buffer));
  assert_int_equal(driver_live(DRIVER_MEMORY), 1);
}

/* A freed block bypasses the pool if the driver cannot record a fence for it. */
WORLD_TEST(a_failed_driver_call_leaks_no_freed_memory) {
  const char *symbol = "";
  for (unsigned long n = 1; symbol; n++) {
    void *memory = take_memory(DEVICE, SIZE);
    set_bytes(w.queue, memory, 1, SIZE, NULL);
    driver_fail(NULL, n);
    const pi_result result = piextUSMFree(w.context, memory);
    symbol = driver_unfail();
    if (result != PI_SUCCESS) /* the pointer's attributes could not be queried */
      give_memory(memory);
  }
}

static void *use_blocks(void *data) {
  const unsigned char byte = *(const unsigned char *)data;
  const pi_queue queue = new_queue(byte % 2 ? IN_ORDER : OUT_OF_ORDER);
  for (int i = 0; i < ROUNDS; i++) {
    unsigned char *memory = take_memory(HOST, (size_t)SIZE + (size_t)(i % 3) * 1000);
    set_bytes(queue, memory, byte, SIZE, NULL);
    must(piQueueFinish(queue));
    for (int k = 0; k < SIZE; k++)
      assert_int_equal(memory[k], byte);
    give_memory(memory);
  }
  must(piQueueRelease(queue));
  return NULL;
}

WORLD_TEST(threads_have_blocks_of_their_own) {
  pthread_t threads[THREADS];
  unsigned char bytes[THREADS];
  for (int i = 0; i < THREADS; i++) {
    bytes[i] = (unsigned char)(i + 1);
    assert_int_equal(pthread_create(&threads[i], NULL, use_blocks, &bytes[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}
