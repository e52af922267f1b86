/*
 * The CUDA driver, which the plugin opens when it is first used, and the list of its functions.
 * Without a driver, or with one that is too old, the plugin loads all the same, has no platform,
 * and can report the reason.
 */
#ifndef CUDA_DRIVER_H
#define CUDA_DRIVER_H

#include <cudaTypedefs.h>

#include <pi/pi.h>

/* The oldest supported driver: CUDA 11.4, the first with all of CUDA_REQUIRED. */
enum { CUDA_DRIVER_MINIMUM = 11040 };

/*
 * X(Name, symbol, version): cuName in the form that it has since a version of CUDA (3020 is 3.2).
 * Its type is PFN_cuName_v<version>, whatever newer form the headers declare. cuGetProcAddress
 * finds the function by "cuName" and the version. Without cuGetProcAddress, dlsym finds it by
 * symbol, whose suffix (as in _v2) does not follow from the version.
 *
 * The plugin refuses a driver that lacks a function of CUDA_REQUIRED. A function of CUDA_OPTIONAL
 * is NULL if the driver lacks it.
 */
#define CUDA_REQUIRED(X)                                                                           \
  X(Init, "cuInit", 2000)                                                                          \
  X(DriverGetVersion, "cuDriverGetVersion", 2020)                                                  \
  X(GetErrorName, "cuGetErrorName", 6000)                                                          \
  X(GetErrorString, "cuGetErrorString", 6000)                                                      \
  X(DeviceGet, "cuDeviceGet", 2000)                                                                \
  X(DeviceGetCount, "cuDeviceGetCount", 2000)                                                      \
  X(DeviceGetName, "cuDeviceGetName", 2000)                                                        \
  X(DeviceGetUuid, "cuDeviceGetUuid", 9020)                                                        \
  X(DeviceGetAttribute, "cuDeviceGetAttribute", 2000)                                              \
  X(DeviceTotalMem, "cuDeviceTotalMem_v2", 3020)                                                   \
  X(DeviceGetPCIBusId, "cuDeviceGetPCIBusId", 4010)                                                \
  X(DeviceCanAccessPeer, "cuDeviceCanAccessPeer", 4000)                                            \
  X(DeviceGetP2PAttribute, "cuDeviceGetP2PAttribute", 8000)                                        \
  X(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", 7000)                                      \
  X(DevicePrimaryCtxGetState, "cuDevicePrimaryCtxGetState", 7000)                                  \
  X(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", 11000)                                \
  X(CtxDestroy, "cuCtxDestroy_v2", 4000)                                                           \
  X(CtxGetCurrent, "cuCtxGetCurrent", 4000)                                                        \
  X(CtxSetCurrent, "cuCtxSetCurrent", 4000)                                                        \
  X(CtxGetDevice, "cuCtxGetDevice", 2000)                                                          \
  X(CtxGetApiVersion, "cuCtxGetApiVersion", 3020)                                                  \
  X(CtxSynchronize, "cuCtxSynchronize", 2000)                                                      \
  X(CtxGetStreamPriorityRange, "cuCtxGetStreamPriorityRange", 5050)                                \
  X(CtxEnablePeerAccess, "cuCtxEnablePeerAccess", 4000)                                            \
  X(CtxDisablePeerAccess, "cuCtxDisablePeerAccess", 4000)                                          \
  X(StreamCreate, "cuStreamCreate", 2000)                                                          \
  X(StreamCreateWithPriority, "cuStreamCreateWithPriority", 5050)                                  \
  X(StreamDestroy, "cuStreamDestroy_v2", 4000)                                                     \
  X(StreamQuery, "cuStreamQuery", 2000)                                                            \
  X(StreamSynchronize, "cuStreamSynchronize", 2000)                                                \
  X(StreamWaitEvent, "cuStreamWaitEvent", 3020)                                                    \
  X(StreamGetCtx, "cuStreamGetCtx", 9020)                                                          \
  X(LaunchHostFunc, "cuLaunchHostFunc", 10000)                                                     \
  X(EventCreate, "cuEventCreate", 2000)                                                            \
  X(EventDestroy, "cuEventDestroy_v2", 4000)                                                       \
  X(EventRecord, "cuEventRecord", 2000)                                                            \
  X(EventQuery, "cuEventQuery", 2000)                                                              \
  X(EventSynchronize, "cuEventSynchronize", 2000)                                                  \
  X(EventElapsedTime, "cuEventElapsedTime", 2000)                                                  \
  X(MemAlloc, "cuMemAlloc_v2", 3020)                                                               \
  X(MemAllocPitch, "cuMemAllocPitch_v2", 3020)                                                     \
  X(MemAllocManaged, "cuMemAllocManaged", 6000)                                                    \
  X(MemFree, "cuMemFree_v2", 3020)                                                                 \
  X(MemHostAlloc, "cuMemHostAlloc", 2020)                                                          \
  X(MemFreeHost, "cuMemFreeHost", 2000)                                                            \
  X(MemHostRegister, "cuMemHostRegister_v2", 6050)                                                 \
  X(MemHostUnregister, "cuMemHostUnregister", 4000)                                                \
  X(MemGetInfo, "cuMemGetInfo_v2", 3020)                                                           \
  X(MemGetAddressRange, "cuMemGetAddressRange_v2", 3020)                                           \
  X(PointerGetAttribute, "cuPointerGetAttribute", 4000)                                            \
  X(PointerGetAttributes, "cuPointerGetAttributes", 7000)                                          \
  X(MemPrefetchAsync, "cuMemPrefetchAsync", 8000)                                                  \
  X(MemAdvise, "cuMemAdvise", 8000)                                                                \
  X(MemcpyAsync, "cuMemcpyAsync", 4000)                                                            \
  X(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", 3020)                                                 \
  X(Memcpy2D, "cuMemcpy2D_v2", 3020)                                                               \
  X(Memcpy2DAsync, "cuMemcpy2DAsync_v2", 3020)                                                     \
  X(Memcpy3D, "cuMemcpy3D_v2", 3020)                                                               \
  X(Memcpy3DAsync, "cuMemcpy3DAsync_v2", 3020)                                                     \
  X(Memcpy3DPeerAsync, "cuMemcpy3DPeerAsync", 4000)                                                \
  X(MemsetD8Async, "cuMemsetD8Async", 3020)                                                        \
  X(MemsetD16Async, "cuMemsetD16Async", 3020)                                                      \
  X(MemsetD32Async, "cuMemsetD32Async", 3020)                                                      \
  X(MemsetD2D8Async, "cuMemsetD2D8Async", 3020)                                                    \
  X(MemsetD2D16Async, "cuMemsetD2D16Async", 3020)                                                  \
  X(MemsetD2D32Async, "cuMemsetD2D32Async", 3020)                                                  \
  X(Array3DCreate, "cuArray3DCreate_v2", 3020)                                                     \
  X(Array3DGetDescriptor, "cuArray3DGetDescriptor_v2", 3020)                                       \
  X(ArrayDestroy, "cuArrayDestroy", 2000)                                                          \
  X(MipmappedArrayCreate, "cuMipmappedArrayCreate", 5000)                                          \
  X(MipmappedArrayGetLevel, "cuMipmappedArrayGetLevel", 5000)                                      \
  X(MipmappedArrayDestroy, "cuMipmappedArrayDestroy", 5000)                                        \
  X(TexObjectCreate, "cuTexObjectCreate", 5000)                                                    \
  X(TexObjectDestroy, "cuTexObjectDestroy", 5000)                                                  \
  X(SurfObjectCreate, "cuSurfObjectCreate", 5000)                                                  \
  X(SurfObjectDestroy, "cuSurfObjectDestroy", 5000)                                                \
  X(ModuleLoadDataEx, "cuModuleLoadDataEx", 2010)                                                  \
  X(ModuleUnload, "cuModuleUnload", 2000)                                                          \
  X(ModuleGetFunction, "cuModuleGetFunction", 2000)                                                \
  X(ModuleGetGlobal, "cuModuleGetGlobal_v2", 3020)                                                 \
  X(LinkCreate, "cuLinkCreate_v2", 6050)                                                           \
  X(LinkAddData, "cuLinkAddData_v2", 6050)                                                         \
  X(LinkComplete, "cuLinkComplete", 5050)                                                          \
  X(LinkDestroy, "cuLinkDestroy", 5050)                                                            \
  X(FuncGetAttribute, "cuFuncGetAttribute", 2020)                                                  \
  X(FuncGetModule, "cuFuncGetModule", 11000)                                                       \
  X(FuncSetAttribute, "cuFuncSetAttribute", 9000)                                                  \
  X(FuncSetCacheConfig, "cuFuncSetCacheConfig", 3000)                                              \
  X(LaunchKernel, "cuLaunchKernel", 4000)                                                          \
  X(LaunchCooperativeKernel, "cuLaunchCooperativeKernel", 9000)                                    \
  X(OccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor",      \
    6050)                                                                                          \
  X(OccupancyMaxPotentialBlockSize, "cuOccupancyMaxPotentialBlockSize", 6050)                      \
  X(ImportExternalMemory, "cuImportExternalMemory", 10000)                                         \
  X(ExternalMemoryGetMappedMipmappedArray, "cuExternalMemoryGetMappedMipmappedArray", 10000)       \
  X(DestroyExternalMemory, "cuDestroyExternalMemory", 10000)                                       \
  X(ImportExternalSemaphore, "cuImportExternalSemaphore", 10000)                                   \
  X(SignalExternalSemaphoresAsync, "cuSignalExternalSemaphoresAsync", 10000)                       \
  X(WaitExternalSemaphoresAsync, "cuWaitExternalSemaphoresAsync", 10000)                           \
  X(DestroyExternalSemaphore, "cuDestroyExternalSemaphore", 10000)                                 \
  X(GraphCreate, "cuGraphCreate", 10000)                                                           \
  X(GraphDestroy, "cuGraphDestroy", 10000)                                                         \
  X(GraphAddKernelNode, "cuGraphAddKernelNode", 10000)                                             \
  X(GraphAddMemcpyNode, "cuGraphAddMemcpyNode", 10000)                                             \
  X(GraphAddMemsetNode, "cuGraphAddMemsetNode", 10000)                                             \
  X(GraphAddEmptyNode, "cuGraphAddEmptyNode", 10000)                                               \
  X(GraphDestroyNode, "cuGraphDestroyNode", 10000)                                                 \
  X(GraphInstantiateWithFlags, "cuGraphInstantiateWithFlags", 11040)                               \
  X(GraphExecDestroy, "cuGraphExecDestroy", 10000)                                                 \
  X(GraphExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams", 10010)                         \
  X(GraphLaunch, "cuGraphLaunch", 10000)

#define CUDA_OPTIONAL(X)                                                                           \
  X(MemGetAllocationGranularity, "cuMemGetAllocationGranularity", 10020)                           \
  X(MemAddressReserve, "cuMemAddressReserve", 10020)                                               \
  X(MemAddressFree, "cuMemAddressFree", 10020)                                                     \
  X(MemCreate, "cuMemCreate", 10020)                                                               \
  X(MemRelease, "cuMemRelease", 10020)                                                             \
  X(MemMap, "cuMemMap", 10020)                                                                     \
  X(MemUnmap, "cuMemUnmap", 10020)                                                                 \
  X(MemSetAccess, "cuMemSetAccess", 10020)                                                         \
  X(MemAllocAsync, "cuMemAllocAsync", 11020)                                                       \
  X(MemFreeAsync, "cuMemFreeAsync", 11020)                                                         \
  X(MemAllocFromPoolAsync, "cuMemAllocFromPoolAsync", 11020)                                       \
  X(MemPoolCreate, "cuMemPoolCreate", 11020)                                                       \
  X(MemPoolDestroy, "cuMemPoolDestroy", 11020)                                                     \
  X(MemPoolSetAttribute, "cuMemPoolSetAttribute", 11020)                                           \
  X(MemPoolGetAttribute, "cuMemPoolGetAttribute", 11020)                                           \
  X(MemPoolTrimTo, "cuMemPoolTrimTo", 11020)                                                       \
  X(MemPoolSetAccess, "cuMemPoolSetAccess", 11020)                                                 \
  X(StreamWaitValue32, "cuStreamWaitValue32_v2", 11070)                                            \
  X(FuncGetParamInfo, "cuFuncGetParamInfo", 12040)                                                 \
  X(FuncGetName, "cuFuncGetName", 12030)                                                           \
  X(ModuleGetFunctionCount, "cuModuleGetFunctionCount", 12040)                                     \
  X(ModuleEnumerateFunctions, "cuModuleEnumerateFunctions", 12040)

typedef struct cuda_driver {
#define CUDA_MEMBER(name, symbol, version) PFN_cu##name##_v##version name;
  CUDA_REQUIRED(CUDA_MEMBER)
  CUDA_OPTIONAL(CUDA_MEMBER)
#undef CUDA_MEMBER
} cuda_driver;

/* The loaded driver; all members are NULL without one. */
extern cuda_driver cu;

/* The result of cuDriverGetVersion, 12040 for CUDA 12.4; 0 without a driver. */
extern int cuda_driver_version;

/* The number of the driver's devices; 0 without a driver. */
extern int cuda_device_count;

#endif
