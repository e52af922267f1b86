/* Kernels: creation, every kind of argument, queries, exec info, native handles. */
#include "fixture.h"

INFO_CALL(kernel_info, pi_kernel, pi_kernel_info, piKernelGetInfo)

static pi_result group_info(void *object, pi_uint32 query, size_t size, void *value,
                            size_t *size_ret) {
  return pi.piKernelGetGroupInfo(object, the_device(), (pi_kernel_group_info)query, size, value,
                                 size_ret);
}

static pi_kernel basic(const char *name) {
  return new_kernel(new_built_program(module_basic()), name);
}

static pi_kernel with_arguments(const char *name) {
  return new_kernel(new_built_program(module_arguments()), name);
}

static pi_uint32 references(pi_kernel kernel) {
  pi_uint32 count = 0;
  expect_success(
      pi.piKernelGetInfo(kernel, PI_KERNEL_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

TEST(kernel, create_refuses) {
  const pi_program built = new_built_program(module_basic());
  pi_kernel kernel;
  expect_error_keeps(PI_ERROR_INVALID_PROGRAM, kernel, pi.piKernelCreate(NULL, "numbers", &kernel));
  expect_error_keeps(PI_ERROR_INVALID_KERNEL_NAME, kernel,
                     pi.piKernelCreate(built, "no_such_kernel", &kernel));
  expect_error_keeps(PI_ERROR_INVALID_PROGRAM_EXECUTABLE, kernel,
                     pi.piKernelCreate(new_program(module_basic()), "numbers", &kernel));
}

TEST(kernel, create_refuses_null_pointers) {
  const pi_program built = new_built_program(module_basic());
  pi_kernel kernel;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, kernel, pi.piKernelCreate(built, NULL, &kernel));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piKernelCreate(built, "numbers", NULL));
}

static bool nothing_optional(pi_uint32 query) {
  (void)query;
  return false;
}

/* Only custom devices have a global work size, and only GPUs a number of registers. */
static bool optional_group_query(pi_uint32 query) {
  return query == PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE || query == PI_KERNEL_GROUP_INFO_NUM_REGS;
}

QUERY_TESTS(kernel, query, pi_kernel_info, kernel_info, basic("numbers"), nothing_optional,
            PI_ERROR_INVALID_KERNEL)

QUERY_TESTS(kernel, group_query, pi_kernel_group_info, group_info, basic("numbers"),
            optional_group_query, PI_ERROR_INVALID_KERNEL)

TEST(kernel, queries_make_sense) {
  const pi_program program = new_built_program(module_arguments());
  const pi_kernel kernel = new_kernel(program, "add");
  pi_uint32 arguments = 0;
  pi_context context = NULL;
  pi_program of = NULL;
  char name[4] = "";
  expect_success(
      pi.piKernelGetInfo(kernel, PI_KERNEL_INFO_NUM_ARGS, sizeof arguments, &arguments, NULL));
  expect_equal(3, arguments);
  expect_success(pi.piKernelGetInfo(kernel, PI_KERNEL_INFO_FUNCTION_NAME, sizeof name, name, NULL));
  expect(strcmp(name, "add") == 0, "the name is \"%s\"", name);
  expect_success(
      pi.piKernelGetInfo(kernel, PI_KERNEL_INFO_CONTEXT, sizeof context, &context, NULL));
  expect_same(the_context(), context);
  expect_success(pi.piKernelGetInfo(kernel, PI_KERNEL_INFO_PROGRAM, sizeof of, &of, NULL));
  expect_same(program, of);
}

TEST(kernel, group_info) {
  const pi_kernel kernel = with_arguments("fixed_group");
  size_t fixed[3] = {0};
  size_t size = 0;
  expect_success(pi.piKernelGetGroupInfo(kernel, the_device(),
                                         PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, sizeof fixed,
                                         fixed, NULL));
  expect(fixed[0] == 4 && fixed[1] == 2 && fixed[2] == 1, "the group is %zu x %zu x %zu", fixed[0],
         fixed[1], fixed[2]);
  expect_success(pi.piKernelGetGroupInfo(kernel, the_device(), PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE,
                                         sizeof size, &size, NULL));
  expect(size >= 1, "the largest group is %zu", size);
}

TEST(kernel, group_info_refuses_null_device) {
  size_t size;
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, size,
                     pi.piKernelGetGroupInfo(basic("numbers"), NULL,
                                             PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, sizeof size,
                                             &size, NULL));
}

