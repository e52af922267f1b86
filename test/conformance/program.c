/* Programs: from IL and from binaries, build, compile, link, logs, native handles. */
#define _GNU_SOURCE /* nanosleep */
#include "fixture.h"

#include <stdlib.h>
#include <time.h>

INFO_CALL(program_info, pi_program, pi_program_info, piProgramGetInfo)

static pi_result build_info(void *object, pi_uint32 query, size_t size, void *value,
                            size_t *size_ret) {
  return pi.piProgramGetBuildInfo(object, the_device(), (pi_program_build_info)query, size, value,
                                  size_ret);
}

static pi_uint32 references(pi_program program) {
  pi_uint32 count = 0;
  expect_success(
      pi.piProgramGetInfo(program, PI_PROGRAM_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

static pi_int32 build_status(pi_program program) {
  pi_int32 status = 99;
  expect_success(pi.piProgramGetBuildInfo(program, the_device(), PI_PROGRAM_BUILD_INFO_STATUS,
                                          sizeof status, &status, NULL));
  return status;
}

TEST(program, create_and_build) {
  const pi_program program = new_program(module_basic());
  build_program(program, "");
  pi_uint32 type = 0;
  expect_success(pi.piProgramGetBuildInfo(program, the_device(), PI_PROGRAM_BUILD_INFO_BINARY_TYPE,
                                          sizeof type, &type, NULL));
  expect_equal(PI_PROGRAM_BINARY_TYPE_EXECUTABLE, type);
  pi_uint32 numbers[100];
  run_for_output(program, "numbers", 100, sizeof numbers, numbers);
  for (pi_uint32 i = 0; i < 100; i++)
    expect_equal(i, numbers[i]);
}

TEST(program, status_after_build) {
  expect_equal(PI_PROGRAM_BUILD_STATUS_SUCCESS,
               build_status(new_built_program(module_extreme_ids())));
}

TEST(program, status_before_build) {
  expect_equal(PI_PROGRAM_BUILD_STATUS_NONE, build_status(new_program(module_basic())));
}

/* The caller may free the bytes as soon as the call has returned. */
TEST(program, create_copies_il) {
  const module code = module_basic();
  unsigned char *copy = malloc(code.size);
  expect(copy, "no memory");
  memcpy(copy, code.bytes, code.size);
  const pi_program program = new_program((module){copy, code.size});
  memset(copy, 0xcd, code.size);
  free(copy);
  build_program(program, NULL);
  pi_uint32 numbers[10];
  run_for_output(program, "numbers", 10, sizeof numbers, numbers);
  expect_equal(9, numbers[9]);
}

TEST(program, create_refuses) {
  const module code = module_basic();
  pi_program program;
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, program,
                     pi.piProgramCreate(NULL, code.bytes, code.size, &program));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, program,
                     pi.piProgramCreate(the_context(), NULL, code.size, &program));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, program,
                     pi.piProgramCreate(the_context(), code.bytes, 0, &program));
}

TEST(program, create_refuses_what_is_no_il) {
  static const char text[] = "kernel void k() {}  /* OpenCL C, not SPIR-V */";
  pi_program program;
  expect_refused_keeps(program, pi.piProgramCreate(the_context(), text, sizeof text, &program));
}

TEST(program, create_refuses_null_output) {
  const module code = module_basic();
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piProgramCreate(the_context(), code.bytes, code.size, NULL));
}

static bool optional_query(pi_uint32 query) {
  return query == PI_PROGRAM_INFO_SOURCE; /* only programs from source have it */
}

QUERY_TESTS(program, query, pi_program_info, program_info, new_built_program(module_basic()),
            optional_query, PI_ERROR_INVALID_PROGRAM)

QUERY_TESTS(program, build_query, pi_program_build_info, build_info,
            new_built_program(module_basic()), NULL, PI_ERROR_INVALID_PROGRAM)

TEST(program, build_query_refuses_null_device) {
  pi_int32 status;
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, status,
                     pi.piProgramGetBuildInfo(new_program(module_basic()), NULL,
                                              PI_PROGRAM_BUILD_INFO_STATUS, sizeof status, &status,
                                              NULL));
}

