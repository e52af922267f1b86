/* Threads set constants, build a program and create its kernels at the same time. */
#include "stub.h"

#include "../../plugins/objects/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT                                                                                       \
  ".version 7.8\n.target sm_80\n.address_size 64\n"                                                \
  ".visible .entry e(.param .u64 out, .param .u64 buffer)\n{ ret; }\n"
#define LINES                                                                                      \
  "//!specpi 1 emulate 4 4 32 0 1\n"                                                               \
  "//!specpi constant a scalar 0 8 1\n//!specpi leaf 0 0 8\n"                                      \
  "//!specpi constant b scalar 8 8 1\n//!specpi leaf 1 0 8\n"                                      \
  "//!specpi constant c scalar 16 8 1\n//!specpi leaf 2 0 8\n"                                     \
  "//!specpi constant d scalar 24 8 1\n//!specpi leaf 3 0 8\n"                                     \
  "//!specpi bytes 0000000000000000000000000000000000000000000000000000000000000000\n"             \
  "//!specpi kernel e 1 0 0 0\n"

enum { THREADS = 4, ROUNDS = 200 };

static pi_program program;

typedef struct worker {
  pthread_t thread;
  pi_uint32 id;
  bool good;
} worker;

/* Both halves of a value are the same, so that the test notices a torn value. */
static bool is_whole(CUdeviceptr values) {
  bool whole = true;
  for (int i = 0; i < THREADS; i++) {
    uint32_t halves[2];
    memcpy(halves, (const char *)(uintptr_t)values + 8 * i, sizeof halves);
    whole = whole && halves[0] == halves[1];
  }
  return whole;
}

static bool work_once(worker *worker, uint32_t round) {
  const uint64_t value = (uint64_t)round << 32 | round;
  pi_kernel kernel = NULL;
  char log[16];
  bool good = piextProgramSetSpecializationConstant(program, worker->id, sizeof value, &value) ==
              PI_SUCCESS;
  good = good &&
         piextProgramSetSpecializationConstant(program, 9, 8, &value) == PI_ERROR_INVALID_SPEC_ID;
  if (worker->id % 2 == 0)
    good = good && piProgramBuild(program, 0, NULL, "", NULL, NULL) == PI_SUCCESS;
  good = good && piProgramGetBuildInfo(program, stub_context.devices[0], PI_PROGRAM_BUILD_INFO_LOG,
                                       sizeof log, log, NULL) == PI_SUCCESS;
  if (!good || piKernelCreate(program, "e", &kernel) != PI_SUCCESS)
    return false;
  good = is_whole(kernel->build->driver.constants);
  return piKernelRelease(kernel) == PI_SUCCESS && good;
}

static void *work(void *data) {
  worker *worker = data;
  worker->good = true;
  for (uint32_t round = 1; round <= ROUNDS && worker->good; round++)
    worker->good = work_once(worker, round);
  return NULL;
}

TEST_WITH(threads_set_and_build_whole_values, stub_start, stub_end) {
  program = stub_built(TEXT, LINES);
  worker workers[THREADS];
  for (pi_uint32 i = 0; i < THREADS; i++) {
    workers[i].id = i;
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    assert_true(workers[i].good);
  }
  /* The last value of each thread counts. */
  assert_success(piProgramBuild(program, 0, NULL, "", NULL, NULL));
  for (int i = 0; i < 2 * THREADS; i++) {
    const uint32_t want = ROUNDS;
    assert_memory_equal(stub.copied + 4 * i, &want, sizeof want);
  }
  assert_success(piProgramRelease(program));
}

enum { HANDLES = 20000 };

static pi_native_handle handles[HANDLES];

static void *ask(void *data) {
  worker *worker = data;
  worker->good = true;
  for (int i = 0; i < HANDLES && worker->good; i++)
    worker->good = piextProgramGetNativeHandle(program, &handles[i]) == PI_SUCCESS;
  return NULL;
}

/* The registry does not find the program by the module of a replaced build. */
TEST_WITH(modules_of_replaced_builds_are_forgotten, stub_start, stub_end) {
  program = stub_built(TEXT, LINES);
  worker worker;
  assert_int_equal(pthread_create(&worker.thread, NULL, ask, &worker), 0);
  for (int i = 0; i < 20 * ROUNDS; i++)
    assert_success(piProgramBuild(program, 0, NULL, "", NULL, NULL));
  assert_int_equal(pthread_join(worker.thread, NULL), 0);
  assert_true(worker.good);
  pi_native_handle latest;
  assert_success(piextProgramGetNativeHandle(program, &latest));
  for (int i = 0; i < HANDLES; i++)
    if (handles[i] != latest)
      assert_null(registry_find(OBJECT_PROGRAM, handles[i], true));
  assert_success(piProgramRelease(program));
}

/* ---- Entries that are built when they are launched ---- */

#define ENTRY(name) ".visible .entry " name
#define PLAIN_TEXT                                                                                 \
  ".version 7.8\n.target sm_80\n.address_size 64\n" ENTRY("k") "(.param .u32 a)\n{ ret; }\n"
#define OFFSET_TEXT ENTRY("k_with_offset") "(.param .u32 a, .param .align 4 .b8 o[12])\n{ ret; }\n"

typedef struct launcher {
  pthread_t thread;
  pi_kernel kernel;
  size_t offset;
  bool good;
} launcher;

static void *launch(void *data) {
  launcher *launcher = data;
  const size_t global = 64;
  const sink sink = {.context = &stub_context, .device = stub_context.devices[0]};
  kernel_launch made;
  launcher->good = true;
  for (int i = 0; i < ROUNDS && launcher->good; i++) {
    launcher->good = launch_prepare(&sink, launcher->kernel, 1, &launcher->offset, &global, NULL,
                                    &made) == PI_SUCCESS &&
                     launch_function(&made)->function &&
                     launch_function(&made) == &launcher->kernel->driver.instances[0].with_offset &&
                     *(const unsigned *)launch_parameters(&made)[1] == launcher->offset;
  }
  return NULL;
}

/* A build's kernels share one load of the entries, even if several threads launch at once. */
TEST_WITH(threads_share_entries_for_offsets, stub_start, stub_end) {
  char lines[128];
  snprintf(lines, sizeof lines,
           "//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k - 0 0 0\n//!specpi offsets %zu\n",
           strlen(PLAIN_TEXT));
  program = stub_built(PLAIN_TEXT OFFSET_TEXT, lines);
  const pi_uint32 value = 1;
  const pi_kernel kernels[2] = {stub_kernel(program, "k"), stub_kernel(program, "k")};
  launcher launchers[THREADS];
  for (int i = 0; i < 2; i++)
    assert_success(piKernelSetArg(kernels[i], 0, sizeof value, &value));
  for (size_t i = 0; i < THREADS; i++) {
    launchers[i] = (launcher){.kernel = kernels[i % 2], .offset = i + 1};
    assert_int_equal(pthread_create(&launchers[i].thread, NULL, launch, &launchers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(launchers[i].thread, NULL), 0);
    assert_true(launchers[i].good);
  }
  assert_int_equal(stub.modules, 2);
  for (int i = 0; i < 2; i++)
    assert_success(piKernelRelease(kernels[i]));
  assert_success(piProgramRelease(program));
}