TEST(kernel, sub_group_info) {
  const pi_kernel kernel = basic("numbers");
  const size_t local[3] = {32, 1, 1};
  pi_uint32 largest = 0;
  pi_uint32 groups = 0;
  if (!is_supported(pi.piKernelGetSubGroupInfo(kernel, the_device(), PI_KERNEL_MAX_SUB_GROUP_SIZE,
                                               sizeof local, local, sizeof largest, &largest,
                                               NULL)))
    return;
  expect(largest >= 1 && largest <= 128, "the largest sub-group is %u", largest);
  expect_success(pi.piKernelGetSubGroupInfo(kernel, the_device(), PI_KERNEL_MAX_NUM_SUB_GROUPS, 0,
                                            NULL, sizeof groups, &groups, NULL));
  expect(groups >= 1, "%u sub-groups", groups);
  size_t told = 0;
  expect_success(pi.piKernelGetSubGroupInfo(kernel, the_device(),
                                            PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL,
                                            sizeof groups, &groups, &told));
  expect_equal(sizeof groups, told);
  expect_success(pi.piKernelGetSubGroupInfo(kernel, the_device(), PI_KERNEL_COMPILE_NUM_SUB_GROUPS,
                                            0, NULL, sizeof groups, &groups, NULL));
}

/* Without a local size as input the answer is for the largest work-group. */
TEST(kernel, sub_group_info_without_input) {
  pi_uint32 largest = 0;
  expect_success(pi.piKernelGetSubGroupInfo(basic("numbers"), the_device(),
                                            PI_KERNEL_MAX_SUB_GROUP_SIZE, 0, NULL, sizeof largest,
                                            &largest, NULL));
  expect(largest >= 1 && largest <= 128, "the largest sub-group is %u", largest);
}

TEST(kernel, sub_group_info_refuses) {
  const pi_kernel kernel = basic("numbers");
  pi_uint32 value;
  expect_error_keeps(PI_ERROR_INVALID_KERNEL, value,
                     pi.piKernelGetSubGroupInfo(NULL, the_device(), PI_KERNEL_MAX_NUM_SUB_GROUPS, 0,
                                                NULL, sizeof value, &value, NULL));
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, value,
                     pi.piKernelGetSubGroupInfo(kernel, NULL, PI_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                                sizeof value, &value, NULL));
}

/* The input is a local size, whose numbers are size_t. */
TEST(kernel, sub_group_info_refuses_odd_input) {
  const size_t local[3] = {8, 1, 1};
  pi_uint32 value;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, value,
                     pi.piKernelGetSubGroupInfo(basic("numbers"), the_device(),
                                                PI_KERNEL_MAX_SUB_GROUP_SIZE, 5, local,
                                                sizeof value, &value, NULL));
}

TEST(kernel, sub_group_info_refuses_unknown) {
  pi_uint32 value;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, value,
                     pi.piKernelGetSubGroupInfo(basic("numbers"), the_device(),
                                                (pi_kernel_sub_group_info)0x7777, 0, NULL,
                                                sizeof value, &value, NULL));
}

TEST(kernel, references) {
  const pi_kernel kernel = basic("numbers");
  expect_equal(1, references(kernel));
  expect_success(pi.piKernelRetain(kernel));
  expect_equal(2, references(kernel));
  expect_success(pi.piKernelRelease(kernel));
  expect_equal(1, references(kernel));
}

