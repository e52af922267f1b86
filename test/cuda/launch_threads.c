/*
 * Threads launch one kernel at the same time, with their own ranges and offsets; and they build a
 * program whose variables other threads write.
 */
#include "launch.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ITEMS = 16, ROUNDS = 30 };

static pi_kernel kernel;

typedef struct worker {
  pthread_t thread;
  size_t index;
  pi_result result;
} worker;

static void *work(void *data) {
  worker *worker = data;
  pi_queue_properties properties[] = {PI_QUEUE_FLAGS, 0, 0};
  pi_queue queue = NULL;
  worker->result = piextQueueCreate(w.context, w.device, properties, &queue);
  const size_t offset[3] = {(worker->index + 1) * ITEMS, 0, 0};
  for (size_t round = 0; round < ROUNDS && worker->result == PI_SUCCESS; round++) {
    const size_t global[3] = {round + 1 == ROUNDS ? ITEMS : round % ITEMS + 1, 1, 1};
    worker->result = piEnqueueKernelLaunch(queue, kernel, 1, offset, global, NULL, 0, NULL, NULL);
  }
  if (worker->result == PI_SUCCESS)
    worker->result = piQueueFinish(queue);
  if (queue)
    piQueueRelease(queue);
  return NULL;
}

WORLD_TEST(threads_launch_one_kernel) {
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

static pi_program variables;
static atomic_bool is_built;

static void *build(void *data) {
  worker *worker = data;
  for (int i = 0; i < 2 * ROUNDS && worker->result == PI_SUCCESS; i++)
    worker->result = piProgramBuild(variables, 1, &w.device, "", NULL, NULL);
  atomic_store(&is_built, true);
  return NULL;
}

/* A variable's memory stays allocated until a copy that uses it has ended. */
WORLD_TEST(a_variable_stays_until_its_copy_has_ended) {
  static const char text[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
                             ".visible .global .align 4 .b8 many[65536];\n"
                             ".visible .entry k()\n{ ret; }\n";
  static unsigned char bytes[65536];
  must(piProgramCreate(w.context, text, sizeof text, &variables));
  must(piProgramBuild(variables, 1, &w.device, "", NULL, NULL));
  worker worker = {.result = PI_SUCCESS};
  assert_int_equal(pthread_create(&worker.thread, NULL, build, &worker), 0);
  for (pi_uint32 i = 0; !atomic_load(&is_built); i++)
    must(piextEnqueueDeviceGlobalVariableWrite(w.queue, variables, "many", i % 2, sizeof bytes, 0,
                                               bytes, 0, NULL, NULL));
  assert_int_equal(pthread_join(worker.thread, NULL), 0);
  assert_int_equal(worker.result, PI_SUCCESS);
  must(piQueueFinish(w.queue));
  must(piProgramRelease(variables));
}
