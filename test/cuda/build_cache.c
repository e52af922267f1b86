/*
 * Builds of generated code: which builds share a module, what the cache directory supplies, and
 * that nothing leaks. Each case is a process with a generator and a directory of its own: this
 * program, started with the case's name.
 */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "world.h"

#include "../codegen/cache_world.h"

#include <pthread.h>

enum { PROCESSES = 16, ITEMS = 8 };

/* ---- What the cases share ---- */

static pi_program new_program(const char *name, int value) {
  size_t size;
  pi_program program = NULL;
  unsigned char *module = read_module(name, &size);
  must(piProgramCreate(w.context, module, size, &program));
  free(module);
  if (value != 0)
    must(piextProgramSetSpecializationConstant(program, 7, sizeof value, &value));
  return program;
}

static pi_program build_with(const char *name, int value, const char *options) {
  const pi_program program = new_program(name, value);
  must(piProgramBuild(program, 1, &w.device, options, NULL, NULL));
  return program;
}

static pi_native_handle module_of(pi_program program) {
  pi_native_handle native;
  must(piextProgramGetNativeHandle(program, &native));
  return native;
}

/* Expects a launch to write value times 1, 2, 3, 5, 1, 2 and so on, with more added to each. */
static void expect_results(pi_program program, int value, int more, size_t offset) {
  static const int table[] = {1, 2, 3, 5};
  int results[2 * ITEMS];
  pi_kernel kernel;
  const size_t global = ITEMS;
  const pi_mem out = new_buffer(sizeof results, NULL);
  must(piKernelCreate(program, "small", &kernel));
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &out));
  must(piEnqueueKernelLaunch(w.queue, kernel, 1, offset ? &offset : NULL, &global, NULL, 0, NULL,
                             NULL));
  read_all(out, results, sizeof results);
  for (size_t i = offset; i < offset + ITEMS; i++)
    assert_int_equal(results[i], value * table[i % 4] + more);
  must(piKernelRelease(kernel));
  must(piMemRelease(out));
}

static char *log_of(pi_program program) {
  size_t size;
  must(piProgramGetBuildInfo(program, w.device, PI_PROGRAM_BUILD_INFO_LOG, 0, NULL, &size));
  char *text = malloc(size);
  assert_non_null(text);
  must(piProgramGetBuildInfo(program, w.device, PI_PROGRAM_BUILD_INFO_LOG, size, text, NULL));
  return text;
}

/* ---- In memory ---- */

static void programs_share_a_module(void **state) {
  (void)state;
  const pi_program one = build_with("small.spv", 3, "");
  const pi_program same = build_with("small.spv", 3, "");
  const pi_program other = build_with("small.spv", 4, "");
  const pi_program options = build_with("small.spv", 3, "-O1");
  assert_int_equal(module_of(one), module_of(same));
  assert_int_not_equal(module_of(one), module_of(other));
  assert_int_not_equal(module_of(one), module_of(options));
  expect_results(one, 3, 0, 0);
  expect_results(same, 3, 0, 0);
  expect_results(other, 4, 0, 0);
  /* Builds again with another value, then with the first one. */
  const pi_native_handle former = module_of(one);
  const int four = 4, three = 3;
  must(piextProgramSetSpecializationConstant(one, 7, sizeof four, &four));
  must(piProgramBuild(one, 1, &w.device, "", NULL, NULL));
  assert_int_equal(module_of(one), module_of(other));
  must(piextProgramSetSpecializationConstant(one, 7, sizeof three, &three));
  must(piProgramBuild(one, 1, &w.device, "", NULL, NULL));
  assert_int_equal(module_of(one), former);
  must(piProgramRelease(same));
  expect_results(one, 3, 0, 0);
  expect_results(one, 3, 0, 4);
  must(piProgramRelease(one));
  must(piProgramRelease(other));
  must(piProgramRelease(options));
  /* No program uses the module any more, but the cache still has it. */
  const pi_program again = build_with("small.spv", 3, "");
  assert_int_equal(module_of(again), former);
  expect_results(again, 3, 0, 0);
  must(piProgramRelease(again));
  /* Three texts without entries for offsets, and a complete one for the launch with an offset. */
  assert_int_equal(atomic_load(&generated_count), 4);
}

/*
 * Entries for launches with an offset are generated at the first such launch, and go through the
 * driver's linker as all code does.
 */