TEST(kernel, references_refuse_null) {
  expect_error(PI_ERROR_INVALID_KERNEL, pi.piKernelRetain(NULL));
  expect_error(PI_ERROR_INVALID_KERNEL, pi.piKernelRelease(NULL));
}

/* A kernel keeps its program alive. */
TEST(kernel, outlives_its_program) {
  pi_program program = NULL;
  const module code = module_basic();
  if (!device_takes_il())
    skip_test("the device takes no IL");
  expect_success(pi.piProgramCreate(the_context(), code.bytes, code.size, &program));
  build_program(program, "");
  pi_kernel kernel = NULL;
  expect_success(pi.piKernelCreate(program, "numbers", &kernel));
  expect_success(pi.piProgramRelease(program));
  const pi_mem buffer = new_buffer(40, NULL);
  pi_uint32 got[10] = {0};
  set_buffer(kernel, 0, buffer);
  run_kernel(kernel, 10);
  read_buffer(buffer, sizeof got, got);
  expect_equal(9, got[9]);
  expect_success(pi.piKernelRelease(kernel));
}

TEST(kernel, values) {
  typedef struct record {
    int number;
    char letter;
    int64_t large;
  } record;
  const pi_kernel kernel = with_arguments("values");
  const int8_t c = -5;
  const uint8_t uc = 250;
  const int16_t s = -30000;
  const uint16_t us = 65000;
  const int32_t i = -2000000000;
  const uint32_t ui = 4000000000u;
  const int64_t l = INT64_MIN;
  const float f = -0.0f;
  const _Alignas(16) int32_t v[4] = {1, 2, 3, 4};
  const record r = {17, 'x', INT64_C(1) << 40};
  const struct {
    size_t size;
    const void *value;
  } arguments[] = {{sizeof c, &c}, {sizeof uc, &uc}, {sizeof s, &s}, {sizeof us, &us},
                   {sizeof i, &i}, {sizeof ui, &ui}, {sizeof l, &l}, {sizeof f, &f},
                   {sizeof v, v},  {sizeof r, &r}};
  const int64_t want[12] = {c, uc, s, us, i, ui, l, INT32_MIN, 4321, 17, 'x', INT64_C(1) << 40};
  int64_t got[12] = {0};
  const pi_mem out = new_buffer(sizeof got, NULL);
  set_buffer(kernel, 0, out);
  for (pi_uint32 a = 0; a < 10; a++)
    expect_success(pi.piKernelSetArg(kernel, a + 1, arguments[a].size, arguments[a].value));
  run_kernel(kernel, 1);
  read_buffer(out, sizeof got, got);
  for (int n = 0; n < 12; n++)
    expect(want[n] == got[n], "value %d: expected %lld, got %lld", n, (long long)want[n],
           (long long)got[n]);
}

/* piKernelSetArg copies the value. */
TEST(kernel, argument_is_copied) {
  const pi_kernel kernel = with_arguments("slow");
  pi_uint32 rounds = 0;
  const pi_uint32 start = 77;
  pi_uint32 got = 0;
  const pi_mem data = new_buffer(sizeof start, &start);
  set_buffer(kernel, 0, data);
  expect_success(pi.piKernelSetArg(kernel, 1, sizeof rounds, &rounds));
  rounds = 1000;
  run_kernel(kernel, 1);
  read_buffer(data, sizeof got, &got);
  expect_equal(start, got);
}

