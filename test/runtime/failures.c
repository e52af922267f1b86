/*
 * Over the fake OpenCL: in each of these flows every allocation of libspecpi and every driver call
 * fails once. The call reports the failure, its output does not change, nothing leaks, and the next
 * attempt succeeds.
 */
#include "support.h"

#include "../../fakes/opencl/fake_opencl.h"
#include "../unit/memory.h"

#include <stdlib.h>

static test_image report;
static test_image buffer;
static pi_device_binaries_struct registered;

static specpi_device device;

/* Input bundles, made before anything fails. */
static specpi_bundle report_input;
static specpi_bundle buffer_input;

static test_image needs;
static test_image needed;
static pi_device_binaries_struct needed_registered;
static int variable = 3;

static void make_needed(void) {
  image_report(&needs);
  image_add_number(&needs, "specpi/imported functions", "f", 1);
  image_add_number(&needs, "specpi/imported constants", "tile", 1);
  image_buffer(&needed);
  needed.binary.PropertySetsEnd = needed.sets; /* no constants */
  image_add_number(&needed, "specpi/exported functions", "f", 1);
  needed_registered =
      (pi_device_binaries_struct){PI_DEVICE_BINARIES_VERSION, 1, &needed.binary, NULL, NULL};
  __register_uniquely_identifiable_object(&variable, "tile", "specialization_id");
}

static void make_images(void) {
  image_report(&report);
  report.binary.CompileOptions = "-ftarget-register-alloc-mode=pvc:auto -cl-mad-enable";
  report.binary.LinkOptions = "-cl-fast-relaxed-math";
  image_add_number(&report, PI_PROPERTY_SET_SYCL_MISC_PROP, "optLevel", 0);
  image_buffer(&buffer);
  /* The other image has a constant of the same name and another layout. */
  static char other[] = "other pair";
  buffer.properties[0][1].Name = other;
  registered =
      (pi_device_binaries_struct){PI_DEVICE_BINARIES_VERSION, 1, &report.binary, NULL, NULL};
}

/* One step of a flow. The flow ends if the step fails; then the step's output must be NULL. */
#define STEP(call, output)                                                                         \
  do {                                                                                             \
    result = (call);                                                                               \
    assert_true((result == SPECPI_SUCCESS) == ((output) != NULL));                                 \
    if (result != SPECPI_SUCCESS)                                                                  \
      goto end;                                                                                    \
  } while (0)

static specpi_result flow_create(void) {
  enum { MANY = 20 };
  specpi_image images[2] = {NULL, NULL};
  specpi_image many[MANY];
  specpi_bundle bundle = NULL;
  size_t index = MANY;
  specpi_result result;
  STEP(specpiImageCreate(&report.binary, &images[0]), images[0]);
  STEP(specpiImageCreate(&buffer.binary, &images[1]), images[1]);
  STEP(specpiBundleCreate(device, 2, images, &bundle), bundle);
  for (size_t i = 0; i < MANY; i++)
    many[i] = images[0];
  result = specpiImageSelect(device, MANY, many, &index);
  assert_true((result == SPECPI_SUCCESS) == (index < MANY));
end:
  specpiBundleRelease(bundle);
  specpiImageRelease(images[0]);
  specpiImageRelease(images[1]);
  return result;
}

static specpi_result flow_register(void) {
  specpi_bundle bundle = NULL;
  specpi_result result = specpiRegister(&registered);
  if (result != SPECPI_SUCCESS)
    return result;
  result = specpiBundleCreateForKernel(device, "report", &bundle);
  assert_true((result == SPECPI_SUCCESS) == (bundle != NULL));
  must(specpiUnregister(&registered));
  specpiBundleRelease(bundle);
  return result;
}

static specpi_result flow_build(void) {
  specpi_bundle bundles[2] = {NULL, NULL};
  specpi_result result;
  STEP(specpiBundleBuild(report_input, "-w", &bundles[0]), bundles[0]);
  STEP(specpiBundleBuild(buffer_input, NULL, &bundles[1]), bundles[1]);
end:
  specpiBundleRelease(bundles[0]);
  specpiBundleRelease(bundles[1]);
  must(specpiCacheClear()); /* so that the next flow builds, too */
  return result;
}

