/*
 * Declarations shared by the files of the OpenCL plugin.
 *
 * Every PI handle of this plugin is the driver's own object (a pi_queue is a cl_command_queue, and
 * so on); only pi_ext_command_buffer is an object of the plugin. So a launch needs no translation,
 * and libsycl relies on it in three places when the backend is opencl:
 * - It passes memory objects to piKernelSetArg as eight plain bytes.
 * - It retains a handle before it asks for the native one. The application gets that reference, and
 *   releases it with clRelease*.
 * - It retains each object that it has made from a native handle.
 * The plugin keeps state that OpenCL does not have (a program's constants, a context's deleters) in
 * tables of its own, see program.h and context.c.
 */
#ifndef OPENCL_OPENCL_H
#define OPENCL_OPENCL_H

#include "driver.h"

#include "../base/error.h"
#include "../base/info.h"

/* X(pi, cl): pairs of types for the same object. */
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
 * For each pair: cl_from_<pi>(handle) and pi_from_cl_<pi>(object). The forms with an s cast a list
 * of handles, which is the same memory.
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
 * Returns the PI result of a driver call; call is the OpenCL function's name. PI has the same
 * numbers as OpenCL. An OpenCL error that PI does not have becomes PI_ERROR_UNKNOWN.
 */
static inline pi_result cl_result(cl_int code, const char *call) {
  if (__builtin_expect(code == CL_SUCCESS, 1))
    return PI_SUCCESS;
  const pi_result error = cl_error(code, call);
  /* Shows compilers that TRY goes on only after a successful call, which has set its outputs. */
  if (error == PI_SUCCESS)
    __builtin_unreachable();
  return error;
}

/* Call a function of the driver (its name without cl) or of an extension; give the PI result. */
#define CL_CALL(function, ...) cl_result(cl.function(__VA_ARGS__), "cl" #function)
#define CL_EXTENSION_CALL(extensions, function, ...)                                               \
  cl_result((extensions)->function(__VA_ARGS__), "cl" #function "INTEL")

/* Asks the driver for a property of an object, as large as *value: CL_GET(Device, device, ...). */
#define CL_GET(Object, object, query, value)                                                       \
  CL_CALL(Get##Object##Info, object, query, sizeof *(value), value, NULL)

/* The end of CL_ANSWER. needed is the answer's size in bytes, or 0 if the driver reports none. */
pi_result cl_answered(const info_answer *answer, cl_int code, const char *call, size_t size,
                      size_t needed);

/*
 * Has the driver write an answer straight into the caller's memory, and returns from the calling
 * function. CL_INVALID_VALUE means that the memory was too small or that there is no such query;
 * the answer's size shows which.
 */
#define CL_ANSWER(answer, function, ...)                                                           \
  do {                                                                                             \
    size_t size = 0, needed = 0;                                                                   \
    const cl_int code =                                                                            \
        cl.function(__VA_ARGS__, (answer)->value ? (answer)->size : 0, (answer)->value, &size);    \
    if (code == CL_INVALID_VALUE)                                                                  \
      cl.function(__VA_ARGS__, 0, NULL, &needed);                                                  \
    return cl_answered(answer, code, "cl" #function, size, needed);                                \
  } while (0)

/*
 * Returns PI_ERROR_UNSUPPORTED_FEATURE with a message, for functions that OpenCL or the driver does
 * not support.
 */
#define OPENCL_UNSUPPORTED(...) plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, __VA_ARGS__)

#endif
