/*
 * Many threads launch one kernel with their own arguments, in a shared queue and in a queue each;
 * each thread gets its own results. With the argument "fake" the driver is the fake OpenCL, which
 * records a launch's arguments and runs nothing, so that ThreadSanitizer can check the program.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_barrier_t */
#include "launch_world.h"

#include "../../fakes/opencl/fake_opencl.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 8, ROUNDS = 60, ITEMS = 16 };

static bool fake;

/* The threads' shared state. Threads count failures here, because cmocka works in one thread. */
static struct {
  pthread_barrier_t start;
  atomic_uint next;
  atomic_uint failures;
  specpi_kernel kernel;
  specpi_queue queue; /* NULL: one for each thread */
} shared;

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s; %s\n", #condition, specpiGetLastError());                               \
      atomic_fetch_add(&shared.failures, 1);                                                       \
    }                                                                                              \
  } while (0)
#define EXPECT_WORKS(call) EXPECT((call) == SPECPI_SUCCESS)

/* Returns whether the kernel got these two values, which the real kernel combines. */
static bool saw(const uint64_t *found, uint64_t first, uint32_t second) {
  if (!fake) {
    for (size_t i = 0; i < ITEMS; i++)
      if (found[i] != first * 1000 + second)
        return false;
    return true;
  }
  fake_opencl_record records[3];
  memcpy(records, found, sizeof records);
  return records[0].what == FAKE_RECORD_LAUNCH && records[0].value == ITEMS &&
         records[1].what == (FAKE_RECORD_ARGUMENT | 1) && records[1].value == first &&
         records[2].what == (FAKE_RECORD_ARGUMENT | 2) && (uint32_t)records[2].value == second;
}

static void launch_once(specpi_queue queue, specpi_buffer buffer, uint64_t first, uint32_t second) {
  const specpi_range range = {.dimensions = 1, .global = {ITEMS}};
  const specpi_argument arguments[] = {specpiArgumentBuffer(buffer), SPECPI_ARGUMENT_OF(first),
                                       SPECPI_ARGUMENT_OF(second)};
  uint64_t found[ITEMS] = {0};
  specpi_event event = NULL;
  EXPECT_WORKS(specpiKernelLaunch(shared.kernel, queue, &range, 3, arguments, 0, NULL, &event));
  EXPECT_WORKS(
      specpiBufferRead(queue, buffer, 0, sizeof found, found, event != NULL, &event, NULL));
  EXPECT(saw(found, first, second));
  specpiEventRelease(event);
}

static void *launch_many(void *argument) {
  (void)argument;
  const unsigned number = atomic_fetch_add(&shared.next, 1);
  pthread_barrier_wait(&shared.start);
  specpi_device device = specpiKernelGetDevice(shared.kernel);
  specpi_queue queue = shared.queue;
  specpi_buffer buffer = NULL;
  if (queue)
    specpiQueueRetain(queue);
  else
    EXPECT_WORKS(specpiQueueCreate(device, 0, &queue));
  EXPECT_WORKS(specpiBufferCreate(device, ITEMS * sizeof(uint64_t), NULL, &buffer));
  for (uint32_t round = 0; round < ROUNDS && queue && buffer; round++) {
    specpiKernelRetain(shared.kernel);
    launch_once(queue, buffer, number * 100 + round, round * 7 + number);
    specpiKernelRelease(shared.kernel);
  }
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
  return NULL;
}

static void run_threads(specpi_queue queue) {
  pthread_t threads[THREADS];
  shared.kernel = world_kernel(WORLD_LAUNCH, "stamp");
  shared.queue = queue;
  atomic_store(&shared.next, 0);
  atomic_store(&shared.failures, 0);
  assert_int_equal(pthread_barrier_init(&shared.start, NULL, THREADS), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, launch_many, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  pthread_barrier_destroy(&shared.start);
  assert_int_equal(atomic_load(&shared.failures), 0);
  specpiKernelRelease(shared.kernel);
}

TEST(threads_launch_in_one_queue) {
  specpi_queue queue = world_queue(SPECPI_QUEUE_OUT_OF_ORDER);
  run_threads(queue);
  specpiQueueRelease(queue);
}

TEST(threads_launch_in_many_queues) {
  run_threads(NULL);
}

int main(int argc, char **argv) {
  fake = argc > 1 && strcmp(argv[1], "fake") == 0;
  return tests_run(NULL, world_end);
}