static specpi_result flow_link(void) {
  specpi_bundle objects[2] = {NULL, NULL};
  specpi_bundle executable = NULL;
  size_t size = 0;
  specpi_result result;
  STEP(specpiBundleCompile(report_input, "-w", &objects[0]), objects[0]);
  STEP(specpiBundleCompile(buffer_input, NULL, &objects[1]), objects[1]);
  STEP(specpiBundleLink(2, objects, NULL, &executable), executable);
  STEP(specpiBundleGetBinary(executable, 0, 0, NULL, &size), size ? &size : NULL);
end:
  specpiBundleRelease(objects[0]);
  specpiBundleRelease(objects[1]);
  specpiBundleRelease(executable);
  return result;
}

static specpi_result flow_source(void) {
  const int tile = 3;
  const specpi_value value = SPECPI_VALUE("tile", tile);
  program_source source = {0};
  const specpi_result result = bundle_get_source(report_input, 0, NULL, 1, &value, &source);
  assert_true((result == SPECPI_SUCCESS) == (source.image != NULL));
  if (result == SPECPI_SUCCESS)
    program_source_clear(&source);
  return result;
}

/* Uses the images of make_needed: the first one needs the other, which is registered. */
static specpi_result flow_needed(void) {
  specpi_image image = NULL;
  specpi_bundle bundles[3] = {NULL, NULL, NULL};
  specpi_result result = specpiRegister(&needed_registered);
  if (result != SPECPI_SUCCESS)
    return result;
  STEP(specpiImageCreate(&needs.binary, &image), image);
  STEP(specpiBundleCreate(device, 1, &image, &bundles[0]), bundles[0]);
  STEP(specpiBundleBuild(bundles[0], NULL, &bundles[1]), bundles[1]);
  STEP(specpiBundleCompile(bundles[0], NULL, &bundles[2]), bundles[2]);
end:
  for (size_t i = 0; i < 3; i++)
    specpiBundleRelease(bundles[i]);
  specpiImageRelease(image);
  must(specpiUnregister(&needed_registered));
  must(specpiCacheClear());
  return result;
}

static specpi_result flow_foreign(void) {
  static const char text[] = "kernel void mine(global int *p)";
  specpi_bundle bundles[3] = {NULL, NULL, NULL};
  void *program = NULL;
  void *again = NULL;
  specpi_result result;
  STEP(specpiBundleCreateWithSource(device, sizeof text - 1, text, &bundles[0]), bundles[0]);
  STEP(specpiBundleBuild(bundles[0], NULL, &bundles[1]), bundles[1]);
  STEP(specpiBundleGetNativeProgram(bundles[1], 0, &program), program);
  STEP(specpiBundleImport(device, SPECPI_BUNDLE_EXECUTABLE, program, &bundles[2]), bundles[2]);
  STEP(specpiBundleGetNativeProgram(bundles[0], 0, &again), again);
end:
  for (size_t i = 0; i < 3; i++)
    specpiBundleRelease(bundles[i]);
  if (program)
    clReleaseProgram(program);
  if (again)
    clReleaseProgram(again);
  must(specpiCacheClear());
  return result;
}

static specpi_result flow_built_in(void) {
  const char *const names[] = {"fake_other", "fake_built_in"};
  specpi_bundle input = NULL;
  specpi_bundle executable = NULL;
  specpi_result result;
  STEP(specpiBundleCreateWithBuiltInKernels(device, 2, names, &input), input);
  STEP(specpiBundleBuild(input, NULL, &executable), executable);
end:
  specpiBundleRelease(executable);
  specpiBundleRelease(input);
  return result;
}

/* X(name, allocations, calls): the flows and their least numbers of allocations and calls. */
#define FLOWS(X)                                                                                   \
  X(create, 15, 2)                                                                                 \
  X(register, 8, 1)                                                                                \
  X(build, 8, 4)                                                                                   \
  X(link, 20, 6)                                                                                   \
  X(foreign, 20, 12)                                                                               \
  X(built_in, 10, 4)                                                                               \
  X(source, 1, 0)                                                                                  \
  X(needed, 25, 5)

enum { TOO_MANY = 1000 };

static void fail_allocations(const char *name, specpi_result (*flow)(void), long at_least) {
  long n = 0;
  for (;; n++) {
    assert_true(n < TOO_MANY);
    const size_t live = fake_opencl_live_all();
    memory_watch(n);
    const specpi_result result = flow();
    const memory_use use = memory_unwatch();
    if (use.held != 0)
      fail_msg("%s, allocation %ld: %ld blocks are not freed", name, n, use.held);
    assert_int_equal(fake_opencl_live_all(), live);
    if (!use.failed) {
      assert_int_equal(result, SPECPI_SUCCESS);
      break;
    }
    assert_error(result, SPECPI_ERROR_OUT_OF_MEMORY, "an allocation failed");
    must(flow());
  }
  assert_in_range(n, at_least, TOO_MANY);
}

