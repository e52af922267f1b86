/* Programs over a driver that behaves like Intel's CPU runtime. */
#include "check.h"
#include "world.h"

#include "../../fakes/opencl/fake_opencl.h"

#include <string.h>

static world w;

static int open_world(void **state) {
  (void)state;
  world_begin(&w);
  return 0;
}

static int close_world(void **state) {
  (void)state;
  world_end(&w);
  char list[4096];
  if (fake_opencl_list(list, sizeof list) != 0)
    fail_with("the driver has objects left:\n%s", list);
  return 0;
}

#define PROGRAM_TEST(name) TEST_WITH(name, open_world, close_world)

static void set(pi_program program, pi_uint32 value) {
  must(piextProgramSetSpecializationConstant(program, 0, sizeof value, &value));
}

static pi_program create(void) {
  pi_program program = NULL;
  must(piProgramCreate(w.context, backend_code(), backend_code_size(), &program));
  return program;
}

/* The fake driver ignores values that are set after a build, so the plugin must keep them. */
PROGRAM_TEST(values_may_be_set_after_a_build) {
  set(w.rebuilt, 11);
  assert_int_equal(world_built_value(&w, w.rebuilt, 0), 11);
  set(w.rebuilt, 12);
  set(w.rebuilt, 13);
  assert_int_equal(world_built_value(&w, w.rebuilt, 0), 13);
}

