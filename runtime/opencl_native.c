#include "opencl_native.h"

#include "driver_error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t load_once = PTHREAD_ONCE_INIT;
static opencl_native loaded;
static const char *missing = "libOpenCL.so.1";

static void load_library(void) {
  /*
   * The library that the plugin has loaded, in whatever directory; without it there are no devices.
   */
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (!library)
    return;
  missing = NULL;
#define LOAD(name) loaded.name = (__typeof__(loaded.name))(uintptr_t)dlsym(library, "cl" #name);
#define REQUIRE(name)                                                                              \
  LOAD(name)                                                                                       \
  if (!loaded.name)                                                                                \
    missing = "cl" #name;
  OPENCL_NATIVE_FUNCTIONS(REQUIRE)
  OPENCL_NATIVE_NEWER(LOAD)
#undef REQUIRE
#undef LOAD
}

specpi_result opencl_native_place(specpi_device device, opencl_place *ret) {
  if (specpiDeviceGetBackend(device) != SPECPI_BACKEND_OPENCL)
    ERROR_FAIL(SPECPI_ERROR_UNSUPPORTED, "that is for devices of the backend opencl, and %s is not",
               specpiDeviceGetSelector(device));
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(device, &context));
  pthread_once(&load_once, load_library);
  if (missing)
    ERROR_FAIL(SPECPI_ERROR_UNSUPPORTED, "the OpenCL library has no %s", missing);
  *ret = (opencl_place){&loaded, NULL, NULL};
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  pi_native_handle native_device = 0;
  pi_native_handle native_context = 0;
  DRIVER_TRY(pi, pi->piextDeviceGetNativeHandle(specpiDeviceGetHandle(device), &native_device),
             "piextDeviceGetNativeHandle");
  DRIVER_TRY(pi, pi->piextContextGetNativeHandle(context, &native_context),
             "piextContextGetNativeHandle");
  ret->device = (cl_device_id)native_device;
  ret->context = (cl_context)native_context;
  return SPECPI_SUCCESS;
}

specpi_result opencl_native_error(cl_int code, const char *call) {
  if (code != CL_OUT_OF_HOST_MEMORY)
    ERROR_FAIL(SPECPI_ERROR_DRIVER, "%s failed with OpenCL's error %d", call, (int)code);
  ERROR_FAIL(SPECPI_ERROR_OUT_OF_MEMORY, "%s failed: host memory is exhausted", call);
}

specpi_result opencl_native_make(const opencl_place *at, specpi_image image, cl_program *ret) {
  size_t size;
  const void *bytes = specpiImageGetBytes(image, &size);
  const char *text = bytes;
  const char *call = "clCreateProgramWithSource";
  cl_int code = CL_SUCCESS;
  cl_program program = NULL;
  if (image->content == IMAGE_SOURCE) {
    program = at->cl->CreateProgramWithSource(at->context, 1, &text, &size, &code);
  } else if (image->content == IMAGE_BUILT_IN) {
    call = "clCreateProgramWithBuiltInKernels";
    program = at->cl->CreateProgramWithBuiltInKernels(at->context, 1, &at->device, text, &code);
  } else if (image->format == PI_DEVICE_BINARY_TYPE_SPIRV) {
    call = "clCreateProgramWithIL";
    if (!at->cl->CreateProgramWithIL)
      ERROR_FAIL(SPECPI_ERROR_UNSUPPORTED, "the OpenCL library has no %s", call);
    program = at->cl->CreateProgramWithIL(at->context, bytes, size, &code);
  } else {
    call = "clCreateProgramWithBinary";
    cl_int status = CL_SUCCESS;
    const unsigned char *binary = bytes;
    program = at->cl->CreateProgramWithBinary(at->context, 1, &at->device, &size, &binary, &status,
                                              &code);
  }
  if (code != CL_SUCCESS || !program)
    return opencl_native_error(code, call);
  *ret = program;
  return SPECPI_SUCCESS;
}

specpi_result opencl_native_create(specpi_device device, specpi_image image, pi_program *ret) {
  opencl_place at;
  ERROR_TRY(opencl_native_place(device, &at));
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(device, &context));
  cl_program native;
  ERROR_TRY(opencl_native_make(&at, image, &native));
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  pi_program program = NULL;
  const pi_result code =
      pi->piextProgramCreateWithNativeHandle((pi_native_handle)native, context, true, &program);
  if (code != PI_SUCCESS) {
    at.cl->ReleaseProgram(native);
    return driver_error(pi, code, "piextProgramCreateWithNativeHandle");
  }
  *ret = program;
  return SPECPI_SUCCESS;
}

specpi_result opencl_native_retain(specpi_device device, void *program) {
  opencl_place at;
  ERROR_TRY(opencl_native_place(device, &at));
  const cl_int code = at.cl->RetainProgram(program);
  return code == CL_SUCCESS ? SPECPI_SUCCESS : opencl_native_error(code, "clRetainProgram");
}

void opencl_native_release(specpi_device device, void *program) {
  opencl_place at;
  if (opencl_native_place(device, &at) == SPECPI_SUCCESS)
    at.cl->ReleaseProgram(program);
}
