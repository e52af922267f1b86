/*
 * Threads set constants, build, compile, link, query, and create and launch kernels of one program
 * at the same time.
 */
#include "programs.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 25 };

static pi_program program, part; /* the one to build, and the one to compile and link */
static pi_kernel shared_kernel;

typedef struct worker {
  pthread_t thread;
  pi_queue queue;
  pi_uint32 index;
  bool good;
} worker;

static bool good_launch(worker *worker, pi_kernel kernel) {
  const size_t one[3] = {1, 1, 1};
  return piEnqueueKernelLaunch(worker->queue, kernel, 3, NULL, one, NULL, 0, NULL, NULL) ==
         PI_SUCCESS;
}

/* A kernel of the latest build writes a value that some thread has set. */
static bool run_new_kernel(worker *worker, pi_program of) {
  pi_kernel kernel = NULL;
  pi_mem out = NULL;
  pi_uint32 got[2] = {0};
  if (piKernelCreate(of, "value", &kernel) != PI_SUCCESS)
    return false;
  bool good = piMemBufferCreate(w.context, PI_MEM_FLAGS_ACCESS_RW, sizeof got, NULL, &out, NULL) ==
              PI_SUCCESS;
  good = good && piextKernelSetArgMemObj(kernel, 0, NULL, &out) == PI_SUCCESS;
  good = good && good_launch(worker, kernel);
  good = good && piEnqueueMemBufferRead(worker->queue, out, PI_TRUE, 0, sizeof got, got, 0, NULL,
                                        NULL) == PI_SUCCESS;
  good = good && (got[0] == 1000 || got[0] <= ROUNDS);
  if (out)
    good = piMemRelease(out) == PI_SUCCESS && good;
  return piKernelRelease(kernel) == PI_SUCCESS && good;
}

/* A link has the latest compilation of some thread, while others compile the same program again. */
static bool compile_and_link(worker *worker, pi_uint32 round) {
  pi_program linked = NULL;
  if (piextProgramSetSpecializationConstant(part, 0, sizeof round, &round) != PI_SUCCESS ||
      piProgramCompile(part, 0, NULL, "", 0, NULL, NULL, NULL, NULL) != PI_SUCCESS ||
      piProgramLink(w.context, 0, NULL, "", 1, &part, NULL, NULL, &linked) != PI_SUCCESS)
    return false;
  const bool good = run_new_kernel(worker, linked);
  return piProgramRelease(linked) == PI_SUCCESS && good;
}

static bool work_once(worker *worker, pi_uint32 round) {
  size_t size = 0;
  pi_native_handle native = 0;
  bool good = piextProgramSetSpecializationConstant(program, 0, sizeof round, &round) == PI_SUCCESS;
  good = good && piextProgramSetSpecializationConstant(program, 9, sizeof round, &round) ==
                     PI_ERROR_INVALID_SPEC_ID;
  if (worker->index % 2 == 0)
    good = good && piProgramBuild(program, 0, NULL, "", NULL, NULL) == PI_SUCCESS;
  else
    good = good && compile_and_link(worker, round);
  good = good && piProgramGetBuildInfo(program, w.device, PI_PROGRAM_BUILD_INFO_LOG, 0, NULL,
                                       &size) == PI_SUCCESS;
  good = good && piextProgramGetNativeHandle(program, &native) == PI_SUCCESS;
  good = good && piextKernelGetNativeHandle(shared_kernel, &native) == PI_SUCCESS;
  /* Launches of one kernel may overlap as long as no thread changes its arguments. */
  good = good && good_launch(worker, shared_kernel);
  return good && run_new_kernel(worker, program);
}

static void *work(void *data) {
  worker *worker = data;
  worker->good = true;
  for (pi_uint32 round = 1; round <= ROUNDS && worker->good; round++)
    worker->good = work_once(worker, round);
  return NULL;
}

WORLD_TEST(threads_set_build_and_run) {
  worker workers[THREADS];
  program = built_program(MODULE_extreme_ids);
  part = new_program(MODULE_extreme_ids);
  shared_kernel = new_kernel(program, "value");
  const pi_mem out = new_buffer(16, NULL);
  set_buffer(shared_kernel, 0, out);
  for (pi_uint32 i = 0; i < THREADS; i++) {
    workers[i].index = i;
    workers[i].queue = new_queue(IN_ORDER);
  }
  for (pi_uint32 i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  bool good = true;
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    good = good && workers[i].good;
    must(piQueueRelease(workers[i].queue));
  }
  assert_true(good);
  must(piKernelRelease(shared_kernel));
  must(piProgramRelease(program));
  must(piProgramRelease(part));
  must(piMemRelease(out));
}
