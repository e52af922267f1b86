/* Results of PTX on the fake CUDA driver, against results computed here. */
#define _POSIX_C_SOURCE 200809L /* dup2 */
#include "device.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static int start_optimised(void **state) {
  (void)state;
  return start("kernels", 3);
}

static int start_plain(void **state) {
  (void)state;
  return start("kernels", 0);
}

TEST(ids_and_sizes_are_right) {
  static long long out[ITEMS][COLUMNS];
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "ids", 2, out, sizeof out);
    for (int i = 0; i < ITEMS; i++) {
      const int x = i % (ITEMS / 2);
      const int y = i / (ITEMS / 2);
      const int width = LOCAL / 2;
      const int linear = y * width + x % width;
      const int id = i;
      const int first = linear - linear % sizes[s];
      const long long *at = out[i];
      EXPECT(0, x % width + 100 * y);
      EXPECT(1, x / width);
      EXPECT(2, width + 200);
      EXPECT(3, GROUPS + 100);
      EXPECT(4, linear);
      EXPECT(5, i);
      EXPECT(6, 2);
      EXPECT(7, LOCAL - first < sizes[s] ? LOCAL - first : sizes[s]);
      EXPECT(8, sizes[s]);
      EXPECT(9, (LOCAL + sizes[s] - 1) / sizes[s]);
      EXPECT(10, linear / sizes[s]);
      EXPECT(11, linear % sizes[s]);
      EXPECT(12, 0);
      EXPECT(13, 42);
    }
  }
}

/* Reductions of a range of inputs. */
typedef struct summary {
  long long sum, least, most, any, all;
} summary;

static summary summarize(int first, int past) {
  summary ret = {.least = 1000, .most = -1000, .all = 1};
  for (int i = first; i < past; i++) {
    ret.sum += inputs[i];
    ret.least = inputs[i] < ret.least ? inputs[i] : ret.least;
    ret.most = inputs[i] > ret.most ? inputs[i] : ret.most;
    ret.any |= inputs[i] == 7;
    ret.all &= inputs[i] >= 0;
  }
  return ret;
}

TEST(work_group_functions_are_right) {
  static long long out[ITEMS][COLUMNS];
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "work_groups", 1, out, sizeof out);
    for (int id = 0; id < ITEMS; id++) {
      const int first = id - id % LOCAL;
      const summary all = summarize(first, first + LOCAL);
      const summary before = summarize(first, id);
      const long long *at = out[id];
      EXPECT(0, all.sum);
      EXPECT(1, all.least);
      EXPECT(2, all.most);
      EXPECT(3, before.sum + inputs[id]);
      EXPECT(4, before.sum);
      EXPECT(5, summarize(first, id + 1).most);
      if (id != first)
        EXPECT(6, before.least);
      EXPECT(7, inputs[first + 3]);
      EXPECT(8, all.any);
      EXPECT(9, all.all);
    }
  }
}

/* The generator has to find out itself which functions contain barriers. */
TEST(a_barrier_in_a_function_is_found) {
  static long long out[ITEMS][COLUMNS];
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "flags", 1, out, sizeof out);
    for (int id = 0; id < ITEMS; id++) {
      const int other = inputs[id - id % LOCAL + (id % LOCAL ^ 1)];
      const long long *at = out[id];
      EXPECT(0, inputs[id] > 3 ? other : -1);
    }
  }
}

TEST(sub_group_functions_are_right) {
  static long long out[ITEMS][COLUMNS];
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "sub_groups", 1, out, sizeof out);
    for (int id = 0; id < ITEMS; id++) {
      const int lane = id % LOCAL % sizes[s];
      const int first = id - lane;
      const int group_end = id - id % LOCAL + LOCAL;
      const int past = first + sizes[s] < group_end ? first + sizes[s] : group_end;
      const summary all = summarize(first, past);
      const summary before = summarize(first, id);
      const long long *at = out[id];
      EXPECT(0, all.sum);
      EXPECT(1, all.least);
      EXPECT(2, before.sum + inputs[id]);
      EXPECT(3, before.sum);
      EXPECT(4, lane == 0 ? -2147483648LL : before.most);
      EXPECT(5, (long long)inputs[first + 2] << 33);
      EXPECT(6, all.any);
      EXPECT(7, all.all);
      EXPECT(8, inputs[first + 1]);
      EXPECT(9, inputs[first + (lane ^ 1)]);
      /* In a partial sub-group the results that come from missing work-items are undefined. */
      const bool whole = past == first + sizes[s];
      if (lane != 0 || whole)
        EXPECT(10, lane == 0 ? -1 : inputs[id - 1]);
      if (id + 1 < past || whole)
        EXPECT(11, id + 1 < past ? inputs[id + 1] : -2);
    }
  }
}

