/* Level Zero semaphores: command buffers after a wait for one, and queues that have none. */
#include "world.h"

#include <sys/eventfd.h>
#include <unistd.h>

/* While a semaphore holds back a run of a command buffer, its next enqueue does not wait for it. */
WORLD_TEST(a_semaphore_holds_back) {
  const int event_file = eventfd(0, 0), mine = dup(event_file);
  pi_interop_semaphore_handle semaphore = 0;
  pi_ext_command_buffer commands = NULL;
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  must(piextImportExternalSemaphoreOpaqueFD(w.context, w.device, event_file, &semaphore));
  must(piextCommandBufferCreate(w.context, w.device, NULL, &commands));
  must(piextCommandBufferFinalize(commands));
  must(piextEnqueueCommandBuffer(commands, queue, 0, NULL, NULL));
  must(piextEnqueueCommandBuffer(commands, queue, 0, NULL, NULL));
  must(piextWaitExternalSemaphore(queue, semaphore, 0, NULL, NULL));
  must(piextEnqueueCommandBuffer(commands, queue, 0, NULL, NULL));
  fails(PI_ERROR_INVALID_OPERATION, piextEnqueueCommandBuffer(commands, w.queue, 0, NULL, NULL));
  const uint64_t one = 1;
  assert_int_equal(write(mine, &one, sizeof one), sizeof one);
  must(piQueueFinish(queue));
  must(piextEnqueueCommandBuffer(commands, w.queue, 0, NULL, NULL));
  must(piextCommandBufferRelease(commands));
  must(piQueueFinish(w.queue));
  must(piextDestroyExternalSemaphore(w.context, w.device, semaphore));
  must(piQueueRelease(queue));
  close(mine);
}

/* Level Zero has semaphores for immediate command lists only. */
WORLD_TEST(semaphores_need_immediate_lists) {
  pi_interop_semaphore_handle semaphore = 0;
  pi_queue queue = new_queue(PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE);
  pi_event event = (pi_event)(void *)&w;
  must(piextImportExternalSemaphoreOpaqueFD(w.context, w.device, eventfd(0, 0), &semaphore));
  fails(PI_ERROR_UNSUPPORTED_FEATURE,
        piextWaitExternalSemaphore(queue, semaphore, 0, NULL, &event));
  fails(PI_ERROR_UNSUPPORTED_FEATURE,
        piextSignalExternalSemaphore(queue, semaphore, 0, NULL, &event));
  assert_ptr_equal(event, &w);
  must(piextDestroyExternalSemaphore(w.context, w.device, semaphore));
  must(piQueueRelease(queue));
}
