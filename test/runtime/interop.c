/* Bundles from OpenCL's programs, and OpenCL's objects from bundles, on the real CPU runtime. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "support.h"

#include "../support/embed.h"

#include <dlfcn.h>
#include <stdlib.h>

SPECPI_EMBED(report_il, "report.spv")

static const char source[] = "kernel void fill(global long *out) { out[0] = 41; }\n"
                             "kernel void other(global long *out) { out[0] = 42; }\n";

/* Returns a function of the OpenCL library that the plugin loaded. */
static void *symbol(const char *name) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
  void *found = library ? dlsym(library, name) : NULL;
  if (!found)
    fail_msg("OpenCL has no %s", name);
  else
    dlclose(library);
  return found;
}
#define CL(name) ((__typeof__(name) *)(uintptr_t)symbol(#name))

static cl_context native_context(void) {
  pi_context context;
  pi_native_handle native = 0;
  must(specpiDeviceGetContext(support_device(), &context));
  assert_int_equal(
      specpiDeviceGetFunctions(support_device())->piextContextGetNativeHandle(context, &native),
      PI_SUCCESS);
  return (cl_context)native;
}

static cl_uint reference_count(cl_program program) {
  cl_uint count = 0;
  assert_int_equal(
      CL(clGetProgramInfo)(program, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL),
      CL_SUCCESS);
  return count;
}

