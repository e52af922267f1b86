/*
 * Programs over the fake driver: builds for several devices, kernels of older builds, compilation
 * and linking with and without the driver's extension, native code, native handles, global
 * variables, and that failures leak nothing.
 */
#include "programs.h"

#include "../../plugins/level_zero/program.h"

#include <stdio.h>

/* ---- Builds ---- */

/* The environment sets the number of root devices to 2. */
static pi_context two_devices(pi_device devices[2]) {
  pi_context context = NULL;
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, devices, NULL));
  must(piContextCreate(NULL, 2, devices, NULL, NULL, &context));
  return context;
}

static pi_program program_in(pi_context context, module_index index) {
  const module_bytes code = module_of(index);
  pi_program program = NULL;
  must(piProgramCreate(context, code.bytes, code.size, &program));
  return program;
}

static pi_int32 status_for(pi_program program, pi_device device) {
  pi_int32 status = 99;
  must(piProgramGetBuildInfo(program, device, PI_PROGRAM_BUILD_INFO_STATUS, sizeof status, &status,
                             NULL));
  return status;
}

/* The build makes one module for each root device in its list, and no more. */
WORLD_TEST(each_device_of_the_build_has_a_module) {
  pi_device both[2];
  const pi_context context = two_devices(both);
  const pi_program program = program_in(context, MODULE_basic);
  const size_t before = fake_ze_live(FAKE_MODULE);
  must(piProgramBuild(program, 1, &both[1], "", NULL, NULL));
  assert_int_equal(fake_ze_live(FAKE_MODULE), before + 1);
  assert_int_equal(status_for(program, both[0]), PI_PROGRAM_BUILD_STATUS_NONE);
  assert_int_equal(status_for(program, both[1]), PI_PROGRAM_BUILD_STATUS_SUCCESS);
  size_t sizes[2] = {1, 1};
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, sizeof sizes, sizes, NULL));
  assert_int_equal(sizes[0], 0);
  assert_int_not_equal(sizes[1], 0);
  /* A kernel of the build is for that device only. */
  const pi_kernel kernel = new_kernel(program, "empty");
  size_t largest = 0;
  fails(PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
        piKernelGetGroupInfo(kernel, both[0], PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, sizeof largest,
                             &largest, NULL));
  must(piKernelRelease(kernel));
  /* A build for the other device also builds for the first one: both have the same values. */
  must(piProgramBuild(program, 1, &both[0], "", NULL, NULL));
  assert_int_equal(fake_ze_live(FAKE_MODULE), before + 2);
  assert_int_equal(status_for(program, both[0]), PI_PROGRAM_BUILD_STATUS_SUCCESS);
  assert_int_equal(status_for(program, both[1]), PI_PROGRAM_BUILD_STATUS_SUCCESS);
  must(piProgramRelease(program));
  must(piContextRelease(context));
}