TEST(program, queries_make_sense) {
  const pi_program program = new_built_program(module_basic());
  pi_context context = NULL;
  pi_device list[16] = {NULL};
  pi_uint32 count = 0;
  pi_uint32 wanted;
  const pi_device *devices = the_devices(&wanted);
  size_t kernels = 0;
  expect_success(
      pi.piProgramGetInfo(program, PI_PROGRAM_INFO_CONTEXT, sizeof context, &context, NULL));
  expect_same(the_context(), context);
  expect_success(
      pi.piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_DEVICES, sizeof count, &count, NULL));
  expect_equal(wanted, count);
  expect_success(
      pi.piProgramGetInfo(program, PI_PROGRAM_INFO_DEVICES, wanted * sizeof list[0], list, NULL));
  for (pi_uint32 i = 0; i < wanted; i++)
    expect_same(devices[i], list[i]);
  expect_success(
      pi.piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_KERNELS, sizeof kernels, &kernels, NULL));
  expect_equal(4, kernels);
  size_t size = 0;
  expect_success(pi.piProgramGetInfo(program, PI_PROGRAM_INFO_KERNEL_NAMES, 0, NULL, &size));
  char *names = calloc(1, size + 1);
  expect(names, "no memory");
  expect_success(pi.piProgramGetInfo(program, PI_PROGRAM_INFO_KERNEL_NAMES, size, names, NULL));
  expect(strstr(names, "double_up") && strchr(names, ';'), "the kernels are \"%s\"", names);
  free(names);
}

TEST(program, references) {
  const pi_program program = new_program(module_basic());
  expect_equal(1, references(program));
  expect_success(pi.piProgramRetain(program));
  expect_equal(2, references(program));
  expect_success(pi.piProgramRelease(program));
  expect_equal(1, references(program));
}

TEST(program, references_refuse_null) {
  expect_error(PI_ERROR_INVALID_PROGRAM, pi.piProgramRetain(NULL));
  expect_error(PI_ERROR_INVALID_PROGRAM, pi.piProgramRelease(NULL));
}

/* A program reports its build options exactly as they were passed. */
TEST(program, build_options) {
  const pi_program program = new_program(module_basic());
  const char *option = unoptimised_option();
  if (!*option)
    skip_test("the platform has no option that is known here");
  build_program(program, option);
  size_t size = 0;
  char options[256] = "";
  expect_success(pi.piProgramGetBuildInfo(program, the_device(), PI_PROGRAM_BUILD_INFO_OPTIONS, 0,
                                          NULL, &size));
  expect(size <= sizeof options, "the options have %zu bytes", size);
  expect_success(pi.piProgramGetBuildInfo(program, the_device(), PI_PROGRAM_BUILD_INFO_OPTIONS,
                                          size, options, NULL));
  expect(strstr(options, option), "the options are \"%s\"", options);
}

TEST(program, build_refuses_unknown_option) {
  const pi_program program = new_program(module_basic());
  const pi_device device = the_device();
  expect_refused(pi.piProgramBuild(program, 1, &device, "--no-such-option", NULL, NULL));
}

