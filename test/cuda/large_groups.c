/*
 * Kernels that are built again for the size of their work-groups: with fewer registers for groups
 * that are too large for the kernel's registers (some are refused nevertheless), and with more for
 * groups of one warp.
 */
#include "world.h"

#include "../unit/memory.h"

#include <pthread.h>
#include <stdio.h>

enum { VALUES = 136, FEW_VALUES = 28, LARGEST = 1024, OFFSET = 512, THREADS = 4 };
enum { WARP = 32, ONE_WARP_LAUNCHES = 8, TEXT_SIZE = 1 << 16 };

/* Appends to a text of TEXT_SIZE bytes. */
#define ADD(text, ...)                                                                             \
  snprintf((text) + strlen(text), TEXT_SIZE - strlen(text), __VA_ARGS__) /* large enough */

/*
 * Adds a kernel with out[id] = id + a sum of so many values. The sum starts with the value that is
 * read last, so each work-item holds all values at once.
 */
static void add_kernel(char *text, const char *name, const char *limit, int values,
                       bool has_offset) {
  ADD(text, ".visible .entry %s(.param .u64 out, .param .u64 in%s)\n%s\n{\n", name,
      has_offset ? ", .param .align 4 .b8 o[12]" : "", limit);
  ADD(text, ".reg .b32 %%v<%d>; .reg .b32 %%r<8>; .reg .b64 %%rd<8>;\n", values);
  ADD(text, "ld.param.u64 %%rd1, [out]; ld.param.u64 %%rd2, [in];\n"
            "cvta.to.global.u64 %%rd1, %%rd1; cvta.to.global.u64 %%rd2, %%rd2;\n"
            "mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%ntid.x; mov.u32 %%r3, %%tid.x;\n"
            "mad.lo.u32 %%r1, %%r1, %%r2, %%r3;\n");
  if (has_offset)
    ADD(text, "ld.param.u32 %%r2, [o]; add.u32 %%r1, %%r1, %%r2;\n");
  for (int i = 0; i < values; i++)
    ADD(text, "ld.volatile.global.u32 %%v%d, [%%rd2+%d];\n", i, 4 * i);
  ADD(text, "mov.u32 %%r4, 0;\n");
  for (int i = values; i-- > 0;)
    ADD(text, "mad.lo.u32 %%r4, %%r4, 3, %%v%d;\n", i);
  ADD(text, "add.u32 %%r4, %%r4, %%r1; mul.wide.u32 %%rd3, %%r1, 4;\n"
            "add.s64 %%rd3, %%rd1, %%rd3; st.global.u32 [%%rd3], %%r4; ret;\n}\n");
}

/* Builds a program of two such kernels and a variant for launches with an offset. */
static pi_program program_of(int values, const char *head, const char *limit, const char *options) {
  static char text[TEXT_SIZE];
  text[0] = '\0';
  ADD(text, ".version 7.8\n.target sm_80\n.address_size 64\n%s\n", head);
  add_kernel(text, "wide", limit, values, false);
  add_kernel(text, "other", limit, values, false);
  add_kernel(text, "wide_with_offset", limit, values, true);
  pi_program program = NULL;
  must(piProgramCreate(w.context, text, strlen(text) + 1, &program));
  must(piProgramBuild(program, 1, &w.device, options, NULL, NULL));
  return program;
}

static pi_program wide_program(const char *head, const char *limit, const char *options) {
  return program_of(VALUES, head, limit, options);
}

typedef struct wide {
  pi_program program;
  pi_kernel kernel;
  pi_mem in, out;
  pi_uint32 sum;
} wide;

/* Creates a kernel with so many values, and takes over the reference to its program. */
static wide new_kernel(pi_program program, const char *name, int count) {
  wide wide = {.program = program};
  pi_uint32 values[VALUES];
  for (pi_uint32 i = 0; i < VALUES; i++)
    values[i] = 7 * i + 1;
  for (int i = count; i-- > 0;)
    wide.sum = wide.sum * 3 + values[i];
  wide.in = new_buffer(sizeof values, values);
  wide.out = new_buffer((LARGEST + OFFSET) * sizeof(pi_uint32), NULL);
  must(piKernelCreate(program, name, &wide.kernel));
  must(piextKernelSetArgMemObj(wide.kernel, 0, NULL, &wide.out));
  must(piextKernelSetArgMemObj(wide.kernel, 1, NULL, &wide.in));
  return wide;
}

static wide new_wide(pi_program program, const char *name) {
  return new_kernel(program, name, VALUES);
}

/* Creates a kernel that needs about as many registers as the driver's compiler likes to use. */
static wide new_small(const char *head, const char *limit, const char *options) {
  return new_kernel(program_of(FEW_VALUES, head, limit, options), "wide", FEW_VALUES);
}

