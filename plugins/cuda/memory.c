/* Buffers, sub-buffers, and what buffers and images have in common. */
#include "memory.h"
#include "memory_live.h"

#include "checks.h"
#include "native.h"
#include "queue.h"

#include "../base/names.h"

#include <stdlib.h>

pi_result memory_check_range(pi_mem buffer, size_t offset, size_t size) {
  PI_REQUIRE(buffer->kind != MEMORY_IMAGE, PI_ERROR_INVALID_MEM_OBJECT, "an image is no buffer");
  PI_REQUIRE(offset <= buffer->size && size <= buffer->size - offset, PI_ERROR_INVALID_VALUE,
             "%zu bytes from offset %zu on are not all inside of the buffer, which has %zu", size,
             offset, buffer->size);
  return PI_SUCCESS;
}

pi_result memory_check_queue(pi_mem mem, pi_queue queue) {
  PI_REQUIRE(mem->context == queue->context, PI_ERROR_INVALID_CONTEXT,
             "the memory object is of another context than the queue");
  return PI_SUCCESS;
}

pi_result memory_create(pi_context context, memory_kind kind, pi_mem_flags flags, size_t size,
                        pi_mem *mem) {
  pi_mem made = calloc(1, sizeof *made);
  PI_REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a memory object of %zu bytes",
             sizeof *made);
  const pi_result listed = memory_live_add(made);
  if (listed != PI_SUCCESS) {
    free(made);
    return listed;
  }
  pi_handle_init(&made->handle, PI_HANDLE_MEM);
  pthread_mutex_init(&made->lock, NULL);
  context_retain(context);
  made->context = context;
  made->kind = kind;
  made->flags = flags;
  made->size = size;
  *mem = made;
  return PI_SUCCESS;
}

/* What the driver refuses here it has lost already, also with a context that cannot be entered. */
static void destroy_memory(deferred *node) {
  const pi_mem mem = DEFERRED_OWNER(node, struct pi_mem_object, deferred);
  (void)cuda_enter(mem->context);
  if (mem->image)
    image_destroy(mem);
  else if (mem->is_owned)
    cu.MemFree(mem->pointer);
  if (mem->host_is_registered)
    cu.MemHostUnregister(mem->host);
  if (mem->host_is_owned)
    cu.MemFreeHost(mem->host);
  memory_forget_maps(mem);
  pthread_mutex_destroy(&mem->lock);
  free(mem);
}

void memory_release(pi_mem mem) {
  if (!pi_handle_release(&mem->handle))
    return;
  const pi_context context = mem->context;
  const pi_mem parent = mem->parent;
  memory_live_remove(mem);
  native_forget((const void *)(uintptr_t)mem->pointer, &mem->handle);
  pi_handle *const origin = mem->origin_of_native;
  deferred_free(context, &mem->deferred, destroy_memory);
  if (parent)
    memory_release(parent);
  native_release_origin(origin);
  context_release(context);
}

/* CUDA has one kind of memory for buffers, and nothing that these properties could choose. */
static pi_result check_properties(const pi_mem_properties *properties) {
  for (; properties && *properties != 0; properties += 2) {
    PI_REQUIRE(*properties == PI_MEM_PROPERTIES_CHANNEL ||
                   *properties == PI_MEM_PROPERTIES_ALLOC_BUFFER_LOCATION,
               PI_ERROR_INVALID_VALUE, "0x%llx is not a property of a buffer",
               (unsigned long long)*properties);
    return CUDA_UNSUPPORTED("CUDA has nothing for %s of a buffer",
                            pi_name("pi_mem_properties", (int64_t)*properties));
  }
  return PI_SUCCESS;
}

static pi_result check_size(pi_context context, size_t size) {
  PI_REQUIRE(size != 0, PI_ERROR_INVALID_BUFFER_SIZE, "size is 0");
  size_t all;
  CU_TRY(DeviceTotalMem, &all, context->devices[0]->driver.ordinal);
  PI_REQUIRE(size <= all, PI_ERROR_INVALID_BUFFER_SIZE,
             "size is %zu, the device has %zu bytes of memory", size, all);
  return PI_SUCCESS;
}

/*
 * The clock's stream: it waits for nobody. A copy from memory that is not pinned may be under way
 * when the driver returns, so that a command in another stream could come before it.
 */
pi_result memory_upload(pi_context context, CUdeviceptr to, const void *from, size_t size) {
  PI_TRY(cuda_enter(context));
  CU_TRY(MemcpyHtoDAsync, to, from, size, context->driver.clock->stream);
  CU_TRY(StreamSynchronize, context->driver.clock->stream);
  return PI_SUCCESS;
}