TEST(blocks_are_read_and_written) {
  static int out[2 * ITEMS];
  /* Only sub-groups of 8 divide the work-group evenly. */
  run_kernel(0, "blocks", 1, out, sizeof out);
  for (int i = 0; i < 2 * ITEMS; i++)
    assert_int_equal(out[i], inputs[i] + 1);
}

TEST(atomics_are_right) {
  for (size_t s = 0; s < 3; s++) {
    int ints[5 + ITEMS] = {0, -5, 5};
    long long longs[2] = {0, -1};
    long long seen[ITEMS];
    CUdeviceptr memory[3];
    CU(cuMemAlloc(&memory[0], sizeof ints));
    CU(cuMemAlloc(&memory[1], sizeof longs));
    CU(cuMemAlloc(&memory[2], sizeof seen));
    for (int i = 0; i < ITEMS; i++)
      ints[5 + i] = i;
    CU(cuMemcpyHtoD(memory[0], ints, sizeof ints));
    CU(cuMemcpyHtoD(memory[1], longs, sizeof longs));
    void *arguments[] = {&memory[0], &memory[1], &memory[2]};
    launch(loaded[s], "atomics", 1, 0, arguments);
    CU(cuMemcpyDtoH(ints, memory[0], sizeof ints));
    CU(cuMemcpyDtoH(longs, memory[1], sizeof longs));
    CU(cuMemcpyDtoH(seen, memory[2], sizeof seen));
    for (size_t i = 0; i < 3; i++)
      CU(cuMemFree(memory[i]));
    const long long sum = ITEMS * (ITEMS - 1) / 2;
    assert_int_equal(ints[0], sum);
    assert_int_equal(ints[1], ITEMS - 1);
    assert_int_equal(ints[2], 0);
    assert_int_equal(ints[3], 0x7fffffff);
    assert_int_equal(ints[4], 2 * ITEMS);
    assert_true(longs[0] == -sum * 4294967296LL);
    assert_true(longs[1] == (ITEMS - 1) * 4294967296LL);
    for (int i = 0; i < ITEMS; i++) {
      assert_int_equal(ints[5 + i], 5);
      assert_int_equal(seen[i], LOCAL + 100 * i);
    }
  }
}

TEST(generic_pointers_reach_every_kind_of_memory) {
  static const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
  static long long out[ITEMS][COLUMNS];
  long long sum = 0;
  for (int i = 0; i < 8; i++)
    sum += inputs[i];
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "spaces", 1, out, sizeof out);
    for (int id = 0; id < ITEMS; id++) {
      const long long *at = out[id];
      EXPECT(0, sum + 8 * (id % LOCAL));
      EXPECT(1, 2 * sum + 1000);
      EXPECT(2, 3 * sum + 1000);
      EXPECT(3, sum + 2000);
      EXPECT(4, table[id % LOCAL & 7]);
    }
  }
}

TEST(structures_are_passed_by_value) {
  static long long out[ITEMS][COLUMNS];
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "records", 1, out, sizeof out);
    for (int id = 0; id < ITEMS; id++) {
      const long long *at = out[id];
      long long sum = 0;
      for (int i = 0; i < id % 5; i++)
        sum += inputs[2 + (i & 3)];
      EXPECT(0, inputs[0] + inputs[1] * sum);
      EXPECT(1, inputs[1] + sum);
      EXPECT(2, inputs[1]);
    }
  }
}

/* Returns the bits of a half, for a whole number from 0 to 2047 or a quarter of one. */
static unsigned half_of(double value) {
  int exponent;
  const double part = frexp(value, &exponent);
  if (value == 0)
    return 0;
  return (unsigned)(exponent + 14) << 10 | ((unsigned)(part * 2048) & 0x3ff);
}