/* The fake driver aborts if the plugin sets a constant of a program from source. */
PROGRAM_TEST(a_program_of_source_takes_no_values) {
  const char *text = "kernel void probe(global ulong *out, uint value) {}";
  cl_int code;
  const cl_program native =
      clCreateProgramWithSource((cl_context)(void *)w.context, 1, &text, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  pi_program program = NULL;
  const pi_uint32 value = 1;
  const char *sentence;
  must(piextProgramCreateWithNativeHandle((pi_native_handle)native, w.context, true, &program));
  assert_int_equal(piextProgramSetSpecializationConstant(program, 0, sizeof value, &value),
                   PI_ERROR_INVALID_PROGRAM);
  plugin_error_last(&sentence);
  assert_non_null(strstr(sentence, "not created from IL"));
  must(piProgramRelease(program));
}

/* A binary has the values of its build, and takes no others. */
PROGRAM_TEST(a_program_of_a_binary_takes_no_values) {
  pi_program program = NULL;
  pi_int32 status = 1;
  const pi_uint32 value = 1;
  const unsigned char *binary = w.binary;
  must(piProgramCreateWithBinary(w.context, 1, &w.device, &w.binary_size, &binary, 0, NULL, &status,
                                 &program));
  assert_int_equal(status, 0);
  assert_int_equal(piextProgramSetSpecializationConstant(program, 0, sizeof value, &value),
                   PI_ERROR_INVALID_PROGRAM);
  assert_int_equal(world_built_value(&w, program, 0), WORLD_CONSTANT);
  must(piProgramRelease(program));
}

/* After a failed build there is a log, older kernels still work, and another build can succeed. */
PROGRAM_TEST(a_failed_build_leaves_a_log_and_kernels) {
  char log[256] = "";
  set(w.rebuilt, 21);
  assert_int_equal(piProgramBuild(w.rebuilt, 1, &w.device, "-fake-fail", NULL, NULL),
                   PI_ERROR_BUILD_PROGRAM_FAILURE);
  must(
      piProgramGetBuildInfo(w.rebuilt, w.device, PI_PROGRAM_BUILD_INFO_LOG, sizeof log, log, NULL));
  assert_non_null(strstr(log, "build failed"));
  const size_t one = 1;
  must(piEnqueueKernelLaunch(w.queue, w.kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  launch_record records[2];
  must(piEnqueueMemBufferRead(w.queue, w.second, PI_TRUE, 0, sizeof records, records, 0, NULL,
                              NULL));
  assert_int_equal(records[1].value, WORLD_CONSTANT);
  assert_int_equal(world_built_value(&w, w.rebuilt, 0), 21);
}

/* Two linked objects have a constant of the same id. Each keeps the value it was compiled with. */
PROGRAM_TEST(linked_objects_keep_their_values) {
  const pi_uint32 values[2] = {31, 32};
  pi_program parts[2];
  pi_program linked = NULL;
  for (size_t i = 0; i < 2; i++) {
    parts[i] = create();
    set(parts[i], values[i]);
    must(piProgramCompile(parts[i], 1, &w.device, "", 0, NULL, NULL, NULL, NULL));
    set(parts[i], 99);
  }
  must(piProgramLink(w.context, 1, &w.device, "", 2, parts, NULL, NULL, &linked));
  pi_kernel kernel;
  const size_t one = 1;
  const pi_uint32 five = 5;
  launch_record records[8];
  must(piKernelCreate(linked, "probe", &kernel));
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &w.second));
  must(piKernelSetArg(kernel, 1, sizeof five, &five));
  must(piEnqueueKernelLaunch(w.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  must(piEnqueueMemBufferRead(w.queue, w.second, PI_TRUE, 0, sizeof records, records, 0, NULL,
                              NULL));
  /* The launch, then constants 0 and 1 of each part. */
  assert_int_equal(records[1].value, 31);
  assert_int_equal(records[3].value, 32);
  must(piKernelRelease(kernel));
  must(piProgramRelease(linked));
  must(piProgramRelease(parts[0]));
  must(piProgramRelease(parts[1]));
}

/*
 * The application releases a program's last reference through the driver. The next program gets the
 * same address, but not the old values.
 */
PROGRAM_TEST(a_program_at_a_reused_address_has_defaults) {
  fake_opencl_reuse_addresses(true);
  pi_program gone = create();
  pi_native_handle native;
  set(gone, 41);
  must(piextProgramGetNativeHandle(gone, &native));
  assert_int_equal(clReleaseProgram((cl_program)native), CL_SUCCESS);
  pi_program program = create();
  fake_opencl_reuse_addresses(false);
  assert_ptr_equal(program, gone);
  assert_int_equal(world_built_value(&w, program, 0), WORLD_DEFAULT);
  must(piProgramRelease(program));
}

/* If the driver refuses to release a program that was built twice, the program stays as it was. */
PROGRAM_TEST(a_refused_release_leaves_the_program) {
  pi_program program = create();
  set(program, 51);
  assert_int_equal(world_built_value(&w, program, 0), 51);
  set(program, 52);
  assert_int_equal(world_built_value(&w, program, 0), 52);
  fake_opencl_fail("clReleaseProgram", 1, CL_OUT_OF_RESOURCES);
  assert_int_equal(piProgramRelease(program), PI_ERROR_OUT_OF_RESOURCES);
  assert_non_null(fake_opencl_unfail());

  pi_kernel kernel;
  pi_program owner = NULL;
  must(piKernelCreate(program, "probe", &kernel));
  must(piKernelGetInfo(kernel, PI_KERNEL_INFO_PROGRAM, sizeof owner, &owner, NULL));
  assert_ptr_equal(owner, program);
  must(piKernelRelease(kernel));
  assert_int_equal(world_built_value(&w, program, 0), 52);
  set(program, 53);
  assert_int_equal(world_built_value(&w, program, 0), 53);
  must(piProgramRelease(program));
}

/* Commands that wait for a user event work although the application has released their buffer. */
PROGRAM_TEST(commands_that_wait_keep_their_buffers) {
  pi_event gate = w.spare.user_event;
  pi_event done = NULL;
  pi_mem memory = NULL;
  pi_uint32 pattern = 0x0a0b0c0d;
  pi_uint32 result = 0;
  pi_int32 status = -1;
  must(piMemBufferCreate(w.context, PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &memory, NULL));
  must(piEnqueueMemBufferFill(w.queue, memory, &pattern, sizeof pattern, 0, 64, 1, &gate, NULL));
  must(piEnqueueMemBufferRead(w.queue, memory, PI_FALSE, 60, 4, &result, 0, NULL, &done));
  must(piMemRelease(memory));
  pattern = 0;
  must(piEventGetInfo(done, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  assert_int_not_equal(status, PI_EVENT_COMPLETE);
  assert_int_equal(result, 0);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &done));
  assert_int_equal(result, 0x0a0b0c0d);
  must(piEventRelease(done));
}
