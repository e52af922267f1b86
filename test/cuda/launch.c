/* Launches over the fake driver: what they write, and the cost of a repeated one. */
#include "launch.h"

#include "../unit/memory.h"

enum { ITEMS = 64, ROUNDS = 40 };

typedef struct launches {
  pi_queue queue;
  pi_kernel kernel;
  pi_mem out;
} launches;

static launches new_launches(pi_queue_properties flags) {
  launches launches = {new_queue(flags), NULL, new_buffer(ITEMS * sizeof(pi_uint32), NULL)};
  const pi_program program = launch_program();
  must(piKernelCreate(program, "write", &launches.kernel));
  must(piProgramRelease(program));
  must(piextKernelSetArgMemObj(launches.kernel, 0, NULL, &launches.out));
  return launches;
}

static void release_launches(launches *launches) {
  must(piQueueFinish(launches->queue));
  must(piKernelRelease(launches->kernel));
  must(piMemRelease(launches->out));
  must(piQueueRelease(launches->queue));
}

static void launch(const launches *launches, size_t offset, size_t global, const size_t *local,
                   pi_uint32 value, pi_event *event) {
  const size_t offsets[3] = {offset, 0, 0};
  const size_t globals[3] = {global, 1, 1};
  must(piKernelSetArg(launches->kernel, 1, sizeof value, &value));
  must(piEnqueueKernelLaunch(launches->queue, launches->kernel, 3, offsets, globals, local, 0, NULL,
                             event));
}

static void expect(const launches *launches, size_t at, size_t count, pi_uint32 value) {
  pi_uint32 got[ITEMS];
  must(piQueueFinish(launches->queue));
  must(piEnqueueMemBufferRead(launches->queue, launches->out, PI_TRUE, 0, sizeof got, got, 0, NULL,
                              NULL));
  for (size_t i = at; i < at + count; i++)
    assert_int_equal(got[i], value);
}

WORLD_TEST(a_launch_writes_its_range) {
  const size_t local[3] = {8, 1, 1};
  launches launches = new_launches(IN_ORDER);
  launch(&launches, 0, ITEMS, local, 1, NULL);
  expect(&launches, 0, ITEMS, 1);
  launch(&launches, 0, ITEMS, NULL, 2, NULL);
  expect(&launches, 0, ITEMS, 2);
  launch(&launches, 40, 8, local, 3, NULL);
  expect(&launches, 0, 40, 2);
  expect(&launches, 40, 8, 3);
  expect(&launches, 48, 16, 2);
  /* An empty launch returns an event that is complete. */
  pi_event event = NULL;
  launch(&launches, 0, 0, NULL, 9, &event);
  must(piEventsWait(1, &event));
  must(piEventRelease(event));
  expect(&launches, 0, 40, 2);
  release_launches(&launches);
}

/* A program from a binary has everything that the original program has. */
WORLD_TEST(a_program_from_a_binary_runs) {
  const size_t local[3] = {8, 1, 1};
  launches launches = new_launches(IN_ORDER);
  pi_program program = launch_program();
  const pi_program built = program;
  program = reload_program(built);
  must(piProgramRelease(built));
  must(piKernelRelease(launches.kernel));
  must(piKernelCreate(program, "write", &launches.kernel));
  must(piProgramRelease(program));
  must(piextKernelSetArgMemObj(launches.kernel, 0, NULL, &launches.out));
  launch(&launches, 0, ITEMS, local, 2, NULL);
  launch(&launches, 40, 8, local, 3, NULL);
  expect(&launches, 0, 40, 2);
  expect(&launches, 40, 8, 3);
  expect(&launches, 48, 16, 2);
  release_launches(&launches);
}

/* Kernels of one function share its limit of local memory; a smaller request does not lower it. */
WORLD_TEST(kernels_share_the_limit_of_local_memory) {
  static const char text[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
                             ".visible .entry local(.param .u32 l)\n{ ret; }\n";
  static const size_t sizes[2] = {100000, 60000};
  const size_t global = 64;
  pi_program program = NULL;
  pi_kernel kernels[2];
  must(piProgramCreate(w.context, text, sizeof text, &program));
  must(piProgramBuild(program, 1, &w.device, "", NULL, NULL));
  for (int i = 0; i < 2; i++) {
    must(piKernelCreate(program, "local", &kernels[i]));
    must(piKernelSetArg(kernels[i], 0, sizes[i], NULL));
  }
  for (int i = 0; i < 4; i++)
    must(piEnqueueKernelLaunch(w.queue, kernels[i % 2], 1, NULL, &global, NULL, 0, NULL, NULL));
  must(piQueueFinish(w.queue));
  for (int i = 0; i < 2; i++)
    must(piKernelRelease(kernels[i]));
  must(piProgramRelease(program));
}

/* Releasing a program waits for launches of its kernels and for copies of its variables. */
WORLD_TEST(a_release_waits_for_copies_of_variables) {
  static const char text[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
                             ".visible .global .align 4 .u32 one;\n"
                             ".visible .entry k()\n{ ret; }\n";
  static const pi_uint32 value = 1;
  pi_program program = NULL;
  must(piProgramCreate(w.context, text, sizeof text, &program));
  must(piProgramBuild(program, 1, &w.device, "", NULL, NULL));
  const unsigned long waits = fake_cuda_calls("cuCtxSynchronize");
  must(piextEnqueueDeviceGlobalVariableWrite(w.queue, program, "one", PI_FALSE, sizeof value, 0,
                                             &value, 0, NULL, NULL));
  must(piProgramRelease(program));
  assert_int_equal(fake_cuda_calls("cuCtxSynchronize"), waits + 1);
  must(piQueueFinish(w.queue));
}

static void warm(pi_queue_properties flags) {
  const size_t local[3] = {8, 1, 1};
  launches launches = new_launches(flags);
  memory_use use = {0};
  size_t live[2] = {0};
  /* The first rounds fill pools and caches; the others must allocate nothing. */
  for (int part = 0; part < 2; part++) {
    live[part] = fake_cuda_live_all();
    if (part == 1)
      memory_watch(MEMORY_NEVER);
    for (pi_uint32 i = 0; i < ROUNDS; i++) {
      pi_event event = NULL;
      launch(&launches, 0, ITEMS, local, i, &event);
      must(piEventsWait(1, &event));
      must(piEventRelease(event));
      /* Out of order these two may run at once, so they write to different places. */
      launch(&launches, 0, 8, NULL, i, NULL);
      launch(&launches, 8, 8, local, i, NULL);
      must(piQueueFinish(launches.queue));
    }
    if (part == 1)
      use = memory_unwatch();
    else
      live[0] = fake_cuda_live_all();
  }
  assert_int_equal(use.calls, 0);
  assert_int_equal(live[0], live[1]);
  release_launches(&launches);
}

WORLD_TEST(repeated_launches_in_order_allocate_nothing) {
  warm(IN_ORDER);
}

WORLD_TEST(repeated_launches_out_of_order_allocate_nothing) {
  warm(OUT_OF_ORDER);
}
