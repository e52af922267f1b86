/*
 * The list of the fake Level Zero driver's functions: every function of every table in ze_ddi.h of
 * loader 1.8. The tables, the names for failures on demand and the counts of calls are generated
 * from it.
 *
 * T(Table, type, LIST): zeGet<Table>ProcAddrTable fills in a ze_<type>_dditable_t.
 * X(Table, Object, Name): its member pfn<Name> is the function ze<Object><Name>.
 */
#ifndef SPECPI_TEST_FAKE_ZE_FUNCTIONS_H
#define SPECPI_TEST_FAKE_ZE_FUNCTIONS_H

#define FAKE_GLOBAL_FUNCTIONS(X, TABLE) X(TABLE, , Init)

#define FAKE_DRIVER_FUNCTIONS(X, TABLE)                                                            \
  X(TABLE, Driver, Get)                                                                            \
  X(TABLE, Driver, GetApiVersion)                                                                  \
  X(TABLE, Driver, GetProperties)                                                                  \
  X(TABLE, Driver, GetIpcProperties)                                                               \
  X(TABLE, Driver, GetExtensionProperties)                                                         \
  X(TABLE, Driver, GetExtensionFunctionAddress)

#define FAKE_DEVICE_FUNCTIONS(X, TABLE)                                                            \
  X(TABLE, Device, Get)                                                                            \
  X(TABLE, Device, GetSubDevices)                                                                  \
  X(TABLE, Device, GetProperties)                                                                  \
  X(TABLE, Device, GetComputeProperties)                                                           \
  X(TABLE, Device, GetModuleProperties)                                                            \
  X(TABLE, Device, GetCommandQueueGroupProperties)                                                 \
  X(TABLE, Device, GetMemoryProperties)                                                            \
  X(TABLE, Device, GetMemoryAccessProperties)                                                      \
  X(TABLE, Device, GetCacheProperties)                                                             \
  X(TABLE, Device, GetImageProperties)                                                             \
  X(TABLE, Device, GetExternalMemoryProperties)                                                    \
  X(TABLE, Device, GetP2PProperties)                                                               \
  X(TABLE, Device, CanAccessPeer)                                                                  \
  X(TABLE, Device, GetStatus)                                                                      \
  X(TABLE, Device, GetGlobalTimestamps)                                                            \
  X(TABLE, Device, ReserveCacheExt)                                                                \
  X(TABLE, Device, SetCacheAdviceExt)                                                              \
  X(TABLE, Device, PciGetPropertiesExt)

#define FAKE_DEVICE_EXP_FUNCTIONS(X, TABLE) X(TABLE, Device, GetFabricVertexExp)

#define FAKE_CONTEXT_FUNCTIONS(X, TABLE)                                                           \
  X(TABLE, Context, Create)                                                                        \
  X(TABLE, Context, Destroy)                                                                       \
  X(TABLE, Context, GetStatus)                                                                     \
  X(TABLE, Context, SystemBarrier)                                                                 \
  X(TABLE, Context, MakeMemoryResident)                                                            \
  X(TABLE, Context, EvictMemory)                                                                   \
  X(TABLE, Context, MakeImageResident)                                                             \
  X(TABLE, Context, EvictImage)                                                                    \
  X(TABLE, Context, CreateEx)

#define FAKE_COMMAND_QUEUE_FUNCTIONS(X, TABLE)                                                     \
  X(TABLE, CommandQueue, Create)                                                                   \
  X(TABLE, CommandQueue, Destroy)                                                                  \
  X(TABLE, CommandQueue, ExecuteCommandLists)                                                      \
  X(TABLE, CommandQueue, Synchronize)

