/* Many threads use the plugin at once, and ThreadSanitizer watches them in its build. */
#define _POSIX_C_SOURCE 200809L /* pthread_barrier_t */
#include "check.h"
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { THREADS = 8, ROUNDS = 40 };

/* The state that a test's threads share. It counts failures: only one thread may use cmocka. */
typedef struct shared {
  atomic_uint next; /* the number of the next thread to start */
  atomic_uint failures;
  atomic_uint deleted;
  pthread_barrier_t start;
  pi_platform platform;
  pi_device device;
  pi_context context;
  pi_program program;
  pi_kernel kernel;
  pi_mem memory;
  pi_ext_command_buffer command_buffer;
  pi_native_handle native;
} shared;

static void expect(shared *s, bool holds, const char *what) {
  if (holds)
    return;
  const char *sentence;
  plugin_error_last(&sentence);
  fprintf(stderr, "%s; the latest failure: %s\n", what, sentence);
  atomic_fetch_add(&s->failures, 1);
}

#define EXPECT(condition) expect(s, (condition), #condition)
#define WORKS(call) EXPECT((call) == PI_SUCCESS)

/* Returns this thread's number once all threads have started. */
static unsigned begin(shared *s) {
  const unsigned number = atomic_fetch_add(&s->next, 1);
  pthread_barrier_wait(&s->start);
  return number;
}

static void run_threads(shared *s, void *(*function)(void *)) {
  pthread_t threads[THREADS];
  atomic_store(&s->next, 0);
  assert_int_equal(pthread_barrier_init(&s->start, NULL, THREADS), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, function, s), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  pthread_barrier_destroy(&s->start);
  assert_int_equal(atomic_load(&s->failures), 0);
}

/* Largest number of platforms of a driver. The first one has every ability. */
enum { PLATFORMS_MAX = 3 };

static pi_uint32 count_platforms(void) {
  pi_uint32 count = 0;
  must(piPlatformsGet(0, NULL, &count));
  assert_in_range(count, 1, PLATFORMS_MAX);
  return count;
}

static void open_context(shared *s, pi_uint32 platform) {
  pi_platform platforms[PLATFORMS_MAX];
  *s = (shared){0};
  must(piPlatformsGet(PLATFORMS_MAX, platforms, NULL));
  s->platform = platforms[platform];
  must(piDevicesGet(s->platform, PI_DEVICE_TYPE_ALL, 1, &s->device, NULL));
  must(piContextCreate(NULL, 1, &s->device, NULL, NULL, &s->context));
}

static void check_driver(void) {
  char list[4096];
  if (!driver_settles(0, list, sizeof list))
    fail_with("the driver has objects left:\n%s", list);
}

static void close_context(shared *s) {
  must(piContextRelease(s->context));
  check_driver();
}

/* Every thread asks for platforms first. */
static void *load(void *argument) {
  shared *s = argument;
  begin(s);
  pi_uint32 count = 0;
  WORKS(piPlatformsGet(0, NULL, &count));
  EXPECT(count >= 1 && count <= PLATFORMS_MAX);
  return NULL;
}

TEST(every_thread_finds_platforms) {
  shared s = {0};
  run_threads(&s, load);
}