static void release_wide(const wide *wide) {
  must(piQueueFinish(w.queue));
  must(piKernelRelease(wide->kernel));
  must(piProgramRelease(wide->program));
  must(piMemRelease(wide->in));
  must(piMemRelease(wide->out));
}

/* Launches one work-group, whose first work-item has the offset as its id. */
static pi_result launch(const wide *wide, size_t offset, size_t items) {
  return piEnqueueKernelLaunch(w.queue, wide->kernel, 1, offset ? &offset : NULL, &items, &items, 0,
                               NULL, NULL);
}

static void clear(const wide *wide) {
  fill_buffer(w.queue, wide->out, 0, NULL, NULL);
}

static void expect_written(const wide *wide, size_t offset, size_t items) {
  pi_uint32 got[LARGEST + OFFSET];
  read_all(wide->out, got, sizeof got);
  for (size_t i = 0; i < LARGEST + OFFSET; i++)
    assert_int_equal(got[i], i >= offset && i < offset + items ? wide->sum + i : 0);
}

static void runs(const wide *wide, size_t offset, size_t items) {
  clear(wide);
  must(launch(wide, offset, items));
  expect_written(wide, offset, items);
}

static size_t group_size(const wide *wide) {
  size_t most = 0;
  must(piKernelGetGroupInfo(wide->kernel, w.device, PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE,
                            sizeof most, &most, NULL));
  return most;
}

static unsigned long links(void) {
  return fake_cuda_calls("cuLinkComplete");
}

/* The registers allow at least 256 work-items, but fewer than requested. */
WORLD_TEST(a_large_group_runs) {
  const wide wide = new_wide(wide_program("", "", ""), "wide");
  const size_t most = group_size(&wide);
  assert_in_range(most, 256, LARGEST - 1);
  unsigned long before = links();
  runs(&wide, 0, most);
  assert_int_equal(links(), before);
  runs(&wide, 0, LARGEST);
  assert_int_equal(links(), before + 1);
  /* One build serves all larger groups. The reported size remains that of the original build. */
  runs(&wide, 0, LARGEST);
  runs(&wide, 0, most + 1);
  runs(&wide, 0, most);
  assert_int_equal(links(), before + 1);
  assert_int_equal(group_size(&wide), most);
  release_wide(&wide);
}

/* Each build is for a group size that is a power of two: here 512 and 1024. */
WORLD_TEST(growing_groups_need_two_builds) {
  const wide wide = new_wide(wide_program("", "", ""), "wide");
  const unsigned long before = links();
  for (size_t items = group_size(&wide); items <= LARGEST; items += 32)
    runs(&wide, 0, items);
  assert_int_equal(links(), before + 2);
  release_wide(&wide);
}

/* Kernels of a program share its builds, and the cache shares them with programs of equal text. */
WORLD_TEST(other_kernels_share_the_build) {
  const wide first = new_wide(wide_program("", "", ""), "wide");
  runs(&first, 0, LARGEST);
  const unsigned long before = links();
  must(piProgramRetain(first.program));
  const wide other = new_wide(first.program, "other");
  runs(&other, 0, LARGEST);
  assert_int_equal(links(), before);
  const wide again = new_wide(wide_program("", "", ""), "wide");
  const unsigned long built = links();
  runs(&again, 0, LARGEST);
  assert_int_equal(links(), built);
  release_wide(&again);
  release_wide(&other);
  release_wide(&first);
}

WORLD_TEST(a_large_group_runs_with_an_offset) {
  const wide wide = new_wide(wide_program("", "", ""), "wide");
  runs(&wide, OFFSET, LARGEST);
  runs(&wide, 0, LARGEST);
  runs(&wide, OFFSET, 32);
  release_wide(&wide);
}

/* A command's code lives as long as its command buffer. */
WORLD_TEST(a_command_buffer_runs_a_large_group) {
  const size_t items = LARGEST;
  const wide wide = new_wide(wide_program("", "", ""), "wide");
  pi_ext_command_buffer commands = NULL;
  must(piextCommandBufferCreate(w.context, w.device, NULL, &commands));
  must(piextCommandBufferNDRangeKernel(commands, wide.kernel, 1, NULL, &items, &items, 0, NULL,
                                       NULL));
  must(piextCommandBufferFinalize(commands));
  clear(&wide);
  must(piKernelRetain(wide.kernel));
  must(piKernelRelease(wide.kernel));
  must(piextEnqueueCommandBuffer(commands, w.queue, 0, NULL, NULL));
  expect_written(&wide, 0, LARGEST);
  must(piextCommandBufferRelease(commands));
  release_wide(&wide);
}