#define FAKE_COMMAND_LIST_FUNCTIONS(X, TABLE)                                                      \
  X(TABLE, CommandList, Create)                                                                    \
  X(TABLE, CommandList, CreateImmediate)                                                           \
  X(TABLE, CommandList, Destroy)                                                                   \
  X(TABLE, CommandList, Close)                                                                     \
  X(TABLE, CommandList, Reset)                                                                     \
  X(TABLE, CommandList, AppendWriteGlobalTimestamp)                                                \
  X(TABLE, CommandList, AppendBarrier)                                                             \
  X(TABLE, CommandList, AppendMemoryRangesBarrier)                                                 \
  X(TABLE, CommandList, AppendMemoryCopy)                                                          \
  X(TABLE, CommandList, AppendMemoryFill)                                                          \
  X(TABLE, CommandList, AppendMemoryCopyRegion)                                                    \
  X(TABLE, CommandList, AppendMemoryCopyFromContext)                                               \
  X(TABLE, CommandList, AppendImageCopy)                                                           \
  X(TABLE, CommandList, AppendImageCopyRegion)                                                     \
  X(TABLE, CommandList, AppendImageCopyToMemory)                                                   \
  X(TABLE, CommandList, AppendImageCopyFromMemory)                                                 \
  X(TABLE, CommandList, AppendMemoryPrefetch)                                                      \
  X(TABLE, CommandList, AppendMemAdvise)                                                           \
  X(TABLE, CommandList, AppendSignalEvent)                                                         \
  X(TABLE, CommandList, AppendWaitOnEvents)                                                        \
  X(TABLE, CommandList, AppendEventReset)                                                          \
  X(TABLE, CommandList, AppendQueryKernelTimestamps)                                               \
  X(TABLE, CommandList, AppendLaunchKernel)                                                        \
  X(TABLE, CommandList, AppendLaunchCooperativeKernel)                                             \
  X(TABLE, CommandList, AppendLaunchKernelIndirect)                                                \
  X(TABLE, CommandList, AppendLaunchMultipleKernelsIndirect)                                       \
  X(TABLE, CommandList, AppendImageCopyToMemoryExt)                                                \
  X(TABLE, CommandList, AppendImageCopyFromMemoryExt)

#define FAKE_IMAGE_FUNCTIONS(X, TABLE)                                                             \
  X(TABLE, Image, GetProperties)                                                                   \
  X(TABLE, Image, Create)                                                                          \
  X(TABLE, Image, Destroy)                                                                         \
  X(TABLE, Image, GetAllocPropertiesExt)

#define FAKE_IMAGE_EXP_FUNCTIONS(X, TABLE)                                                         \
  X(TABLE, Image, GetMemoryPropertiesExp)                                                          \
  X(TABLE, Image, ViewCreateExp)

#define FAKE_FENCE_FUNCTIONS(X, TABLE)                                                             \
  X(TABLE, Fence, Create)                                                                          \
  X(TABLE, Fence, Destroy)                                                                         \
  X(TABLE, Fence, HostSynchronize)                                                                 \
  X(TABLE, Fence, QueryStatus)                                                                     \
  X(TABLE, Fence, Reset)

#define FAKE_EVENT_POOL_FUNCTIONS(X, TABLE)                                                        \
  X(TABLE, EventPool, Create)                                                                      \
  X(TABLE, EventPool, Destroy)                                                                     \
  X(TABLE, EventPool, GetIpcHandle)                                                                \
  X(TABLE, EventPool, OpenIpcHandle)                                                               \
  X(TABLE, EventPool, CloseIpcHandle)

#define FAKE_EVENT_FUNCTIONS(X, TABLE)                                                             \
  X(TABLE, Event, Create)                                                                          \
  X(TABLE, Event, Destroy)                                                                         \
  X(TABLE, Event, HostSignal)                                                                      \
  X(TABLE, Event, HostSynchronize)                                                                 \
  X(TABLE, Event, QueryStatus)                                                                     \
  X(TABLE, Event, HostReset)                                                                       \
  X(TABLE, Event, QueryKernelTimestamp)

#define FAKE_EVENT_EXP_FUNCTIONS(X, TABLE) X(TABLE, Event, QueryTimestampsExp)

#define FAKE_MODULE_FUNCTIONS(X, TABLE)                                                            \
  X(TABLE, Module, Create)                                                                         \
  X(TABLE, Module, Destroy)                                                                        \
  X(TABLE, Module, DynamicLink)                                                                    \
  X(TABLE, Module, GetNativeBinary)                                                                \
  X(TABLE, Module, GetGlobalPointer)                                                               \
  X(TABLE, Module, GetKernelNames)                                                                 \
  X(TABLE, Module, GetProperties)                                                                  \
  X(TABLE, Module, GetFunctionPointer)                                                             \
  X(TABLE, Module, InspectLinkageExt)

#define FAKE_MODULE_BUILD_LOG_FUNCTIONS(X, TABLE)                                                  \
  X(TABLE, ModuleBuildLog, Destroy)                                                                \
  X(TABLE, ModuleBuildLog, GetString)