static void fail_calls(const char *name, specpi_result (*flow)(void), long at_least) {
  long n = 0;
  for (;; n++) {
    assert_true(n < TOO_MANY);
    const cl_int code = n % 2 ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
    const size_t live = fake_opencl_live_all();
    fake_opencl_fail(NULL, (unsigned long)n + 1, code);
    const specpi_result result = flow();
    const char *failed = fake_opencl_unfail();
    assert_int_equal(fake_opencl_live_all(), live);
    if (!failed) {
      must(result);
      break;
    }
    /* A program's size, which limits the cache, may be unknown. */
    if (result == SPECPI_SUCCESS && strcmp(failed, "clGetProgramInfo") == 0)
      continue;
    if (result != (n % 2 ? SPECPI_ERROR_OUT_OF_MEMORY : SPECPI_ERROR_DRIVER) ||
        !strstr(specpiGetLastError(), failed))
      fail_msg("%s, %s as call %ld failed: %s: \"%s\"", name, failed, n,
               specpiResultGetName(result), specpiGetLastError());
    must(flow());
  }
  assert_in_range(n, at_least, TOO_MANY);
}

/* Runs first, because the later tests use the context that it creates. */
TEST(context_fails_once) {
  pi_context context = NULL;
  fake_opencl_fail("clCreateContext", 1, CL_DEVICE_NOT_AVAILABLE);
  assert_error(
      specpiDeviceGetContext(device, &context), SPECPI_ERROR_DRIVER,
      "piContextCreate failed: clCreateContext failed: PI_ERROR_DEVICE_NOT_AVAILABLE (-2)");
  assert_non_null(fake_opencl_unfail());
  assert_null(context);
  must(specpiDeviceGetContext(device, &context));
  assert_non_null(context);
}

/* The first flow creates the registry's tables, which are created once in a process. */
TEST(a_first_flow_succeeds) {
  must(flow_register());
}