TEST(program, build_refuses_null) {
  const pi_device device = the_device();
  expect_error(PI_ERROR_INVALID_PROGRAM, pi.piProgramBuild(NULL, 1, &device, "", NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piProgramBuild(new_program(module_basic()), 1, NULL, "", NULL, NULL));
}

/* link_main.cl calls a function that is in another module: its build fails and says why. */
TEST(program, build_failure_leaves_a_log) {
  const pi_program program = new_program(module_link_main());
  const pi_device device = the_device();
  expect_error(PI_ERROR_BUILD_PROGRAM_FAILURE,
               pi.piProgramBuild(program, 1, &device, "", NULL, NULL));
  size_t size = 0;
  expect_success(
      pi.piProgramGetBuildInfo(program, device, PI_PROGRAM_BUILD_INFO_LOG, 0, NULL, &size));
  char *log = calloc(1, size + 1);
  expect(log, "no memory");
  expect_success(
      pi.piProgramGetBuildInfo(program, device, PI_PROGRAM_BUILD_INFO_LOG, size, log, NULL));
  expect(strstr(log, "part"), "the log does not name the missing function: \"%s\"", log);
  free(log);
  pi_kernel kernel = NULL;
  expect_refused(pi.piKernelCreate(program, "value", &kernel));
}

TEST(program, status_after_build_failure) {
  const pi_program program = new_program(module_link_main());
  const pi_device device = the_device();
  expect_error(PI_ERROR_BUILD_PROGRAM_FAILURE,
               pi.piProgramBuild(program, 1, &device, "", NULL, NULL));
  expect_equal(PI_PROGRAM_BUILD_STATUS_ERROR, build_status(program));
}

static void build_done(pi_program program, void *user_data) {
  (void)program;
  atomic_store((atomic_bool *)user_data, true);
}

TEST(program, build_with_callback) {
  atomic_bool called = false;
  const pi_program program = new_program(module_basic());
  const pi_device device = the_device();
  expect_success(pi.piProgramBuild(program, 1, &device, "", build_done, &called));
  const struct timespec moment = {0, 10 * 1000 * 1000};
  for (int i = 0; i < 1000 && !atomic_load(&called); i++)
    nanosleep(&moment, NULL);
  pi_uint32 numbers[4];
  run_for_output(program, "numbers", 4, sizeof numbers, numbers);
  expect(atomic_load(&called), "the callback was not called");
}

static pi_program compiled(module code) {
  const pi_program program = new_program(code);
  const pi_device device = the_device();
  expect_success(pi.piProgramCompile(program, 1, &device, "", 0, NULL, NULL, NULL, NULL));
  return program;
}

TEST(program, compile_and_link) {
  const pi_program parts[] = {compiled(module_link_main()), compiled(module_link_part())};
  const pi_device device = the_device();
  pi_uint32 type = 0;
  expect_success(pi.piProgramGetBuildInfo(parts[0], device, PI_PROGRAM_BUILD_INFO_BINARY_TYPE,
                                          sizeof type, &type, NULL));
  expect_equal(PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, type);
  pi_program linked = NULL;
  expect_success(pi.piProgramLink(the_context(), 1, &device, "", 2, parts, NULL, NULL, &linked));
  release_program_later(linked);
  int value = 0;
  run_for_output(linked, "value", 1, sizeof value, &value);
  expect_equal(1002, value);
}

TEST(program, compile_refuses) {
  const pi_device device = the_device();
  expect_error(PI_ERROR_INVALID_PROGRAM,
               pi.piProgramCompile(NULL, 1, &device, "", 0, NULL, NULL, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piProgramCompile(new_program(module_basic()), 1, NULL, "",
                                                           0, NULL, NULL, NULL, NULL));
  expect_refused(pi.piProgramCompile(new_program(module_basic()), 1, &device, "--no-such-option", 0,
                                     NULL, NULL, NULL, NULL));
}

TEST(program, compile_refuses_binary) {
  const pi_program loaded = reload(new_built_program(module_basic()));
  const pi_device device = the_device();
  expect_refused(pi.piProgramCompile(loaded, 1, &device, "", 0, NULL, NULL, NULL, NULL));
}

TEST(program, link_refuses) {
  const pi_program part = compiled(module_link_part());
  const pi_program none = NULL;
  const pi_device device = the_device();
  pi_program linked;
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, linked,
                     pi.piProgramLink(NULL, 1, &device, "", 1, &part, NULL, NULL, &linked));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, linked,
                     pi.piProgramLink(the_context(), 1, &device, "", 0, NULL, NULL, NULL, &linked));
  expect_error_keeps(
      PI_ERROR_INVALID_PROGRAM, linked,
      pi.piProgramLink(the_context(), 1, &device, "", 1, &none, NULL, NULL, &linked));
}

/* Options that no compiler has, passed to each of the three functions that take options. */
TEST(program, builds_refuse_strange_options) {
  static const char *const strange[] = {
      "-", "word", "--no-such-option", "-cl-", "\"", "\'", "-g\"", "%s%n", "\\", "\xff\xfe"};
  const pi_program part = compiled(module_link_part());
  const pi_program whole = new_program(module_basic());
  const pi_device device = the_device();
  for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
    pi_program linked = NULL;
    expect_refused(
        pi.piProgramLink(the_context(), 1, &device, strange[i], 1, &part, NULL, NULL, &linked));
    if (linked) /* a plugin may return the program for its log */
      release_program_later(linked);
    expect_refused(pi.piProgramCompile(whole, 1, &device, strange[i], 0, NULL, NULL, NULL, NULL));
    expect_refused(pi.piProgramBuild(whole, 1, &device, strange[i], NULL, NULL));
  }
}