TEST(functions_of_halves_are_right) {
  unsigned short in[ITEMS];
  unsigned short out[ITEMS][5];
  CUdeviceptr memory[2];
  for (int i = 0; i < ITEMS; i++)
    in[i] = (unsigned short)half_of(i % 32 * (i % 32));
  CU(cuMemAlloc(&memory[0], sizeof out));
  CU(cuMemAlloc(&memory[1], sizeof in));
  CU(cuMemcpyHtoD(memory[1], in, sizeof in));
  void *arguments[] = {&memory[0], &memory[1]};
  launch(loaded[2], "halves", 1, 0, arguments);
  CU(cuMemcpyDtoH(out, memory[0], sizeof out));
  CU(cuMemFree(memory[0]));
  CU(cuMemFree(memory[1]));
  for (int i = 0; i < ITEMS; i++) {
    const int root = i % 32;
    const int value = root * root;
    assert_int_equal(out[i][0], half_of(root));
    assert_int_equal(out[i][1], half_of(value > 3 ? value : 3));
    if (root < 7)
      assert_int_equal(out[i][2], half_of(value * value + 1));
    assert_int_equal(out[i][3], half_of(value) | 0x8000);
    assert_int_equal(out[i][4], half_of(1300 + (value > 8 ? 4 : 0)));
  }
}

/* Builds PTX of a module; the caller frees the text. */
static char *build_file(const char *name) {
  size_t size;
  codegen *generators = make_generators(CODEGEN_PROGRAM, 120000);
  unsigned char *bytes = read_module(name, &size);
  char *ptx = build_module(generators, request_of(bytes, size));
  free(bytes);
  codegen_free(generators);
  return ptx;
}

/* Builds and loads a module. */
static CUmodule load_module(const char *name) {
  CUmodule module;
  char *ptx = build_file(name);
  CU(cuModuleLoadData(&module, ptx));
  free(ptx);
  return module;
}

/* bar.sync is an aligned barrier: it does not hold lanes of one warp that arrive separately. */
TEST(only_sub_groups_of_32_use_bar_sync) {
  for (size_t s = 0; s < 3; s++) {
    char name[16];
    snprintf(name, sizeof name, "kernels%d.spv", sizes[s]);
    char *ptx = build_file(name);
    assert_int_equal(strstr(ptx, "bar.sync") != NULL, sizes[s] == 32);
    assert_int_equal(strstr(ptx, "barrier.sync") != NULL, sizes[s] != 32);
    free(ptx);
  }
}

TEST(a_split_barrier_waits_for_all) {
  int out[ITEMS];
  CUdeviceptr memory;
  const CUmodule module = load_module("split.spv");
  CU(cuMemAlloc(&memory, sizeof out));
  void *arguments[] = {&memory};
  launch(module, "split", 1, 0, arguments);
  CU(cuMemcpyDtoH(out, memory, sizeof out));
  for (int i = 0; i < ITEMS; i++)
    assert_int_equal(out[i], 3 * (LOCAL - 1 - i % LOCAL));
  CU(cuMemFree(memory));
  CU(cuModuleUnload(module));
}

/* Integers of 48 bits. */
TEST(integers_of_48_bits_are_right) {
  unsigned long long numbers[ITEMS];
  unsigned long long sums[ITEMS];
  CUdeviceptr memory[2];
  const CUmodule module = load_module("odd.spv");
  for (unsigned i = 0; i < ITEMS; i++)
    numbers[i] = 0x9e3779b97f4a7c15ULL * (i + 1);
  for (size_t i = 0; i < 2; i++)
    CU(cuMemAlloc(&memory[i], sizeof numbers));
  CU(cuMemcpyHtoD(memory[1], numbers, sizeof numbers));
  void *arguments[] = {&memory[0], &memory[1]};
  launch(module, "odd", 1, 0, arguments);
  CU(cuMemcpyDtoH(sums, memory[0], sizeof sums));
  for (size_t i = 0; i < ITEMS; i++)
    assert_int_equal(sums[i], 2 * numbers[i] & 0xffffffffffffULL);
  for (size_t i = 0; i < 2; i++)
    CU(cuMemFree(memory[i]));
  CU(cuModuleUnload(module));
}