/* Returns the value of a constant that a launch reports; UINT64_MAX if it reports none. */
static uint64_t launch(shared *s, pi_queue queue, pi_kernel kernel, uint32_t id) {
  launch_record records[8] = {{0}};
  const size_t one = 1;
  const pi_uint32 argument = 0;
  pi_mem memory = NULL;
  pi_event event = NULL;
  WORKS(piMemBufferCreate(s->context, PI_MEM_FLAGS_ACCESS_RW, sizeof records, NULL, &memory, NULL));
  WORKS(piextKernelSetArgMemObj(kernel, 0, NULL, &memory));
  WORKS(piKernelSetArg(kernel, 1, sizeof argument, &argument));
  WORKS(piEnqueueKernelLaunch(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
  WORKS(piEventsWait(1, &event));
  WORKS(piEventRelease(event));
  WORKS(piEnqueueMemBufferRead(queue, memory, PI_TRUE, 0, sizeof records, records, 0, NULL, NULL));
  WORKS(piMemRelease(memory));
  for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
    if (records[i].what == id && records[i].size != 0)
      return records[i].value;
  return UINT64_MAX;
}

/* Each thread builds a program of its own. Every build has the values set just before it. */
static void *build_own(void *argument) {
  shared *s = argument;
  const unsigned number = begin(s);
  pi_queue queue = NULL;
  pi_program program = NULL;
  WORKS(piQueueCreate(s->context, s->device, 0, &queue));
  WORKS(piProgramCreate(s->context, backend_code(), backend_code_size(), &program));
  for (pi_uint32 round = 0; round < ROUNDS; round++) {
    const pi_uint32 value = number * ROUNDS + round;
    pi_kernel kernel = NULL;
    WORKS(piextProgramSetSpecializationConstant(program, 0, sizeof value, &value));
    WORKS(piProgramBuild(program, 1, &s->device, "", NULL, NULL));
    WORKS(piKernelCreate(program, "probe", &kernel));
    EXPECT(launch(s, queue, kernel, 0) == value);
    WORKS(piKernelRelease(kernel));
  }
  WORKS(piProgramRelease(program));
  WORKS(piQueueRelease(queue));
  return NULL;
}

TEST(builds_of_threads_have_their_own_values) {
  shared s;
  open_context(&s, 0);
  run_threads(&s, build_own);
  close_context(&s);
}

/*
 * All threads share a program. Half of them set values and build, the others create kernels and
 * launch. A kernel must have the values of one thread, with both halves of constant 1 equal.
 */
static void *build_shared(void *argument) {
  shared *s = argument;
  const unsigned number = begin(s);
  pi_queue queue = NULL;
  WORKS(piQueueCreate(s->context, s->device, 0, &queue));
  WORKS(piProgramRetain(s->program));
  for (pi_uint32 round = 0; round < ROUNDS; round++) {
    const pi_uint32 half = number * ROUNDS + round + 1;
    const pi_uint64 value = (pi_uint64)half << 32 | half;
    if (number % 2 == 0) {
      WORKS(piextProgramSetSpecializationConstant(s->program, 1, sizeof value, &value));
      WORKS(piProgramBuild(s->program, 1, &s->device, "", NULL, NULL));
      continue;
    }
    pi_kernel kernel = NULL;
    WORKS(piKernelCreate(s->program, "probe", &kernel));
    const pi_uint64 seen = launch(s, queue, kernel, 1);
    EXPECT(seen >> 32 == (seen & UINT32_MAX) && seen >> 32 <= THREADS * ROUNDS);
    pi_program owner = NULL;
    WORKS(piKernelGetInfo(kernel, PI_KERNEL_INFO_PROGRAM, sizeof owner, &owner, NULL));
    WORKS(piKernelRelease(kernel));
    char log[256];
    WORKS(piProgramGetBuildInfo(s->program, s->device, PI_PROGRAM_BUILD_INFO_LOG, sizeof log, log,
                                NULL));
  }
  WORKS(piProgramRelease(s->program));
  WORKS(piQueueRelease(queue));
  return NULL;
}

TEST(builds_of_one_program_have_whole_values) {
  shared s;
  open_context(&s, 0);
  const pi_uint64 one = UINT64_C(1) << 32 | 1;
  must(piProgramCreate(s.context, backend_code(), backend_code_size(), &s.program));
  must(piextProgramSetSpecializationConstant(s.program, 1, sizeof one, &one));
  must(piProgramBuild(s.program, 1, &s.device, "", NULL, NULL));
  run_threads(&s, build_shared);
  must(piProgramRelease(s.program));
  close_context(&s);
}

/* All threads build a program that was never built, at the same time. */
static void *build_first(void *argument) {
  shared *s = argument;
  const pi_uint32 number = begin(s);
  WORKS(piextProgramSetSpecializationConstant(s->program, 0, sizeof number, &number));
  WORKS(piProgramBuild(s->program, 1, &s->device, "", NULL, NULL));
  return NULL;
}

TEST(a_first_build_by_many_threads_works) {
  shared s;
  open_context(&s, 0);
  pi_queue queue;
  must(piQueueCreate(s.context, s.device, 0, &queue));
  for (int round = 0; round < ROUNDS; round++) {
    pi_kernel kernel;
    must(piProgramCreate(s.context, backend_code(), backend_code_size(), &s.program));
    run_threads(&s, build_first);
    must(piKernelCreate(s.program, "probe", &kernel));
    assert_true(launch(&s, queue, kernel, 0) < THREADS);
    must(piKernelRelease(kernel));
    must(piProgramRelease(s.program));
  }
  must(piQueueRelease(queue));
  close_context(&s);
}

/* Threads create and release programs at the same time, also by native handles. */
static void *share_native(void *argument) {
  shared *s = argument;
  begin(s);
  for (pi_uint32 round = 0; round < ROUNDS; round++) {
    pi_program program = NULL;
    pi_program own = NULL;
    pi_program again = NULL;
    pi_native_handle native = 0;
    const pi_uint32 value = round;
    WORKS(piProgramCreate(s->context, backend_code(), backend_code_size(), &program));
    if (!backend.native_unbuilt_programs)
      WORKS(piProgramBuild(program, 1, &s->device, "", NULL, NULL));
    WORKS(piextProgramGetNativeHandle(program, &native));
    WORKS(piextProgramCreateWithNativeHandle(native, s->context, false, &own));
    WORKS(piextProgramCreateWithNativeHandle(s->native, s->context, false, &again));
    if (backend.native_unbuilt_programs)
      WORKS(piextProgramSetSpecializationConstant(again, 0, sizeof value, &value));
    WORKS(piProgramRelease(again));
    WORKS(piProgramRelease(own));
    WORKS(piProgramRelease(program));
  }
  return NULL;
}

TEST(threads_share_native_handles) {
  shared s;
  if (!backend.native_programs)
    skip();
  open_context(&s, 0);
  must(piProgramCreate(s.context, backend_code(), backend_code_size(), &s.program));
  if (!backend.native_unbuilt_programs)
    must(piProgramBuild(s.program, 1, &s.device, "", NULL, NULL));
  must(piextProgramGetNativeHandle(s.program, &s.native));
  run_threads(&s, share_native);
  must(piProgramRelease(s.program));
  close_context(&s);
}

static void count_deleter(void *user_data) {
  atomic_fetch_add((atomic_uint *)user_data, 1);
}

/* Releases a reference to the shared context, and a context of the thread's own. */
static void *release_context(void *argument) {
  shared *s = argument;
  begin(s);
  pi_context own = NULL;
  WORKS(piContextCreate(NULL, 1, &s->device, NULL, NULL, &own));
  WORKS(piextContextSetExtendedDeleter(own, count_deleter, &s->deleted));
  WORKS(piextContextSetExtendedDeleter(s->context, count_deleter, &s->deleted));
  WORKS(piContextRetain(own));
  WORKS(piContextRelease(own));
  WORKS(piContextRelease(own));
  WORKS(piContextRelease(s->context));
  return NULL;
}

TEST(each_deleter_runs_once) {
  for (pi_uint32 platform = 0; platform < count_platforms(); platform++)
    for (int round = 0; round < ROUNDS; round++) {
      shared s;
      open_context(&s, platform);
      for (int i = 1; i < THREADS; i++)
        must(piContextRetain(s.context));
      run_threads(&s, release_context);
      assert_int_equal(atomic_load(&s.deleted), 2 * THREADS);
      check_driver();
    }
}

/* Threads record into one command buffer, then all enqueue it. */
static void *record(void *argument) {
  shared *s = argument;
  begin(s);
  const size_t one = 1;
  for (int round = 0; round < ROUNDS; round++) {
    pi_ext_sync_point point;
    WORKS(piextCommandBufferNDRangeKernel(s->command_buffer, s->kernel, 1, NULL, &one, NULL, 0,
                                          NULL, &point));
    WORKS(piextCommandBufferRetain(s->command_buffer));
    WORKS(piextCommandBufferRelease(s->command_buffer));
  }
  return NULL;
}

static void *enqueue_recorded(void *argument) {
  shared *s = argument;
  begin(s);
  pi_queue queue = NULL;
  WORKS(piQueueCreate(s->context, s->device, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE, &queue));
  for (int round = 0; round < ROUNDS; round++) {
    pi_event event = NULL;
    WORKS(piextEnqueueCommandBuffer(s->command_buffer, queue, 0, NULL, &event));
    WORKS(piEventsWait(1, &event));
    WORKS(piEventRelease(event));
  }
  WORKS(piQueueFinish(queue));
  WORKS(piQueueRelease(queue));
  return NULL;
}

TEST(threads_record_into_one_command_buffer) {
  shared s;
  open_context(&s, 0);
  const pi_uint32 argument = 0;
  const pi_ext_command_buffer_desc desc = {.stype = PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC};
  must(piMemBufferCreate(s.context, PI_MEM_FLAGS_ACCESS_RW, 4096, NULL, &s.memory, NULL));
  must(piProgramCreate(s.context, backend_code(), backend_code_size(), &s.program));
  must(piProgramBuild(s.program, 1, &s.device, "", NULL, NULL));
  must(piKernelCreate(s.program, "probe", &s.kernel));
  must(piextKernelSetArgMemObj(s.kernel, 0, NULL, &s.memory));
  must(piKernelSetArg(s.kernel, 1, sizeof argument, &argument));
  must(piextCommandBufferCreate(s.context, s.device, &desc, &s.command_buffer));
  run_threads(&s, record);
  must(piextCommandBufferFinalize(s.command_buffer));
  const unsigned long before = driver_calls(backend.replay);
  run_threads(&s, enqueue_recorded);
  const unsigned long launches = backend.replay_each_launch ? THREADS * ROUNDS : 1;
  assert_int_equal(driver_calls(backend.replay) - before, launches * THREADS * ROUNDS);
  must(piextCommandBufferRelease(s.command_buffer));
  must(piKernelRelease(s.kernel));
  must(piProgramRelease(s.program));
  must(piMemRelease(s.memory));
  close_context(&s);
}

/* Some threads complete events, others wait for them, with callbacks. */
static void called(pi_event event, pi_int32 status, void *user_data) {
  (void)event;
  if (status == PI_EVENT_COMPLETE)
    atomic_fetch_add((atomic_uint *)user_data, 1);
}

static void *wait_and_complete(void *argument) {
  shared *s = argument;
  begin(s);
  pi_queue queue = NULL;
  WORKS(piQueueCreate(s->context, s->device, 0, &queue));
  for (int round = 0; round < ROUNDS; round++) {
    pi_event gate = NULL;
    pi_event after = NULL;
    WORKS(piEventCreate(s->context, &gate));
    WORKS(piEnqueueEventsWaitWithBarrier(queue, 1, &gate, &after));
    WORKS(piEventSetCallback(after, PI_EVENT_COMPLETE, called, &s->deleted));
    WORKS(piEventSetStatus(gate, PI_EVENT_COMPLETE));
    WORKS(piEventsWait(1, &after));
    WORKS(piEventRelease(after));
    WORKS(piEventRelease(gate));
  }
  WORKS(piQueueRelease(queue));
  return NULL;
}

TEST(events_complete_while_threads_wait) {
  shared s;
  open_context(&s, 0);
  run_threads(&s, wait_and_complete);
  /* A thread of the plugin may call the deleter. */
  for (int i = 0; i < 1000 && atomic_load(&s.deleted) < THREADS * ROUNDS; i++)
    nanosleep(&(struct timespec){0, 5 * 1000 * 1000}, NULL);
  assert_int_equal(atomic_load(&s.deleted), THREADS * ROUNDS);
  close_context(&s);
}

/* Each thread's latest failure is its own. */
static void *fail_apart(void *argument) {
  shared *s = argument;
  const unsigned number = begin(s);
  for (int round = 0; round < ROUNDS; round++) {
    char expected[64];
    char *sentence = NULL;
    snprintf(expected, sizeof expected, "0x%x", 0x100000u + number);
    EXPECT(piDevicesGet(s->platform, 0x100000u + number, 1, &s->device, NULL) ==
           PI_ERROR_INVALID_DEVICE_TYPE);
    EXPECT(piPluginGetLastError(&sentence) == PI_ERROR_INVALID_DEVICE_TYPE);
    EXPECT(sentence && strstr(sentence, expected));
  }
  return NULL;
}

TEST(each_thread_has_its_own_latest_failure) {
  shared s;
  open_context(&s, 0);
  run_threads(&s, fail_apart);
  close_context(&s);
}
