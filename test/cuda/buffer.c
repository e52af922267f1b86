/* CUDA buffers: limits of pitches, pinned memory, pointers of the application. */
#define _DEFAULT_SOURCE /* usleep */
#include "../plugins/buffer.h"
#include "world.h"

#include "../../plugins/cuda/gate.h"

#include <pthread.h>
#include <unistd.h>

/* CUDA limits the row pitch to about 2 GiB. The test lowers the limit to 8 bytes. */
WORLD_TEST(rectangles_work_beyond_the_pitch_limit) {
  const int most = w.device->driver.max_pitch;
  assert_true(most > 0);
  w.device->driver.max_pitch = 8;
  check_rectangles();
  w.device->driver.max_pitch = most;
}

/* A failed write no longer reads the application's memory, which may be gone by then. */
WORLD_TEST(a_failed_transfer_leaves_memory_alone) {
  static const char *const calls[] = {"cuMemcpyAsync", "cuLaunchHostFunc", NULL};
  unsigned char *bytes = malloc(64);
  assert_non_null(bytes);
  const pi_mem buffer = new_buffer(64, NULL);
  for (int i = 0; i < 3; i++) {
    const pi_event gate = new_user_event();
    fill_buffer(w.queue, buffer, 9, gate, NULL);
    memset(bytes, 5, 64);
    /* The write's second host function marks the command as complete. */
    fake_cuda_fail(calls[i ? 1 : 0], i == 2 ? 2 : 1, CUDA_ERROR_OUT_OF_MEMORY);
    fails(PI_ERROR_OUT_OF_RESOURCES,
          piEnqueueMemBufferWrite(w.queue, buffer, PI_FALSE, 0, 64, bytes, 0, NULL, NULL));
    assert_non_null(fake_cuda_unfail());
    memset(bytes, 6, 64);
    must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
    must(piEventRelease(gate));
    unsigned char got[64];
    read_all(buffer, got, sizeof got);
    assert_int_not_equal(got[0], 6);
  }
  must(piMemRelease(buffer));
  free(bytes);
}

/* Frees as if a user event began to hold back commands only after the check for one. */
static void *free_staged(void *unused) {
  (void)unused;
  atomic_store(&gate_closed_count, 0);
  deferred_free_due(w.context);
  return NULL;
}

/*
 * One thread frees pinned memory and waits in the driver, because a user event has just begun to
 * hold back the device. Another thread enqueues a command and sets that event.
 */
WORLD_TEST(freeing_holds_up_no_transfer) {
  unsigned char bytes[64];
  number_bytes(bytes, sizeof bytes);
  const pi_mem buffer = new_buffer(sizeof bytes, NULL);
  const pi_event first = new_user_event();
  pi_event written;
  must(piEnqueueMemBufferWrite(w.queue, buffer, PI_FALSE, 0, 64, bytes, 1, &first, &written));
  must(piEventSetStatus(first, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &written));
  const unsigned long frees = fake_cuda_calls("cuMemFreeHost");
  const pi_event gate = new_user_event();
  must(piEnqueueEventsWaitWithBarrier(w.queue, 1, &gate, NULL));
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, free_staged, NULL), 0);
  while (fake_cuda_calls("cuMemFreeHost") == frees)
    usleep(100);
  atomic_store(&gate_closed_count, 1);
  must(piEnqueueMemBufferWrite(w.queue, buffer, PI_FALSE, 0, 64, bytes, 0, NULL, NULL));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  assert_int_equal(pthread_join(thread, NULL), 0);
  unsigned char got[64];
  read_all(buffer, got, sizeof got);
  assert_memory_equal(got, bytes, sizeof got);
  must(piEventRelease(first));
  must(piEventRelease(written));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
}

WORLD_TEST(a_native_pointer_is_used) {
  for (int owned = 0; owned < 2; owned++) {
    CUdeviceptr pointer = 0;
    pi_native_handle native = 0;
    pi_mem mem = NULL;
    size_t size = 0;
    driver(cu.MemAlloc(&pointer, 1000));
    must(piextMemCreateWithNativeHandle((pi_native_handle)pointer, w.context, owned, &mem));
    must(piMemGetInfo(mem, PI_MEM_SIZE, sizeof size, &size, NULL));
    assert_int_equal(size, 1000);
    must(piextMemGetNativeHandle(mem, w.device, &native));
    assert_true((CUdeviceptr)native == pointer);
    fill_buffer(w.queue, mem, 8, NULL, NULL);
    expect_filled(mem, 8);
    const size_t before = fake_cuda_live(FAKE_MEMORY);
    must(piMemRelease(mem));
    assert_int_equal(fake_cuda_live(FAKE_MEMORY), before - (size_t)owned);
    if (!owned)
      driver(cu.MemFree(pointer));
  }
}