TEST(an_index_past_the_last_dimension_reads_one_work_item) {
  static const unsigned long long some[] = {
      0, 1, 2, 3, 4, 8, 0xffffffff, 0x80000000, 0x100000000, ~0ull, 255, 0x100000002};
  enum { COUNT = sizeof some / sizeof some[0] };
  unsigned long long indices[ITEMS];
  unsigned long long out[ITEMS][4];
  CUdeviceptr memory[2];
  const CUmodule module = load_module("dimensions.spv");
  for (size_t i = 0; i < ITEMS; i++)
    indices[i] = some[i % COUNT];
  CU(cuMemAlloc(&memory[0], sizeof out));
  CU(cuMemAlloc(&memory[1], sizeof indices));
  CU(cuMemcpyHtoD(memory[1], indices, sizeof indices));
  void *arguments[] = {&memory[0], &memory[1]};
  launch(module, "dimensions", 1, 0, arguments);
  CU(cuMemcpyDtoH(out, memory[0], sizeof out));
  for (size_t i = 0; i < ITEMS; i++) {
    const unsigned long long id = indices[i] == 0 ? i % LOCAL : 0;
    assert_int_equal(out[i][0], indices[i] == 0 ? GROUPS : 1);
    assert_int_equal(out[i][1], (unsigned)indices[i] == 0 ? GROUPS : 1);
    assert_int_equal(out[i][2], id);
    assert_int_equal(out[i][3], id);
  }
  for (size_t i = 0; i < 2; i++)
    CU(cuMemFree(memory[i]));
  CU(cuModuleUnload(module));
}

static int trailing_zeros(unsigned long long value, int width) {
  int count = 0;
  while (count < width && !(value >> count & 1))
    count++;
  return count;
}

TEST(results_that_were_wrong_are_right) {
  static long long out[ITEMS][COLUMNS];
  CUdeviceptr memory;
  const CUmodule module = load_module("numbers.spv");
  CU(cuMemAlloc(&memory, sizeof out));
  void *arguments[] = {&memory, &device_inputs};
  launch(module, "numbers", 1, 0, arguments);
  CU(cuMemcpyDtoH(out, memory, sizeof out));
  CU(cuMemFree(memory));
  CU(cuModuleUnload(module));
  for (size_t i = 0; i < ITEMS; i++) {
    const int value = inputs[i];
    const unsigned long long bits = 0x123456789abcdef0ULL * (unsigned)(value + 1);
    const unsigned places = (unsigned)(value * 3 - 64) & 63;
    const unsigned back = -places & 63;
    assert_int_equal(out[i][0], bits << places | bits >> back);
    assert_int_equal(out[i][1], bits << places | bits >> back);
    assert_int_equal(out[i][2], bits >> places | bits << back);
    assert_int_equal(out[i][3], trailing_zeros((unsigned)value, 8));
    assert_int_equal(out[i][4], trailing_zeros((unsigned)value << 4, 16));
    assert_int_equal(out[i][5], trailing_zeros(bits, 64));
    assert_int_equal(out[i][7], 1); /* the smallest half, larger than the products */
    assert_int_equal(out[i][6],
                     (((long long)value << 20) * ((long long)value << 20) >> 32) + value);
    /* The largest numbers below 2^31, 2^32, 2^63 and 2^64, and the smallest one above -2^31. */
    assert_int_equal(out[i][8], 0x4effffff);
    assert_int_equal(out[i][9], 0x4f7fffff);
    assert_int_equal(out[i][10], 0x5effffff);
    assert_int_equal(out[i][11], 0x43efffffffffffff);
    assert_int_equal(out[i][12], (int)0xceffffff);
  }
}

/*
 * A redirection of stdout and stderr to a file. NVIDIA's driver prints to stdout and reports failed
 * assertions on stderr.
 */
typedef struct capture {
  FILE *file;
  int out, err;
} capture;