/* A size without a value is local memory. */
TEST(kernel, local_memory) {
  const pi_kernel kernel = with_arguments("group_sum");
  int in[64];
  int got[4] = {0};
  for (int i = 0; i < 64; i++)
    in[i] = i;
  set_buffer(kernel, 0, new_buffer(sizeof in, in));
  const pi_mem out = new_buffer(sizeof got, NULL);
  set_buffer(kernel, 1, out);
  expect_success(pi.piKernelSetArg(kernel, 2, 16 * sizeof(int), NULL));
  const size_t offset[3] = {0, 0, 0};
  const size_t global[3] = {64, 1, 1};
  const size_t local[3] = {16, 1, 1};
  expect_success(
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 1, offset, global, local, 0, NULL, NULL));
  read_buffer(out, sizeof got, got);
  for (int g = 0; g < 4; g++)
    expect_equal(16 * 16 * g + 120, got[g]);
}

TEST(kernel, constant_memory) {
  const pi_kernel kernel = with_arguments("from_constant");
  const int in[4] = {1, 2, 3, 4};
  int got[4] = {0};
  const pi_mem data = new_buffer(sizeof in, in);
  const pi_mem out = new_buffer(sizeof got, NULL);
  const pi_mem_obj_property read_only = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_ONLY};
  const pi_mem_obj_property write_only = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_WRITE_ONLY};
  expect_success(pi.piextKernelSetArgMemObj(kernel, 0, &read_only, &data));
  expect_success(pi.piextKernelSetArgMemObj(kernel, 1, &write_only, &out));
  run_kernel(kernel, 4);
  read_buffer(out, sizeof got, got);
  for (int i = 0; i < 4; i++)
    expect_equal(in[i] + 1, got[i]);
}

/* libsycl passes a buffer as eight plain bytes when the backend is OpenCL. */
TEST(kernel, buffer_as_bytes) {
  if (the_backend() != PI_EXT_PLATFORM_BACKEND_OPENCL)
    skip_test("only OpenCL takes buffers as bytes");
  const pi_kernel kernel = basic("numbers");
  const pi_mem out = new_buffer(16, NULL);
  pi_uint32 got[4] = {0};
  expect_success(pi.piKernelSetArg(kernel, 0, sizeof out, &out));
  run_kernel(kernel, 4);
  read_buffer(out, sizeof got, got);
  expect_equal(3, got[3]);
}

/* A NULL buffer stands for an empty accessor. */
TEST(kernel, null_buffer) {
  const pi_kernel kernel = basic("numbers");
  const pi_mem none = NULL;
  const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_ONLY};
  expect_success(pi.piextKernelSetArgMemObj(kernel, 0, &access, &none));
}

TEST(kernel, set_arg_refuses) {
  const pi_kernel kernel = with_arguments("slow");
  const pi_uint32 value = 1;
  expect_error(PI_ERROR_INVALID_KERNEL, pi.piKernelSetArg(NULL, 1, sizeof value, &value));
  expect_error(PI_ERROR_INVALID_ARG_INDEX, pi.piKernelSetArg(kernel, 2, sizeof value, &value));
  expect_error(PI_ERROR_INVALID_ARG_SIZE, pi.piKernelSetArg(kernel, 1, 8, &value));
}

TEST(kernel, set_arg_refuses_every_other_size) {
  static const size_t sizes[] = {8, 1, 1, 2, 2, 4, 4, 8, 4, 16, 16};
  static const unsigned char bytes[32];
  const pi_kernel kernel = with_arguments("values");
  for (pi_uint32 i = 0; i < 11; i++)
    for (size_t size = 0; size <= sizeof bytes; size++)
      if (size != sizes[i])
        expect_error(PI_ERROR_INVALID_ARG_SIZE, pi.piKernelSetArg(kernel, i, size, bytes));
}

