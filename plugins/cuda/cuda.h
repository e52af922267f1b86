/*
 * Declarations that all files of the CUDA plugin share.
 *
 * Every PI handle of this plugin is an object with a reference count (../objects/handle.h). An
 * object holds a reference to each object that it needs: a queue to its context, a kernel to its
 * program, an event to its queue.
 */
#ifndef CUDA_CUDA_H
#define CUDA_CUDA_H

#include "driver.h"

#include "../base/error.h"
#include "../base/info.h"
#include "../objects/handle.h"

/*
 * X(CUDA_ERROR_name without the prefix, pi_result): PI's code for a failure of the driver. Failures
 * that no list has are PI_ERROR_UNKNOWN.
 *
 * PI_ERROR_DEVICE_NOT_AVAILABLE: the device cannot be used, now or ever.
 */
#define CUDA_RESULTS(X)                                                                            \
  X(INVALID_VALUE, PI_ERROR_INVALID_VALUE)                                                         \
  X(OUT_OF_MEMORY, PI_ERROR_OUT_OF_RESOURCES)                                                      \
  X(NOT_INITIALIZED, PI_ERROR_UNINITIALIZED)                                                       \
  X(DEINITIALIZED, PI_ERROR_UNINITIALIZED)                                                         \
  X(NO_DEVICE, PI_ERROR_DEVICE_NOT_FOUND)                                                          \
  X(INVALID_DEVICE, PI_ERROR_INVALID_DEVICE)                                                       \
  X(DEVICE_UNAVAILABLE, PI_ERROR_DEVICE_NOT_AVAILABLE)                                             \
  X(DEVICE_NOT_LICENSED, PI_ERROR_DEVICE_NOT_AVAILABLE)                                            \
  X(ECC_UNCORRECTABLE, PI_ERROR_DEVICE_NOT_AVAILABLE)                                              \
  X(NVLINK_UNCORRECTABLE, PI_ERROR_DEVICE_NOT_AVAILABLE)                                           \
  X(SYSTEM_NOT_READY, PI_ERROR_DEVICE_NOT_AVAILABLE)                                               \
  X(INVALID_IMAGE, PI_ERROR_INVALID_BINARY)                                                        \
  X(INVALID_CONTEXT, PI_ERROR_INVALID_CONTEXT)                                                     \
  X(CONTEXT_IS_DESTROYED, PI_ERROR_INVALID_CONTEXT)                                                \
  X(NO_BINARY_FOR_GPU, PI_ERROR_INVALID_BINARY)                                                    \
  X(INVALID_PTX, PI_ERROR_BUILD_PROGRAM_FAILURE)                                                   \
  X(UNSUPPORTED_PTX_VERSION, PI_ERROR_INVALID_BINARY)                                              \
  X(JIT_COMPILER_NOT_FOUND, PI_ERROR_COMPILER_NOT_AVAILABLE)                                       \
  X(JIT_COMPILATION_DISABLED, PI_ERROR_COMPILER_NOT_AVAILABLE)                                     \
  X(INVALID_HANDLE, PI_ERROR_INVALID_VALUE)                                                        \
  X(NOT_FOUND, PI_ERROR_INVALID_VALUE)                                                             \
  X(INVALID_SOURCE, PI_ERROR_BUILD_PROGRAM_FAILURE)                                                \
  X(LAUNCH_OUT_OF_RESOURCES, PI_ERROR_OUT_OF_RESOURCES)                                            \
  X(LAUNCH_INCOMPATIBLE_TEXTURING, PI_ERROR_OUT_OF_RESOURCES)                                      \
  X(COOPERATIVE_LAUNCH_TOO_LARGE, PI_ERROR_INVALID_WORK_GROUP_SIZE)                                \
  X(NOT_SUPPORTED, PI_ERROR_UNSUPPORTED_FEATURE)                                                   \
  X(NOT_PERMITTED, PI_ERROR_INVALID_OPERATION)                                                     \
  X(PEER_ACCESS_ALREADY_ENABLED, PI_ERROR_INVALID_OPERATION)                                       \
  X(PEER_ACCESS_NOT_ENABLED, PI_ERROR_INVALID_OPERATION)                                           \
  X(PEER_ACCESS_UNSUPPORTED, PI_ERROR_INVALID_OPERATION)                                           \
  X(TOO_MANY_PEERS, PI_ERROR_INVALID_OPERATION)                                                    \
  X(HOST_MEMORY_ALREADY_REGISTERED, PI_ERROR_INVALID_VALUE)                                        \
  X(HOST_MEMORY_NOT_REGISTERED, PI_ERROR_INVALID_VALUE)                                            \
  X(OPERATING_SYSTEM, PI_ERROR_OUT_OF_HOST_MEMORY)                                                 \
  X(SYSTEM_DRIVER_MISMATCH, PI_ERROR_UNINITIALIZED)

/*
 * X(CUDA_ERROR_name without the prefix, words): a failure of a running kernel, and words that say
 * what the kernel did. After it every call of the process fails on that device. PI has no code for
 * that, and libsycl would show no message with UR's code. So both interfaces report
 * PI_ERROR_PLUGIN_SPECIFIC_ERROR, whose message libsycl shows.
 */
#define CUDA_FATAL_RESULTS(X)                                                                      \
  X(ILLEGAL_ADDRESS, "read or wrote outside of its memory")                                        \
  X(LAUNCH_TIMEOUT, "ran longer than the system allows")                                           \
  X(ASSERT, "failed an assertion")                                                                 \
  X(HARDWARE_STACK_ERROR, "damaged or overflowed its stack")                                       \
  X(ILLEGAL_INSTRUCTION, "reached an illegal instruction")                                         \
  X(MISALIGNED_ADDRESS, "used a misaligned address")                                               \
  X(INVALID_ADDRESS_SPACE, "used an address of the wrong kind of memory")                          \
  X(INVALID_PC, "jumped to an address without code")                                               \
  X(LAUNCH_FAILED, "failed while it ran")

/* Does cu_result for a failure: records "<call> failed: <name>, <text>", and returns PI's code. */
pi_result cu_error(CUresult code, const char *call) __attribute__((cold));

/* The same for a failure in a queue, or NULL. Names the queue's latest kernel in the message. */
pi_result cu_error_in(CUresult code, const char *call, pi_queue queue) __attribute__((cold));

/* Returns the PI result of a driver call; call is the function's name in CUDA. */
static inline pi_result cu_result(CUresult code, const char *call) {
  if (__builtin_expect(code == CUDA_SUCCESS, 1))
    return PI_SUCCESS;
  const pi_result error = cu_error(code, call);
  /* Compilers learn that a failure is never PI_SUCCESS, and so that TRY leaves the outputs set. */
  if (error == PI_SUCCESS)
    __builtin_unreachable();
  return error;
}

/* CU_CALL calls cuNAME; its value is the PI result. CU_TRY returns from its function on failure. */
#define CU_CALL(name, ...) cu_result(cu.name(__VA_ARGS__), "cu" #name)
#define CU_TRY(name, ...) TRY(CU_CALL(name, __VA_ARGS__))

/*
 * Records why CUDA, this driver or this device cannot do something. Its value is
 * PI_ERROR_UNSUPPORTED_FEATURE.
 */
#define CUDA_UNSUPPORTED(...) plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, __VA_ARGS__)

/* Converts an address of the process to CUDA's pointer type, which has the same value. */
static inline CUdeviceptr cu_pointer(const void *pointer) {
  return (CUdeviceptr)(uintptr_t)pointer;
}

#endif