#define FAKE_KERNEL_FUNCTIONS(X, TABLE)                                                            \
  X(TABLE, Kernel, Create)                                                                         \
  X(TABLE, Kernel, Destroy)                                                                        \
  X(TABLE, Kernel, SetCacheConfig)                                                                 \
  X(TABLE, Kernel, SetGroupSize)                                                                   \
  X(TABLE, Kernel, SuggestGroupSize)                                                               \
  X(TABLE, Kernel, SuggestMaxCooperativeGroupCount)                                                \
  X(TABLE, Kernel, SetArgumentValue)                                                               \
  X(TABLE, Kernel, SetIndirectAccess)                                                              \
  X(TABLE, Kernel, GetIndirectAccess)                                                              \
  X(TABLE, Kernel, GetSourceAttributes)                                                            \
  X(TABLE, Kernel, GetProperties)                                                                  \
  X(TABLE, Kernel, GetName)

#define FAKE_KERNEL_EXP_FUNCTIONS(X, TABLE)                                                        \
  X(TABLE, Kernel, SetGlobalOffsetExp)                                                             \
  X(TABLE, Kernel, SchedulingHintExp)

#define FAKE_SAMPLER_FUNCTIONS(X, TABLE)                                                           \
  X(TABLE, Sampler, Create)                                                                        \
  X(TABLE, Sampler, Destroy)

#define FAKE_PHYSICAL_MEM_FUNCTIONS(X, TABLE)                                                      \
  X(TABLE, PhysicalMem, Create)                                                                    \
  X(TABLE, PhysicalMem, Destroy)

#define FAKE_MEM_FUNCTIONS(X, TABLE)                                                               \
  X(TABLE, Mem, AllocShared)                                                                       \
  X(TABLE, Mem, AllocDevice)                                                                       \
  X(TABLE, Mem, AllocHost)                                                                         \
  X(TABLE, Mem, Free)                                                                              \
  X(TABLE, Mem, GetAllocProperties)                                                                \
  X(TABLE, Mem, GetAddressRange)                                                                   \
  X(TABLE, Mem, GetIpcHandle)                                                                      \
  X(TABLE, Mem, OpenIpcHandle)                                                                     \
  X(TABLE, Mem, CloseIpcHandle)                                                                    \
  X(TABLE, Mem, FreeExt)

#define FAKE_VIRTUAL_MEM_FUNCTIONS(X, TABLE)                                                       \
  X(TABLE, VirtualMem, Reserve)                                                                    \
  X(TABLE, VirtualMem, Free)                                                                       \
  X(TABLE, VirtualMem, QueryPageSize)                                                              \
  X(TABLE, VirtualMem, Map)                                                                        \
  X(TABLE, VirtualMem, Unmap)                                                                      \
  X(TABLE, VirtualMem, SetAccessAttribute)                                                         \
  X(TABLE, VirtualMem, GetAccessAttribute)

#define FAKE_FABRIC_VERTEX_EXP_FUNCTIONS(X, TABLE)                                                 \
  X(TABLE, FabricVertex, GetExp)                                                                   \
  X(TABLE, FabricVertex, GetSubVerticesExp)                                                        \
  X(TABLE, FabricVertex, GetPropertiesExp)                                                         \
  X(TABLE, FabricVertex, GetDeviceExp)

#define FAKE_FABRIC_EDGE_EXP_FUNCTIONS(X, TABLE)                                                   \
  X(TABLE, FabricEdge, GetExp)                                                                     \
  X(TABLE, FabricEdge, GetVerticesExp)                                                             \
  X(TABLE, FabricEdge, GetPropertiesExp)

