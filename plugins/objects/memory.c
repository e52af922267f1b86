#include "memory.h"

#include "../base/error.h"
#include "../checks/arguments.h"
#include "driver.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

pi_result memory_check_range(pi_mem buffer, size_t offset, size_t size) {
  REQUIRE(buffer->kind != MEMORY_IMAGE, PI_ERROR_INVALID_MEM_OBJECT, "an image is no buffer");
  return check_buffer_range(offset, size, buffer->size);
}

pi_result memory_create(pi_context context, memory_kind kind, pi_mem_flags flags, size_t size,
                        pi_mem *ret) {
  pi_mem mem = calloc(1, sizeof *mem);
  REQUIRE_MEMORY(mem, "a memory object of %zu bytes", sizeof *mem);
  const pi_result result = driver_memory_open(mem);
  if (result != PI_SUCCESS) {
    free(mem);
    return result;
  }
  object_init(&mem->handle, OBJECT_MEM);
  pthread_mutex_init(&mem->lock, NULL);
  context_retain(context);
  mem->context = context;
  mem->kind = kind;
  mem->flags = flags;
  mem->size = size;
  *ret = mem;
  return PI_SUCCESS;
}

static void destroy_memory(deferred *node) {
  const pi_mem mem = OWNER_OF(node, struct pi_mem_object, deferred);
  driver_memory_free(mem);
  memory_forget_maps(mem);
  pthread_mutex_destroy(&mem->lock);
  free(mem);
}

void memory_release(pi_mem mem) {
  if (!object_release(&mem->handle))
    return;
  const pi_context context = mem->context;
  const pi_mem parent = mem->parent, origin = mem->origin_of_native;
  driver_memory_close(mem);
  registry_forget(&mem->noted);
  deferred_free(context, &mem->deferred, destroy_memory);
  if (parent)
    memory_release(parent);
  if (origin)
    memory_release(origin);
  context_release(context);
}

pi_result memory_limit(pi_context context, size_t *ret) {
  size_t least = SIZE_MAX;
  for (pi_uint32 i = 0; i < context->device_count; i++) {
    device_value most;
    TRY(driver_device_query(context->devices[i], PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE, &most));
    least = most.number < least ? most.number : least;
  }
  *ret = least;
  return PI_SUCCESS;
}

static pi_result check_size(pi_context context, size_t size) {
  REQUIRE(size != 0, PI_ERROR_INVALID_BUFFER_SIZE, "size is 0");
  size_t most;
  TRY(memory_limit(context, &most));
  REQUIRE(size <= most, PI_ERROR_INVALID_BUFFER_SIZE,
          "size is %zu, and the context's devices have %zu bytes for one buffer", size, most);
  return PI_SUCCESS;
}

static pi_result allocate_host(pi_mem mem) {
  TRY(driver_memory_allocate_host(mem));
  mem->host_is_owned = true;
  return PI_SUCCESS;
}

/*
 * Kernels use memory near the device; host memory that the flags ask for is only for maps. A map
 * shows a buffer in host memory itself, unless the flags ask for the application's memory.
 */
static pi_result fill_buffer(pi_mem mem, void *host_ptr) {
  TRY(driver_memory_allocate(mem));
  if (host_ptr && mem->is_host_memory)
    memcpy(mem->pointer, host_ptr, mem->size);
  else if (host_ptr)
    TRY(driver_memory_upload(mem, host_ptr));
  if (mem->flags & PI_MEM_FLAGS_HOST_PTR_USE) {
    mem->host = host_ptr;
    driver_memory_pin_host(mem);
  } else if ((mem->flags & PI_MEM_FLAGS_HOST_PTR_ALLOC) && !mem->is_host_memory) {
    return allocate_host(mem);
  }
  return PI_SUCCESS;
}

pi_result memory_create_buffer(pi_context context, pi_mem_flags flags, size_t size, void *host_ptr,
                               pi_mem *ret) {
  TRY(check_size(context, size));
  deferred_free_due(context);
  pi_mem mem;
  TRY(memory_create(context, MEMORY_BUFFER, flags, size, &mem));
  const pi_result result = fill_buffer(mem, host_ptr);
  if (result == PI_SUCCESS)
    *ret = mem;
  else
    memory_release(mem);
  return result;
}

