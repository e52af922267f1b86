/*
 * The capabilities that a device reports agree with its functions: a function reports that it is
 * not supported if, and only if, the device lacks the capability.
 */
#include "world.h"

#include <string.h>

/* X(query of a capability, a function that needs the capability) */
#define CAPABILITIES(X)                                                                            \
  X(VIRTUAL_MEMORY_SUPPORT, urVirtualMemReserve)                                                   \
  X(VIRTUAL_MEMORY_SUPPORT, urPhysicalMemCreate)                                                   \
  X(GLOBAL_VARIABLE_SUPPORT, urEnqueueDeviceGlobalVariableWrite)                                   \
  X(PROGRAM_SET_SPECIALIZATION_CONSTANTS, urProgramSetSpecializationConstants)                     \
  X(USM_POOL_SUPPORT, urUSMPoolCreate)                                                             \
  X(COMMAND_BUFFER_SUPPORT_EXP, urCommandBufferCreateExp)                                          \
  X(TIMESTAMP_RECORDING_SUPPORT_EXP, urEnqueueTimestampRecordingExp)                               \
  X(ENQUEUE_NATIVE_COMMAND_SUPPORT_EXP, urEnqueueNativeCommandExp)                                 \
  X(IPC_MEMORY_SUPPORT_EXP, urIPCGetMemHandleExp)                                                  \
  X(IPC_PHYSICAL_MEMORY_SUPPORT_EXP, urIPCGetPhysMemHandleExp)                                     \
  X(IPC_EVENT_SUPPORT_EXP, urIPCGetEventHandleExp)                                                 \
  X(REUSABLE_EVENTS_SUPPORT_EXP, urEventCreateExp)                                                 \
  X(ASYNC_USM_ALLOCATIONS_SUPPORT_EXP, urEnqueueUSMDeviceAllocExp)                                 \
  X(ASYNC_USM_ALLOCATIONS_SUPPORT_EXP, urEnqueueUSMFreeExp)                                        \
  X(GRAPH_RECORD_AND_REPLAY_SUPPORT_EXP, urGraphCreateExp)                                         \
  X(USM_HOST_ALLOC_REGISTER_SUPPORT_EXP, urUSMHostAllocRegisterExp)                                \
  X(LAUNCH_PROPERTIES_SUPPORT_EXP, urEnqueueKernelLaunchCustomExp)                                 \
  X(USM_P2P_SUPPORT_EXP, urUsmP2PEnablePeerAccessExp)                                              \
  X(COOPERATIVE_KERNEL_SUPPORT_EXP, urEnqueueCooperativeKernelLaunchExp)                           \
  X(MULTI_DEVICE_COMPILE_SUPPORT_EXP, urProgramBuildExp)                                           \
  X(DEVICE_WAIT_SUPPORT_EXP, urDeviceWaitExp)                                                      \
  X(USM_CONTEXT_MEMCPY_SUPPORT_EXP, urUSMContextMemcpyExp)                                         \
  X(MEMORY_EXPORT_EXPORTABLE_DEVICE_MEM_EXP, urMemoryExportAllocExportableMemoryExp)               \
  X(ENQUEUE_HOST_TASK_SUPPORT_EXP, urEnqueueHostTaskExp)                                           \
  X(BINDLESS_IMAGES_SUPPORT_EXP, urBindlessImagesImageAllocateExp)                                 \
  X(EXTERNAL_MEMORY_IMPORT_SUPPORT_EXP, urBindlessImagesImportExternalMemoryExp)

/* Called with zeros, a function reports a bad argument, or that it is not supported. */
typedef struct zeros {
  uintptr_t words[32];
} zeros;
typedef ur_result_t any_fn(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, zeros);

static void check_capability(ur_device_info_t query, const char *name) {
  world_entry_fn *const entry = world_entry(name);
  if (!entry)
    return;
  any_fn *call;
  memcpy(&call, &entry, sizeof call);
  const bool is_there = call(0, 0, 0, 0, 0, 0, (zeros){{0}}) != UR_RESULT_ERROR_UNSUPPORTED_FEATURE;
  uint8_t answer = 7;
  assert_ok(UR(urDeviceGetInfo)(world_device(0), query, 1, &answer, NULL));
  if (is_there != (answer == 1))
    fail_msg("%s is %sthere, and the device says otherwise", name, is_there ? "" : "not ");
}

TEST(reported_capabilities_have_their_functions) {
#define CAPABILITY(query, entry) check_capability(UR_DEVICE_INFO_##query, #entry);
  CAPABILITIES(CAPABILITY)
#undef CAPABILITY
}