TEST(program, link_refuses_null_output) {
  const pi_program part = compiled(module_link_part());
  const pi_device device = the_device();
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piProgramLink(the_context(), 1, &device, "", 1, &part, NULL, NULL, NULL));
}

/* An image may have options for the compilers of other backends, which the plugin ignores. */
TEST(program, builds_ignore_options_of_other_backends) {
  static const char *const others[] = {"-ze-opt-large-register-file",
                                       "-ftarget-register-alloc-mode=pvc:auto",
                                       "-vc-codegen -disable-finalizer-msg -doubleGRF",
                                       "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'",
                                       "-Xfinalizer \"-a b\" '-ze-opt-level=2'",
                                       "-maxrregcount=64 --generate-line-info -O3",
                                       "--maxrregcount 64 -cl-nv-verbose"};
  const pi_device device = the_device();
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    pi_uint32 numbers[4];
    pi_program linked = NULL;
    const pi_program parts[] = {new_program(module_link_main()), new_program(module_link_part())};
    for (size_t k = 0; k < 2; k++)
      expect_success(
          pi.piProgramCompile(parts[k], 1, &device, others[i], 0, NULL, NULL, NULL, NULL));
    expect_success(
        pi.piProgramLink(the_context(), 1, &device, others[i], 2, parts, NULL, NULL, &linked));
    release_program_later(linked);
    const pi_program whole = new_program(module_basic());
    build_program(whole, others[i]);
    run_for_output(whole, "numbers", 4, sizeof numbers, numbers);
    expect_equal(3, numbers[3]);
  }
}

/* Compile, link and build refuse a list with one device twice; the program stays usable. */
TEST(program, builds_refuse_device_twice) {
  const pi_device devices[] = {the_device(), the_device()};
  const pi_program part = new_program(module_basic());
  pi_program linked;
  expect_error(PI_ERROR_INVALID_DEVICE,
               pi.piProgramCompile(part, 2, devices, "", 0, NULL, NULL, NULL, NULL));
  expect_success(pi.piProgramCompile(part, 1, devices, "", 0, NULL, NULL, NULL, NULL));
  expect_error_keeps(
      PI_ERROR_INVALID_DEVICE, linked,
      pi.piProgramLink(the_context(), 2, devices, "", 1, &part, NULL, NULL, &linked));
  expect_success(pi.piProgramLink(the_context(), 1, devices, "", 1, &part, NULL, NULL, &linked));
  release_program_later(linked);
  const pi_program whole = new_program(module_basic());
  expect_error(PI_ERROR_INVALID_DEVICE, pi.piProgramBuild(whole, 2, devices, "", NULL, NULL));
  pi_uint32 numbers[4];
  build_program(whole, "");
  run_for_output(whole, "numbers", 4, sizeof numbers, numbers);
  expect_equal(3, numbers[3]);
}

/* No part defines the symbol that link_main uses. */
TEST(program, link_failure) {
  const pi_program part = compiled(module_link_main());
  const pi_device device = the_device();
  pi_program linked = NULL;
  expect_refused(pi.piProgramLink(the_context(), 1, &device, "", 1, &part, NULL, NULL, &linked));
  /* A plugin may return the program despite the error, for its log. */
  if (linked)
    release_program_later(linked);
}

TEST(program, binary_round_trip) {
  const pi_program program = reload(new_built_program(module_basic()));
  build_program(program, "");
  pi_uint32 numbers[10];
  run_for_output(program, "numbers", 10, sizeof numbers, numbers);
  expect_equal(9, numbers[9]);
}

TEST(program, binary_refuses_null) {
  static const unsigned char junk[64] = "neither ELF nor SPIR-V";
  const unsigned char *list = junk;
  const size_t size = sizeof junk;
  const pi_device device = the_device();
  pi_int32 status = 0;
  pi_program program;
  expect_error_keeps(
      PI_ERROR_INVALID_CONTEXT, program,
      pi.piProgramCreateWithBinary(NULL, 1, &device, &size, &list, 0, NULL, &status, &program));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, program,
                     pi.piProgramCreateWithBinary(the_context(), 1, &device, &size, NULL, 0, NULL,
                                                  &status, &program));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, program,
                     pi.piProgramCreateWithBinary(the_context(), 0, NULL, &size, &list, 0, NULL,
                                                  &status, &program));
}