#define FAKE_TABLES(T)                                                                             \
  T(Global, global, FAKE_GLOBAL_FUNCTIONS)                                                         \
  T(Driver, driver, FAKE_DRIVER_FUNCTIONS)                                                         \
  T(Device, device, FAKE_DEVICE_FUNCTIONS)                                                         \
  T(DeviceExp, device_exp, FAKE_DEVICE_EXP_FUNCTIONS)                                              \
  T(Context, context, FAKE_CONTEXT_FUNCTIONS)                                                      \
  T(CommandQueue, command_queue, FAKE_COMMAND_QUEUE_FUNCTIONS)                                     \
  T(CommandList, command_list, FAKE_COMMAND_LIST_FUNCTIONS)                                        \
  T(Image, image, FAKE_IMAGE_FUNCTIONS)                                                            \
  T(ImageExp, image_exp, FAKE_IMAGE_EXP_FUNCTIONS)                                                 \
  T(Fence, fence, FAKE_FENCE_FUNCTIONS)                                                            \
  T(EventPool, event_pool, FAKE_EVENT_POOL_FUNCTIONS)                                              \
  T(Event, event, FAKE_EVENT_FUNCTIONS)                                                            \
  T(EventExp, event_exp, FAKE_EVENT_EXP_FUNCTIONS)                                                 \
  T(Module, module, FAKE_MODULE_FUNCTIONS)                                                         \
  T(ModuleBuildLog, module_build_log, FAKE_MODULE_BUILD_LOG_FUNCTIONS)                             \
  T(Kernel, kernel, FAKE_KERNEL_FUNCTIONS)                                                         \
  T(KernelExp, kernel_exp, FAKE_KERNEL_EXP_FUNCTIONS)                                              \
  T(Sampler, sampler, FAKE_SAMPLER_FUNCTIONS)                                                      \
  T(PhysicalMem, physical_mem, FAKE_PHYSICAL_MEM_FUNCTIONS)                                        \
  T(Mem, mem, FAKE_MEM_FUNCTIONS)                                                                  \
  T(VirtualMem, virtual_mem, FAKE_VIRTUAL_MEM_FUNCTIONS)                                           \
  T(FabricVertexExp, fabric_vertex_exp, FAKE_FABRIC_VERTEX_EXP_FUNCTIONS)                          \
  T(FabricEdgeExp, fabric_edge_exp, FAKE_FABRIC_EDGE_EXP_FUNCTIONS)

/*
 * X(symbol, parameters): functions of loaders after 1.8. libze_newer.so adds them to the loader,
 * and zeDriverGetExtensionFunctionAddress finds them.
 */
#define FAKE_NEWER(X)                                                                              \
  X(zeCommandListHostSynchronize, (ze_command_list_handle_t list, uint64_t timeout))               \
  X(zeDeviceGetRootDevice, (ze_device_handle_t device, ze_device_handle_t * ret))                  \
  X(zeImageViewCreateExt,                                                                          \
    (ze_context_handle_t context, ze_device_handle_t device, const ze_image_desc_t *desc,          \
     ze_image_handle_t image, ze_image_handle_t *ret))

/* Defined in bindless.h. */
struct fake_semaphore_desc;
struct fake_semaphore_handle;
struct fake_semaphore_params;

/* Functions that, as in Intel's driver, only zeDriverGetExtensionFunctionAddress finds. */
#define FAKE_EXTRA(X)                                                                              \
  X(zexDriverImportExternalPointer, (ze_driver_handle_t driver, void *address, size_t size))       \
  X(zexDriverReleaseImportedPointer, (ze_driver_handle_t driver, void *address))                   \
  X(zexDriverGetHostPointerBaseAddress, (ze_driver_handle_t driver, void *address, void **base))   \
  X(zeImageGetDeviceOffsetExp, (ze_image_handle_t image, uint64_t * ret))                          \
  X(zeMemGetPitchFor2dImage, (ze_context_handle_t context, ze_device_handle_t device,              \
                              size_t width, size_t height, unsigned pixel_size, size_t *ret))      \
  X(zeDeviceImportExternalSemaphoreExt,                                                            \
    (ze_device_handle_t device, const struct fake_semaphore_desc *desc,                            \
     struct fake_semaphore_handle **ret))                                                          \
  X(zeDeviceReleaseExternalSemaphoreExt, (struct fake_semaphore_handle * semaphore))               \
  X(zeCommandListAppendSignalExternalSemaphoreExt,                                                 \
    (ze_command_list_handle_t list, uint32_t count, struct fake_semaphore_handle * *semaphores,    \
     struct fake_semaphore_params * params, ze_event_handle_t signal, uint32_t wait_count,         \
     ze_event_handle_t * waits))                                                                   \
  X(zeCommandListAppendWaitExternalSemaphoreExt,                                                   \
    (ze_command_list_handle_t list, uint32_t count, struct fake_semaphore_handle * *semaphores,    \
     struct fake_semaphore_params * params, ze_event_handle_t signal, uint32_t wait_count,         \
     ze_event_handle_t * waits))

/* All functions that are in no table. */
#define FAKE_OTHERS(X) FAKE_NEWER(X) FAKE_EXTRA(X)

#endif