/*
 * Pins the application's memory, so that maps are copied without waiting. It may be pinned already,
 * or lie where the driver does not pin: then maps wait.
 */
static void register_host(pi_mem mem) {
  mem->host_is_registered =
      cu.MemHostRegister(mem->host, mem->size, CU_MEMHOSTREGISTER_PORTABLE) == CUDA_SUCCESS;
}

/* With the context current. */
static pi_result fill_buffer(pi_mem mem, void *host_ptr) {
  CU_TRY(MemAlloc, &mem->pointer, mem->size);
  mem->is_owned = true;
  if (host_ptr)
    PI_TRY(memory_upload(mem->context, mem->pointer, host_ptr, mem->size));
  if (mem->flags & PI_MEM_FLAGS_HOST_PTR_USE) {
    mem->host = host_ptr;
    register_host(mem);
  } else if (mem->flags & PI_MEM_FLAGS_HOST_PTR_ALLOC) {
    CU_TRY(MemHostAlloc, &mem->host, mem->size, CU_MEMHOSTALLOC_PORTABLE);
    mem->host_is_owned = true;
  }
  return PI_SUCCESS;
}

/*
 * Kernels always work on the device's own memory, which is far nearer to them than the host's; the
 * host's memory of the flags is what maps show.
 */
pi_result piMemBufferCreate(pi_context context, pi_mem_flags flags, size_t size, void *host_ptr,
                            pi_mem *ret_mem, const pi_mem_properties *properties) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_mem);
  PI_TRY(pi_check_mem_flags(flags, host_ptr));
  PI_TRY(check_properties(properties));
  PI_TRY(check_size(context, size));
  deferred_free_due(context);
  PI_TRY(cuda_enter(context));
  pi_mem made;
  PI_TRY(memory_create(context, MEMORY_BUFFER, flags, size, &made));
  const pi_result result = fill_buffer(made, host_ptr);
  if (result != PI_SUCCESS) {
    memory_release(made);
    return result;
  }
  *ret_mem = made;
  return PI_SUCCESS;
}

/* The rule of PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN, which is in bits. */
static pi_result check_alignment(pi_context context, size_t origin) {
  pi_uint32 bits;
  PI_TRY(piDeviceGetInfo(context->devices[0], PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN, sizeof bits,
                         &bits, NULL));
  PI_REQUIRE(bits < 8 || origin % (bits / 8) == 0, PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET,
             "origin %zu is not a multiple of %u, the device's PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN "
             "in bytes",
             origin, bits / 8);
  return PI_SUCCESS;
}

pi_result piMemBufferPartition(pi_mem buffer, pi_mem_flags flags,
                               pi_buffer_create_type buffer_create_type, void *buffer_create_info,
                               pi_mem *ret_mem) {
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(buffer_create_info);
  REQUIRE_POINTER(ret_mem);
  PI_TRY(pi_check_sub_buffer(flags, buffer_create_type));
  PI_REQUIRE(buffer->kind == MEMORY_BUFFER, PI_ERROR_INVALID_MEM_OBJECT,
             "buffer is %s, of which no sub-buffer is made",
             buffer->kind == MEMORY_IMAGE ? "an image" : "a sub-buffer");

  const pi_buffer_region_struct *region = buffer_create_info;
  PI_REQUIRE(region->size != 0, PI_ERROR_INVALID_BUFFER_SIZE, "the region's size is 0");
  PI_TRY(memory_check_range(buffer, region->origin, region->size));
  PI_TRY(check_alignment(buffer->context, region->origin));
  const pi_mem_flags both = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_ACCESS_READ_ONLY;
  const pi_mem_flags inherited = flags ? buffer->flags & ~both : buffer->flags;
  pi_mem made;
  PI_TRY(memory_create(buffer->context, MEMORY_SUB_BUFFER, inherited | flags, region->size, &made));
  memory_retain(buffer);
  made->parent = buffer;
  made->origin = region->origin;
  made->pointer = buffer->pointer + region->origin;
  *ret_mem = made;
  return PI_SUCCESS;
}

pi_result piMemGetInfo(pi_mem mem, pi_mem_info param_name, size_t param_value_size,
                       void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_MEM(mem);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_MEM_SIZE:
    return pi_answer_size(&answer, mem->size);
  case PI_MEM_CONTEXT:
    return pi_answer_handle(&answer, mem->context);
  }
  return pi_answer_unknown("pi_mem_info", (pi_uint32)param_name);
}

pi_result piMemRetain(pi_mem mem) {
  REQUIRE_MEM(mem);
  memory_retain(mem);
  return PI_SUCCESS;
}

pi_result piMemRelease(pi_mem mem) {
  REQUIRE_MEM(mem);
  memory_release(mem);
  return PI_SUCCESS;
}
