/*
 * Memory and semaphores of another interface (Vulkan), imported by file descriptor. An import that
 * succeeds takes the descriptor over; one that fails leaves it with the caller.
 */
#include "bindless.h"
#include "checks.h"
#include "queue.h"

#include <stdlib.h>

static pi_result check_descriptor(int file_descriptor) {
  PI_REQUIRE(file_descriptor >= 0, PI_ERROR_INVALID_VALUE, "file_descriptor is %d",
             file_descriptor);
  return PI_SUCCESS;
}

/* Lists an import under the driver's handle. */
static uint64_t list(registry_entry *entry, const void *handle) {
  entry->number = (uint64_t)(uintptr_t)handle;
  registry_add(entry);
  return entry->number;
}

pi_result piextMemImportOpaqueFD(pi_context context, pi_device device, size_t size,
                                 int file_descriptor, pi_interop_mem_handle *ret_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_handle);
  PI_REQUIRE(size != 0, PI_ERROR_INVALID_VALUE, "size is 0");
  PI_TRY(check_descriptor(file_descriptor));
  PI_TRY(cuda_enter(context));
  registry_entry *entry;
  PI_TRY(registry_new(REGISTRY_EXTERNAL_MEMORY, 0, context, sizeof *entry, &entry));
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC description = {
      .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
      .handle.fd = file_descriptor,
      .size = size,
  };
  CUexternalMemory memory = NULL;
  const pi_result result =
      cu_result(cu.ImportExternalMemory(&memory, &description), "cuImportExternalMemory");
  if (result != PI_SUCCESS) {
    registry_free(entry);
    return result;
  }
  *ret_handle = list(entry, memory);
  return PI_SUCCESS;
}

pi_result piextMemReleaseInterop(pi_context context, pi_device device,
                                 pi_interop_mem_handle memory_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  PI_TRY(cuda_enter(context));
  registry_entry *entry = registry_take(REGISTRY_EXTERNAL_MEMORY, memory_handle, context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "memory_handle is no imported memory of the context");
  const CUexternalMemory memory = (CUexternalMemory)(uintptr_t)memory_handle;
  return registry_end(entry,
                      cu_result(cu.DestroyExternalMemory(memory), "cuDestroyExternalMemory"));
}

/*
 * CUDA maps imported memory as a mip-map, whose only level is the array when there is one. Whether
 * the layout is that of the other interface's image is for the caller to know.
 */
pi_result piextMemMapExternalArray(pi_context context, pi_device device,
                                   pi_image_format *image_format, pi_image_desc *image_desc,
                                   pi_interop_mem_handle mem_handle, pi_image_mem_handle *ret_mem) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_mem);
  image_memory memory;
  PI_TRY(image_memory_read(device, image_format, image_desc, &memory));
  registry_entry import;
  PI_REQUIRE(registry_read(REGISTRY_EXTERNAL_MEMORY, mem_handle, context, &import, sizeof import),
             PI_ERROR_INVALID_VALUE, "mem_handle is no imported memory of the context");
  PI_TRY(cuda_enter(context));
  const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC description = {
      .arrayDesc = image_array_descriptor(&memory.shape, &memory.pixel),
      .numLevels = memory.levels,
  };
  CU_TRY(ExternalMemoryGetMappedMipmappedArray, &memory.mipmap,
         (CUexternalMemory)(uintptr_t)mem_handle, &description);
  memory.is_external = true;
  pi_result result = PI_SUCCESS;
  if (memory.levels == 1)
    result = cu_result(cu.MipmappedArrayGetLevel(&memory.array, memory.mipmap, 0),
                       "cuMipmappedArrayGetLevel");
  if (result == PI_SUCCESS)
    result = image_memory_list(context, &memory, 0, ret_mem);
  if (result != PI_SUCCESS)
    cu.MipmappedArrayDestroy(memory.mipmap);
  return result;
}

pi_result piextImportExternalSemaphoreOpaqueFD(pi_context context, pi_device device,
                                               int file_descriptor,
                                               pi_interop_semaphore_handle *ret_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_handle);
  PI_TRY(check_descriptor(file_descriptor));
  PI_TRY(cuda_enter(context));
  registry_entry *entry;
  PI_TRY(registry_new(REGISTRY_EXTERNAL_SEMAPHORE, 0, context, sizeof *entry, &entry));
  const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description = {
      .type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD,
      .handle.fd = file_descriptor,
  };
  CUexternalSemaphore semaphore = NULL;
  const pi_result result =
      cu_result(cu.ImportExternalSemaphore(&semaphore, &description), "cuImportExternalSemaphore");
  if (result != PI_SUCCESS) {
    registry_free(entry);
    return result;
  }
  *ret_handle = list(entry, semaphore);
  return PI_SUCCESS;
}

pi_result piextDestroyExternalSemaphore(pi_context context, pi_device device,
                                        pi_interop_semaphore_handle sem_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  PI_TRY(cuda_enter(context));
  registry_entry *entry = registry_take(REGISTRY_EXTERNAL_SEMAPHORE, sem_handle, context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "sem_handle is no imported semaphore of the context");
  const CUexternalSemaphore semaphore = (CUexternalSemaphore)(uintptr_t)sem_handle;
  return registry_end(
      entry, cu_result(cu.DestroyExternalSemaphore(semaphore), "cuDestroyExternalSemaphore"));
}

static pi_result find_semaphore(pi_queue queue, pi_interop_semaphore_handle handle,
                                CUexternalSemaphore *ret) {
  registry_entry import;
  PI_REQUIRE(
      registry_read(REGISTRY_EXTERNAL_SEMAPHORE, handle, queue->context, &import, sizeof import),
      PI_ERROR_INVALID_VALUE, "sem_handle is no imported semaphore of the queue's context");
  *ret = (CUexternalSemaphore)(uintptr_t)handle;
  return PI_SUCCESS;
}

pi_result piextWaitExternalSemaphore(pi_queue queue, pi_interop_semaphore_handle sem_handle,
                                     pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  CUexternalSemaphore semaphore;
  PI_TRY(find_semaphore(queue, sem_handle, &semaphore));
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_BARRIER, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COMPUTE));
  const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters = {0};
  pi_result result =
      cu_result(cu.WaitExternalSemaphoresAsync(&semaphore, &parameters, 1, sink.command.stream),
                "cuWaitExternalSemaphoresAsync");
  if (result == PI_SUCCESS) /* what is enqueued later waits in whatever stream it runs */
    result = driver_barrier(&sink, false);
  return sink_end(&sink, result);
}

pi_result piextSignalExternalSemaphore(pi_queue queue, pi_interop_semaphore_handle sem_handle,
                                       pi_uint32 num_events_in_wait_list,
                                       const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  CUexternalSemaphore semaphore;
  PI_TRY(find_semaphore(queue, sem_handle, &semaphore));
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_BARRIER, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COMPUTE));
  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters = {0};
  pi_result result = driver_marker(&sink, true);
  if (result == PI_SUCCESS)
    result =
        cu_result(cu.SignalExternalSemaphoresAsync(&semaphore, &parameters, 1, sink.command.stream),
                  "cuSignalExternalSemaphoresAsync");
  return sink_end(&sink, result);
}
