/*
 * Programs: creation, constants, lifetime, native handles. program_info.c has queries,
 * program_build.c builds.
 */
#include "checks.h"
#include "program_table.h"

#include <stdlib.h>

static bool any_takes_il(const cl_device_id *devices, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t length = 0;
    if (cl.GetDeviceInfo(devices[i], CL_DEVICE_IL_VERSION, 0, NULL, &length) == CL_SUCCESS &&
        length > 1)
      return true;
  }
  return false;
}

#define OTHERS                                                                                     \
  "specpi ls --verbose says which devices take it, and ONEAPI_DEVICE_SELECTOR chooses one"

/*
 * Makes the error of a creation from IL. If no device of the context has a compiler for IL,
 * OpenCL's code is CL_INVALID_OPERATION, but PoCL returns CL_INVALID_VALUE, as for a bad module.
 */
static pi_result explain_creation(cl_int code, const char *call, cl_context context) {
  cl_device_id devices[OPENCL_CONTEXT_DEVICES_MAX];
  const size_t count = opencl_devices_of_context(context, devices);
  REQUIRE(count == 0 || any_takes_il(devices, count), PI_ERROR_INVALID_OPERATION,
          "no device of the context takes SPIR-V (%s: %d); " OTHERS, call, code);
  return cl_result(code, call);
}

pi_result opencl_program_create_with_il(cl_context context, const void *il, size_t length,
                                        cl_program *ret) {
  const opencl_extensions *extensions = opencl_extensions_of_context(context);
  const bool core = cl.CreateProgramWithIL && extensions->version >= 210;
  REQUIRE(core || extensions->CreateProgramWithIL, PI_ERROR_INVALID_OPERATION,
          "this platform takes no SPIR-V: it is OpenCL %u.%u without cl_khr_il_program; " OTHERS,
          extensions->version / 100, extensions->version / 10 % 10);
  cl_int code;
  const cl_program program = core ? cl.CreateProgramWithIL(context, il, length, &code)
                                  : extensions->CreateProgramWithIL(context, il, length, &code);
  if (code != CL_SUCCESS)
    return explain_creation(code, core ? "clCreateProgramWithIL" : "clCreateProgramWithILKHR",
                            context);
  *ret = program;
  return PI_SUCCESS;
}

/* Returns whether the platform can set specialization constants, which OpenCL can since 2.2. */
static bool can_set_constants(cl_context context) {
  return cl.SetProgramSpecializationConstant &&
         opencl_extensions_of_context(context)->version >= 220;
}

pi_result piProgramCreate(pi_context context, const void *il, size_t length,
                          pi_program *res_program) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(il);
  REQUIRE(length != 0, PI_ERROR_INVALID_VALUE, "length is 0");
  REQUIRE_POINTER(res_program);

  opencl_program *program;
  TRY(opencl_program_new(il, length, &program));
  program->can_set = can_set_constants(cl_from_context(context));
  cl_program handle;
  pi_result result = opencl_program_create_with_il(cl_from_context(context), program->il,
                                                   program->il_length, &handle);
  if (result == PI_SUCCESS) {
    result = opencl_program_add(program, handle);
    if (result != PI_SUCCESS)
      cl.ReleaseProgram(handle);
  }
  if (result != PI_SUCCESS) {
    opencl_program_free(program);
    return result;
  }
  *res_program = pi_from_cl_program(handle);
  return PI_SUCCESS;
}

pi_result opencl_program_devices(cl_program program, cl_device_id **ret, size_t *count) {
  size_t size = 0;
  TRY(CL_CALL(GetProgramInfo, program, CL_PROGRAM_DEVICES, 0, NULL, &size));
  cl_device_id *devices = malloc(size);
  REQUIRE_MEMORY(devices, "a list of %zu devices", size / sizeof *devices);
  const cl_int code = cl.GetProgramInfo(program, CL_PROGRAM_DEVICES, size, devices, NULL);
  if (code != CL_SUCCESS) {
    free(devices);
    return cl_error(code, "clGetProgramInfo");
  }
  *ret = devices;
  *count = size / sizeof *devices;
  return PI_SUCCESS;
}

/* Finds out whether any device of a program takes IL. */
static pi_result takes_il(cl_program program, bool *ret) {
  cl_device_id *devices = NULL;
  size_t count = 0;
  TRY(opencl_program_devices(program, &devices, &count));
  *ret = any_takes_il(devices, count);
  free(devices);
  return PI_SUCCESS;
}