TEST(program, binary_refuses_junk) {
  static const unsigned char junk[64] = "neither ELF nor SPIR-V";
  const unsigned char *list = junk;
  const size_t size = sizeof junk;
  const pi_device device = the_device();
  pi_int32 status = 0;
  pi_program program;
  expect_error_keeps(PI_ERROR_INVALID_BINARY, program,
                     pi.piProgramCreateWithBinary(the_context(), 1, &device, &size, &list, 0, NULL,
                                                  &status, &program));
  expect(status != PI_SUCCESS, "the binary was refused, its status is success");
}

/*
 * A binary with one byte changed, too few bytes or too many, on which a driver may crash. Bytes 9
 * to 15 are not changed, because they mean nothing in ELF files.
 */
TEST(program, binary_refuses_damaged) {
  size_t size;
  unsigned char *binary = binary_of(new_built_program(module_basic()), &size);
  const unsigned char *list = realloc(binary, size + 1);
  unsigned char *const bytes = (unsigned char *)(uintptr_t)list;
  expect(bytes, "no memory");
  bytes[size] = 'x';
  const pi_device device = the_device();
  pi_program program;
  pi_int32 status = PI_SUCCESS;
  for (size_t i = 0; i < size; i += i == 8 ? 8 : i < 64 ? 1 : size / 64 + 1) {
    bytes[i] ^= 0xff;
    expect_error_keeps(PI_ERROR_INVALID_BINARY, program,
                       pi.piProgramCreateWithBinary(the_context(), 1, &device, &size, &list, 0,
                                                    NULL, &status, &program));
    expect_equal(PI_ERROR_INVALID_BINARY, status);
    bytes[i] ^= 0xff;
  }
  const size_t sizes[] = {1, 20, size / 4, size - 1, size + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    expect_error_keeps(PI_ERROR_INVALID_BINARY, program,
                       pi.piProgramCreateWithBinary(the_context(), 1, &device, &sizes[i], &list, 0,
                                                    NULL, &status, &program));
  expect_success(pi.piProgramCreateWithBinary(the_context(), 1, &device, &size, &list, 0, NULL,
                                              &status, &program));
  release_program_later(program);
  expect_equal(PI_SUCCESS, status);
  free(bytes);
}

/* A list with one device twice has two binaries for it, and the plugin could not choose. */
TEST(program, binary_refuses_device_twice) {
  size_t size;
  unsigned char *binary = binary_of(new_built_program(module_basic()), &size);
  const unsigned char *list[] = {binary, binary};
  const size_t sizes[] = {size, size};
  const pi_device devices[] = {the_device(), the_device()};
  pi_int32 status[2];
  pi_program program;
  memset(status, UNTOUCHED_BYTE, sizeof status);
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, program,
                     pi.piProgramCreateWithBinary(the_context(), 2, devices, sizes, list, 0, NULL,
                                                  status, &program));
  check_untouched(status, sizeof status, CHECK_PLACE("binary_status"));
  free(binary);
}

/* A program from a binary has no kernels until it is built. */
TEST(program, binary_unbuilt_has_no_kernels) {
  size_t size;
  unsigned char *binary = binary_of(new_built_program(module_basic()), &size);
  const unsigned char *list = binary;
  const pi_device device = the_device();
  pi_program program = NULL;
  expect_success(pi.piProgramCreateWithBinary(the_context(), 1, &device, &size, &list, 0, NULL,
                                              NULL, &program));
  release_program_later(program);
  free(binary);
  size_t answer;
  pi_uint64 address;
  pi_kernel kernel;
  expect_error_keeps(
      PI_ERROR_INVALID_PROGRAM_EXECUTABLE, answer,
      pi.piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_KERNELS, sizeof answer, &answer, NULL));
  expect_error_keeps(PI_ERROR_INVALID_PROGRAM_EXECUTABLE, answer,
                     pi.piProgramGetInfo(program, PI_PROGRAM_INFO_KERNEL_NAMES, 0, NULL, &answer));
  expect_error_keeps(PI_ERROR_INVALID_PROGRAM_EXECUTABLE, kernel,
                     pi.piKernelCreate(program, "empty", &kernel));
  expect_refused_keeps(address,
                       pi.piextGetDeviceFunctionPointer(device, program, "empty", &address));
  build_program(program, "");
  expect_success(
      pi.piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_KERNELS, sizeof answer, &answer, NULL));
  expect_equal(4, answer);
}