static cl_program native_source(const char *text) {
  cl_int code;
  cl_program program = CL(clCreateProgramWithSource)(native_context(), 1, &text, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  return program;
}

static specpi_bundle create_source(void) {
  specpi_bundle bundle = NULL;
  must(specpiBundleCreateWithSource(support_device(), sizeof source - 1, source, &bundle));
  return bundle;
}

static void check_source(specpi_bundle executable) {
  const char *kernels[3];
  size_t count = 0;
  must(specpiBundleGetKernels(executable, 3, kernels, &count));
  assert_int_equal(count, 2);
  assert_string_equal(kernels[0], "fill");
  int64_t value = 0;
  support_run(executable, "fill", &value, 1);
  assert_int_equal(value, 41);
  support_run(executable, "other", &value, 1);
  assert_int_equal(value, 42);
}

TEST(builds_source) {
  specpi_bundle input = create_source();
  size_t count = 1;
  must(specpiBundleGetKernels(input, 0, NULL, &count));
  assert_int_equal(count, 0);
  for (int round = 0; round < 2; round++) { /* the second round uses the cache */
    specpi_bundle executable = NULL;
    must(specpiBundleBuild(input, "-cl-mad-enable", &executable));
    check_source(executable);
    specpiBundleRelease(executable);
  }
  specpi_bundle copy = NULL;
  must(specpiBundleCopy(input, &copy));
  specpiBundleRelease(input);
  specpi_bundle object = NULL;
  specpi_bundle linked = NULL;
  must(specpiBundleCompile(copy, NULL, &object));
  must(specpiBundleLink(1, &object, NULL, &linked));
  check_source(linked);
  specpiBundleRelease(copy);
  specpiBundleRelease(object);
  specpiBundleRelease(linked);
}

TEST(refuses_bad_source) {
  static const char bad[] = "kernel void fill(global long *out) { out[0] = nobody; }";
  specpi_bundle input = NULL;
  specpi_bundle none = NULL;
  must(specpiBundleCreateWithSource(support_device(), sizeof bad - 1, bad, &input));
  assert_error(specpiBundleBuild(input, NULL, &none), SPECPI_ERROR_BUILD_FAILED, "nobody");
  assert_non_null(strstr(specpiGetBuildLog(), "nobody"));
  assert_null(none);
  specpiBundleRelease(input);
}

TEST(says_what_the_compiler_said) {
  static const char text[] =
      "#warning look here\nkernel void fill(global long *out) { out[0] = 1; }";
  specpi_bundle input = NULL;
  specpi_bundle executable = NULL;
  must(specpiBundleCreateWithSource(support_device(), sizeof text - 1, text, &input));
  must(specpiBundleBuild(input, NULL, &executable));
  size_t count = 0;
  must(specpiBundleGetLog(executable, 0, NULL, &count));
  char *log = calloc(1, count + 1);
  must(specpiBundleGetLog(executable, count, log, &count));
  if (!strstr(log, "look here"))
    fail_msg("the log is \"%s\"", log);
  char begin[5] = "";
  must(specpiBundleGetLog(executable, 4, begin, &count));
  assert_memory_equal(begin, log, 4);
  free(log);
  assert_error(specpiBundleGetLog(input, 0, NULL, &count), SPECPI_ERROR_INVALID_STATE, "input");
  assert_error(specpiBundleGetLog(NULL, 0, NULL, &count), SPECPI_ERROR_INVALID_ARGUMENT, "bundle");
  assert_error(specpiBundleGetLog(executable, 1, NULL, &count), SPECPI_ERROR_INVALID_ARGUMENT,
               "text is NULL");
  assert_error(specpiBundleGetLog(executable, 0, NULL, NULL), SPECPI_ERROR_INVALID_ARGUMENT,
               "count is NULL");
  specpiBundleRelease(input);
  specpiBundleRelease(executable);
}

TEST(builds_functions_without_kernels) {
  static const char text[] = "int f(int x) { return x; }";
  specpi_bundle input = NULL;
  specpi_bundle executable = NULL;
  must(specpiBundleCreateWithSource(support_device(), sizeof text - 1, text, &input));
  must(specpiBundleBuild(input, NULL, &executable));
  size_t count = 1;
  must(specpiBundleGetKernels(executable, 0, NULL, &count));
  assert_int_equal(count, 0);
  specpiBundleRelease(input);
  specpiBundleRelease(executable);
}

/* The names of constants are their ids in the module. */
TEST(builds_il) {
  specpi_bundle input = NULL;
  must(specpiBundleCreateWithIL(support_device(), SPECPI_EMBED_SIZE(report_il), report_il_begin,
                                &input));
  const char *kernel = NULL;
  size_t count = 0;
  must(specpiBundleGetKernels(input, 1, &kernel, &count));
  assert_int_equal(count, 1);
  assert_string_equal(kernel, "report");
  int tile = 0;
  must(specpiBundleGet(input, "0", sizeof tile, &tile));
  assert_int_equal(tile, 7);
  tile = 99;
  must(specpiBundleSet(input, "0", sizeof tile, &tile));
  assert_error(specpiBundleSet(input, "42", sizeof tile, &tile), SPECPI_ERROR_UNKNOWN_CONSTANT,
               "\"42\"");
  assert_error(specpiBundleSet(input, "tile", sizeof tile, &tile), SPECPI_ERROR_UNKNOWN_CONSTANT,
               "\"tile\"");
  assert_error(specpiBundleSet(input, "6", sizeof tile, &tile), SPECPI_ERROR_INVALID_SIZE,
               "8 bytes");
  specpi_bundle executable = NULL;
  must(specpiBundleBuild(input, NULL, &executable));
  int64_t values[REPORT_VALUES];
  support_run(executable, "report", values, REPORT_VALUES);
  assert_int_equal(values[0], 99);
  assert_int_equal(values[6], -5);
  specpiBundleRelease(input);
  specpiBundleRelease(executable);
}

TEST(builds_a_binary) {
  specpi_bundle input = create_source();
  specpi_bundle executable = NULL;
  must(specpiBundleBuild(input, NULL, &executable));
  void *native = NULL;
  must(specpiBundleGetNativeProgram(executable, 0, &native));
  size_t size = 0;
  CL(clGetProgramInfo)(native, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  unsigned char *bytes = malloc(size);
  CL(clGetProgramInfo)(native, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
  CL(clReleaseProgram)(native);
  specpiBundleRelease(input);
  specpiBundleRelease(executable);
  must(specpiBundleCreateWithBinary(support_device(), size, bytes, &input));
  free(bytes);
  must(specpiBundleBuild(input, NULL, &executable));
  check_source(executable);
  specpiBundleRelease(input);
  specpiBundleRelease(executable);
  executable = NULL;
  must(specpiBundleCreateWithBinary(support_device(), 4, "none", &input));
  assert_error(specpiBundleBuild(input, NULL, &executable), SPECPI_ERROR_DRIVER, "Binary");
  assert_null(executable);
  specpiBundleRelease(input);
}

TEST(gives_native_objects) {
  specpi_bundle input = NULL;
  must(specpiBundleCreateWithIL(support_device(), SPECPI_EMBED_SIZE(report_il), report_il_begin,
                                &input));
  const int tile = 5;
  must(specpiBundleSet(input, "0", sizeof tile, &tile));
  void *native = NULL;
  must(specpiBundleGetNativeProgram(input, 0, &native));
  assert_int_equal(reference_count(native), 1);
  assert_int_equal(CL(clBuildProgram)(native, 0, NULL, "", NULL, NULL), CL_SUCCESS);
  specpi_bundle imported = NULL;
  must(specpiBundleImport(support_device(), SPECPI_BUNDLE_EXECUTABLE, native, &imported));
  assert_int_equal(reference_count(native), 2);
  int64_t values[REPORT_VALUES];
  support_run(imported, "report", values, REPORT_VALUES);
  assert_int_equal(values[0], 5);
  specpi_kernel kernel = NULL;
  must(specpiKernelCreate(imported, "report", &kernel));
  void *native_kernel = NULL;
  must(specpiKernelGetNative(kernel, &native_kernel));
  specpiKernelRelease(kernel);
  cl_program of = NULL;
  CL(clGetKernelInfo)(native_kernel, CL_KERNEL_PROGRAM, sizeof of, &of, NULL);
  assert_ptr_equal(of, native);
  CL(clReleaseKernel)(native_kernel);
  specpiBundleRelease(imported);
  CL(clReleaseProgram)(native);

  specpi_bundle object = NULL;
  must(specpiBundleCompile(input, NULL, &object));
  must(specpiBundleGetNativeProgram(object, 0, &native));
  cl_int code;
  cl_program one = native;
  cl_program linked = CL(clLinkProgram)(native_context(), 0, NULL, "", 1, &one, NULL, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  CL(clReleaseProgram)(linked);
  CL(clReleaseProgram)(native);
  assert_error(specpiBundleGetNativeProgram(object, 1, &native), SPECPI_ERROR_INVALID_ARGUMENT,
               "image is 1 of 1");
  assert_error(specpiBundleGetNativeProgram(NULL, 0, &native), SPECPI_ERROR_INVALID_ARGUMENT,
               "bundle is NULL");
  assert_error(specpiBundleGetNativeProgram(object, 0, NULL), SPECPI_ERROR_INVALID_ARGUMENT,
               "program is NULL");
  assert_error(specpiKernelGetNative(NULL, &native), SPECPI_ERROR_INVALID_ARGUMENT,
               "kernel is NULL");
  specpiBundleRelease(object);
  specpiBundleRelease(input);
}

TEST(imports_each_state) {
  cl_program program = native_source(source);
  specpi_bundle bundle = NULL;
  assert_error(specpiBundleImport(support_device(), SPECPI_BUNDLE_OBJECT, program, &bundle),
               SPECPI_ERROR_INVALID_STATE, "no binary");
  assert_error(specpiBundleImport(support_device(), SPECPI_BUNDLE_EXECUTABLE, program, &bundle),
               SPECPI_ERROR_INVALID_STATE, "no binary");
  must(specpiBundleImport(support_device(), SPECPI_BUNDLE_INPUT, program, &bundle));
  assert_int_equal(reference_count(program), 2);
  void *same = NULL;
  must(specpiBundleGetNativeProgram(bundle, 0, &same));
  assert_ptr_equal(same, program);
  CL(clReleaseProgram)(same);
  specpi_bundle copy = NULL;
  must(specpiBundleCopy(bundle, &copy));
  assert_int_equal(reference_count(program), 3);
  specpi_bundle executable = NULL;
  must(specpiBundleBuild(copy, NULL, &executable));
  check_source(executable);
  specpiBundleRelease(executable);
  specpiBundleRelease(copy);
  specpiBundleRelease(bundle);
  assert_int_equal(reference_count(program), 1);

  assert_int_equal(CL(clCompileProgram)(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
                   CL_SUCCESS);
  assert_error(specpiBundleImport(support_device(), SPECPI_BUNDLE_EXECUTABLE, program, &bundle),
               SPECPI_ERROR_INVALID_STATE, "clLinkProgram or clBuildProgram");
  must(specpiBundleImport(support_device(), SPECPI_BUNDLE_OBJECT, program, &bundle));
  must(specpiBundleLink(1, &bundle, NULL, &executable));
  check_source(executable);
  specpiBundleRelease(bundle);
  specpiBundleRelease(executable);
  CL(clReleaseProgram)(program);

  program = native_source(source);
  assert_int_equal(CL(clBuildProgram)(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
  assert_error(specpiBundleImport(support_device(), SPECPI_BUNDLE_OBJECT, program, &bundle),
               SPECPI_ERROR_INVALID_STATE, "clCompileProgram");
  must(specpiBundleImport(support_device(), SPECPI_BUNDLE_EXECUTABLE, program, &executable));
  check_source(executable);
  specpiBundleRelease(executable);
  assert_int_equal(reference_count(program), 1);
  CL(clReleaseProgram)(program);
}

TEST(refuses_what_is_no_import) {
  cl_program program = native_source("int f(int x) { return x; }");
  specpi_bundle bundle = NULL;
  assert_int_equal(CL(clBuildProgram)(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
  assert_error(specpiBundleImport(support_device(), SPECPI_BUNDLE_EXECUTABLE, program, &bundle),
               SPECPI_ERROR_INVALID_STATE, "has a kernel");
  assert_error(specpiBundleImport(NULL, SPECPI_BUNDLE_INPUT, program, &bundle),
               SPECPI_ERROR_INVALID_ARGUMENT, "device is NULL");
  assert_error(specpiBundleImport(support_device(), SPECPI_BUNDLE_INPUT, NULL, &bundle),
               SPECPI_ERROR_INVALID_ARGUMENT, "program is NULL");
  assert_error(specpiBundleImport(support_device(), (specpi_bundle_state)7, program, &bundle),
               SPECPI_ERROR_INVALID_ARGUMENT, "7 is no state");
  assert_error(specpiBundleImport(support_device(), SPECPI_BUNDLE_INPUT, program, NULL),
               SPECPI_ERROR_INVALID_ARGUMENT, "bundle is NULL");
  CL(clReleaseProgram)(program);
  cl_device_id device = (cl_device_id)0;
  pi_native_handle native = 0;
  specpiDeviceGetFunctions(support_device())
      ->piextDeviceGetNativeHandle(specpiDeviceGetHandle(support_device()), &native);
  device = (cl_device_id)native;
  cl_context elsewhere = CL(clCreateContext)(NULL, 1, &device, NULL, NULL, NULL);
  const char *text = source;
  program = CL(clCreateProgramWithSource)(elsewhere, 1, &text, NULL, NULL);
  assert_error(specpiBundleImport(support_device(), SPECPI_BUNDLE_INPUT, program, &bundle),
               SPECPI_ERROR_INVALID_ARGUMENT, "another cl_context");
  CL(clReleaseProgram)(program);
  CL(clReleaseContext)(elsewhere);
  assert_null(bundle);
}

TEST(refuses_bad_input) {
  const specpi_device device = support_device();
  specpi_bundle none = NULL;
  static const char il[] = "this is no SPIR-V at all";
  assert_error(specpiBundleCreateWithIL(device, sizeof il - 1, il, &none),
               SPECPI_ERROR_INVALID_IMAGE, "SPIR-V");
  assert_error(specpiBundleCreateWithIL(device, 3, report_il_begin, &none),
               SPECPI_ERROR_INVALID_IMAGE, "SPIR-V");
  assert_error(specpiBundleCreateWithIL(device, 0, report_il_begin, &none),
               SPECPI_ERROR_INVALID_IMAGE, "SPIR-V");
  for (size_t size = 20; size < SPECPI_EMBED_SIZE(report_il); size += 4) {
    /* A truncated module gets a message or makes a bundle, and nothing leaks. */
    if (specpiBundleCreateWithIL(device, size, report_il_begin, &none) == SPECPI_SUCCESS)
      specpiBundleRelease(none);
    none = NULL;
  }
  assert_error(specpiBundleCreateWithIL(NULL, 4, il, &none), SPECPI_ERROR_INVALID_ARGUMENT,
               "device is NULL");
  assert_error(specpiBundleCreateWithIL(device, 4, NULL, &none), SPECPI_ERROR_INVALID_ARGUMENT,
               "il is NULL");
  assert_error(specpiBundleCreateWithIL(device, 4, il, NULL), SPECPI_ERROR_INVALID_ARGUMENT,
               "bundle is NULL");
  assert_error(specpiBundleCreateWithSource(NULL, 4, il, &none), SPECPI_ERROR_INVALID_ARGUMENT,
               "device is NULL");
  assert_error(specpiBundleCreateWithSource(device, 4, NULL, &none), SPECPI_ERROR_INVALID_ARGUMENT,
               "source is NULL");
  assert_error(specpiBundleCreateWithSource(device, 0, il, &none), SPECPI_ERROR_INVALID_ARGUMENT,
               "size is 0");
  assert_error(specpiBundleCreateWithSource(device, 4, il, NULL), SPECPI_ERROR_INVALID_ARGUMENT,
               "bundle is NULL");
  assert_error(specpiBundleCreateWithBinary(device, 4, NULL, &none), SPECPI_ERROR_INVALID_ARGUMENT,
               "binary is NULL");
  assert_error(specpiBundleCreateWithBinary(device, 0, il, &none), SPECPI_ERROR_INVALID_ARGUMENT,
               "size is 0");
  assert_error(specpiBundleCopy(NULL, &none), SPECPI_ERROR_INVALID_ARGUMENT, "input is NULL");
  assert_null(none);
}

/* CL_DEVICE_BUILT_IN_KERNELS of Intel's CPU runtime is "". */
TEST(refuses_built_in_kernels_that_are_not) {
  const char *names[] = {"nobody", NULL};
  specpi_bundle none = NULL;
  assert_error(specpiBundleCreateWithBuiltInKernels(support_device(), 1, names, &none),
               SPECPI_ERROR_UNKNOWN_KERNEL, "no built-in kernel \"nobody\"");
  assert_error(specpiBundleCreateWithBuiltInKernels(support_device(), 2, names, &none),
               SPECPI_ERROR_INVALID_ARGUMENT, "names[1] is NULL");
  assert_error(specpiBundleCreateWithBuiltInKernels(support_device(), 0, names, &none),
               SPECPI_ERROR_INVALID_ARGUMENT, "count is 0");
  assert_error(specpiBundleCreateWithBuiltInKernels(support_device(), 1, NULL, &none),
               SPECPI_ERROR_INVALID_ARGUMENT, "names is NULL");
  assert_error(specpiBundleCreateWithBuiltInKernels(NULL, 1, names, &none),
               SPECPI_ERROR_INVALID_ARGUMENT, "device is NULL");
  assert_null(none);
}