pi_result piextProgramSetSpecializationConstant(pi_program program, pi_uint32 spec_id,
                                                size_t spec_size, const void *spec_value) {
  REQUIRE_PROGRAM(program);
  const opencl_program *entry = opencl_program_find(cl_from_program(program));
  if (entry && entry->can_set)
    return code_constants_set(entry->constants, spec_id, spec_size, spec_value);
  if (entry)
    return constants_refuse(spec_id, spec_value, PI_ERROR_UNSUPPORTED_FEATURE,
                            "that takes OpenCL 2.2, and the platform has less");
  /* Intel's CPU runtime would crash on a program that has no IL. */
  bool il;
  TRY(takes_il(cl_from_program(program), &il));
  return constants_refuse(spec_id, spec_value,
                          il ? PI_ERROR_INVALID_PROGRAM : PI_ERROR_INVALID_OPERATION,
                          il ? "it was not created from IL" : "none of its devices takes IL");
}

pi_result piProgramRetain(pi_program program) {
  REQUIRE_PROGRAM(program);
  TRY(CL_CALL(RetainProgram, cl_from_program(program)));
  opencl_program_count_retain(cl_from_program(program));
  return PI_SUCCESS;
}

pi_result piProgramRelease(pi_program program) {
  REQUIRE_PROGRAM(program);
  return opencl_program_release(cl_from_program(program));
}

/*
 * Returns the cl_program with the latest build, because the caller wants to make kernels from it.
 * It comes without a reference, and is another object than the pi_program if the program was built
 * twice. So a caller that is going to release the cl_program must retain that object first.
 */
pi_result piextProgramGetNativeHandle(pi_program program, pi_native_handle *native_handle) {
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(native_handle);
  opencl_program *entry = opencl_program_find(cl_from_program(program));
  if (entry)
    atomic_store_explicit(&entry->native_known, true, memory_order_relaxed);
  *native_handle =
      (pi_native_handle)(void *)(entry ? opencl_program_active(entry) : cl_from_program(program));
  return PI_SUCCESS;
}

/* Returns the IL of a native cl_program, which the caller frees; *ret is NULL if it has none. */
static pi_result get_il(cl_program program, void **ret, size_t *ret_length) {
  size_t length = 0;
  *ret = NULL;
  *ret_length = 0;
  const cl_int asked = cl.GetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &length);
  /* Other errors mean that the program has no IL or the driver does not know the query. */
  if (asked == CL_OUT_OF_RESOURCES || asked == CL_OUT_OF_HOST_MEMORY)
    return cl_error(asked, "clGetProgramInfo");
  if (asked != CL_SUCCESS || length == 0)
    return PI_SUCCESS;
  void *il = malloc(length);
  REQUIRE_MEMORY(il, "%zu bytes of IL", length);
  const cl_int code = cl.GetProgramInfo(program, CL_PROGRAM_IL, length, il, NULL);
  if (code != CL_SUCCESS) {
    free(il);
    return cl_error(code, "clGetProgramInfo");
  }
  *ret = il;
  *ret_length = length;
  return PI_SUCCESS;
}

/* Takes a reference to the entry of a native cl_program with this IL, or adds a new entry. */
static pi_result adopt_program(cl_program native, cl_context context, const void *il,
                               size_t length) {
  opencl_program *fresh;
  pi_result result = opencl_program_new(il, length, &fresh);
  /* The driver has accepted this IL, so the program is good; only its constants cannot be set. */
  if (result == PI_ERROR_INVALID_VALUE) {
    opencl_program_forget(native);
    return PI_SUCCESS;
  }
  TRY(result);
  fresh->can_set = can_set_constants(context);
  atomic_store_explicit(&fresh->native_known, true, memory_order_relaxed);
  opencl_program *entry = opencl_program_share(native, fresh->il, fresh->il_length);
  if (entry)
    atomic_store_explicit(&entry->native_known, true, memory_order_relaxed);
  else
    result = opencl_program_add(fresh, native);
  if (entry || result != PI_SUCCESS)
    opencl_program_free(fresh);
  return result;
}

/*
 * Constants that the application has set natively are in its cl_program, and so count for the first
 * build. A second build makes a new cl_program, which gets only the constants set through PI.
 */
pi_result piextProgramCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                             bool plugin_owns_native_handle, pi_program *program) {
  REQUIRE(native_handle, PI_ERROR_INVALID_PROGRAM, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(program);
  const cl_program native = (cl_program)native_handle;

  void *il;
  size_t length;
  TRY(get_il(native, &il, &length));
  /* The pi_program needs a reference of its own, unless it takes over the application's. */
  const cl_int code = plugin_owns_native_handle ? CL_SUCCESS : cl.RetainProgram(native);
  pi_result result = cl_result(code, "clRetainProgram");
  if (result == PI_SUCCESS && il) {
    result = adopt_program(native, cl_from_context(context), il, length);
    if (result != PI_SUCCESS && !plugin_owns_native_handle)
      cl.ReleaseProgram(native);
  } else if (result == PI_SUCCESS) {
    opencl_program_forget(native);
  }
  free(il);
  TRY(result);
  *program = pi_from_cl_program(native);
  return PI_SUCCESS;
}
