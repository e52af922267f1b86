/* Memory and semaphores of other interfaces (Vulkan). CUDA takes over their file descriptors. */
#include "../objects/interop.h"

#include "queue.h"

pi_result driver_external_memory_open(external *external) {
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC description = {
      .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
      .handle.fd = external->file_descriptor,
      .size = external->size,
  };
  TRY(cuda_enter_device(external->entry.context, external->device));
  CUexternalMemory memory = NULL;
  CU_TRY(ImportExternalMemory, &memory, &description);
  external->handle = memory;
  return PI_SUCCESS;
}

pi_result driver_external_memory_close(external *external) {
  TRY(cuda_enter_device(external->entry.context, external->device));
  CU_TRY(DestroyExternalMemory, external->handle);
  registry_free(&external->entry);
  return PI_SUCCESS;
}

pi_result driver_semaphore_open(external *external) {
  const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description = {
      .type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD,
      .handle.fd = external->file_descriptor,
  };
  TRY(cuda_enter_device(external->entry.context, external->device));
  CUexternalSemaphore semaphore = NULL;
  CU_TRY(ImportExternalSemaphore, &semaphore, &description);
  external->handle = semaphore;
  return PI_SUCCESS;
}

pi_result driver_semaphore_close(external *external) {
  TRY(cuda_enter_device(external->entry.context, external->device));
  CU_TRY(DestroyExternalSemaphore, external->handle);
  registry_free(&external->entry);
  return PI_SUCCESS;
}

pi_result driver_semaphore_wait(sink *sink, const external *semaphore) {
  const CUexternalSemaphore own = semaphore->handle;
  const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters = {0};
  TRY(sink_begin(sink, SINK_COMPUTE));
  pi_result result =
      CU_CALL(WaitExternalSemaphoresAsync, &own, &parameters, 1, sink->command.stream);
  if (result == PI_SUCCESS) /* later commands in the queue's other streams wait, too */
    result = driver_barrier(sink, false);
  return sink_end(sink, result);
}

pi_result driver_semaphore_signal(sink *sink, const external *semaphore) {
  const CUexternalSemaphore own = semaphore->handle;
  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters = {0};
  TRY(sink_begin(sink, SINK_COMPUTE));
  pi_result result = driver_marker(sink, true);
  if (result == PI_SUCCESS)
    result = CU_CALL(SignalExternalSemaphoresAsync, &own, &parameters, 1, sink->command.stream);
  return sink_end(sink, result);
}
