/*
 * The functions of the OpenCL driver, found with dlopen when the plugin is first used. Without a
 * driver the plugin still loads; it then lists no platforms and can say why.
 */
#ifndef OPENCL_DRIVER_H
#define OPENCL_DRIVER_H

#define CL_TARGET_OPENCL_VERSION 300
/* Declares deprecated functions, for drivers that do not have their replacements. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <pi/pi.h>

/*
 * X(name): the function cl<name>. The plugin refuses a library that lacks one of REQUIRED, which
 * are all in OpenCL 1.2. OPTIONAL functions are newer, and NULL where the library lacks them.
 */
#define OPENCL_REQUIRED(X)                                                                         \
  X(GetPlatformIDs)                                                                                \
  X(GetPlatformInfo)                                                                               \
  X(GetExtensionFunctionAddressForPlatform)                                                        \
  X(GetDeviceIDs)                                                                                  \
  X(GetDeviceInfo)                                                                                 \
  X(CreateSubDevices)                                                                              \
  X(RetainDevice)                                                                                  \
  X(ReleaseDevice)                                                                                 \
  X(CreateContext)                                                                                 \
  X(RetainContext)                                                                                 \
  X(ReleaseContext)                                                                                \
  X(GetContextInfo)                                                                                \
  X(CreateCommandQueue)                                                                            \
  X(RetainCommandQueue)                                                                            \
  X(ReleaseCommandQueue)                                                                           \
  X(GetCommandQueueInfo)                                                                           \
  X(Flush)                                                                                         \
  X(Finish)                                                                                        \
  X(CreateBuffer)                                                                                  \
  X(CreateSubBuffer)                                                                               \
  X(CreateImage)                                                                                   \
  X(RetainMemObject)                                                                               \
  X(ReleaseMemObject)                                                                              \
  X(GetMemObjectInfo)                                                                              \
  X(GetImageInfo)                                                                                  \
  X(CreateSampler)                                                                                 \
  X(RetainSampler)                                                                                 \
  X(ReleaseSampler)                                                                                \
  X(GetSamplerInfo)                                                                                \
  X(CreateProgramWithBinary)                                                                       \
  X(RetainProgram)                                                                                 \
  X(ReleaseProgram)                                                                                \
  X(BuildProgram)                                                                                  \
  X(CompileProgram)                                                                                \
  X(LinkProgram)                                                                                   \
  X(GetProgramInfo)                                                                                \
  X(GetProgramBuildInfo)                                                                           \
  X(CreateKernel)                                                                                  \
  X(RetainKernel)                                                                                  \
  X(ReleaseKernel)                                                                                 \
  X(SetKernelArg)                                                                                  \
  X(GetKernelInfo)                                                                                 \
  X(GetKernelWorkGroupInfo)                                                                        \
  X(WaitForEvents)                                                                                 \
  X(GetEventInfo)                                                                                  \
  X(CreateUserEvent)                                                                               \
  X(SetUserEventStatus)                                                                            \
  X(SetEventCallback)                                                                              \
  X(RetainEvent)                                                                                   \
  X(ReleaseEvent)                                                                                  \
  X(GetEventProfilingInfo)                                                                         \
  X(EnqueueNDRangeKernel)                                                                          \
  X(EnqueueMarkerWithWaitList)                                                                     \
  X(EnqueueBarrierWithWaitList)                                                                    \
  X(EnqueueReadBuffer)                                                                             \
  X(EnqueueReadBufferRect)                                                                         \
  X(EnqueueWriteBuffer)                                                                            \
  X(EnqueueWriteBufferRect)                                                                        \
  X(EnqueueCopyBuffer)                                                                             \
  X(EnqueueCopyBufferRect)                                                                         \
  X(EnqueueFillBuffer)                                                                             \
  X(EnqueueReadImage)                                                                              \
  X(EnqueueWriteImage)                                                                             \
  X(EnqueueCopyImage)                                                                              \
  X(EnqueueFillImage)                                                                              \
  X(EnqueueMapBuffer)                                                                              \
  X(EnqueueUnmapMemObject)

