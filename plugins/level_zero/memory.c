/* Buffers, sub-buffers, and what buffers and images have in common. */
#include "memory.h"

#include "checks.h"
#include "event_pool.h"
#include "queue.h"

#include "../base/names.h"

#include <stdlib.h>
#include <string.h>

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

/* What the driver refuses here it has lost already. */
static void destroy_memory(deferred *node) {
  const pi_mem mem = DEFERRED_OWNER(node, struct pi_mem_object, deferred);
  if (mem->image)
    image_destroy(mem);
  else if (mem->is_owned)
    ze.MemFree(mem->context->driver.context, mem->pointer);
  if (mem->host_is_owned)
    ze.MemFree(mem->context->driver.context, mem->host);
  memory_forget_maps(mem);
  pthread_mutex_destroy(&mem->lock);
  free(mem);
}

void memory_release(pi_mem mem) {
  if (!pi_handle_release(&mem->handle))
    return;
  const pi_context context = mem->context;
  const pi_mem parent = mem->parent, origin = mem->origin_of_native;
  memory_forget_native(mem);
  deferred_free(context, &mem->deferred, destroy_memory);
  if (parent)
    memory_release(parent);
  if (origin)
    memory_release(origin);
  context_release(context);
}

/* Level Zero has nothing that these properties could choose. */
static pi_result check_properties(const pi_mem_properties *properties) {
  for (; properties && *properties != 0; properties += 2) {
    PI_REQUIRE(*properties == PI_MEM_PROPERTIES_CHANNEL ||
                   *properties == PI_MEM_PROPERTIES_ALLOC_BUFFER_LOCATION,
               PI_ERROR_INVALID_VALUE, "0x%llx is not a property of a buffer",
               (unsigned long long)*properties);
    return LEVEL_ZERO_UNSUPPORTED("Level Zero has nothing for %s of a buffer",
                                  pi_name("pi_mem_properties", (int64_t)*properties));
  }
  return PI_SUCCESS;
}

static pi_result check_size(pi_context context, size_t size) {
  PI_REQUIRE(size != 0, PI_ERROR_INVALID_BUFFER_SIZE, "size is 0");
  for (pi_uint32 i = 0; i < context->device_count; i++) {
    const pi_uint64 most = context->devices[i]->driver.properties.maxMemAllocSize;
    PI_REQUIRE(size <= most, PI_ERROR_INVALID_BUFFER_SIZE,
               "size is %zu, the largest allocation of device %u of the context is %llu", size, i,
               (unsigned long long)most);
  }
  return PI_SUCCESS;
}

/* The device that has the context's buffers: the only one, or the root of the first. */
static pi_device home_of(pi_context context) {
  return context->device_count == 1 ? context->devices[0] : context->roots[0];
}

/* The list is synchronous: a copy is complete when the driver returns. With its lock. */
static pi_result get_upload_list(pi_context context, ze_command_list_handle_t *list) {
  struct event_pools *pools = context->driver.events;
  if (!pools->upload) {
    const pi_device home = home_of(context);
    const ze_command_queue_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .ordinal = home->driver.compute_group,
        .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
    };
    ZE_TRY(CommandListCreateImmediate, context->driver.context, home->driver.device, &description,
           &pools->upload);
  }
  *list = pools->upload;
  return PI_SUCCESS;
}

pi_result memory_upload(pi_context context, void *to, const void *from, size_t size) {
  struct event_pools *pools = context->driver.events;
  ze_command_list_handle_t list;
  pthread_mutex_lock(&pools->upload_lock);
  pi_result result = get_upload_list(context, &list);
  if (result == PI_SUCCESS)
    result = ze_result(ze.CommandListAppendMemoryCopy(list, to, from, size, NULL, 0, NULL),
                       "zeCommandListAppendMemoryCopy");
  pthread_mutex_unlock(&pools->upload_lock);
  return result;
}

static bool uses_host_memory(pi_context context) {
  bool all_integrated = true;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    if (!(context->roots[i]->driver.properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED))
      all_integrated = false;
  return all_integrated || (context->root_count > 1 && !context->driver.shares_device_memory);
}

static pi_result allocate_host(pi_context context, size_t size, void **pointer) {
  const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  ZE_TRY(MemAllocHost, context->driver.context, &description, size, 0, pointer);
  return PI_SUCCESS;
}

pi_result memory_allocate_host(pi_mem mem) {
  PI_TRY(allocate_host(mem->context, mem->size, &mem->host));
  mem->host_is_owned = true;
  return PI_SUCCESS;
}

static pi_result allocate_device(pi_mem mem) {
  const pi_context context = mem->context;
  const pi_device home = home_of(context);
  const ze_device_mem_alloc_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
  };
  ZE_TRY(MemAllocDevice, context->driver.context, &description, mem->size, 0, home->driver.device,
         &mem->pointer);
  mem->is_owned = true;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    if (context->roots[i] != home->root)
      ZE_TRY(ContextMakeMemoryResident, context->driver.context, context->roots[i]->driver.device,
             mem->pointer, mem->size);
  return PI_SUCCESS;
}

static pi_result allocate_buffer(pi_mem mem) {
  mem->is_host_memory = uses_host_memory(mem->context);
  if (!mem->is_host_memory)
    return allocate_device(mem);
  PI_TRY(allocate_host(mem->context, mem->size, &mem->pointer));
  mem->is_owned = true;
  return PI_SUCCESS;
}

/*
 * The host's memory of the flags is what maps show. A buffer that lies in the host's memory anyway
 * shows itself, but for the application's own memory.
 */
static pi_result fill_buffer(pi_mem mem, void *host_ptr) {
  PI_TRY(allocate_buffer(mem));
  if (host_ptr && mem->is_host_memory)
    memcpy(mem->pointer, host_ptr, mem->size);
  else if (host_ptr)
    PI_TRY(memory_upload(mem->context, mem->pointer, host_ptr, mem->size));
  if (mem->flags & PI_MEM_FLAGS_HOST_PTR_USE)
    mem->host = host_ptr;
  else if ((mem->flags & PI_MEM_FLAGS_HOST_PTR_ALLOC) && !mem->is_host_memory)
    return memory_allocate_host(mem);
  return PI_SUCCESS;
}

pi_result piMemBufferCreate(pi_context context, pi_mem_flags flags, size_t size, void *host_ptr,
                            pi_mem *ret_mem, const pi_mem_properties *properties) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_mem);
  PI_TRY(pi_check_mem_flags(flags, host_ptr));
  PI_TRY(check_properties(properties));
  PI_TRY(check_size(context, size));
  deferred_free_due(context);
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
  for (pi_uint32 i = 0; i < context->device_count; i++) {
    pi_uint32 bits;
    PI_TRY(piDeviceGetInfo(context->devices[i], PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN, sizeof bits,
                           &bits, NULL));
    PI_REQUIRE(bits < 8 || origin % (bits / 8) == 0, PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET,
               "origin %zu is not a multiple of %u, the device's "
               "PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN in bytes",
               origin, bits / 8);
  }
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
  made->pointer = (char *)buffer->pointer + region->origin;
  made->is_host_memory = buffer->is_host_memory;
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
