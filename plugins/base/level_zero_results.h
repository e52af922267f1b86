/*
 * Translates result codes of Level Zero to PI, for errors of Level Zero drivers, and back, for
 * Level Zero entry points that are implemented by PI's objects.
 */
#ifndef BASE_LEVEL_ZERO_RESULTS_H
#define BASE_LEVEL_ZERO_RESULTS_H

/*
 * X(name after ZE_RESULT_, pi_result, BOTH or FROM): a row FROM is used only to translate from
 * Level Zero to PI, a row BOTH in both directions. Codes without a row become PI_ERROR_UNKNOWN or
 * ZE_RESULT_ERROR_UNKNOWN.
 */
#define LEVEL_ZERO_RESULTS(X)                                                                      \
  X(NOT_READY, PI_ERROR_INVALID_OPERATION, FROM)                                                   \
  X(ERROR_DEVICE_LOST, PI_ERROR_DEVICE_NOT_AVAILABLE, BOTH)                                        \
  X(ERROR_OUT_OF_HOST_MEMORY, PI_ERROR_OUT_OF_HOST_MEMORY, BOTH)                                   \
  X(ERROR_OUT_OF_DEVICE_MEMORY, PI_ERROR_OUT_OF_RESOURCES, BOTH)                                   \
  X(ERROR_MODULE_BUILD_FAILURE, PI_ERROR_BUILD_PROGRAM_FAILURE, BOTH)                              \
  X(ERROR_MODULE_LINK_FAILURE, PI_ERROR_LINK_PROGRAM_FAILURE, BOTH)                                \
  X(ERROR_INSUFFICIENT_PERMISSIONS, PI_ERROR_INVALID_OPERATION, FROM)                              \
  X(ERROR_NOT_AVAILABLE, PI_ERROR_DEVICE_NOT_AVAILABLE, FROM)                                      \
  X(ERROR_DEPENDENCY_UNAVAILABLE, PI_ERROR_COMPILER_NOT_AVAILABLE, BOTH)                           \
  X(ERROR_UNINITIALIZED, PI_ERROR_UNINITIALIZED, BOTH)                                             \
  X(ERROR_UNSUPPORTED_VERSION, PI_ERROR_UNSUPPORTED_FEATURE, FROM)                                 \
  X(ERROR_UNSUPPORTED_FEATURE, PI_ERROR_UNSUPPORTED_FEATURE, BOTH)                                 \
  X(ERROR_INVALID_ARGUMENT, PI_ERROR_INVALID_VALUE, BOTH)                                          \
  X(ERROR_INVALID_NULL_HANDLE, PI_ERROR_INVALID_VALUE, FROM)                                       \
  X(ERROR_HANDLE_OBJECT_IN_USE, PI_ERROR_INVALID_OPERATION, BOTH)                                  \
  X(ERROR_INVALID_NULL_POINTER, PI_ERROR_INVALID_VALUE, FROM)                                      \
  X(ERROR_INVALID_SIZE, PI_ERROR_INVALID_VALUE, FROM)                                              \
  X(ERROR_UNSUPPORTED_SIZE, PI_ERROR_INVALID_BUFFER_SIZE, BOTH)                                    \
  X(ERROR_UNSUPPORTED_ALIGNMENT, PI_ERROR_INVALID_VALUE, FROM)                                     \
  X(ERROR_INVALID_SYNCHRONIZATION_OBJECT, PI_ERROR_INVALID_EVENT, BOTH)                            \
  X(ERROR_INVALID_ENUMERATION, PI_ERROR_INVALID_VALUE, FROM)                                       \
  X(ERROR_UNSUPPORTED_ENUMERATION, PI_ERROR_UNSUPPORTED_FEATURE, FROM)                             \
  X(ERROR_UNSUPPORTED_IMAGE_FORMAT, PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED, BOTH)                     \
  X(ERROR_INVALID_NATIVE_BINARY, PI_ERROR_INVALID_BINARY, BOTH)                                    \
  X(ERROR_INVALID_GLOBAL_NAME, PI_ERROR_INVALID_VALUE, FROM)                                       \
  X(ERROR_INVALID_KERNEL_NAME, PI_ERROR_INVALID_KERNEL_NAME, BOTH)                                 \
  X(ERROR_INVALID_FUNCTION_NAME, PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE, BOTH)                 \
  X(ERROR_INVALID_GROUP_SIZE_DIMENSION, PI_ERROR_INVALID_WORK_GROUP_SIZE, BOTH)                    \
  X(ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, PI_ERROR_INVALID_VALUE, FROM)                            \
  X(ERROR_INVALID_KERNEL_ARGUMENT_INDEX, PI_ERROR_INVALID_ARG_INDEX, BOTH)                         \
  X(ERROR_INVALID_KERNEL_ARGUMENT_SIZE, PI_ERROR_INVALID_ARG_SIZE, BOTH)                           \
  X(ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE, PI_ERROR_INVALID_VALUE, FROM)                            \
  X(ERROR_INVALID_MODULE_UNLINKED, PI_ERROR_LINK_PROGRAM_FAILURE, FROM)                            \
  X(ERROR_INVALID_COMMAND_LIST_TYPE, PI_ERROR_INVALID_OPERATION, FROM)                             \
  X(ERROR_OVERLAPPING_REGIONS, PI_ERROR_MEM_COPY_OVERLAP, BOTH)

#endif
