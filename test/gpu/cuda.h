/* libcuda, loaded at run time without CUDA's headers: the functions that GPU checks need. */
#ifndef SPECPI_TEST_GPU_CUDA_H
#define SPECPI_TEST_GPU_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int cuda_result; /* 0 is success */
typedef int cuda_device;
typedef uint64_t cuda_pointer;
typedef struct cuda_context *cuda_context;
typedef struct cuda_module *cuda_module;
typedef struct cuda_function *cuda_function;
typedef struct cuda_stream *cuda_stream;
typedef struct cuda_event *cuda_event;

/* X(name, symbol, arguments): the functions, each of which returns a cuda_result. */
#define CUDA_FUNCTIONS(X)                                                                          \
  X(init, "cuInit", (unsigned flags))                                                              \
  X(error_name, "cuGetErrorName", (cuda_result code, const char **ret))                            \
  X(driver_version, "cuDriverGetVersion", (int *ret))                                              \
  X(device_get, "cuDeviceGet", (cuda_device * ret, int ordinal))                                   \
  X(device_name, "cuDeviceGetName", (char *ret, int size, cuda_device device))                     \
  X(device_attribute, "cuDeviceGetAttribute", (int *ret, int attribute, cuda_device device))       \
  X(primary_retain, "cuDevicePrimaryCtxRetain", (cuda_context * ret, cuda_device device))          \
  X(primary_release, "cuDevicePrimaryCtxRelease_v2", (cuda_device device))                         \
  X(set_current, "cuCtxSetCurrent", (cuda_context context))                                        \
  X(synchronize, "cuCtxSynchronize", (void))                                                       \
  X(module_load, "cuModuleLoadData", (cuda_module * ret, const void *image))                       \
  X(module_load_options, "cuModuleLoadDataEx",                                                     \
    (cuda_module * ret, const void *image, unsigned count, int *options, void **values))           \
  X(module_unload, "cuModuleUnload", (cuda_module module))                                         \
  X(module_function, "cuModuleGetFunction",                                                        \
    (cuda_function * ret, cuda_module module, const char *name))                                   \
  X(function_attribute, "cuFuncGetAttribute", (int *ret, int attribute, cuda_function function))   \
  X(memory_allocate, "cuMemAlloc_v2", (cuda_pointer * ret, size_t size))                           \
  X(memory_free, "cuMemFree_v2", (cuda_pointer memory))                                            \
  X(memory_write, "cuMemcpyHtoD_v2", (cuda_pointer to, const void *from, size_t size))             \
  X(memory_read, "cuMemcpyDtoH_v2", (void *to, cuda_pointer from, size_t size))                    \
  X(memory_set, "cuMemsetD8_v2", (cuda_pointer to, unsigned char value, size_t size))              \
  X(launch, "cuLaunchKernel",                                                                      \
    (cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,  \
     unsigned block_y, unsigned block_z, unsigned shared, cuda_stream stream, void **arguments,    \
     void **extra))                                                                                \
  X(event_create, "cuEventCreate", (cuda_event * ret, unsigned flags))                             \
  X(event_record, "cuEventRecord", (cuda_event event, cuda_stream stream))                         \
  X(event_synchronize, "cuEventSynchronize", (cuda_event event))                                   \
  X(event_elapsed, "cuEventElapsedTime", (float *ret, cuda_event start, cuda_event end))           \
  X(event_destroy, "cuEventDestroy_v2", (cuda_event event))

typedef struct cuda_functions {
#define CUDA_FUNCTION(name, symbol, arguments) cuda_result(*name) arguments;
  CUDA_FUNCTIONS(CUDA_FUNCTION)
#undef CUDA_FUNCTION
} cuda_functions;

/* libcuda's functions; valid after cuda_open. */
extern cuda_functions cuda;

/*
 * Loads libcuda.so.1 and makes the first device's primary context current. If something is missing,
 * prints a line about it to stdout and returns false: there is nothing to check then.
 */
bool cuda_open(void);
void cuda_close(void);

/* Ends the program with 1 and a line on stderr if the call fails. */
#define CUDA_CALL(call) cuda_require((call), #call)
void cuda_require(cuda_result result, const char *call);

/*
 * Loads PTX with cuModuleLoadData and nothing else. On failure prints the message of the driver's
 * compiler to stderr and returns NULL.
 */
cuda_module cuda_load(const char *text, const char *what);

#endif
