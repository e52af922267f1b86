/*
 * Declarations shared by the files of the OpenCL plugin.
 *
 * Every PI handle of this plugin is the driver's own object (a pi_queue is a cl_command_queue, and
 * so on); only pi_ext_command_buffer is ours. libsycl relies on that in three places when the
 * backend is opencl: it passes memory objects to piKernelSetArg as eight plain bytes, it retains a
 * handle before it asks for the native one and leaves that reference to the application, which
 * gives it up with clRelease*, and it retains each object that it made from a native handle. A
 * launch also needs no translation. State that OpenCL does not keep (a program's constants, a
 * context's deleters) is kept beside the handle, see program.h and context.c.
 */
#ifndef OPENCL_OPENCL_H
#define OPENCL_OPENCL_H

#include "driver.h"

#include "../base/error.h"
#include "../base/info.h"

/* X(pi, cl): the pairs of types that are the same object. */
#define OPENCL_HANDLES(X)                                                                          \
  X(platform, cl_platform_id)                                                                      \
  X(device, cl_device_id)                                                                          \
  X(context, cl_context)                                                                           \
  X(queue, cl_command_queue)                                                                       \
  X(mem, cl_mem)                                                                                   \
  X(program, cl_program)                                                                           \
  X(kernel, cl_kernel)                                                                             \
  X(event, cl_event)                                                                               \
  X(sampler, cl_sampler)

/*
 * For each pair: cl_from_<pi>(handle) and pi_from_cl_<pi>(object), and for lists the
 * pointer forms with an s, which are the same memory seen as the other type.
 */
#define OPENCL_CASTS(name, cl_type)                                                                \
  static inline cl_type cl_from_##name(pi_##name handle) { return (cl_type)(void *)handle; }       \
  static inline pi_##name pi_from_cl_##name(cl_type object) { return (pi_##name)(void *)object; }  \
  static inline const cl_type *cl_from_##name##s(const pi_##name *handles) {                       \
    return (const cl_type *)(const void *)handles;                                                 \
  }                                                                                                \
  static inline cl_type *cl_from_##name##_out(pi_##name *handles) {                                \
    return (cl_type *)(void *)handles;                                                             \
  }
OPENCL_HANDLES(OPENCL_CASTS)
#undef OPENCL_CASTS

/* The slow path of cl_result: records "<call> failed: <name> (<number>)" and maps the code. */
pi_result cl_error(cl_int code, const char *call) __attribute__((cold));

/*
 * The PI result of a driver call; call is the OpenCL function's name. PI's numbers are
 * OpenCL's. An OpenCL error which PI does not have becomes PI_ERROR_UNKNOWN.
 */
static inline pi_result cl_result(cl_int code, const char *call) {
  if (__builtin_expect(code == CL_SUCCESS, 1))
    return PI_SUCCESS;
  const pi_result error = cl_error(code, call);
  /* Lets compilers see that what a driver call fills in is there when TRY goes on. */
  if (error == PI_SUCCESS)
    __builtin_unreachable();
  return error;
}

/* The result of a function of the driver's, by its name without cl, or of an extension's. */
#define CL_CALL(function, ...) cl_result(cl.function(__VA_ARGS__), "cl" #function)
#define CL_EXTENSION_CALL(extensions, function, ...)                                               \
  cl_result((extensions)->function(__VA_ARGS__), "cl" #function "INTEL")

/* Asks the driver for a property of an object, as large as *value: CL_GET(Device, device, ...). */
#define CL_GET(Object, object, query, value)                                                       \
  CL_CALL(Get##Object##Info, object, query, sizeof *(value), value, NULL)

/*
 * Ends a query whose answer the driver wrote straight into the caller's memory. code and size are
 * that call's. needed is the answer's size in bytes, asked for when code was CL_INVALID_VALUE (0
 * when the driver did not report it): the memory was too small, or there is no such query.
 */
pi_result cl_answered(const info_answer *answer, cl_int code, const char *call, size_t size,
                      size_t needed);

/*
 * The failure of an entry which OpenCL, or this driver, has nothing for:
 * PI_ERROR_UNSUPPORTED_FEATURE with the reason.
 */
#define OPENCL_UNSUPPORTED(...) plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, __VA_ARGS__)

#endif