#define OPENCL_OPTIONAL(X)                                                                         \
  X(CreateCommandQueueWithProperties)                                                              \
  X(CreateSamplerWithProperties)                                                                   \
  X(CreateBufferWithProperties)                                                                    \
  X(CreateProgramWithIL)                                                                           \
  X(SetProgramSpecializationConstant)                                                              \
  X(CloneKernel)                                                                                   \
  X(SetKernelExecInfo)                                                                             \
  X(GetKernelSubGroupInfo)                                                                         \
  X(GetDeviceAndHostTimer)                                                                         \
  X(SetContextDestructorCallback)

/* Types of extension functions that Khronos' headers do not have. */
typedef cl_int CL_API_CALL clGetDeviceFunctionPointerINTEL_fn_type(cl_device_id, cl_program,
                                                                   const char *, cl_ulong *);
typedef cl_int CL_API_CALL clGetDeviceGlobalVariablePointerINTEL_fn_type(cl_device_id, cl_program,
                                                                         const char *, size_t *,
                                                                         void **);
typedef cl_int CL_API_CALL clEnqueueWriteGlobalVariableINTEL_fn_type(cl_command_queue, cl_program,
                                                                     const char *, cl_bool, size_t,
                                                                     size_t, const void *, cl_uint,
                                                                     const cl_event *, cl_event *);
typedef cl_int CL_API_CALL clEnqueueReadGlobalVariableINTEL_fn_type(cl_command_queue, cl_program,
                                                                    const char *, cl_bool, size_t,
                                                                    size_t, void *, cl_uint,
                                                                    const cl_event *, cl_event *);
typedef cl_int CL_API_CALL clEnqueueReadHostPipeINTEL_fn_type(cl_command_queue, cl_program,
                                                              const char *, cl_bool, void *, size_t,
                                                              cl_uint, const cl_event *,
                                                              cl_event *);
typedef cl_int CL_API_CALL clEnqueueWriteHostPipeINTEL_fn_type(cl_command_queue, cl_program,
                                                               const char *, cl_bool, const void *,
                                                               size_t, cl_uint, const cl_event *,
                                                               cl_event *);
typedef cl_int CL_API_CALL clGetKernelMaxConcurrentWorkGroupCountINTEL_fn_type(
    cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, size_t *);

/*
 * X(name, type, symbol): an extension function of a platform, which may be NULL: the member, its
 * function pointer type and the driver's symbol.
 */