static void entries_for_offsets_are_generated_on_demand(void **state) {
  (void)state;
  const unsigned long links = fake_cuda_calls("cuLinkComplete");
  const pi_program program = build_with("small.spv", 3, "");
  const size_t cut = cache_get_counts(&generated_texts).bytes;
  expect_results(program, 3, 0, 4);
  assert_int_equal(fake_cuda_calls("cuLinkComplete"), links + 2);
  const size_t whole = cache_get_counts(&generated_texts).bytes - cut;
  assert_true(whole > cut + 200);
  must(piProgramRelease(program));
}

/* Launches wide.cl's kernel with the largest work-group of the device. */
static pi_result launch_wide(pi_program program, size_t offset) {
  enum { LARGEST = 1024, VALUES = 136 };
  static pi_uint32 got[LARGEST];
  const size_t items = LARGEST;
  pi_uint32 values[VALUES];
  pi_kernel kernel;
  for (pi_uint32 i = 0; i < VALUES; i++)
    values[i] = 7 * i + 1;
  const pi_mem in = new_buffer(sizeof values, values);
  const pi_mem out = new_buffer((LARGEST + offset) * sizeof(pi_uint32), NULL);
  must(piKernelCreate(program, "wide", &kernel));
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &out));
  must(piextKernelSetArgMemObj(kernel, 1, NULL, &in));
  const pi_result result = piEnqueueKernelLaunch(w.queue, kernel, 1, offset ? &offset : NULL,
                                                 &items, &items, 0, NULL, NULL);
  if (result == PI_SUCCESS) {
    pi_uint32 sum = 0;
    for (int i = VALUES; i-- > 0;)
      sum = sum * 3 + values[i];
    must(piEnqueueMemBufferRead(w.queue, out, PI_TRUE, offset * sizeof got[0], sizeof got, got, 0,
                                NULL, NULL));
    for (pi_uint32 i = 0; i < LARGEST; i++)
      assert_int_equal(got[i], sum + i + offset);
  }
  must(piKernelRelease(kernel));
  must(piMemRelease(in));
  must(piMemRelease(out));
  return result;
}

/*
 * Building a kernel again for a larger work-group generates no code, and all kernel objects of that
 * name share the build. The launch is refused if the program has variables that outlive a launch.
 */
static void a_larger_group_is_not_generated_again(void **state) {
  (void)state;
  pi_program program = build_with("wide.spv", 0, "");
  const unsigned long links = fake_cuda_calls("cuLinkComplete");
  must(launch_wide(program, 0));
  must(launch_wide(program, 0));
  assert_int_equal(atomic_load(&generated_count), 1);
  assert_int_equal(fake_cuda_calls("cuLinkComplete"), links + 2);
  must(launch_wide(program, 32));
  must(piProgramRelease(program));
  program = build_with("wide-stateful.spv", 0, "");
  fails(PI_ERROR_INVALID_WORK_GROUP_SIZE, launch_wide(program, 0));
  must(piProgramRelease(program));
}

/* Each program has its own variables that outlive a launch. */
static void each_program_has_its_own_variables(void **state) {
  (void)state;
  const pi_program one = build_with("stateful.spv", 3, "");
  const pi_program same = build_with("stateful.spv", 3, "");
  assert_int_not_equal(module_of(one), module_of(same));
  expect_results(one, 3, 7, 0);
  expect_results(one, 3, 8, 0);
  expect_results(one, 3, 9, 8); /* a launch with an offset finds the same variables */
  expect_results(same, 3, 7, 0);
  must(piProgramBuild(one, 1, &w.device, "", NULL, NULL));
  expect_results(one, 3, 7, 0);
  must(piProgramRelease(one));
  must(piProgramRelease(same));
  assert_int_equal(atomic_load(&generated_count), 1);
}

static void shared_builds_have_the_same_log(void **state) {
  (void)state;
  const pi_program one = build_with("small.spv", 3, "-v");
  const pi_program same = build_with("small.spv", 3, "-v");
  char *first = log_of(one);
  char *second = log_of(same);
  assert_string_equal(first, second);
  free(first);
  free(second);
  must(piProgramRelease(one));
  must(piProgramRelease(same));
}

static void a_failed_build_says_why_each_time(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const pi_program program = new_program("missing.spv", 0);
    fails(PI_ERROR_BUILD_PROGRAM_FAILURE, piProgramBuild(program, 1, &w.device, "", NULL, NULL));
    char *log = log_of(program);
    assert_non_null(strstr(log, "'nobody_has_this'"));
    free(log);
    must(piProgramRelease(program));
  }
}