TEST(program, native_handle) {
  const pi_program program = new_built_program(module_basic());
  pi_native_handle native = 0;
  if (!is_supported(pi.piextProgramGetNativeHandle(program, &native)))
    return;
  static const bool owned[] = {false, true};
  for (size_t i = 0; i < 2; i++) {
    if (owned[i])
      expect_success(pi.piProgramRetain(program));
    pi_program second = NULL;
    expect_success(pi.piextProgramCreateWithNativeHandle(native, the_context(), owned[i], &second));
    pi_uint32 numbers[4] = {0};
    run_for_output(second, "numbers", 4, sizeof numbers, numbers);
    expect_equal(3, numbers[3]);
    expect_success(pi.piProgramRelease(second));
  }
  pi_uint32 numbers[4] = {0};
  run_for_output(program, "numbers", 4, sizeof numbers, numbers);
  expect_equal(3, numbers[3]);
}

TEST(program, native_handle_refuses_null) {
  pi_native_handle native;
  pi_program program;
  expect_error_keeps(PI_ERROR_INVALID_PROGRAM, native,
                     pi.piextProgramGetNativeHandle(NULL, &native));
  expect_refused_keeps(program,
                       pi.piextProgramCreateWithNativeHandle(0, the_context(), false, &program));
}

TEST(program, native_handle_refuses_null_output) {
  const pi_program program = new_built_program(module_basic());
  pi_native_handle native = 0;
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextProgramGetNativeHandle(program, NULL));
  expect_success(pi.piextProgramGetNativeHandle(program, &native));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextProgramCreateWithNativeHandle(native, the_context(), false, NULL));
}

/* The address of a kernel or function, for calls through pointers. */
TEST(program, function_pointer) {
  pi_uint64 address = 0;
  const pi_program program = new_built_program(module_basic());
  pi_result result = pi.piextGetDeviceFunctionPointer(the_device(), program, "empty", &address);
  cannot_show(PI_INDEX_piextGetDeviceFunctionPointer, true,
              "the device gives out no address of this kernel");
  if (result == PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE)
    skip_test("the device gives out no address of this kernel");
  if (is_supported(result))
    expect(address, "the address is 0");
}

TEST(program, function_pointer_refuses) {
  pi_uint64 address;
  const pi_program program = new_built_program(module_basic());
  expect_refused(pi.piextGetDeviceFunctionPointer(NULL, program, "empty", &address));
  expect_refused(pi.piextGetDeviceFunctionPointer(the_device(), NULL, "empty", &address));
  expect_refused(pi.piextGetDeviceFunctionPointer(the_device(), program, "no_such", &address));
}

TEST(program, global_variable) {
  const pi_program program = new_built_program(module_global_variable());
  void *pointer = NULL;
  size_t size = 0;
  const pi_result result =
      pi.piextGetGlobalVariablePointer(the_device(), program, "counter", &size, &pointer);
  if (result == PI_ERROR_INVALID_VALUE)
    skip_test("the device does not find the variable by its name");
  if (!is_supported(result))
    return;
  expect_equal(sizeof(int), size);
  expect(pointer, "the address is NULL");
  /* USM commands accept the address. */
  int value = 0;
  if (is_supported(pi.piextUSMEnqueueMemcpy(the_queue(), PI_TRUE, &value, pointer, sizeof value, 0,
                                            NULL, NULL)))
    expect_equal(7, value);
}

