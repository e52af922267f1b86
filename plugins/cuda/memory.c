/* Memory of buffers: what kernels work on is always the device's own, far nearer than the host's.
 */
#include "memory.h"

#include "../objects/driver.h"
#include "block_pool.h"
#include "memory_live.h"

#include <stdio.h>

pi_result memory_allocated(CUresult code, const char *call, size_t size) {
  if (code == CUDA_SUCCESS)
    return PI_SUCCESS;
  char text[80];
  snprintf(text, sizeof text, "%s of %zu bytes", call, size);
  return cu_error(code, text);
}

pi_result driver_memory_open(pi_mem mem) {
  return memory_live_add(mem);
}

void driver_memory_close(pi_mem mem) {
  memory_live_remove(mem);
}

pi_result driver_memory_limit(pi_context context, size_t *ret) {
  CU_TRY(DeviceTotalMem, ret, context->devices[0]->driver.ordinal);
  return PI_SUCCESS;
}

pi_result driver_memory_allocate(pi_mem buffer) {
  TRY(cuda_enter(buffer->context));
  TRY(block_allocate(buffer->context, BLOCK_DEVICE, buffer->size, &buffer->pointer));
  buffer->is_owned = true;
  return PI_SUCCESS;
}

/*
 * The clock's stream: it waits for nobody. A copy from memory that is not pinned may be under way
 * when the driver returns, so that a command in another stream could come before it.
 */
pi_result memory_upload(pi_context context, CUdeviceptr to, const void *from, size_t size) {
  TRY(cuda_enter(context));
  CU_TRY(MemcpyHtoDAsync, to, from, size, context->driver.clock->stream);
  CU_TRY(StreamSynchronize, context->driver.clock->stream);
  return PI_SUCCESS;
}

pi_result driver_memory_upload(pi_mem buffer, const void *from) {
  return memory_upload(buffer->context, cu_pointer(buffer->pointer), from, buffer->size);
}

pi_result driver_memory_allocate_host(pi_mem buffer) {
  TRY(cuda_enter(buffer->context));
  return block_allocate(buffer->context, BLOCK_HOST, buffer->size, &buffer->host);
}

/* Then maps are copied without waiting. It may be pinned already, or lie where that cannot be. */
void driver_memory_pin_host(pi_mem buffer) {
  buffer->driver.host_is_registered =
      cu.MemHostRegister(buffer->host, buffer->size, CU_MEMHOSTREGISTER_PORTABLE) == CUDA_SUCCESS;
}

/* A context that cannot be entered is lost, and its memory with it. */
void driver_memory_free(pi_mem mem) {
  (void)cuda_enter(mem->context);
  if (mem->kind == MEMORY_IMAGE)
    image_destroy(mem);
  else if (mem->is_owned && !block_free(mem->context, mem->pointer))
    cu.MemFree(cu_pointer(mem->pointer));
  if (mem->driver.host_is_registered)
    cu.MemHostUnregister(mem->host);
  if (mem->host_is_owned && !block_free(mem->context, mem->host))
    cu.MemFreeHost(mem->host);
}

/* The host may reach managed memory, but not whenever no command of the buffer is pending. */
pi_result driver_memory_describe(pi_context context, void *pointer, size_t *ret_size,
                                 bool *ret_is_host_memory) {
  TRY(cuda_enter(context));
  CUdeviceptr base;
  size_t all;
  REQUIRE(cu.MemGetAddressRange(&base, &all, cu_pointer(pointer)) == CUDA_SUCCESS,
          PI_ERROR_INVALID_MEM_OBJECT, "native_handle %p is no pointer to memory of the context",
          pointer);
  *ret_size = all - (size_t)(cu_pointer(pointer) - base);
  *ret_is_host_memory = false;
  return PI_SUCCESS;
}