#define OPENCL_EXTENSIONS(X)                                                                       \
  X(HostMemAlloc, clHostMemAllocINTEL_fn, "clHostMemAllocINTEL")                                   \
  X(DeviceMemAlloc, clDeviceMemAllocINTEL_fn, "clDeviceMemAllocINTEL")                             \
  X(SharedMemAlloc, clSharedMemAllocINTEL_fn, "clSharedMemAllocINTEL")                             \
  X(MemFree, clMemFreeINTEL_fn, "clMemFreeINTEL")                                                  \
  X(MemBlockingFree, clMemBlockingFreeINTEL_fn, "clMemBlockingFreeINTEL")                          \
  X(GetMemAllocInfo, clGetMemAllocInfoINTEL_fn, "clGetMemAllocInfoINTEL")                          \
  X(SetKernelArgMemPointer, clSetKernelArgMemPointerINTEL_fn, "clSetKernelArgMemPointerINTEL")     \
  X(EnqueueMemFill, clEnqueueMemFillINTEL_fn, "clEnqueueMemFillINTEL")                             \
  X(EnqueueMemcpy, clEnqueueMemcpyINTEL_fn, "clEnqueueMemcpyINTEL")                                \
  X(EnqueueMigrateMem, clEnqueueMigrateMemINTEL_fn, "clEnqueueMigrateMemINTEL")                    \
  X(EnqueueMemAdvise, clEnqueueMemAdviseINTEL_fn, "clEnqueueMemAdviseINTEL")                       \
  X(CreateBufferWithProperties, clCreateBufferWithPropertiesINTEL_fn,                              \
    "clCreateBufferWithPropertiesINTEL")                                                           \
  X(GetKernelMaxConcurrentWorkGroupCount, clGetKernelMaxConcurrentWorkGroupCountINTEL_fn_type *,   \
    "clGetKernelMaxConcurrentWorkGroupCountINTEL")                                                 \
  X(GetDeviceFunctionPointer, clGetDeviceFunctionPointerINTEL_fn_type *,                           \
    "clGetDeviceFunctionPointerINTEL")                                                             \
  X(GetDeviceGlobalVariablePointer, clGetDeviceGlobalVariablePointerINTEL_fn_type *,               \
    "clGetDeviceGlobalVariablePointerINTEL")                                                       \
  X(EnqueueWriteGlobalVariable, clEnqueueWriteGlobalVariableINTEL_fn_type *,                       \
    "clEnqueueWriteGlobalVariableINTEL")                                                           \
  X(EnqueueReadGlobalVariable, clEnqueueReadGlobalVariableINTEL_fn_type *,                         \
    "clEnqueueReadGlobalVariableINTEL")                                                            \
  X(EnqueueReadHostPipe, clEnqueueReadHostPipeINTEL_fn_type *, "clEnqueueReadHostPipeINTEL")       \
  X(EnqueueWriteHostPipe, clEnqueueWriteHostPipeINTEL_fn_type *, "clEnqueueWriteHostPipeINTEL")    \
  X(CreateProgramWithIL, clCreateProgramWithILKHR_fn, "clCreateProgramWithILKHR")                  \
  X(GetKernelSubGroupInfo, clGetKernelSubGroupInfoKHR_fn, "clGetKernelSubGroupInfoKHR")

typedef struct opencl_driver {
#define OPENCL_MEMBER(name) __typeof__(cl##name) *name;
  OPENCL_REQUIRED(OPENCL_MEMBER)
  OPENCL_OPTIONAL(OPENCL_MEMBER)
#undef OPENCL_MEMBER
} opencl_driver;

typedef struct opencl_extensions {
#define OPENCL_MEMBER(name, type, symbol) type name;
  OPENCL_EXTENSIONS(OPENCL_MEMBER)
#undef OPENCL_MEMBER
  /*
   * The platform's OpenCL version, 210 for 2.1; 0 when unknown. Callers of an optional function
   * must check the version, too: the function comes from the ICD loader, and the platform's driver
   * may lack it.
   */
  unsigned version;
} opencl_extensions;

/*
 * Returns the version in a driver's text "OpenCL <major>.<minor> <vendor's text>": 210 for 2.1, or
 * 0 if the text has another form.
 */
unsigned opencl_version_of_text(const char *text);

/* The loaded driver; all members are NULL if there is none. */
extern opencl_driver cl;

/* The platforms found at load, in the driver's order. */
extern cl_uint opencl_platform_count;
extern cl_platform_id *opencl_platforms;

/*
 * Return the extension functions of an object's platform. The result is never NULL; for an object
 * that the driver does not recognise it is a table without any function.
 */
const opencl_extensions *opencl_extensions_of_platform(cl_platform_id platform);
const opencl_extensions *opencl_extensions_of_device(cl_device_id device);
const opencl_extensions *opencl_extensions_of_context(cl_context context);
const opencl_extensions *opencl_extensions_of_queue(cl_command_queue queue);
const opencl_extensions *opencl_extensions_of_kernel(cl_kernel kernel);

/*
 * Writes the devices of a context; returns their number, or 0 when the driver does not list them.
 * The limit is high enough even if every processing element of a machine is a sub-device.
 */
enum { OPENCL_CONTEXT_DEVICES_MAX = 4096 };
size_t opencl_devices_of_context(cl_context context,
                                 cl_device_id devices[OPENCL_CONTEXT_DEVICES_MAX]);

/*
 * Records a context's extensions. The plugin calls this for each context that it creates or adopts,
 * so that finding the extensions of the context, its queues and kernels needs at most one query.
 */
void opencl_context_known(cl_context context);

#endif