/* Builds a program in a thread; returns the module, or 0 on failure. */
static void *build_in_thread(void *data) {
  pi_program program = data;
  pi_native_handle native = 0;
  if (piProgramBuild(program, 1, &w.device, "", NULL, NULL) == PI_SUCCESS)
    (void)piextProgramGetNativeHandle(program, &native);
  return (void *)native;
}

/* Threads that want the same build at the same time share one. */
static void threads_share_a_build(void **state) {
  pi_program programs[ITEMS];
  pthread_t all[ITEMS];
  void *modules[ITEMS];
  (void)state;
  for (size_t i = 0; i < ITEMS; i++)
    programs[i] = new_program("small.spv", 3);
  for (size_t i = 0; i < ITEMS; i++)
    assert_int_equal(pthread_create(&all[i], NULL, build_in_thread, programs[i]), 0);
  for (size_t i = 0; i < ITEMS; i++)
    assert_int_equal(pthread_join(all[i], &modules[i]), 0);
  assert_non_null(modules[0]);
  for (size_t i = 0; i < ITEMS; i++) {
    assert_ptr_equal(modules[i], modules[0]);
    expect_results(programs[i], 3, 0, 0);
    must(piProgramRelease(programs[i]));
  }
  assert_int_equal(atomic_load(&generated_count), 1);
}

/* ---- Kernels apart ---- */

static void count_work(unsigned long *links, unsigned long long *texts) {
  *links = fake_cuda_calls("cuLinkComplete");
  *texts = atomic_load(&generated_count);
}

static void expect_work(unsigned long links, unsigned long long texts, unsigned more) {
  unsigned long links_now;
  unsigned long long texts_now;
  count_work(&links_now, &texts_now);
  assert_int_equal(links_now, links + more);
  assert_int_equal(texts_now, texts + more);
}

static pi_kernel kernel_of(pi_program program, const char *name) {
  pi_kernel kernel = NULL;
  must(piKernelCreate(program, name, &kernel));
  return kernel;
}

/* Expects the kernel "first" to write i * i * value. */
static void expect_first(pi_kernel kernel, int value, size_t offset) {
  int results[2 * ITEMS];
  const size_t global = ITEMS;
  const pi_mem out = new_buffer(sizeof results, NULL);
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &out));
  must(piEnqueueKernelLaunch(w.queue, kernel, 1, offset ? &offset : NULL, &global, NULL, 0, NULL,
                             NULL));
  read_all(out, results, sizeof results);
  for (size_t i = offset; i < offset + ITEMS; i++)
    assert_int_equal(results[i], (int)(i * i) * value);
  must(piMemRelease(out));
}

/* Each kernel is built once, when it is created; a program's build builds no kernel. */
static void kernels_are_built_apart(void **state) {
  (void)state;
  unsigned long links;
  unsigned long long texts;
  count_work(&links, &texts);
  const pi_program program = build_with("apart.spv", 3, "");
  expect_work(links, texts, 0);
  const pi_kernel first = kernel_of(program, "first");
  expect_work(links, texts, 1);
  const pi_kernel again = kernel_of(program, "first");
  expect_work(links, texts, 1);
  const pi_kernel second = kernel_of(program, "second");
  expect_work(links, texts, 2);
  expect_first(first, 3, 0);
  expect_first(again, 3, 4);
  expect_work(links, texts, 3); /* the launch with an offset */
  fails(PI_ERROR_INVALID_KERNEL_NAME, piKernelCreate(program, "third", &(pi_kernel){NULL}));
  /* A kernel keeps the values that it was created with. */
  const int four = 4;
  must(piextProgramSetSpecializationConstant(program, 7, sizeof four, &four));
  must(piProgramBuild(program, 1, &w.device, "", NULL, NULL));
  const pi_kernel other = kernel_of(program, "first");
  expect_first(first, 3, 0);
  expect_first(other, 4, 0);
  must(piKernelRelease(first));
  must(piKernelRelease(again));
  must(piKernelRelease(second));
  must(piKernelRelease(other));
  must(piProgramRelease(program));
}