/* A part of a device uses its root's module. */
WORLD_TEST(a_part_uses_the_module_of_its_root) {
  const pi_device_partition_property split[] = {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  pi_device subs[2] = {NULL};
  must(piDevicePartition(w.device, split, 2, subs, NULL));
  const pi_program program = new_program(MODULE_basic);
  const size_t before = fake_ze_live(FAKE_MODULE);
  must(piProgramBuild(program, 2, subs, "", NULL, NULL));
  assert_int_equal(fake_ze_live(FAKE_MODULE), before + 1);
  assert_int_equal(status_for(program, w.device), PI_PROGRAM_BUILD_STATUS_SUCCESS);
  must(piProgramRelease(program));
  must(piDeviceRelease(subs[0]));
  must(piDeviceRelease(subs[1]));
}

/* A kernel keeps its build, even if a later build fails. */
WORLD_TEST(kernels_keep_older_builds) {
  const pi_program program = built_program(MODULE_extreme_ids);
  const pi_kernel first = new_kernel(program, "value");
  set32(program, 0, 5);
  assert_int_equal(number_of_kernel(first), 1000);
  build(program);
  const pi_kernel second = new_kernel(program, "value");
  fake_ze_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  fails(PI_ERROR_BUILD_PROGRAM_FAILURE, piProgramBuild(program, 0, NULL, "", NULL, NULL));
  assert_string_equal(fake_ze_unfail(), "zeModuleCreate");
  pi_kernel third = NULL;
  fails(PI_ERROR_INVALID_PROGRAM_EXECUTABLE, piKernelCreate(program, "value", &third));
  assert_null(third);
  assert_int_equal(status_for(program, w.device), PI_PROGRAM_BUILD_STATUS_ERROR);
  assert_int_equal(number_of_kernel(first), 1000);
  assert_int_equal(number_of_kernel(second), 5);
  build(program);
  assert_int_equal(number_of(program, "value"), 5);
  must(piProgramRelease(program));
  assert_int_equal(number_of_kernel(first), 1000);
  must(piKernelRelease(first));
  must(piKernelRelease(second));
}

/* After a failure that is not the code's, the program keeps its former build. */
WORLD_TEST(failed_call_keeps_build) {
  const pi_program program = built_program(MODULE_extreme_ids);
  set32(program, 0, 5);
  fake_ze_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  fails(PI_ERROR_OUT_OF_HOST_MEMORY, piProgramBuild(program, 0, NULL, "", NULL, NULL));
  assert_int_equal(status_for(program, w.device), PI_PROGRAM_BUILD_STATUS_SUCCESS);
  assert_int_equal(number_of(program, "value"), 1000);
  build(program);
  assert_int_equal(number_of(program, "value"), 5);
  must(piProgramRelease(program));
}

/* A program released while commands use it: they run, and no object is left. */
WORLD_TEST(commands_outlive_their_program) {
  const pi_program program = built_program(MODULE_basic);
  const pi_kernel kernel = new_kernel(program, "numbers");
  const pi_mem out = new_buffer(64 * sizeof(pi_uint32), NULL);
  const pi_event gate = new_user_event();
  const size_t global[3] = {64, 1, 1};
  pi_uint32 got[64] = {0};
  pi_event done = NULL;
  set_buffer(kernel, 0, out);
  must(piEnqueueKernelLaunch(w.queue, kernel, 1, NULL, global, NULL, 1, &gate, &done));
  must(piKernelRelease(kernel));
  must(piProgramRelease(program));
  assert_int_not_equal(fake_ze_live(FAKE_MODULE), 0);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &done));
  must(piEnqueueMemBufferRead(w.queue, out, PI_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  assert_int_equal(got[63], 63);
  must(piEventRelease(done));
  must(piEventRelease(gate));
  must(piMemRelease(out));
}

/* ---- Links ---- */

static bool has_extension(void) {
  const char *without = getenv("FAKE_ZE_WITHOUT");
  return !without || !strstr(without, ZE_MODULE_PROGRAM_EXP_NAME);
}

/* Each input keeps the values of its own compilation, though both have the same id. */
WORLD_TEST(linked_inputs_keep_their_values) {
  const pi_program main = new_program(MODULE_link_main);
  const pi_program part = new_program(MODULE_link_part);
  set32(main, 101, 5);
  compile(main);
  set32(main, 101, 999);
  compile(part);
  const pi_program unset = linked_program(part, main);
  assert_int_equal(number_of(unset, "value"), 5002);
  set32(part, 101, 7);
  compile(part);
  const pi_program set = linked_program(main, part);
  assert_int_equal(number_of(set, "value"), 5007);
  assert_int_equal(number_of(unset, "value"), 5002);
  const pi_uint32 value = 1;
  fails(PI_ERROR_INVALID_PROGRAM,
        piextProgramSetSpecializationConstant(set, 101, sizeof value, &value));
  fails(PI_ERROR_INVALID_OPERATION, piProgramBuild(set, 0, NULL, "", NULL, NULL));
  /* The linked program does not need its inputs. */
  must(piProgramRelease(main));
  must(piProgramRelease(part));
  assert_int_equal(number_of(set, "value"), 5007);
  size_t count = 0;
  must(piProgramGetInfo(set, PI_PROGRAM_INFO_NUM_KERNELS, sizeof count, &count, NULL));
  assert_int_equal(count, 1);
  must(piProgramRelease(unset));
  must(piProgramRelease(set));
}

/* One module where the driver links, and one for each input where it joins modules. */
WORLD_TEST(a_linked_program_has_the_least_modules) {
  const pi_program main = new_program(MODULE_link_main);
  const pi_program part = new_program(MODULE_link_part);
  compile(main);
  compile(part);
  const size_t before = fake_ze_live(FAKE_MODULE);
  const pi_program linked = linked_program(main, part);
  assert_int_equal(fake_ze_live(FAKE_MODULE), before + (has_extension() ? 1 : 2));
  size_t size = 0;
  const pi_result result =
      piProgramGetInfo(linked, PI_PROGRAM_INFO_BINARY_SIZES, sizeof size, &size, NULL);
  assert_int_equal(result, has_extension() ? PI_SUCCESS : PI_ERROR_UNSUPPORTED_FEATURE);
  assert_int_equal(size != 0, has_extension());
  must(piProgramRelease(linked));
  must(piProgramRelease(main));
  must(piProgramRelease(part));
}

WORLD_TEST(wrong_links_are_refused) {
  const pi_program main = new_program(MODULE_link_main);
  pi_program linked = NULL;
  fails(PI_ERROR_INVALID_OPERATION,
        piProgramLink(w.context, 0, NULL, "", 1, &main, NULL, NULL, &linked));
  assert_null(linked);
  compile(main);
  /* The log of the returned program names the missing function. */
  fails(PI_ERROR_LINK_PROGRAM_FAILURE,
        piProgramLink(w.context, 0, NULL, "", 1, &main, NULL, NULL, &linked));
  assert_non_null(linked);
  char *log = log_of(linked);
  assert_non_null(strstr(log, "part"));
  free(log);
  pi_kernel kernel = NULL;
  fails(PI_ERROR_INVALID_PROGRAM_EXECUTABLE, piKernelCreate(linked, "value", &kernel));
  must(piProgramRelease(linked));
  pi_device both[2];
  const pi_context other = two_devices(both);
  linked = NULL;
  fails(PI_ERROR_INVALID_CONTEXT, piProgramLink(other, 0, NULL, "", 1, &main, NULL, NULL, &linked));
  assert_null(linked);
  must(piContextRelease(other));
  must(piProgramRelease(main));
}

/* ---- Native code ---- */

/* A binary for each device; a status marks the one that is no code. */
WORLD_TEST(each_device_has_its_binary) {
  pi_device both[2];
  const pi_context context = two_devices(both);
  const pi_program program = program_in(context, MODULE_basic);
  build(program);
  size_t sizes[2];
  unsigned char *binary[2];
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, sizeof sizes, sizes, NULL));
  for (int i = 0; i < 2; i++)
    binary[i] = malloc(sizes[i]);
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, sizeof binary, binary, NULL));
  const unsigned char *list[2] = {binary[0], binary[1]};
  pi_int32 status[2] = {99, 99};
  pi_program loaded = NULL;
  must(piProgramCreateWithBinary(context, 2, both, sizes, list, 0, NULL, status, &loaded));
  assert_int_equal(status[0] | status[1], 0);
  build(loaded);
  must(piProgramRelease(loaded));
  /* For one of the devices. */
  must(
      piProgramCreateWithBinary(context, 1, &both[1], &sizes[1], &list[1], 0, NULL, NULL, &loaded));
  pi_uint32 count = 0;
  pi_device device = NULL;
  must(piProgramGetInfo(loaded, PI_PROGRAM_INFO_NUM_DEVICES, sizeof count, &count, NULL));
  assert_int_equal(count, 1);
  must(piProgramGetInfo(loaded, PI_PROGRAM_INFO_DEVICES, sizeof(pi_device), &device, NULL));
  assert_ptr_equal(device, both[1]);
  fails(PI_ERROR_INVALID_BINARY, piProgramBuild(loaded, 1, &both[0], "", NULL, NULL));
  build(loaded);
  must(piProgramRelease(loaded));
  static const unsigned char junk[40] = "junk";
  sizes[1] = sizeof junk;
  list[1] = junk;
  loaded = NULL;
  fails(PI_ERROR_INVALID_BINARY,
        piProgramCreateWithBinary(context, 2, both, sizes, list, 0, NULL, status, &loaded));
  assert_int_equal(status[0], PI_SUCCESS);
  assert_int_equal(status[1], PI_ERROR_INVALID_BINARY);
  assert_null(loaded);
  free(binary[0]);
  free(binary[1]);
  must(piProgramRelease(program));
  must(piContextRelease(context));
}