#define FLOW_TEST(name, allocations, calls)                                                        \
  TEST(failed_allocations_leak_nothing_in_##name) {                                                \
    fail_allocations(#name, flow_##name, allocations);                                             \
  }                                                                                                \
  TEST(failed_calls_leak_nothing_in_##name) { fail_calls(#name, flow_##name, calls); }
FLOWS(FLOW_TEST)

TEST(built_in_kernels_are_kernels) {
  const char *const names[] = {"fake_other", "fake_built_in"};
  const char *const unknown[] = {"fake_built"};
  specpi_bundle input = NULL;
  specpi_bundle none = NULL;
  must(specpiBundleCreateWithBuiltInKernels(device, 2, names, &input));
  const char *kernels[3];
  size_t count = 0;
  must(specpiBundleGetKernels(input, 3, kernels, &count));
  assert_int_equal(count, 2);
  assert_string_equal(kernels[0], "fake_built_in");
  specpi_bundle executable = NULL;
  specpi_kernel kernel = NULL;
  must(specpiBundleBuild(input, NULL, &executable));
  must(specpiKernelCreate(executable, "fake_built_in", &kernel));
  specpiKernelRelease(kernel);
  specpiBundleRelease(executable);
  specpiBundleRelease(input);
  assert_error(
      specpiBundleCreateWithBuiltInKernels(device, 1, unknown, &none), SPECPI_ERROR_UNKNOWN_KERNEL,
      "no built-in kernel \"fake_built\": those that it has are \"fake_built_in;fake_other\"");
  assert_null(none);
}

/*
 * A failed build without memory for its log still reports the failure. Other allocations, such as
 * the copy for threads that wait for the same build, lose no log.
 */
TEST(a_failed_build_loses_at_most_its_log) {
  specpi_bundle none = NULL;
  assert_error(specpiBundleBuild(report_input, "-fake-fail", &none), SPECPI_ERROR_BUILD_FAILED,
               "-fake-fail");
  char log[256];
  assert_in_range(snprintf(log, sizeof log, "%s", specpiGetBuildLog()), 1, sizeof log - 1);
  long lost = 0;
  for (long n = 0; n < TOO_MANY; n++) {
    memory_watch(n);
    const specpi_result result = specpiBundleBuild(report_input, "-fake-fail", &none);
    const memory_use use = memory_unwatch();
    if (!use.failed)
      break;
    if (result == SPECPI_ERROR_BUILD_FAILED && !*specpiGetBuildLog()) {
      lost++;
    } else if (result == SPECPI_ERROR_BUILD_FAILED) {
      assert_string_equal(specpiGetBuildLog(), log);
    } else {
      assert_error(result, SPECPI_ERROR_OUT_OF_MEMORY, "an allocation failed");
    }
  }
  assert_int_equal(lost, 1);
  assert_null(none);
  assert_string_equal(specpiGetBuildLog(), log);
}

/* The driver gets the values that were set, and no others; "big" was set at the start. */
TEST(passes_values_on) {
  const int tile = 3;
  const char mode = 'm';
  specpi_bundle executable = NULL;
  const unsigned long before = fake_opencl_calls("clSetProgramSpecializationConstant");
  must(specpiBundleSet(report_input, "tile", sizeof tile, &tile));
  must(specpiBundleSetLeaf(report_input, "pair", 4, sizeof mode, &mode));
  must(specpiBundleBuild(report_input, NULL, &executable));
  assert_int_equal(fake_opencl_calls("clSetProgramSpecializationConstant"), before + 3);
  enum { RECORDS = 16 };
  fake_opencl_record records[RECORDS];
  int64_t words[2 * RECORDS];
  support_run(executable, "report", words, 2 * RECORDS);
  memcpy(records, words, sizeof records);
  assert_int_equal(records[1].what, 0);
  assert_int_equal(records[1].value, 3);
  assert_int_equal(records[2].value & 0xffffffff, support_bits(0.5f));
  assert_int_equal(records[3].value & 0xff, 'm');
  specpiBundleRelease(executable);
  must(specpiBundleReset(report_input, "tile"));
  must(specpiBundleReset(report_input, "pair"));
}

/* If a constant has no value, the build fails before the driver is called, and no cache file counts
 * as bad. */
TEST(misses_values_before_the_driver) {
  test_image image;
  image_buffer(&image);
  image.sets[1] = image.sets[2];
  image.binary.PropertySetsEnd--;
  const test_image *const one[] = {&image};
  specpi_bundle input = support_bundle(1, one);
  specpi_bundle none = NULL;
  specpi_kernel kernel = NULL;
  const unsigned long before = fake_opencl_calls(NULL);
  assert_error(specpiBundleBuild(input, NULL, &none), SPECPI_ERROR_NO_VALUE, "\"tile\"");
  assert_error(specpiBundleCompile(input, NULL, &none), SPECPI_ERROR_NO_VALUE, "\"tile\"");
  assert_error(specpiBundleGetKernel(input, "from_buffer", NULL, 0, NULL, &kernel),
               SPECPI_ERROR_NO_VALUE, "\"tile\"");
  assert_int_equal(fake_opencl_calls(NULL), before);
  assert_null(none);
  assert_null(kernel);
  specpiBundleRelease(input);
}

/* An image's link options are used in a link and a build, but not in a compilation. */
TEST(uses_link_options) {
  test_image image;
  image_report(&image);
  image.binary.LinkOptions = "-fake-fail";
  const test_image *const one[] = {&image};
  specpi_bundle input = support_bundle(1, one);
  specpi_bundle object = NULL;
  specpi_bundle none = NULL;
  const size_t live = fake_opencl_live_all();
  assert_error(specpiBundleBuild(input, NULL, &none), SPECPI_ERROR_BUILD_FAILED, "-fake-fail");
  must(specpiBundleCompile(input, NULL, &object));
  assert_error(specpiBundleLink(1, &object, "-w", &none), SPECPI_ERROR_BUILD_FAILED,
               "piProgramLink with the options \"-fake-fail -w\"");
  assert_null(none);
  specpiBundleRelease(object);
  assert_int_equal(fake_opencl_live_all(), live);
  specpiBundleRelease(input);
}

static int set_up(void **state) {
  (void)state;
  device = support_device();
  make_images();
  make_needed();
  const test_image *const one[] = {&report};
  const test_image *const other[] = {&buffer};
  report_input = support_bundle(1, one);
  buffer_input = support_bundle(1, other);
  const int64_t big = 4;
  must(specpiBundleSet(report_input, "big", sizeof big, &big));
  must(specpiBundleSet(buffer_input, "big", sizeof big, &big));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  specpiBundleRelease(report_input);
  specpiBundleRelease(buffer_input);
  return 0;
}

int main(void) {
  return tests_run(set_up, tear_down);
}