/* UINT32_MAX overflows in drivers that count arguments from 1. */
TEST(kernel, set_arg_refuses_last_index) {
  const pi_kernel kernel = with_arguments("slow");
  const pi_uint32 value = 1;
  void *const pointer = NULL;
  const pi_mem mem = new_buffer(64, NULL);
  const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_WRITE};
  expect_error(PI_ERROR_INVALID_ARG_INDEX,
               pi.piKernelSetArg(kernel, UINT32_MAX, sizeof value, &value));
  expect_error(PI_ERROR_INVALID_ARG_INDEX, pi.piKernelSetArg(kernel, UINT32_MAX, 16, NULL));
  expect_error(PI_ERROR_INVALID_ARG_INDEX,
               pi.piextKernelSetArgMemObj(kernel, UINT32_MAX, &access, &mem));
  expect_error(PI_ERROR_INVALID_ARG_INDEX,
               pi.piextKernelSetArgPointer(kernel, UINT32_MAX, sizeof pointer, &pointer));
}

/* Local memory larger than a work-group can have is refused when it is set, not by the launch. */
TEST(kernel, set_arg_refuses_huge_local_memory) {
  static const size_t sizes[] = {(size_t)1 << 40, SIZE_MAX - 100, SIZE_MAX};
  const pi_kernel kernel = with_arguments("group_sum");
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    expect_error(PI_ERROR_INVALID_ARG_SIZE, pi.piKernelSetArg(kernel, 2, sizes[i], NULL));
}

/*
 * The argument is a long, not an int: in CUDA local memory is an argument of 4 bytes, so the plugin
 * takes NULL for an argument of 4 bytes as local memory.
 */
TEST(kernel, set_arg_refuses_null_value) {
  expect_refused(pi.piKernelSetArg(with_arguments("values"), 7, sizeof(int64_t), NULL));
}

TEST(kernel, set_arg_mem_obj_refuses) {
  const pi_kernel kernel = with_arguments("slow");
  const pi_mem mem = new_buffer(64, NULL);
  const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_WRITE};
  expect_error(PI_ERROR_INVALID_KERNEL, pi.piextKernelSetArgMemObj(NULL, 0, &access, &mem));
  expect_error(PI_ERROR_INVALID_ARG_INDEX, pi.piextKernelSetArgMemObj(kernel, 9, &access, &mem));
}

TEST(kernel, set_arg_pointer_refuses) {
  const pi_kernel kernel = with_arguments("slow");
  void *pointer = new_usm(USM_SHARED, 64);
  expect_error(PI_ERROR_INVALID_KERNEL,
               pi.piextKernelSetArgPointer(NULL, 0, sizeof pointer, &pointer));
  expect_error(PI_ERROR_INVALID_ARG_INDEX,
               pi.piextKernelSetArgPointer(kernel, 9, sizeof pointer, &pointer));
}

TEST(kernel, set_arg_sampler_refuses) {
  const pi_kernel kernel = with_arguments("slow");
  const pi_sampler none = NULL;
  expect_error(PI_ERROR_INVALID_KERNEL, pi.piextKernelSetArgSampler(NULL, 0, &none));
  expect_refused(pi.piextKernelSetArgSampler(kernel, 9, &none));
}

/* A launch with an argument that was never set. */
TEST(kernel, launch_refuses_missing_argument) {
  const pi_kernel kernel = with_arguments("slow");
  const size_t offset[3] = {0, 0, 0};
  const size_t global[3] = {1, 1, 1};
  set_buffer(kernel, 0, new_buffer(64, NULL));
  pi_event event;
  expect_error_keeps(
      PI_ERROR_INVALID_KERNEL_ARGS, event,
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 1, offset, global, NULL, 0, NULL, &event));
}

TEST(kernel, exec_info) {
  const pi_kernel kernel = basic("numbers");
  const pi_bool yes = PI_TRUE;
  void *pointers[2] = {new_usm(USM_SHARED, 64), new_usm(USM_HOST, 64)};
  expect_success(pi.piKernelSetExecInfo(kernel, PI_USM_INDIRECT_ACCESS, sizeof yes, &yes));
  expect_success(pi.piKernelSetExecInfo(kernel, PI_USM_PTRS, sizeof pointers, pointers));
}

/* The cache configuration is a hint: a device without one ignores it or reports it as unsupported.
 */
