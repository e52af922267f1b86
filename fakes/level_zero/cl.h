/*
 * The OpenCL runtime that executes kernels for the fake Level Zero driver, found at run time:
 * the one list of its functions, one context on its CPU device and one in-order queue, whatever
 * number of devices the driver shows. Any memory of the process is memory of that device.
 */
#ifndef SPECPI_TEST_FAKE_ZE_CL_H
#define SPECPI_TEST_FAKE_ZE_CL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <level_zero/ze_api.h>

/* X(Name): clName of libOpenCL.so.1. */
#define FAKE_CL_FUNCTIONS(X)                                                                       \
  X(GetPlatformIDs)                                                                                \
  X(GetPlatformInfo)                                                                               \
  X(GetExtensionFunctionAddressForPlatform)                                                        \
  X(GetDeviceIDs)                                                                                  \
  X(GetDeviceInfo)                                                                                 \
  X(CreateContext)                                                                                 \
  X(CreateCommandQueueWithProperties)                                                              \
  X(Finish)                                                                                        \
  X(CreateProgramWithIL)                                                                           \
  X(SetProgramSpecializationConstant)                                                              \
  X(CompileProgram)                                                                                \
  X(LinkProgram)                                                                                   \
  X(GetProgramInfo)                                                                                \
  X(GetProgramBuildInfo)                                                                           \
  X(RetainProgram)                                                                                 \
  X(ReleaseProgram)                                                                                \
  X(CreateKernel)                                                                                  \
  X(ReleaseKernel)                                                                                 \
  X(GetKernelInfo)                                                                                 \
  X(SetKernelArg)                                                                                  \
  X(SetKernelArgSVMPointer)                                                                        \
  X(SetKernelExecInfo)                                                                             \
  X(GetKernelWorkGroupInfo)                                                                        \
  X(GetKernelSubGroupInfo)                                                                         \
  X(EnqueueNDRangeKernel)                                                                          \
  X(GetSupportedImageFormats)                                                                      \
  X(CreateImage)                                                                                   \
  X(ReleaseMemObject)                                                                              \
  X(EnqueueReadImage)                                                                              \
  X(EnqueueWriteImage)                                                                             \
  X(CreateSamplerWithProperties)                                                                   \
  X(ReleaseSampler)

/* X(Name, "symbol", parameters): functions of Intel's platform. */
#define FAKE_CL_EXTENSIONS(X)                                                                      \
  X(SetKernelArgMemPointer, "clSetKernelArgMemPointerINTEL", (cl_kernel, cl_uint, const void *))   \
  X(GetDeviceFunctionPointer, "clGetDeviceFunctionPointerINTEL",                                   \
    (cl_device_id, cl_program, const char *, cl_ulong *))                                          \
  X(GetDeviceGlobalVariablePointer, "clGetDeviceGlobalVariablePointerINTEL",                       \
    (cl_device_id, cl_program, const char *, size_t *, void **))

typedef struct fake_cl_runtime {
#define FAKE_CL_MEMBER(name) __typeof__(cl##name) *name;
  FAKE_CL_FUNCTIONS(FAKE_CL_MEMBER)
#undef FAKE_CL_MEMBER
#define FAKE_CL_MEMBER(name, symbol, parameters) cl_int(*name) parameters;
  FAKE_CL_EXTENSIONS(FAKE_CL_MEMBER)
#undef FAKE_CL_MEMBER
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_uint units; /* groups that run at once */
} fake_cl_runtime;

/* Filled in by fake_cl_open; used between it and fake_cl_close only. */
extern fake_cl_runtime fake_cl;

/*
 * Finds the runtime on the first call, and takes the lock under which every call of it is made: it
 * is one device with one queue, and what sanitizers do not see happens in turn. Takes any thread
 * that does not hold the driver's lock; not recursive. Without a runtime
 * ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, and ZE_RESULT_ERROR_UNINITIALIZED while the process ends,
 * with the lock left alone and the reason in fake_cl_reason.
 */
ze_result_t fake_cl_open(void);
void fake_cl_close(void);

/*
 * The same inside a function of the API: gives up the driver's lock until fake_cl_leave, since
 * kernels may run for long. Objects may be gone afterwards.
 */
ze_result_t fake_cl_enter(void);
void fake_cl_leave(void);

/* Releases them soon, in whichever thread comes by; NULL is fine. With the driver's lock. */
void fake_cl_drop_program(cl_program program);
void fake_cl_drop_kernel(cl_kernel kernel);
void fake_cl_drop_memory(cl_mem memory);
void fake_cl_drop_sampler(cl_sampler sampler);

/* Why fake_cl_open failed, as a message; "" when it did not. */
const char *fake_cl_reason(void);

/* "CL_INVALID_VALUE" or so; "an unknown code" otherwise. */
const char *fake_cl_code(cl_int code);

/* Returns Level Zero's code for a failure of the runtime, where there is no better one. */
ze_result_t fake_cl_result(cl_int code);

#endif
