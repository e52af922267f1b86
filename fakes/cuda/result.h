/*
 * X(NAME, text): every CUDA_<NAME> of CUresult, with the text of cuGetErrorString.
 */
#ifndef SPECPI_TEST_FAKE_CUDA_RESULT_H
#define SPECPI_TEST_FAKE_CUDA_RESULT_H

#define FAKE_RESULTS(X)                                                                            \
  X(SUCCESS, "no error")                                                                           \
  X(ERROR_INVALID_VALUE, "invalid argument")                                                       \
  X(ERROR_OUT_OF_MEMORY, "out of memory")                                                          \
  X(ERROR_NOT_INITIALIZED, "initialization error")                                                 \
  X(ERROR_DEINITIALIZED, "driver shutting down")                                                   \
  X(ERROR_PROFILER_DISABLED, "profiler disabled while using external profiling tool")              \
  X(ERROR_PROFILER_NOT_INITIALIZED, "profiler not initialized: call cudaProfilerInitialize()")     \
  X(ERROR_PROFILER_ALREADY_STARTED, "profiler already started")                                    \
  X(ERROR_PROFILER_ALREADY_STOPPED, "profiler already stopped")                                    \
  X(ERROR_STUB_LIBRARY, "CUDA driver is a stub library")                                           \
  X(ERROR_DEVICE_UNAVAILABLE, "CUDA-capable device(s) is/are busy or unavailable")                 \
  X(ERROR_NO_DEVICE, "no CUDA-capable device is detected")                                         \
  X(ERROR_INVALID_DEVICE, "invalid device ordinal")                                                \
  X(ERROR_DEVICE_NOT_LICENSED, "device doesn't have valid Grid license")                           \
  X(ERROR_INVALID_IMAGE, "device kernel image is invalid")                                         \
  X(ERROR_INVALID_CONTEXT, "invalid device context")                                               \
  X(ERROR_CONTEXT_ALREADY_CURRENT, "context already current")                                      \
  X(ERROR_MAP_FAILED, "mapping of buffer object failed")                                           \
  X(ERROR_UNMAP_FAILED, "unmapping of buffer object failed")                                       \
  X(ERROR_ARRAY_IS_MAPPED, "array is mapped")                                                      \
  X(ERROR_ALREADY_MAPPED, "resource already mapped")                                               \
  X(ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device")           \
  X(ERROR_ALREADY_ACQUIRED, "resource already acquired")                                           \
  X(ERROR_NOT_MAPPED, "resource not mapped")                                                       \
  X(ERROR_NOT_MAPPED_AS_ARRAY, "resource not mapped as array")                                     \
  X(ERROR_NOT_MAPPED_AS_POINTER, "resource not mapped as pointer")                                 \
  X(ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error encountered")                                \
  X(ERROR_UNSUPPORTED_LIMIT, "limit is not supported on this architecture")                        \
  X(ERROR_CONTEXT_ALREADY_IN_USE, "exclusive-thread device already in use by a different thread")  \
  X(ERROR_PEER_ACCESS_UNSUPPORTED, "peer access is not supported between these two devices")       \
  X(ERROR_INVALID_PTX, "a PTX JIT compilation failed")                                             \
  X(ERROR_INVALID_GRAPHICS_CONTEXT, "invalid OpenGL or DirectX context")                           \
  X(ERROR_NVLINK_UNCORRECTABLE, "uncorrectable NVLink error detected during the execution")        \
  X(ERROR_JIT_COMPILER_NOT_FOUND, "PTX JIT compiler library not found")                            \
  X(ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain.") \
  X(ERROR_JIT_COMPILATION_DISABLED, "PTX JIT compilation was disabled")                            \
  X(ERROR_UNSUPPORTED_EXEC_AFFINITY, "the provided execution affinity is not supported")           \
  X(ERROR_UNSUPPORTED_DEVSIDE_SYNC,                                                                \
    "the provided PTX contains unsupported call to cudaDeviceSynchronize")                         \
  X(ERROR_INVALID_SOURCE, "device kernel image is invalid")                                        \
  X(ERROR_FILE_NOT_FOUND, "file not found")                                                        \
  X(ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "shared object symbol not found")                        \
  X(ERROR_SHARED_OBJECT_INIT_FAILED, "shared object initialization failed")                        \
  X(ERROR_OPERATING_SYSTEM, "OS call failed or operation not supported on this OS")                \
  X(ERROR_INVALID_HANDLE, "invalid resource handle")                                               \
  X(ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state")                 \
  X(ERROR_LOSSY_QUERY, "attempted introspection would be semantically lossy")                      \
  X(ERROR_NOT_FOUND, "named symbol not found")                                                     \
  X(ERROR_NOT_READY, "device not ready")                                                           \
  X(ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered")                             \
  X(ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch")                      \
  X(ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated")                               \
  X(ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, "launch uses incompatible texturing mode")                \
  X(ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled")                           \
  X(ERROR_PEER_ACCESS_NOT_ENABLED, "peer access has not been enabled")                             \
  X(ERROR_PRIMARY_CONTEXT_ACTIVE, "cannot set while device is active in this process")             \
  X(ERROR_CONTEXT_IS_DESTROYED, "context is destroyed")                                            \
  X(ERROR_ASSERT, "device-side assert triggered")                                                  \
  X(ERROR_TOO_MANY_PEERS, "peer mapping resources exhausted")                                      \
  X(ERROR_HOST_MEMORY_ALREADY_REGISTERED,                                                          \
    "part or all of the requested memory range is already mapped")                                 \
  X(ERROR_HOST_MEMORY_NOT_REGISTERED, "pointer does not correspond to a registered memory region") \
  X(ERROR_HARDWARE_STACK_ERROR, "hardware stack error")                                            \
  X(ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered")                           \
  X(ERROR_MISALIGNED_ADDRESS, "misaligned address")                                                \
  X(ERROR_INVALID_ADDRESS_SPACE, "operation not supported on global/shared address space")         \
  X(ERROR_INVALID_PC, "invalid program counter")                                                   \
  X(ERROR_LAUNCH_FAILED, "unspecified launch failure")                                             \
  X(ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "too many blocks in cooperative launch")                   \
  X(ERROR_NOT_PERMITTED, "operation not permitted")                                                \
  X(ERROR_NOT_SUPPORTED, "operation not supported")                                                \
  X(ERROR_SYSTEM_NOT_READY, "system not yet initialized")                                          \
  X(ERROR_SYSTEM_DRIVER_MISMATCH,                                                                  \
    "system has unsupported display driver / cuda driver combination")                             \
  X(ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,                                                          \
    "forward compatibility was attempted on non supported HW")                                     \
  X(ERROR_MPS_CONNECTION_FAILED,                                                                   \
    "MPS client failed to connect to the MPS control daemon or the MPS server")                    \
  X(ERROR_MPS_RPC_FAILURE,                                                                         \
    "the remote procedural call between the MPS server and the MPS client failed")                 \
  X(ERROR_MPS_SERVER_NOT_READY, "MPS server is not ready to accept new MPS client requests")       \
  X(ERROR_MPS_MAX_CLIENTS_REACHED,                                                                 \
    "the hardware resources required to create MPS client have been exhausted")                    \
  X(ERROR_MPS_MAX_CONNECTIONS_REACHED,                                                             \
    "the hardware resources required to support device connections have been exhausted")           \
  X(ERROR_MPS_CLIENT_TERMINATED, "the MPS client has been terminated by the server")               \
  X(ERROR_CDP_NOT_SUPPORTED, "the current device does not support CUDA dynamic parallelism")       \
  X(ERROR_CDP_VERSION_MISMATCH,                                                                    \
    "unsupported interaction between different versions of dynamic parallelism")                   \
  X(ERROR_STREAM_CAPTURE_UNSUPPORTED, "operation not permitted when stream is capturing")          \
  X(ERROR_STREAM_CAPTURE_INVALIDATED, "operation failed due to a previous error during capture")   \
  X(ERROR_STREAM_CAPTURE_MERGE, "operation would result in a merge of separate capture sequences") \
  X(ERROR_STREAM_CAPTURE_UNMATCHED, "capture was not ended in the same stream as it began")        \
  X(ERROR_STREAM_CAPTURE_UNJOINED, "capturing stream has unjoined work")                           \
  X(ERROR_STREAM_CAPTURE_ISOLATION, "dependency created on uncaptured work in another stream")     \
  X(ERROR_STREAM_CAPTURE_IMPLICIT,                                                                 \
    "operation would make the legacy stream depend on a capturing blocking stream")                \
  X(ERROR_CAPTURED_EVENT,                                                                          \
    "operation not permitted on an event last recorded in a capturing stream")                     \
  X(ERROR_STREAM_CAPTURE_WRONG_THREAD,                                                             \
    "attempt to terminate a thread-local capture sequence from another thread")                    \
  X(ERROR_TIMEOUT, "wait operation timed out")                                                     \
  X(ERROR_GRAPH_EXEC_UPDATE_FAILURE,                                                               \
    "the graph update was not performed because it included changes which violated constraints")   \
  X(ERROR_EXTERNAL_DEVICE, "an async error has occurred in external entity outside of CUDA")       \
  X(ERROR_INVALID_CLUSTER_SIZE,                                                                    \
    "a kernel launch error has occurred due to cluster misconfiguration")                          \
  X(ERROR_FUNCTION_NOT_LOADED,                                                                     \
    "the function handle is not loaded when calling an API that requires a loaded function")       \
  X(ERROR_INVALID_RESOURCE_TYPE,                                                                   \
    "one or more resources passed in are not valid resource types for the operation")              \
  X(ERROR_INVALID_RESOURCE_CONFIGURATION,                                                          \
    "one or more resources are insufficient or not applicable for the operation")                  \
  X(ERROR_UNKNOWN, "unknown error")

#endif