WORLD_TEST(code_that_is_no_binary_is_refused) {
  const module_bytes spirv = module_of(MODULE_basic);
  const unsigned char *list[2] = {spirv.bytes, spirv.bytes};
  size_t sizes[2] = {spirv.size, 0};
  const pi_device twice[2] = {w.device, w.device};
  pi_program program = NULL;
  fails(PI_ERROR_INVALID_BINARY,
        piProgramCreateWithBinary(w.context, 1, &w.device, sizes, list, 0, NULL, NULL, &program));
  fails(PI_ERROR_INVALID_DEVICE,
        piProgramCreateWithBinary(w.context, 2, twice, sizes, list, 0, NULL, NULL, &program));
  fails(PI_ERROR_INVALID_VALUE,
        piProgramCreateWithBinary(w.context, 1, &w.device, sizes, list, 1, NULL, NULL, &program));
  pi_device both[2];
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, both, NULL));
  fails(PI_ERROR_INVALID_DEVICE,
        piProgramCreateWithBinary(w.context, 1, &both[1], sizes, list, 0, NULL, NULL, &program));
  assert_null(program);
}

/* ---- Native handles ---- */

WORLD_TEST(a_native_handle_is_its_program) {
  const pi_program program = new_program(MODULE_basic);
  pi_native_handle native = 0;
  pi_program same = NULL;
  fails(PI_ERROR_INVALID_PROGRAM_EXECUTABLE, piextProgramGetNativeHandle(program, &native));
  build(program);
  must(piextProgramGetNativeHandle(program, &native));
  must(piextProgramCreateWithNativeHandle(native, w.context, false, &same));
  assert_ptr_equal(same, program);
  must(piProgramRelease(same));
  must(piextProgramCreateWithNativeHandle(native, w.context, true, &same));
  assert_ptr_equal(same, program);
  /* The caller's only reference went with the handle; the new program has it. */
  const pi_kernel kernel = new_kernel(same, "numbers");
  build(program);
  fails(PI_ERROR_INVALID_PROGRAM,
        piextProgramCreateWithNativeHandle(native, w.context, false, &same));
  assert_int_equal(number_of_kernel(kernel), 0);
  must(piKernelRelease(kernel));
  must(piProgramRelease(program));
}