TEST(program, global_variable_read_and_write) {
  const pi_program program = new_built_program(module_global_variable());
  int value = 0;
  const pi_result result = pi.piextEnqueueDeviceGlobalVariableRead(
      the_queue(), program, "counter", PI_TRUE, sizeof value, 0, &value, 0, NULL, NULL);
  if (result == PI_ERROR_INVALID_VALUE || result == PI_ERROR_INVALID_OPERATION)
    skip_test("the device does not find the variable by its name (%d)", result);
  if (!is_supported(result)) {
    (void)is_supported(pi.piextEnqueueDeviceGlobalVariableWrite(
        the_queue(), program, "counter", PI_TRUE, sizeof value, 0, &value, 0, NULL, NULL));
    return;
  }
  expect_equal(7, value);
  value = 42;
  expect_success(pi.piextEnqueueDeviceGlobalVariableWrite(the_queue(), program, "counter", PI_TRUE,
                                                          sizeof value, 0, &value, 0, NULL, NULL));
  int seen = 0;
  run_for_output(program, "read_counter", 1, sizeof seen, &seen);
  expect_equal(42, seen);
}

/* Copies of some bytes of the variable, with events; and ranges that go past its end. */
TEST(program, global_variable_parts) {
  const pi_program program = new_built_program(module_global_variable());
  unsigned char bytes[4] = {0};
  const unsigned char byte = 0x12;
  pi_event events[2] = {NULL};
  const pi_result result = pi.piextEnqueueDeviceGlobalVariableWrite(
      the_queue(), program, "counter", PI_FALSE, 1, 2, &byte, 0, NULL, &events[0]);
  if (result == PI_ERROR_INVALID_VALUE || result == PI_ERROR_INVALID_OPERATION)
    skip_test("the device does not find the variable by its name (%d)", result);
  if (!is_supported(result))
    return;
  release_event_later(events[0]);
  expect_success(pi.piextEnqueueDeviceGlobalVariableRead(the_queue(), program, "counter", PI_FALSE,
                                                         3, 1, bytes + 1, 1, events, &events[1]));
  release_event_later(events[1]);
  expect_success(pi.piEventsWait(1, &events[1]));
  expect_bytes("\0\0\x12\0", bytes, sizeof bytes);
  static const size_t outside[][2] = {{5, 0}, {4, 1}, {1, 4}, {SIZE_MAX, 1}, {1, SIZE_MAX}};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
    expect_error(PI_ERROR_INVALID_VALUE, pi.piextEnqueueDeviceGlobalVariableRead(
                                             the_queue(), program, "counter", PI_TRUE,
                                             outside[i][0], outside[i][1], bytes, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE, pi.piextEnqueueDeviceGlobalVariableWrite(
                                             the_queue(), program, "counter", PI_TRUE,
                                             outside[i][0], outside[i][1], bytes, 0, NULL, NULL));
  }
}

TEST(program, global_variable_refuses) {
  const pi_program program = new_built_program(module_global_variable());
  void *pointer;
  size_t size = 0;
  int value = 0;
  expect_refused_keeps(
      pointer, pi.piextGetGlobalVariablePointer(the_device(), program, "no_such", &size, &pointer));
  expect_refused_keeps(pointer,
                       pi.piextGetGlobalVariablePointer(NULL, program, "counter", &size, &pointer));
  expect_refused(pi.piextEnqueueDeviceGlobalVariableRead(the_queue(), program, "no_such", PI_TRUE,
                                                         4, 0, &value, 0, NULL, NULL));
  expect_refused(pi.piextEnqueueDeviceGlobalVariableWrite(the_queue(), program, "no_such", PI_TRUE,
                                                          4, 0, &value, 0, NULL, NULL));
}

TEST(program, global_variable_refuses_null_pointers) {
  const pi_program program = new_built_program(module_global_variable());
  int value = 0;
  expect_refused(pi.piextEnqueueDeviceGlobalVariableRead(the_queue(), program, NULL, PI_TRUE, 4, 0,
                                                         &value, 0, NULL, NULL));
  expect_refused(pi.piextEnqueueDeviceGlobalVariableRead(the_queue(), program, "counter", PI_TRUE,
                                                         4, 0, NULL, 0, NULL, NULL));
}

TEST(program, global_variable_refuses_null) {
  int value = 0;
  expect_refused(pi.piextEnqueueDeviceGlobalVariableRead(NULL, NULL, "counter", PI_TRUE, 4, 0,
                                                         &value, 0, NULL, NULL));
  expect_refused(pi.piextEnqueueDeviceGlobalVariableWrite(NULL, NULL, "counter", PI_TRUE, 4, 0,
                                                          &value, 0, NULL, NULL));
}