/* Checks origin against PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN, which is in bits. */
static pi_result check_alignment(pi_context context, size_t origin) {
  for (pi_uint32 i = 0; i < context->device_count; i++) {
    pi_uint32 bits;
    TRY(device_answer(context->devices[i], PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN,
                      &(info_answer){sizeof bits, &bits, NULL}));
    REQUIRE(bits < 8 || origin % (bits / 8) == 0, PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET,
            "origin %zu is not a multiple of %u, the device's "
            "PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN in bytes",
            origin, bits / 8);
  }
  return PI_SUCCESS;
}

pi_result memory_create_part(pi_mem buffer, pi_mem_flags flags,
                             const pi_buffer_region_struct *region, pi_mem *ret) {
  REQUIRE(buffer->kind == MEMORY_BUFFER, PI_ERROR_INVALID_MEM_OBJECT,
          "buffer is %s, of which no sub-buffer is made",
          buffer->kind == MEMORY_IMAGE ? "an image" : "a sub-buffer");
  REQUIRE(region->size != 0, PI_ERROR_INVALID_BUFFER_SIZE, "the region's size is 0");
  TRY(memory_check_range(buffer, region->origin, region->size));
  TRY(check_alignment(buffer->context, region->origin));
  const pi_mem_flags both = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_ACCESS_READ_ONLY;
  const pi_mem_flags inherited = flags ? buffer->flags & ~both : buffer->flags;
  pi_mem mem;
  TRY(memory_create(buffer->context, MEMORY_SUB_BUFFER, inherited | flags, region->size, &mem));
  memory_retain(buffer);
  mem->parent = buffer;
  mem->origin = region->origin;
  mem->pointer = (char *)buffer->pointer + region->origin;
  mem->is_host_memory = buffer->is_host_memory;
  *ret = mem;
  return PI_SUCCESS;
}

void memory_adopt_pointer(pi_mem mem, bool is_owned) {
  mem->origin_of_native =
      (pi_mem)(void *)registry_find(OBJECT_MEM, (pi_native_handle)mem->pointer, is_owned);
  mem->is_owned = is_owned && !mem->origin_of_native;
  if (mem->origin_of_native)
    mem->size = mem->origin_of_native->size;
}

/* Allows buffers on platforms that report level_zero: its handles of memory are addresses, too. */
static pi_result check_handles(bool is_image) {
  const bool is_address = driver_backend() == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO && !is_image;
  return native_is_foreign() && !is_address ? native_refuse(is_image ? "image" : "buffer")
                                            : PI_SUCCESS;
}

pi_result memory_adopt(pi_context context, pi_native_handle native, bool is_owned, pi_mem *ret) {
  TRY(check_handles(false));
  void *const pointer = (void *)native;
  size_t size;
  bool is_host_memory;
  TRY(driver_memory_describe(context, pointer, &size, &is_host_memory));
  pi_mem mem;
  TRY(memory_create(context, MEMORY_BUFFER, PI_MEM_FLAGS_ACCESS_RW, size, &mem));
  mem->pointer = pointer;
  mem->is_host_memory = is_host_memory;
  memory_adopt_pointer(mem, is_owned);
  *ret = mem;
  return PI_SUCCESS;
}

pi_result memory_native(pi_mem mem, pi_native_handle *ret) {
  TRY(check_handles(mem->kind == MEMORY_IMAGE));
  REQUIRE(mem->pointer, PI_ERROR_INVALID_MEM_OBJECT,
          "the memory object describes a bindless image, which has separate memory");
  *ret = (pi_native_handle)mem->pointer;
  registry_note(&mem->noted, *ret, &mem->handle);
  return PI_SUCCESS;
}

pi_result memory_show(pi_mem buffer, char **ret) {
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&buffer->lock);
  if (!buffer->host && !buffer->is_host_memory && allocate_host(buffer) != PI_SUCCESS)
    result = plugin_error(PI_ERROR_MAP_FAILURE, "%zu bytes of host memory could not be allocated",
                          buffer->size);
  else
    *ret = buffer->host ? buffer->host : buffer->pointer;
  pthread_mutex_unlock(&buffer->lock);
  return result;
}

pi_result memory_answer(pi_mem mem, pi_mem_info query, const info_answer *answer) {
  switch (query) {
  case PI_MEM_SIZE:
    return answer_size(answer, mem->size);
  case PI_MEM_CONTEXT:
    return answer_handle(answer, mem->context);
  }
  return answer_unknown("pi_mem_info", (pi_uint32)query);
}