static capture begin_capture(void) {
  const capture ret = {.file = tmpfile(), .out = dup(STDOUT_FILENO), .err = dup(STDERR_FILENO)};
  assert_non_null(ret.file);
  fflush(stdout);
  assert_int_equal(dup2(fileno(ret.file), STDOUT_FILENO), STDOUT_FILENO);
  assert_int_equal(dup2(fileno(ret.file), STDERR_FILENO), STDERR_FILENO);
  return ret;
}

static void end_capture(const capture *capture, char *text, size_t size) {
  fflush(stdout);
  assert_int_equal(dup2(capture->out, STDOUT_FILENO), STDOUT_FILENO);
  assert_int_equal(dup2(capture->err, STDERR_FILENO), STDERR_FILENO);
  close(capture->out);
  close(capture->err);
  rewind(capture->file);
  text[fread(text, 1, size - 1, capture->file)] = '\0';
  fclose(capture->file);
}

/* Captures what a kernel prints, up to size bytes, and checks that its printf returned 0. */
static void read_printed(const char *kernel, char *text, size_t size) {
  float value = 2.5f;
  CUdeviceptr memory;
  CU(cuMemAlloc(&memory, sizeof value));
  CU(cuMemcpyHtoD(memory, &value, sizeof value));
  void *arguments[] = {&memory};
  const capture to = begin_capture();
  launch(loaded[2], kernel, 1, 0, arguments);
  end_capture(&to, text, size);
  CU(cuMemcpyDtoH(&value, memory, sizeof value));
  CU(cuMemFree(memory));
  assert_true(value == 0);
}

TEST(printf_prints_every_conversion) {
  char text[1024];
  read_printed("prints", text, sizeof text);
  assert_string_equal(text, "item 3 of 80: has 2.5 x\n");
  read_printed("prints_all", text, sizeof text);
  assert_string_equal(text, "2.5,1.0,-2.0,3.2|5,-7|0x1,0xc8,0xff|1099511627776,-5|\n"
                            "-5|65535|-1099511627776|18446744073709551615|123456789abcdef|5|10|"
                            "    5|5    |+5|%\n"
                            "2.500000|2.50e+00|2.5|0x1p+0|    -2.500|1E-10\n"
                            "text|     right|y|0x1234|-5\n"
                            "plain 100%\n");
}

/* Wrong calls of printf and impossible sub-group sizes get a message. */
TEST(refused_modules_get_a_message) {
  static const struct {
    const char *module, *sentence;
  } cases[] = {
      {"prints-MANY.spv", "printf is called with more than 32 arguments"},
      {"prints-SHAPE.spv", "argument 1 of printf has 4 elements, and its format wants 2"},
      {"prints-TYPE.spv", "argument 1 of printf has a type that %d does not print"},
      {"prints-KIND.spv", "printf's format has a conversion that is none of OpenCL's: %n"},
      {"prints-FEW.spv", "printf is called with 1 arguments, and its format wants more"},
      {"sized-FOUR.spv", "kernel 'sized' requires sub-groups of 4 work-items, and there are those "
                         "of 8, 16 and 32"},
      {"sized-RECURSIVE.spv", "function 'depth' depends on the size of sub-groups, and cannot be "
                              "inlined into the module's kernels, whose sizes differ"},
  };
  codegen *generators = make_generators(CODEGEN_PROGRAM, 120000);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t size;
    const char *message;
    codegen_answer answer;
    unsigned char *bytes = read_module(cases[i].module, &size);
    const codegen_request request = request_of(bytes, size);
    assert_int_not_equal(codegen_build(generators, &request, &answer), PI_SUCCESS);
    plugin_error_last(&message);
    assert_non_null(strstr(message, cases[i].sentence));
    free(bytes);
  }
  codegen_free(generators);
}

