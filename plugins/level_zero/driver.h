/*
 * The functions of the Level Zero loader, found at run time when the plugin is first used. Without
 * a loader or a driver the plugin still loads; it then lists no platform and can say why.
 */
#ifndef LEVEL_ZERO_DRIVER_H
#define LEVEL_ZERO_DRIVER_H

#include <level_zero/ze_api.h>

#include <pi/pi.h>

/*
 * X(Name): the loader's function zeName, with the prototype in ze_api.h of version 1.4.
 *
 * The plugin refuses a loader that lacks one of LEVEL_ZERO_REQUIRED; version 1.0 has them all.
 * Members of LEVEL_ZERO_OPTIONAL are NULL where the loader lacks them.
 */
#define LEVEL_ZERO_REQUIRED(X)                                                                     \
  X(Init)                                                                                          \
  X(DriverGet)                                                                                     \
  X(DriverGetApiVersion)                                                                           \
  X(DriverGetProperties)                                                                           \
  X(DriverGetExtensionProperties)                                                                  \
  X(DeviceGet)                                                                                     \
  X(DeviceGetSubDevices)                                                                           \
  X(DeviceGetProperties)                                                                           \
  X(DeviceGetComputeProperties)                                                                    \
  X(DeviceGetModuleProperties)                                                                     \
  X(DeviceGetCommandQueueGroupProperties)                                                          \
  X(DeviceGetMemoryProperties)                                                                     \
  X(DeviceGetMemoryAccessProperties)                                                               \
  X(DeviceGetCacheProperties)                                                                      \
  X(DeviceGetImageProperties)                                                                      \
  X(DeviceGetExternalMemoryProperties)                                                             \
  X(DeviceGetP2PProperties)                                                                        \
  X(DeviceCanAccessPeer)                                                                           \
  X(DeviceGetStatus)                                                                               \
  X(ContextCreate)                                                                                 \
  X(ContextDestroy)                                                                                \
  X(ContextGetStatus)                                                                              \
  X(ContextMakeMemoryResident)                                                                     \
  X(CommandQueueCreate)                                                                            \
  X(CommandQueueDestroy)                                                                           \
  X(CommandQueueExecuteCommandLists)                                                               \
  X(CommandQueueSynchronize)                                                                       \
  X(CommandListCreate)                                                                             \
  X(CommandListCreateImmediate)                                                                    \
  X(CommandListDestroy)                                                                            \
  X(CommandListClose)                                                                              \
  X(CommandListReset)                                                                              \
  X(CommandListAppendBarrier)                                                                      \
  X(CommandListAppendMemoryCopy)                                                                   \
  X(CommandListAppendMemoryFill)                                                                   \
  X(CommandListAppendMemoryCopyRegion)                                                             \
  X(CommandListAppendImageCopy)                                                                    \
  X(CommandListAppendImageCopyRegion)                                                              \
  X(CommandListAppendImageCopyToMemory)                                                            \
  X(CommandListAppendImageCopyFromMemory)                                                          \
  X(CommandListAppendMemoryPrefetch)                                                               \
  X(CommandListAppendMemAdvise)                                                                    \
  X(CommandListAppendSignalEvent)                                                                  \
  X(CommandListAppendWaitOnEvents)                                                                 \
  X(CommandListAppendEventReset)                                                                   \
  X(CommandListAppendLaunchKernel)                                                                 \
  X(CommandListAppendLaunchCooperativeKernel)                                                      \
  X(EventPoolCreate)                                                                               \
  X(EventPoolDestroy)                                                                              \
  X(EventCreate)                                                                                   \
  X(EventDestroy)                                                                                  \
  X(EventHostSignal)                                                                               \
  X(EventHostSynchronize)                                                                          \
  X(EventHostReset)                                                                                \
  X(EventQueryStatus)                                                                              \
  X(EventQueryKernelTimestamp)                                                                     \
  X(FenceCreate)                                                                                   \
  X(FenceDestroy)                                                                                  \
  X(FenceHostSynchronize)                                                                          \
  X(FenceQueryStatus)                                                                              \
  X(FenceReset)                                                                                    \
  X(ImageCreate)                                                                                   \
  X(ImageDestroy)                                                                                  \
  X(ImageGetProperties)                                                                            \
  X(MemAllocShared)                                                                                \
  X(MemAllocDevice)                                                                                \
  X(MemAllocHost)                                                                                  \
  X(MemFree)                                                                                       \
  X(MemGetAllocProperties)                                                                         \
  X(MemGetAddressRange)                                                                            \
  X(ModuleCreate)                                                                                  \
  X(ModuleDestroy)                                                                                 \
  X(ModuleDynamicLink)                                                                             \
  X(ModuleBuildLogDestroy)                                                                         \
  X(ModuleBuildLogGetString)                                                                       \
  X(ModuleGetNativeBinary)                                                                         \
  X(ModuleGetGlobalPointer)                                                                        \
  X(ModuleGetKernelNames)                                                                          \
  X(ModuleGetProperties)                                                                           \
  X(ModuleGetFunctionPointer)                                                                      \
  X(KernelCreate)                                                                                  \
  X(KernelDestroy)                                                                                 \
  X(KernelSetCacheConfig)                                                                          \
  X(KernelSetGroupSize)                                                                            \
  X(KernelSuggestGroupSize)                                                                        \
  X(KernelSuggestMaxCooperativeGroupCount)                                                         \
  X(KernelSetArgumentValue)                                                                        \
  X(KernelSetIndirectAccess)                                                                       \
  X(KernelGetProperties)                                                                           \
  X(SamplerCreate)                                                                                 \
  X(SamplerDestroy)

