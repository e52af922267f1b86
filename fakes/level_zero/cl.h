/*
 * The OpenCL runtime that executes kernels for the fake Level Zero driver, loaded at run time. It
 * has one context on its CPU device and one in-order queue, however many devices the driver has.
 * The device can use all memory of the process.
 */
#ifndef SPECPI_TEST_FAKE_ZE_CL_H
#define SPECPI_TEST_FAKE_ZE_CL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <level_zero/ze_api.h>

/* X(Name): functions clName of libOpenCL.so.1. */
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

/* X(Name, "symbol", parameters): extension functions of Intel's platform. */
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
  cl_uint units; /* number of work-groups that run at once */
} fake_cl_runtime;

/* Filled in by fake_cl_open. Use it only between fake_cl_open and fake_cl_close. */
extern fake_cl_runtime fake_cl;

/*
 * Takes OpenCL's lock, and loads the runtime on the first call. Every call of the runtime needs
 * this lock, because there is one device with one queue, and because sanitizers do not see into the
 * runtime. The caller must not hold the driver's lock or this one.
 *
 * Fails without taking the lock, with the reason in fake_cl_reason: without a runtime
 * (ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE), or while the process ends
 * (ZE_RESULT_ERROR_UNINITIALIZED).
 */
ze_result_t fake_cl_open(void);
void fake_cl_close(void);

/*
 * The same for functions of the API. Releases the driver's lock until fake_cl_leave, because
 * kernels may run long. Other threads may destroy objects in the meantime.
 */
ze_result_t fake_cl_enter(void);
void fake_cl_leave(void);

/* Release an object soon, in any thread. It may be NULL. The caller holds the driver's lock. */
void fake_cl_drop_program(cl_program program);
void fake_cl_drop_kernel(cl_kernel kernel);
void fake_cl_drop_memory(cl_mem memory);
void fake_cl_drop_sampler(cl_sampler sampler);

/* Returns the message of fake_cl_open's failure; "" if it succeeded. */
const char *fake_cl_reason(void);

/* Returns a code's name, like "CL_INVALID_VALUE", or "an unknown code". */
const char *fake_cl_code(cl_int code);

/* Returns Level Zero's code for a failure of the runtime, for callers that know no better one. */
ze_result_t fake_cl_result(cl_int code);

#endif
