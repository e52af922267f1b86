/*
 * What the files of the Level Zero plugin share.
 *
 * Every PI handle of this plugin is an object of its own with a count of references
 * (../objects/handle.h); each has its structure in <object>.h. Objects hold a reference to what
 * they need: a queue to its context, a kernel to its program, an event to its context. Level Zero
 * counts no references, and the objects around its handles are what makes releasing safe.
 */
#ifndef LEVEL_ZERO_LEVEL_ZERO_H
#define LEVEL_ZERO_LEVEL_ZERO_H

#include "driver.h"

#include "../base/error.h"
#include "../base/info.h"
#include "../objects/handle.h"

/*
 * X(ZE_RESULT_name without the prefix, pi_result): what PI calls a failure of the driver. A code
 * that is not here is PI_ERROR_UNKNOWN.
 */
#define LEVEL_ZERO_RESULTS(X)                                                                      \
  X(NOT_READY, PI_ERROR_INVALID_OPERATION)                                                         \
  X(ERROR_DEVICE_LOST, PI_ERROR_DEVICE_NOT_AVAILABLE)                                              \
  X(ERROR_OUT_OF_HOST_MEMORY, PI_ERROR_OUT_OF_HOST_MEMORY)                                         \
  X(ERROR_OUT_OF_DEVICE_MEMORY, PI_ERROR_OUT_OF_RESOURCES)                                         \
  X(ERROR_MODULE_BUILD_FAILURE, PI_ERROR_BUILD_PROGRAM_FAILURE)                                    \
  X(ERROR_MODULE_LINK_FAILURE, PI_ERROR_LINK_PROGRAM_FAILURE)                                      \
  X(ERROR_INSUFFICIENT_PERMISSIONS, PI_ERROR_INVALID_OPERATION)                                    \
  X(ERROR_NOT_AVAILABLE, PI_ERROR_DEVICE_NOT_AVAILABLE)                                            \
  X(ERROR_DEPENDENCY_UNAVAILABLE, PI_ERROR_COMPILER_NOT_AVAILABLE)                                 \
  X(ERROR_UNINITIALIZED, PI_ERROR_UNINITIALIZED)                                                   \
  X(ERROR_UNSUPPORTED_VERSION, PI_ERROR_UNSUPPORTED_FEATURE)                                       \
  X(ERROR_UNSUPPORTED_FEATURE, PI_ERROR_UNSUPPORTED_FEATURE)                                       \
  X(ERROR_INVALID_ARGUMENT, PI_ERROR_INVALID_VALUE)                                                \
  X(ERROR_INVALID_NULL_HANDLE, PI_ERROR_INVALID_VALUE)                                             \
  X(ERROR_HANDLE_OBJECT_IN_USE, PI_ERROR_INVALID_OPERATION)                                        \
  X(ERROR_INVALID_NULL_POINTER, PI_ERROR_INVALID_VALUE)                                            \
  X(ERROR_INVALID_SIZE, PI_ERROR_INVALID_VALUE)                                                    \
  X(ERROR_UNSUPPORTED_SIZE, PI_ERROR_INVALID_BUFFER_SIZE)                                          \
  X(ERROR_UNSUPPORTED_ALIGNMENT, PI_ERROR_INVALID_VALUE)                                           \
  X(ERROR_INVALID_SYNCHRONIZATION_OBJECT, PI_ERROR_INVALID_EVENT)                                  \
  X(ERROR_INVALID_ENUMERATION, PI_ERROR_INVALID_VALUE)                                             \
  X(ERROR_UNSUPPORTED_ENUMERATION, PI_ERROR_UNSUPPORTED_FEATURE)                                   \
  X(ERROR_UNSUPPORTED_IMAGE_FORMAT, PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED)                           \
  X(ERROR_INVALID_NATIVE_BINARY, PI_ERROR_INVALID_BINARY)                                          \
  X(ERROR_INVALID_GLOBAL_NAME, PI_ERROR_INVALID_VALUE)                                             \
  X(ERROR_INVALID_KERNEL_NAME, PI_ERROR_INVALID_KERNEL_NAME)                                       \
  X(ERROR_INVALID_FUNCTION_NAME, PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE)                       \
  X(ERROR_INVALID_GROUP_SIZE_DIMENSION, PI_ERROR_INVALID_WORK_GROUP_SIZE)                          \
  X(ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, PI_ERROR_INVALID_VALUE)                                  \
  X(ERROR_INVALID_KERNEL_ARGUMENT_INDEX, PI_ERROR_INVALID_ARG_INDEX)                               \
  X(ERROR_INVALID_KERNEL_ARGUMENT_SIZE, PI_ERROR_INVALID_ARG_SIZE)                                 \
  X(ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE, PI_ERROR_INVALID_VALUE)                                  \
  X(ERROR_INVALID_MODULE_UNLINKED, PI_ERROR_LINK_PROGRAM_FAILURE)                                  \
  X(ERROR_INVALID_COMMAND_LIST_TYPE, PI_ERROR_INVALID_OPERATION)                                   \
  X(ERROR_OVERLAPPING_REGIONS, PI_ERROR_MEM_COPY_OVERLAP)

/* The slow path of ze_result: records "<call> failed: <name> (<code>)", and maps the code. */
pi_result ze_error(ze_result_t code, const char *call) __attribute__((cold));

/* The PI result of a driver call; call is the function's name in Level Zero. */
static inline pi_result ze_result(ze_result_t code, const char *call) {
  if (__builtin_expect(code == ZE_RESULT_SUCCESS, 1))
    return PI_SUCCESS;
  const pi_result error = ze_error(code, call);
  /* Lets compilers see that what a driver call fills in is there when TRY goes on. */
  if (error == PI_SUCCESS)
    __builtin_unreachable();
  return error;
}

/* Calls zeNAME: the PI result, or a return from the calling function with it if that failed. */
#define ZE_CALL(name, ...) ze_result(ze.name(__VA_ARGS__), "ze" #name)
#define ZE_TRY(name, ...) TRY(ZE_CALL(name, __VA_ARGS__))

/*
 * The failure of an entry which Level Zero, or this loader, driver or device, has nothing for:
 * PI_ERROR_UNSUPPORTED_FEATURE with the reason.
 */
#define LEVEL_ZERO_UNSUPPORTED(...) plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, __VA_ARGS__)

#endif