TEST(kernel, exec_info_cache_config) {
  const pi_kernel_cache_config config = PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_DATA;
  (void)is_supported(pi.piKernelSetExecInfo(basic("numbers"), PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG,
                                            sizeof config, &config));
}

TEST(kernel, exec_info_refuses) {
  const pi_bool yes = PI_TRUE;
  expect_error(PI_ERROR_INVALID_KERNEL,
               pi.piKernelSetExecInfo(NULL, PI_USM_INDIRECT_ACCESS, sizeof yes, &yes));
  expect_error(
      PI_ERROR_INVALID_VALUE,
      pi.piKernelSetExecInfo(basic("numbers"), (pi_kernel_exec_info)0x7777, sizeof yes, &yes));
}

TEST(kernel, exec_info_refuses_null_value) {
  expect_error(
      PI_ERROR_INVALID_VALUE,
      pi.piKernelSetExecInfo(basic("numbers"), PI_USM_INDIRECT_ACCESS, sizeof(pi_bool), NULL));
}

TEST(kernel, native_handle) {
  const pi_program program = new_built_program(module_basic());
  const pi_kernel kernel = new_kernel(program, "numbers");
  pi_native_handle native = 0;
  if (!is_supported(pi.piextKernelGetNativeHandle(kernel, &native)))
    return;
  static const bool owned[] = {false, true};
  for (size_t i = 0; i < 2; i++) {
    if (owned[i])
      expect_success(pi.piKernelRetain(kernel));
    pi_kernel second = NULL;
    expect_success(
        pi.piextKernelCreateWithNativeHandle(native, the_context(), program, owned[i], &second));
    const pi_mem out = new_buffer(16, NULL);
    pi_uint32 got[4] = {0};
    set_buffer(second, 0, out);
    run_kernel(second, 4);
    read_buffer(out, sizeof got, got);
    expect_equal(3, got[3]);
    expect_success(pi.piKernelRelease(second));
    expect_equal(1, references(kernel));
  }
}

TEST(kernel, native_handle_refuses_null) {
  pi_native_handle native;
  pi_kernel kernel;
  expect_error_keeps(PI_ERROR_INVALID_KERNEL, native, pi.piextKernelGetNativeHandle(NULL, &native));
  expect_refused_keeps(
      kernel, pi.piextKernelCreateWithNativeHandle(0, the_context(), NULL, false, &kernel));
}

TEST(kernel, native_handle_refuses_null_output) {
  const pi_kernel kernel = basic("numbers");
  pi_native_handle native = 0;
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextKernelGetNativeHandle(kernel, NULL));
  expect_success(pi.piextKernelGetNativeHandle(kernel, &native));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextKernelCreateWithNativeHandle(native, the_context(), NULL, false, NULL));
}

TEST(kernel, cooperative_group_count) {
  pi_uint32 count = 0;
  if (is_supported(pi.piextKernelSuggestMaxCooperativeGroupCount(basic("numbers"), 16, 0, &count)))
    expect(count >= 1, "%u groups", count);
  (void)is_supported(
      pi.piextKernelSuggestMaxCooperativeGroupCount(basic("numbers"), 16, 1, &count));
}

TEST(kernel, cooperative_group_count_refuses_size_0) {
  const pi_kernel kernel = basic("numbers");
  pi_uint32 count;
  if (!is_supported(pi.piextKernelSuggestMaxCooperativeGroupCount(kernel, 16, 0, &count)))
    return;
  expect_refused_keeps(count, pi.piextKernelSuggestMaxCooperativeGroupCount(kernel, 0, 0, &count));
}

TEST(kernel, cooperative_group_count_refuses_null) {
  pi_uint32 count;
  expect_refused_keeps(count, pi.piextKernelSuggestMaxCooperativeGroupCount(NULL, 16, 0, &count));
  expect_refused(pi.piextKernelSuggestMaxCooperativeGroupCount(basic("numbers"), 16, 0, NULL));
}
