/*
 * CUDA without a plugin, for comparison: the driver's functions, and NVIDIA's run-time compiler.
 * Both are loaded at run time.
 */
#ifndef SPECPI_BENCH_CUDA_DRIVER_H
#define SPECPI_BENCH_CUDA_DRIVER_H

#include <cudaTypedefs.h>
#include <stdbool.h>

/* X(Name, symbol, version): the same format as the plugin's list. */
#define DRIVER_FUNCTIONS(X)                                                                        \
  X(Init, "cuInit", 2000)                                                                          \
  X(DriverGetVersion, "cuDriverGetVersion", 2020)                                                  \
  X(GetErrorName, "cuGetErrorName", 6000)                                                          \
  X(DeviceGet, "cuDeviceGet", 2000)                                                                \
  X(DeviceGetAttribute, "cuDeviceGetAttribute", 2000)                                              \
  X(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", 7000)                                      \
  X(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", 11000)                                \
  X(CtxGetCurrent, "cuCtxGetCurrent", 4000)                                                        \
  X(CtxSetCurrent, "cuCtxSetCurrent", 4000)                                                        \
  X(StreamCreate, "cuStreamCreate", 2000)                                                          \
  X(StreamSynchronize, "cuStreamSynchronize", 2000)                                                \
  X(StreamDestroy, "cuStreamDestroy_v2", 4000)                                                     \
  X(EventCreate, "cuEventCreate", 2000)                                                            \
  X(EventRecord, "cuEventRecord", 2000)                                                            \
  X(EventDestroy, "cuEventDestroy_v2", 4000)                                                       \
  X(MemAlloc, "cuMemAlloc_v2", 3020)                                                               \
  X(MemFree, "cuMemFree_v2", 3020)                                                                 \
  X(MemcpyHtoD, "cuMemcpyHtoD_v2", 3020)                                                           \
  X(MemcpyDtoH, "cuMemcpyDtoH_v2", 3020)                                                           \
  X(ModuleLoadData, "cuModuleLoadData", 2000)                                                      \
  X(ModuleUnload, "cuModuleUnload", 2000)                                                          \
  X(ModuleGetFunction, "cuModuleGetFunction", 2000)                                                \
  X(LaunchKernel, "cuLaunchKernel", 4000)

typedef struct bare_driver {
#define DRIVER_MEMBER(name, symbol, version) PFN_cu##name##_v##version name;
  DRIVER_FUNCTIONS(DRIVER_MEMBER)
#undef DRIVER_MEMBER
} bare_driver;

extern bare_driver bare;

/*
 * driver_open loads libcuda, and makes the first device's primary context current. It ends the
 * program with a message if it cannot. driver_close releases the context.
 */
void driver_open(void);
void driver_close(void);

/* Returns the first device's architecture: 90 for sm_90. */
int driver_architecture(void);

/* Calls a driver function. On failure, ends the program with the driver's name of the error. */
#define BARE(name, ...) driver_check(bare.name(__VA_ARGS__), "cu" #name)
void driver_check(CUresult result, const char *call);

/* X(name, symbol, parameters): functions of libnvrtc. Each returns 0 on success. */
typedef struct nvrtc_program_object *nvrtc_program;
#define NVRTC_FUNCTIONS(X)                                                                         \
  X(version, "nvrtcVersion", (int *major, int *minor))                                             \
  X(create, "nvrtcCreateProgram",                                                                  \
    (nvrtc_program * ret, const char *source, const char *name, int header_count,                  \
     const char *const *headers, const char *const *include_names))                                \
  X(compile, "nvrtcCompileProgram",                                                                \
    (nvrtc_program program, int count, const char *const *options))                                \
  X(binary_size, "nvrtcGetCUBINSize", (nvrtc_program program, size_t * ret))                       \
  X(binary, "nvrtcGetCUBIN", (nvrtc_program program, char *ret))                                   \
  X(log_size, "nvrtcGetProgramLogSize", (nvrtc_program program, size_t * ret))                     \
  X(log, "nvrtcGetProgramLog", (nvrtc_program program, char *ret))                                 \
  X(destroy, "nvrtcDestroyProgram", (nvrtc_program * program))

typedef struct nvrtc_functions {
#define NVRTC_MEMBER(name, symbol, parameters) int(*name) parameters;
  NVRTC_FUNCTIONS(NVRTC_MEMBER)
#undef NVRTC_MEMBER
} nvrtc_functions;

extern nvrtc_functions nvrtc;

/* Loads libnvrtc. Returns false if there is none; then the comparisons with it are left out. */
bool nvrtc_open(void);

/*
 * Compiles CUDA C to a cubin, which the caller frees. On failure, ends the program with the
 * compiler's log.
 */
void *nvrtc_build(const char *source, int option_count, const char *const *options);

#endif