/* Queries and handles that concern the whole program see all kernels. */
static void the_whole_program_has_all_kernels(void **state) {
  (void)state;
  size_t count = 0;
  char names[64];
  const pi_program program = build_with("apart.spv", 3, "");
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_KERNELS, sizeof count, &count, NULL));
  assert_int_equal(count, 2);
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_KERNEL_NAMES, sizeof names, names, NULL));
  assert_string_equal(names, "first;second");
  const pi_program loaded = reload_program(program);
  const pi_kernel kernels[] = {kernel_of(loaded, "first"), kernel_of(loaded, "second")};
  expect_first(kernels[0], 3, 0);
  /* The native handle is a module with all kernels. */
  pi_program same = NULL;
  const pi_native_handle native = module_of(program);
  assert_int_equal(module_of(program), native);
  must(piextProgramCreateWithNativeHandle(native, w.context, false, &same));
  assert_ptr_equal(same, program);
  CUfunction function;
  assert_int_equal(cuModuleGetFunction(&function, (CUmodule)native, "first"), CUDA_SUCCESS);
  assert_int_equal(cuModuleGetFunction(&function, (CUmodule)native, "second"), CUDA_SUCCESS);
  pi_kernel adopted = NULL;
  must(piextKernelCreateWithNativeHandle((pi_native_handle)function, w.context, program, false,
                                         &adopted));
  must(piKernelRelease(adopted));
  must(piKernelRelease(kernels[0]));
  must(piKernelRelease(kernels[1]));
  must(piProgramRelease(loaded));
  must(piProgramRelease(same));
  must(piProgramRelease(program));
}

/*
 * A kernel without code does not affect the others; the build reports an error of the whole module.
 */
static void a_refused_kernel_affects_no_other(void **state) {
  (void)state;
  const char *message;
  const pi_program program = build_with("apart-REFUSED.spv", 3, "");
  const pi_kernel first = kernel_of(program, "first");
  expect_first(first, 3, 0);
  for (int i = 0; i < 2; i++) {
    fails(PI_ERROR_BUILD_PROGRAM_FAILURE, piKernelCreate(program, "refused", &(pi_kernel){NULL}));
    plugin_error_last(&message);
    assert_non_null(strstr(message, "printf"));
    char *log = log_of(program);
    assert_non_null(strstr(log, "printf"));
    free(log);
  }
  must(piKernelRelease(first));
  must(piProgramRelease(program));
  const pi_program missing = new_program("apart-MISSING.spv", 0);
  fails(PI_ERROR_BUILD_PROGRAM_FAILURE, piProgramBuild(missing, 1, &w.device, "", NULL, NULL));
  char *log = log_of(missing);
  assert_non_null(strstr(log, "'nobody_has_this'"));
  free(log);
  must(piProgramRelease(missing));
}

static pi_result link_modules(pi_uint32 count, const char *const *names, pi_program *ret) {
  pi_program parts[3];
  for (pi_uint32 i = 0; i < count; i++) {
    parts[i] = new_program(names[i], strcmp(names[i], "apart-PARTED.spv") == 0 ? 3 : 0);
    must(piProgramCompile(parts[i], 1, &w.device, "", 0, NULL, NULL, NULL, NULL));
  }
  const pi_result result =
      piProgramLink(w.context, 1, &w.device, "", count, parts, NULL, NULL, ret);
  for (pi_uint32 i = 0; i < count; i++)
    must(piProgramRelease(parts[i]));
  return result;
}

/* A program linked from several modules, one of which has kernels, is built in the same way. */
static void linked_kernels_are_built_apart(void **state) {
  (void)state;
  static const char *const names[] = {"apart-PART.spv", "apart-PARTED.spv"};
  unsigned long links;
  unsigned long long texts;
  pi_program program = NULL;
  count_work(&links, &texts);
  must(link_modules(2, names, &program));
  expect_work(links, texts, 0);
  const pi_kernel first = kernel_of(program, "first");
  expect_work(links, texts, 1);
  expect_first(first, 3, 0);
  expect_first(first, 3, 4);
  expect_work(links, texts, 2); /* the launch with an offset */
  fails(PI_ERROR_INVALID_KERNEL_NAME, piKernelCreate(program, "third", &(pi_kernel){NULL}));
  const int four = 4;
  fails(PI_ERROR_INVALID_PROGRAM,
        piextProgramSetSpecializationConstant(program, 7, sizeof four, &four));
  fails(PI_ERROR_INVALID_OPERATION, piProgramBuild(program, 1, &w.device, "", NULL, NULL));
  const pi_program loaded = reload_program(program);
  const pi_kernel whole = kernel_of(loaded, "first");
  expect_first(whole, 3, 0);
  must(piKernelRelease(whole));
  must(piKernelRelease(first));
  must(piProgramRelease(loaded));
  must(piProgramRelease(program));
}