/* With 128 registers 512 work-items run at once. Larger groups still need another build. */
WORLD_TEST(an_option_limits_registers_too) {
  const wide wide = new_wide(wide_program("", "", "--maxrregcount 128"), "wide");
  const unsigned long before = links();
  assert_int_equal(group_size(&wide), 512);
  runs(&wide, 0, 512);
  assert_int_equal(links(), before);
  runs(&wide, 0, LARGEST);
  assert_int_equal(links(), before + 1);
  release_wide(&wide);
}

static void expect_refused(const wide *wide, size_t items) {
  char *sentence;
  char want[160];
  const unsigned long before = links();
  snprintf(
      want, sizeof want,
      "local_work_size is %zu = %zu work-items, kernel wide can have %zu on this device, whose "
      "maximum is %d",
      items, items, group_size(wide), LARGEST);
  fails(PI_ERROR_INVALID_WORK_GROUP_SIZE, launch(wide, 0, items));
  piPluginGetLastError(&sentence);
  assert_string_equal(sentence, want);
  assert_int_equal(links(), before);
}

/*
 * Refused are kernels that declare their own maximum, programs with variables, which a second build
 * would duplicate, and programs from a binary, which has no text to build again.
 */
WORLD_TEST(kernels_that_cannot_be_rebuilt_are_refused) {
  static const char *const heads[] = {".visible .global .align 4 .u32 state;",
                                      ".const .align 4 .u32 table[2] = {1, 2};"};
  wide wide = new_wide(wide_program("", ".maxntid 256", ""), "wide");
  expect_refused(&wide, 257);
  expect_refused(&wide, LARGEST);
  release_wide(&wide);
  for (int i = 0; i < 2; i++) {
    wide = new_wide(wide_program(heads[i], "", ""), "wide");
    expect_refused(&wide, LARGEST);
    release_wide(&wide);
  }
  pi_program program = wide_program("", "", "");
  const pi_program built = program;
  program = reload_program(built);
  must(piProgramRelease(built));
  wide = new_wide(program, "wide");
  expect_refused(&wide, LARGEST);
  runs(&wide, 0, group_size(&wide));
  release_wide(&wide);
}

/* A kernel keeps the number of registers that it declares. Only its first launch tries a build. */
WORLD_TEST(a_declared_register_count_is_kept) {
  const wide wide = new_wide(wide_program("", ".maxnreg 150", ""), "wide");
  const unsigned long before = links();
  fails(PI_ERROR_INVALID_WORK_GROUP_SIZE, launch(&wide, 0, LARGEST));
  fails(PI_ERROR_INVALID_WORK_GROUP_SIZE, launch(&wide, 0, LARGEST));
  assert_int_equal(links(), before + 1);
  runs(&wide, 0, group_size(&wide));
  release_wide(&wide);
}