/* Modules are linked: each has its own values, and its functions are inlined into the others. */
TEST(several_modules_are_linked) {
  const unsigned char value[] = {40, 0, 0, 0};
  const codegen_value values[] = {{.id = 3, .size = 4, .bytes = value}};
  int out = 2;
  size_t size, other_size;
  CUmodule module;
  CUdeviceptr memory;
  codegen_answer answer;
  const char *message;
  codegen *generators = make_generators(CODEGEN_PROGRAM, 120000);
  unsigned char *bytes = read_module("missing.spv", &size);
  unsigned char *other = read_module("found.spv", &other_size);
  codegen_request again = request_of(other, other_size);
  codegen_request also = request_of(other, other_size);
  also.values = values;
  also.value_count = 1;
  codegen_request request = request_of(bytes, size);
  request.also = &also;
  char *ptx = build_module(generators, request);
  assert_null(strstr(ptx, "nobody_has_this"));
  CU(cuModuleLoadData(&module, ptx));
  CU(cuMemAlloc(&memory, sizeof out));
  CU(cuMemcpyHtoD(memory, &out, sizeof out));
  void *arguments[] = {&memory};
  CUfunction function;
  CU(cuModuleGetFunction(&function, module, "calls"));
  CU(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  CU(cuMemcpyDtoH(&out, memory, sizeof out));
  assert_int_equal(out, 42);
  CU(cuMemFree(memory));
  CU(cuModuleUnload(module));
  free(ptx);
  also.also = &again;
  assert_int_not_equal(codegen_build(generators, &request, &answer), PI_SUCCESS);
  plugin_error_last(&message);
  assert_non_null(strstr(message, "modules of one program do not fit"));
  assert_non_null(strstr(message, "nobody_has_this"));
  free(bytes);
  free(other);
  codegen_free(generators);
}

/* ---- A module that clang did not optimise ---- */

static CUmodule unoptimised;
static CUcontext own_context;

static int start_unoptimised(void **state) {
  (void)state;
  size_t size;
  CU(cuInit(0));
  CU(cuCtxCreate(&own_context, 0, 0)); /* a failed assertion makes a context unusable */
  codegen *generators = make_generators(CODEGEN_PROGRAM, 120000);
  unsigned char *bytes = read_module("unoptimised.spv", &size);
  char *ptx = build_module(generators, request_of(bytes, size));
  /* The generator inlines functions even so, so that no array is in memory. */
  assert_null(strstr(ptx, ".local"));
  CU(cuModuleLoadData(&unoptimised, ptx));
  free(ptx);
  free(bytes);
  codegen_free(generators);
  return 0;
}

static int end_unoptimised(void **state) {
  (void)state;
  CU(cuCtxDestroy(own_context));
  return 0;
}

static void code_that_clang_did_not_optimise_is_right(void **state) {
  (void)state;
  float out[ITEMS];
  CUdeviceptr memory;
  CU(cuMemAlloc(&memory, sizeof out));
  void *arguments[] = {&memory};
  launch(unoptimised, "sums", 1, 0, arguments);
  CU(cuMemcpyDtoH(out, memory, sizeof out));
  for (int i = 0; i < ITEMS; i++)
    assert_true(out[i] == (float)(16 * i + 120));
  CU(cuMemFree(memory));
}

/* The driver reports the place and the work-item of a failed assertion; later calls fail. */
static void a_failed_assertion_is_reported(void **state) {
  (void)state;
  char text[1024];
  CUdeviceptr memory;
  CUfunction function;
  CU(cuMemAlloc(&memory, ITEMS * sizeof(float)));
  CU(cuModuleGetFunction(&function, unoptimised, "asserts"));
  void *arguments[] = {&memory};
  const capture to = begin_capture();
  const CUresult launched =
      cuLaunchKernel(function, 1, 1, 1, LOCAL, 1, 1, 0, NULL, arguments, NULL);
  const CUresult finished = cuCtxSynchronize();
  end_capture(&to, text, sizeof text);
  assert_true(launched == CUDA_SUCCESS || launched == CUDA_ERROR_ASSERT);
  assert_int_equal(finished, CUDA_ERROR_ASSERT);
  assert_non_null(strstr(text, "some.cpp:42: void work(): block: [0,0,0], thread: [3,0,0] "
                               "Assertion `lane < 3` failed."));
}

int main(void) {
  const int failed = tests_run_named("optimised", start_optimised, end);
  const struct CMUnitTest own[] = {cmocka_unit_test(code_that_clang_did_not_optimise_is_right),
                                   cmocka_unit_test(a_failed_assertion_is_reported)};
  return failed + tests_run_named("not optimised", start_plain, end) +
         cmocka_run_group_tests_name("unoptimised", own, start_unoptimised, end_unoptimised);
}