#define LEVEL_ZERO_OPTIONAL(X)                                                                     \
  X(DriverGetExtensionFunctionAddress) /* 1.1 */                                                   \
  X(DeviceGetGlobalTimestamps)         /* 1.1 */                                                   \
  X(CommandListAppendImageCopyToMemoryExt)                                                         \
  X(CommandListAppendImageCopyFromMemoryExt)                                                       \
  X(DevicePciGetPropertiesExt)                                                                     \
  X(KernelGetName)                                                                                 \
  X(KernelSetGlobalOffsetExp)                                                                      \
  X(ImageViewCreateExp)                                                                            \
  X(ContextMakeImageResident)

/*
 * X(Name, parameters): a function of the loader that is newer than version 1.4, so the headers of
 * Debian 12 lack its prototype. NULL where the loader lacks it.
 */
#define LEVEL_ZERO_NEWER(X)                                                                        \
  X(CommandListHostSynchronize, (ze_command_list_handle_t, uint64_t))                              \
  X(lLoaderTranslateHandle, (int, void *, void **)) /* zelLoaderTranslateHandle, see newer.h */

typedef struct level_zero_driver {
#define LEVEL_ZERO_MEMBER(name) __typeof__(ze##name) *name;
  LEVEL_ZERO_REQUIRED(LEVEL_ZERO_MEMBER)
  LEVEL_ZERO_OPTIONAL(LEVEL_ZERO_MEMBER)
#undef LEVEL_ZERO_MEMBER
#define LEVEL_ZERO_MEMBER(name, parameters) ze_result_t(*name) parameters;
  LEVEL_ZERO_NEWER(LEVEL_ZERO_MEMBER)
#undef LEVEL_ZERO_MEMBER
} level_zero_driver;

/*
 * X(Name, "symbol", parameters): a function of a driver rather than of the loader, found with
 * zeDriverGetExtensionFunctionAddress. Each is a member of level_zero_extensions, which a platform
 * holds; NULL where the driver lacks it.
 */
#define LEVEL_ZERO_EXTENSIONS(X)                                                                   \
  X(ImportExternalPointer, "zexDriverImportExternalPointer", (ze_driver_handle_t, void *, size_t)) \
  X(ReleaseImportedPointer, "zexDriverReleaseImportedPointer", (ze_driver_handle_t, void *))       \
  X(ImageGetDeviceOffset, "zeImageGetDeviceOffsetExp", (ze_image_handle_t, uint64_t *))            \
  X(MemGetPitchFor2dImage, "zeMemGetPitchFor2dImage",                                              \
    (ze_context_handle_t, ze_device_handle_t, size_t, size_t, unsigned, size_t *))                 \
  X(DeviceImportExternalSemaphore, "zeDeviceImportExternalSemaphoreExt",                           \
    (ze_device_handle_t, const struct newer_semaphore_desc *, struct newer_semaphore **))          \
  X(DeviceReleaseExternalSemaphore, "zeDeviceReleaseExternalSemaphoreExt",                         \
    (struct newer_semaphore *))                                                                    \
  X(CommandListAppendSignalExternalSemaphore, "zeCommandListAppendSignalExternalSemaphoreExt",     \
    (ze_command_list_handle_t, uint32_t, struct newer_semaphore **,                                \
     struct newer_semaphore_params *, ze_event_handle_t, uint32_t, ze_event_handle_t *))           \
  X(CommandListAppendWaitExternalSemaphore, "zeCommandListAppendWaitExternalSemaphoreExt",         \
    (ze_command_list_handle_t, uint32_t, struct newer_semaphore **,                                \
     struct newer_semaphore_params *, ze_event_handle_t, uint32_t, ze_event_handle_t *))

/* Types from newer.h. */
struct newer_semaphore;
struct newer_semaphore_desc;
struct newer_semaphore_params;

typedef struct level_zero_extensions {
#define LEVEL_ZERO_MEMBER(name, symbol, parameters) ze_result_t(*name) parameters;
  LEVEL_ZERO_EXTENSIONS(LEVEL_ZERO_MEMBER)
#undef LEVEL_ZERO_MEMBER
} level_zero_extensions;

/* The loader's functions; all members are NULL if there is no loader. */
extern level_zero_driver ze;

/* Looks up the LEVEL_ZERO_EXTENSIONS of a driver. All are NULL if the loader lacks
 * zeDriverGetExtensionFunctionAddress. */
void level_zero_find_extensions(ze_driver_handle_t driver, level_zero_extensions *ret);

#endif