/* A launch that is wrong for another reason builds nothing. */
WORLD_TEST(a_wrong_launch_builds_nothing) {
  const wide wide = new_wide(wide_program("", "", ""), "wide");
  const size_t global = LARGEST + 1, local = LARGEST;
  const size_t plane[3] = {1, 1, 512};
  const unsigned long before = links();
  fails(PI_ERROR_INVALID_WORK_GROUP_SIZE,
        piEnqueueKernelLaunch(w.queue, wide.kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  fails(PI_ERROR_INVALID_WORK_ITEM_SIZE,
        piEnqueueKernelLaunch(w.queue, wide.kernel, 3, NULL, plane, plane, 0, NULL, NULL));
  assert_int_equal(links(), before);
  release_wide(&wide);
}

/* The launch reports the build's error, and the kernel stays as it was. */
WORLD_TEST(a_failed_build_is_a_failed_launch) {
  const wide wide = new_wide(wide_program("", "", "-O1"), "wide");
  char *sentence;
  clear(&wide);
  fake_cuda_fail("cuModuleLoadDataEx", 1, CUDA_ERROR_INVALID_IMAGE);
  fails(PI_ERROR_INVALID_PROGRAM_EXECUTABLE, launch(&wide, 0, LARGEST));
  fake_cuda_unfail();
  piPluginGetLastError(&sentence);
  assert_ptr_equal(strstr(sentence,
                          "kernel wide cannot be built with the 64 registers of so large a "
                          "work-group: "),
                   sentence);
  expect_written(&wide, 0, 0);
  runs(&wide, 0, group_size(&wide));
  release_wide(&wide);
}

/* Checks that launches in groups of one warp build the kernel so many times. */
static void expect_builds(const wide *wide, unsigned long builds) {
  const unsigned long before = links();
  for (int i = 0; i < 2 * ONE_WARP_LAUNCHES; i++)
    runs(wide, 0, WARP - (size_t)i);
  assert_int_equal(links(), before + builds);
}

/* The first launches build nothing, so that a kernel which is launched a few times costs no more.
 */
WORLD_TEST(groups_of_one_warp_get_a_build_of_their_own) {
  const wide small = new_small("", "", "");
  const unsigned long before = links();
  const size_t most = group_size(&small);
  for (int i = 0; i < ONE_WARP_LAUNCHES; i++)
    runs(&small, 0, WARP);
  assert_int_equal(links(), before);
  runs(&small, 0, WARP);
  assert_int_equal(links(), before + 1);
  expect_builds(&small, 0);
  runs(&small, 0, WARP + 1);
  runs(&small, 0, LARGEST);
  runs(&small, OFFSET, WARP);
  assert_int_equal(group_size(&small), most);
  /* The cache has the build for a program of equal text. */
  const wide again = new_small("", "", "");
  expect_builds(&again, 0);
  release_wide(&again);
  release_wide(&small);
}

/*
 * Nothing is built for kernels that need many registers anyway, that have a size or a number of
 * registers already, or that cannot be built again; nor for other launches.
 */
WORLD_TEST(other_launches_build_nothing) {
  const size_t items = 2 * WARP;
  const wide kernels[] = {new_wide(wide_program("", "", "-O2"), "wide"),
                          new_small("", "", "--maxrregcount 32"),
                          new_small(".visible .global .align 4 .u32 state;", "", "")};
  for (int i = 0; i < 3; i++) {
    expect_builds(&kernels[i], 0);
    release_wide(&kernels[i]);
  }
  wide small = new_small("", ".reqntid 32", "");
  const unsigned long before = links();
  for (int i = 0; i < 2 * ONE_WARP_LAUNCHES; i++)
    runs(&small, 0, WARP);
  release_wide(&small);
  small = new_small("", "", "-O2");
  const unsigned long built = links();
  assert_int_equal(built, before + 1);
  for (int i = 0; i < 2 * ONE_WARP_LAUNCHES; i++) {
    runs(&small, 0, items);
    must(piEnqueueKernelLaunch(w.queue, small.kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  assert_int_equal(links(), built);
  release_wide(&small);
}

/* Without the other build the launch runs the first one, and the kernel is not tried again. */
WORLD_TEST(a_failed_build_for_one_warp_changes_nothing) {
  const wide small = new_small("", "", "-O1");
  for (int i = 0; i < ONE_WARP_LAUNCHES; i++)
    runs(&small, 0, WARP);
  clear(&small);
  fake_cuda_fail("cuModuleLoadDataEx", 1, CUDA_ERROR_INVALID_IMAGE);
  must(launch(&small, 0, WARP));
  fake_cuda_unfail();
  expect_written(&small, 0, WARP);
  expect_builds(&small, 0);
  release_wide(&small);
}

WORLD_TEST(a_warm_launch_allocates_nothing) {
  const wide wide = new_small("", "", "");
  memory_use use = {0};
  for (int part = 0; part < 2; part++) {
    if (part == 1)
      memory_watch(MEMORY_NEVER);
    for (int i = 0; i < 20; i++) {
      must(launch(&wide, 0, LARGEST));
      must(launch(&wide, OFFSET, LARGEST));
      must(launch(&wide, 0, WARP));
      must(piQueueFinish(w.queue));
    }
    if (part == 1)
      use = memory_unwatch();
  }
  assert_int_equal(use.calls, 0);
  release_wide(&wide);
}

typedef struct worker {
  pthread_t thread;
  const wide *wide;
  size_t offset;
  pi_result result;
} worker;

static void *work(void *data) {
  worker *worker = data;
  for (size_t items = LARGEST / 2; items <= LARGEST && worker->result == PI_SUCCESS; items += 256)
    worker->result = launch(worker->wide, worker->offset, items);
  for (int i = 0; i < 2 * ONE_WARP_LAUNCHES && worker->result == PI_SUCCESS; i++)
    worker->result = launch(worker->wide, 0, WARP);
  return NULL;
}

/* Threads that need a build at the same time share one. */
static void threads_build_once(const wide *wide) {
  worker workers[THREADS];
  clear(wide);
  must(piQueueFinish(w.queue));
  for (size_t i = 0; i < THREADS; i++) {
    workers[i] = (worker){.wide = wide, .offset = i % 2 * OFFSET};
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    assert_int_equal(workers[i].result, PI_SUCCESS);
  }
  expect_written(wide, 0, LARGEST + OFFSET);
  release_wide(wide);
}

WORLD_TEST(threads_build_for_a_large_group_once) {
  const wide wide = new_wide(wide_program("", "", ""), "wide");
  threads_build_once(&wide);
}

WORLD_TEST(threads_build_for_one_warp_once) {
  const wide small = new_small("", "", "-O2");
  const unsigned long before = links();
  threads_build_once(&small);
  assert_int_equal(links(), before + 1);
}
