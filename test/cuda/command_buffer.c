/* CUDA command buffers that are released where no context is current. */
#define _DEFAULT_SOURCE /* usleep */
#include "world.h"

#include <pthread.h>
#include <unistd.h>

static void CUDA_CB wait_a_moment(void *unused) {
  (void)unused;
  usleep(100 * 1000);
}

/* Releases a command buffer in a thread that has not used CUDA; the release waits all the same. */
static void *release_on_thread(void *commands) {
  return piextCommandBufferRelease(commands) == PI_SUCCESS ? commands : NULL;
}

WORLD_TEST(a_thread_without_a_context_releases_a_command_buffer) {
  const unsigned char byte = 3;
  const pi_mem buffer = new_buffer(64, NULL);
  pi_ext_command_buffer commands = NULL;
  must(piextCommandBufferCreate(w.context, w.device, NULL, &commands));
  must(piextCommandBufferMemBufferFill(commands, buffer, &byte, 1, 0, 64, 0, NULL, NULL));
  must(piextCommandBufferFinalize(commands));
  pi_native_handle stream = 0;
  must(piextQueueGetNativeHandle(w.queue, &stream, NULL));
  driver(cu.LaunchHostFunc((CUstream)stream, wait_a_moment, NULL));
  pi_event event = NULL;
  must(piextEnqueueCommandBuffer(commands, w.queue, 0, NULL, &event));
  pthread_t thread;
  void *released = NULL;
  assert_int_equal(pthread_create(&thread, NULL, release_on_thread, commands), 0);
  assert_int_equal(pthread_join(thread, &released), 0);
  assert_ptr_equal(released, commands);
  assert_int_equal(status_of(event), PI_EVENT_COMPLETE);
  must(piEventRelease(event));
  must(piMemRelease(buffer));
}