/* A module of the application; its owner destroys it. */
static void foreign_module(bool is_owned) {
  const module_bytes code = module_of(MODULE_basic);
  pi_native_handle context = 0;
  pi_native_handle device = 0;
  must(piextContextGetNativeHandle(w.context, &context));
  must(piextDeviceGetNativeHandle(w.device, &device));
  const ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                        .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                        .inputSize = code.size,
                                        .pInputModule = code.bytes};
  ze_module_handle_t module = NULL;
  driver(zeModuleCreate((ze_context_handle_t)context, (ze_device_handle_t)device, &description,
                        &module, NULL));
  pi_program program = NULL;
  const pi_native_handle native = (pi_native_handle)(void *)module;
  must(piextProgramCreateWithNativeHandle(native, w.context, is_owned, &program));
  size_t count = 0;
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_KERNELS, sizeof count, &count, NULL));
  assert_int_equal(count, 4);
  const pi_kernel kernel = new_kernel(program, "increment");
  assert_int_equal(number_of_kernel(kernel), number_of_kernel(kernel));
  /* A kernel of the application in that module. */
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "numbers"};
  ze_kernel_handle_t native_kernel = NULL;
  driver(zeKernelCreate(module, &desc, &native_kernel));
  pi_kernel wrapped = NULL;
  fails(PI_ERROR_INVALID_PROGRAM,
        piextKernelCreateWithNativeHandle((pi_native_handle)(void *)native_kernel, w.context, NULL,
                                          is_owned, &wrapped));
  must(piextKernelCreateWithNativeHandle((pi_native_handle)(void *)native_kernel, w.context,
                                         program, is_owned, &wrapped));
  assert_int_equal(number_of_kernel(wrapped), 0);
  must(piKernelRelease(wrapped));
  must(piKernelRelease(kernel));
  must(piProgramRelease(program));
  must(piQueueFinish(w.queue));
  if (!is_owned) {
    driver(zeKernelDestroy(native_kernel));
    driver(zeModuleDestroy(module));
  }
}