/* The link reports a function that no module defines, or that two define. */
static void a_link_reports_functions_missing_or_twice(void **state) {
  (void)state;
  static const char *const lacking[] = {"apart-PARTED.spv", "small.spv"};
  static const char *const twice[] = {"apart-PARTED.spv", "apart-PART.spv", "apart-PART.spv"};
  pi_program program = NULL;
  fails(PI_ERROR_LINK_PROGRAM_FAILURE, link_modules(2, lacking, &program));
  char *log = log_of(program);
  assert_non_null(strstr(log, "squared"));
  free(log);
  must(piProgramRelease(program));
  program = NULL;
  fails(PI_ERROR_LINK_PROGRAM_FAILURE, link_modules(3, twice, &program));
  log = log_of(program);
  assert_non_null(strstr(log, "squared"));
  free(log);
  must(piProgramRelease(program));
}

/* ---- In a directory ---- */

static void check_everything(unsigned generated) {
  const pi_program program = build_with("small.spv", 3, "-v");
  const pi_program stateful = build_with("stateful.spv", 3, "");
  size_t size = 0;
  expect_results(program, 3, 0, 0);
  expect_results(program, 3, 0, 4);
  expect_results(stateful, 3, 7, 0);
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, sizeof size, &size, NULL));
  assert_true(size > 100);
  free(log_of(program));
  must(piProgramRelease(program));
  must(piProgramRelease(stateful));
  assert_int_equal(atomic_load(&generated_count), generated);
}

static void builds_are_written(void **state) {
  (void)state;
  check_everything(3);
  /* PTX and a cubin of each program, and the whole PTX of one. */
  assert_int_equal(cache_directory_get_counts(&generated_directory).disk_writes, 5);
}

static void builds_are_loaded(void **state) {
  (void)state;
  check_everything(0);
  const cache_directory_counts counts = cache_directory_get_counts(&generated_directory);
  /* Both cubins, and PTX with the entries for offsets that one of them lacks. */
  assert_int_equal(counts.disk_hits, 3);
  assert_int_equal(counts.disk_writes, 0);
}

/* Another process finds the result of the module's check and the kernels in the directory. */
static void kernels_are_loaded(void **state) {
  (void)state;
  const pi_program program = build_with("apart.spv", 3, "");
  const pi_kernel first = kernel_of(program, "first");
  expect_first(first, 3, 0);
  must(piKernelRelease(first));
  must(piProgramRelease(program));
  expect_work(0, 0, 0);
  assert_int_equal(cache_directory_get_counts(&generated_directory).disk_writes, 0);
}

