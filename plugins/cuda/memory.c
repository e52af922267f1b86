/*
 * Memory of buffers. In a context of one device a buffer is in the device's memory, which kernels
 * access much faster than host memory. In a context of several devices it is managed memory, whose
 * pages move to the device that uses them, so that several devices can each have a part of it.
 */
#include "memory.h"

#include "../objects/driver.h"
#include "blocks.h"
#include "image.h"
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

bool memory_is_managed(pi_context context) {
  for (pi_uint32 i = 0; i < context->root_count; i++)
    if (!cuda_attribute(context->roots[i], CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 0))
      return false;
  return true;
}

/* Chooses the memory of buffers; host memory for several devices that lack managed memory. */
static block_kind choose_kind(pi_context context) {
  if (!context->driver.members)
    return BLOCK_DEVICE;
  return memory_is_managed(context) ? BLOCK_SHARED : BLOCK_HOST;
}

pi_result driver_memory_allocate(pi_mem buffer) {
  const block_kind kind = choose_kind(buffer->context);
  pi_context member;
  TRY(context_any_member(buffer->context, &member));
  TRY(cuda_enter(member));
  TRY(blocks_allocate(member, kind, buffer->size, &buffer->pointer));
  buffer->is_owned = true;
  atomic_store_explicit(&buffer->driver.home, NULL, memory_order_relaxed);
  return PI_SUCCESS;
}

pi_result memory_bring(const sink *sink, pi_mem mem) {
  const pi_device device = sink->device;
  if (mem->kind == MEMORY_IMAGE)
    return image_bring(sink, mem);
  if (sink->buffer)
    return PI_SUCCESS;
  if (atomic_exchange_explicit(&mem->driver.home, device, memory_order_relaxed) == device ||
      !cuda_attribute(device, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0))
    return PI_SUCCESS;
  const CUresult code = cu.MemPrefetchAsync(cu_pointer(mem->pointer), mem->size,
                                            device->driver.ordinal, sink->command.stream);
  /* The driver refuses memory that is not managed, as an adopted native handle may be. */
  return code == CUDA_ERROR_INVALID_VALUE ? PI_SUCCESS : cu_result(code, "cuMemPrefetchAsync");
}

/*
 * Uses the clock's stream, which never waits for another one. Waits for the copy: the driver may
 * return before a copy of pageable memory has ended, and a command in another stream could overtake
 * the copy.
 */
pi_result memory_upload(pi_context member, CUdeviceptr to, const void *from, size_t size) {
  const CUstream stream = member->driver.clock->stream;
  TRY(cuda_enter(member));
  CU_TRY(MemcpyHtoDAsync, to, from, size, stream);
  CU_TRY(StreamSynchronize, stream);
  return PI_SUCCESS;
}

pi_result driver_memory_upload(pi_mem buffer, const void *from) {
  pi_context member;
  TRY(context_any_member(buffer->context, &member));
  return memory_upload(member, cu_pointer(buffer->pointer), from, buffer->size);
}

pi_result driver_memory_allocate_host(pi_mem buffer) {
  pi_context member;
  TRY(context_any_member(buffer->context, &member));
  TRY(cuda_enter(member));
  return blocks_allocate(member, BLOCK_HOST, buffer->size, &buffer->host);
}

/*
 * Pins the application's host memory, so that the driver copies between it and the buffer without
 * waiting. A failure does no harm: the memory may be pinned already, or cannot be pinned.
 */
void driver_memory_pin_host(pi_mem buffer) {
  buffer->driver.host_is_registered =
      cu.MemHostRegister(buffer->host, buffer->size, CU_MEMHOSTREGISTER_PORTABLE) == CUDA_SUCCESS;
}

/* Ignores failures: if the context cannot be entered, it is lost with all its memory. */
void driver_memory_free(pi_mem mem) {
  (void)cuda_enter(mem->context);
  if (mem->kind == MEMORY_IMAGE)
    image_destroy(mem);
  else if (mem->is_owned && !blocks_free(mem->context, mem->pointer))
    cu.MemFree(cu_pointer(mem->pointer));
  if (mem->driver.host_is_registered)
    cu.MemHostUnregister(mem->host);
  if (mem->host_is_owned && !blocks_free(mem->context, mem->host))
    cu.MemFreeHost(mem->host);
}

/*
 * *ret_is_host_memory is false also for managed memory: on some devices the host may not access it
 * while any command runs, even one that does not use the buffer.
 */
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