WORLD_TEST(the_owner_destroys_a_native_module) {
  foreign_module(false);
  foreign_module(true);
}

/* ---- Variables ---- */

/* ---- Failures ---- */

/* A call of the plugin, run with each call of the driver failing in turn. */
typedef pi_result scenario(pi_program *main, pi_program *part);

static pi_result build_scenario(pi_program *main, pi_program *part) {
  (void)part;
  return piProgramBuild(*main, 0, NULL, "", NULL, NULL);
}

static pi_result link_scenario(pi_program *main, pi_program *part) {
  const pi_program both[2] = {*main, *part};
  pi_program linked = NULL;
  const pi_result result = piProgramLink(w.context, 0, NULL, "", 2, both, NULL, NULL, &linked);
  if (linked)
    must(piProgramRelease(linked));
  return result;
}

static void fail_each(scenario *run, pi_program main, pi_program part) {
  unsigned long nth = 1;
  for (;; nth++) {
    const size_t before = fake_ze_live_all();
    fake_ze_fail(NULL, nth, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    const pi_result result = run(&main, &part);
    const bool reached = fake_ze_unfail() != NULL;
    if (!reached)
      break;
    /* A missing log is no reason to fail. */
    if (result != PI_SUCCESS)
      assert_int_equal(fake_ze_live_all(), before);
    else
      build(main);
  }
  assert_true(nth > 2);
}

WORLD_TEST(failed_builds_leak_nothing) {
  const pi_program alone = new_program(MODULE_extreme_ids);
  fail_each(build_scenario, alone, NULL);
  assert_int_equal(number_of(alone, "value"), 1000);
  must(piProgramRelease(alone));
}

WORLD_TEST(failed_links_leak_nothing) {
  const pi_program main = new_program(MODULE_link_main);
  const pi_program part = new_program(MODULE_link_part);
  compile(main);
  compile(part);
  for (unsigned long nth = 1;; nth++) {
    const size_t before = fake_ze_live_all();
    pi_program programs[2] = {main, part};
    fake_ze_fail(NULL, nth, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    (void)link_scenario(&programs[0], &programs[1]);
    const bool reached = fake_ze_unfail() != NULL;
    assert_int_equal(fake_ze_live_all(), before);
    if (!reached)
      break;
  }
  must(piProgramRelease(main));
  must(piProgramRelease(part));
}