/* PTX is linked once for all processes. */
static void check_ptx(unsigned links, unsigned written) {
  static const char text[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                             ".visible .entry plain(.param .u64 out)\n{\n  ret;\n}\n";
  pi_program program = NULL;
  must(piProgramCreate(w.context, text, sizeof text - 1, &program));
  must(piProgramBuild(program, 1, &w.device, "", NULL, NULL));
  must(piKernelRelease(kernel_of(program, "plain")));
  must(piProgramRelease(program));
  assert_int_equal(fake_cuda_calls("cuLinkComplete"), links);
  assert_int_equal(cache_directory_get_counts(&generated_directory).disk_writes, written);
}

static void ptx_is_linked_and_written(void **state) {
  (void)state;
  check_ptx(1, 1);
}

static void ptx_is_loaded(void **state) {
  (void)state;
  check_ptx(0, 0);
}

/* Code that the driver loads but cannot link still works, and is not stored. */
static void code_that_cannot_be_linked_is_not_written(void **state) {
  (void)state;
  fake_cuda_fail("cuLinkComplete", 1, CUDA_ERROR_INVALID_PTX);
  const pi_program program = build_with("small.spv", 3, "");
  expect_results(program, 3, 0, 0);
  must(piProgramRelease(program));
  assert_int_equal(cache_directory_get_counts(&generated_directory).disk_writes, 1);
}

/* Many processes run this case at once, and one of them builds. */
static void a_build_beside_others_works(void **state) {
  (void)state;
  const pi_program program = build_with("small.spv", 3, "");
  expect_results(program, 3, 0, 0);
  must(piProgramRelease(program));
}

/* ---- The processes ---- */

/* X(name): the cases. */
#define CASES(X)                                                                                   \
  X(a_larger_group_is_not_generated_again)                                                         \
  X(programs_share_a_module)                                                                       \
  X(entries_for_offsets_are_generated_on_demand)                                                   \
  X(threads_share_a_build)                                                                         \
  X(each_program_has_its_own_variables)                                                            \
  X(shared_builds_have_the_same_log)                                                               \
  X(a_failed_build_says_why_each_time)                                                             \
  X(kernels_are_built_apart)                                                                       \
  X(the_whole_program_has_all_kernels)                                                             \
  X(a_refused_kernel_affects_no_other)                                                             \
  X(linked_kernels_are_built_apart)                                                                \
  X(a_link_reports_functions_missing_or_twice)                                                     \
  X(kernels_are_loaded)                                                                            \
  X(ptx_is_linked_and_written)                                                                     \
  X(ptx_is_loaded)                                                                                 \
  X(builds_are_written)                                                                            \
  X(builds_are_loaded)                                                                             \
  X(code_that_cannot_be_linked_is_not_written)                                                     \
  X(a_build_beside_others_works)

static int run_case(const char *name) {
#define ONE(case_name)                                                                             \
  if (strcmp(name, #case_name) == 0) {                                                             \
    const struct CMUnitTest tests[] = {                                                            \
        cmocka_unit_test_setup_teardown(case_name, open_world, close_world)};                      \
    return cmocka_run_group_tests(tests, NULL, NULL);                                              \
  }
  CASES(ONE)
#undef ONE
  return 99;
}

static pid_t start_case(const char *name) {
  const pid_t process = tests_fork();
  if (process == 0) {
    execl("/proc/self/exe", "cuda-build-cache", name, (char *)NULL);
    _exit(98);
  }
  return process;
}

static void run_process(const char *name) {
  tests_join(start_case(name));
}

#define CACHE_TEST(name) TEST_WITH(name, cache_setup, cache_teardown)

CACHE_TEST(builds_are_shared_in_memory) {
  static const char *const names[] = {"programs_share_a_module",
                                      "entries_for_offsets_are_generated_on_demand",
                                      "threads_share_a_build",
                                      "each_program_has_its_own_variables",
                                      "shared_builds_have_the_same_log",
                                      "a_failed_build_says_why_each_time",
                                      "kernels_are_built_apart",
                                      "the_whole_program_has_all_kernels",
                                      "a_refused_kernel_affects_no_other",
                                      "linked_kernels_are_built_apart",
                                      "a_link_reports_functions_missing_or_twice",
                                      "a_larger_group_is_not_generated_again"};
  assert_int_equal(setenv("SPECPI_CACHE_DIR", "", 1), 0);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    run_process(names[i]);
}

/* Runs the cases with a directory, so that modules are loaded from cubins. */
CACHE_TEST(builds_are_shared_beside_a_directory) {
  run_process("programs_share_a_module");
  run_process("a_failed_build_says_why_each_time");
  run_process("shared_builds_have_the_same_log");
  run_process("shared_builds_have_the_same_log");
}

CACHE_TEST(later_processes_use_the_directory) {
  pid_t latest;
  run_process("code_that_cannot_be_linked_is_not_written");
  assert_int_equal(scratch_remove(cache_place), 0);
  assert_int_equal(unlink(cache_in("starts")), 0);
  run_process("builds_are_written");
  run_process("builds_are_loaded");
  assert_int_equal(cache_starts(&latest), 1);
  run_process("kernels_are_built_apart");
  run_process("kernels_are_loaded");
  assert_int_equal(cache_starts(&latest), 2);
  run_process("ptx_is_linked_and_written");
  run_process("ptx_is_loaded");
}

CACHE_TEST(one_of_many_processes_builds) {
  pid_t processes[PROCESSES];
  pid_t latest;
  for (size_t i = 0; i < PROCESSES; i++)
    processes[i] = start_case("a_build_beside_others_works");
  for (size_t i = 0; i < PROCESSES; i++)
    tests_join(processes[i]);
  assert_int_equal(cache_starts(&latest), 1);
}

int main(int count, char **arguments) {
  return count == 2 ? run_case(arguments[1]) : tests_run(NULL, NULL);
}
