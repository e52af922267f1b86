/* Threads that launch one kernel at the same time, with ranges and offsets of their own. */
#include "launch.h"

#include <pthread.h>

enum { THREADS = 4, ITEMS = 16, ROUNDS = 30 };

static pi_kernel kernel;

typedef struct worker {
  pthread_t thread;
  size_t index;
  pi_result result;
} worker;

static void *work(void *data) {
  worker *it = data;
  pi_queue_properties properties[] = {PI_QUEUE_FLAGS, 0, 0};
  pi_queue queue = NULL;
  it->result = piextQueueCreate(w.context, w.device, properties, &queue);
  const size_t offset[3] = {(it->index + 1) * ITEMS, 0, 0};
  for (size_t round = 0; round < ROUNDS && it->result == PI_SUCCESS; round++) {
    const size_t global[3] = {round + 1 == ROUNDS ? ITEMS : round % ITEMS + 1, 1, 1};
    it->result = piEnqueueKernelLaunch(queue, kernel, 1, offset, global, NULL, 0, NULL, NULL);
  }
  if (it->result == PI_SUCCESS)
    it->result = piQueueFinish(queue);
  if (queue)
    piQueueRelease(queue);
  return NULL;
}

static void same_kernel(void **state) {
  (void)state;
  const pi_uint32 one = 1;
  pi_uint32 got[(THREADS + 1) * ITEMS] = {0};
  const pi_mem out = new_buffer(sizeof got, got);
  const pi_program program = launch_program();
  worker workers[THREADS];
  must(piKernelCreate(program, "write", &kernel));
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &out));
  must(piKernelSetArg(kernel, 1, sizeof one, &one));
  for (size_t i = 0; i < THREADS; i++) {
    workers[i].index = i;
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    assert_int_equal(workers[i].result, PI_SUCCESS);
  }
  must(piEnqueueMemBufferRead(w.queue, out, PI_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (size_t i = 0; i < (THREADS + 1) * ITEMS; i++)
    assert_int_equal(got[i], i >= ITEMS);
  must(piKernelRelease(kernel));
  must(piProgramRelease(program));
  must(piMemRelease(out));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WORLD_TEST(same_kernel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
