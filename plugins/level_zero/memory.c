/* Memory of buffers. */
#include "memory.h"

#include "../objects/driver.h"
#include "blocks.h"
#include "event_pool.h"

/* Returns the device of the context's buffers: the only device, or the first root device. */
static pi_device home_of(pi_context context) {
  return context->device_count == 1 ? context->devices[0] : context->roots[0];
}

/* Returns the context's upload list, whose copies are complete when the driver returns. The caller
 * holds upload_lock. */
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

/* Copies without a queue, so the copy waits for no command. */
pi_result driver_memory_upload(pi_mem buffer, const void *from) {
  const pi_context context = buffer->context;
  struct event_pools *pools = context->driver.events;
  ze_command_list_handle_t list;
  pthread_mutex_lock(&pools->upload_lock);
  pi_result result = get_upload_list(context, &list);
  if (result == PI_SUCCESS)
    result = ZE_CALL(CommandListAppendMemoryCopy, list, buffer->pointer, from, buffer->size, NULL,
                     0, NULL);
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

static pi_result allocate_host(pi_mem mem, void **ret) {
  const usm_request request = {
      .context = mem->context, .type = PI_MEM_TYPE_HOST, .size = mem->size};
  return blocks_allocate(&request, ret);
}

pi_result driver_memory_allocate_host(pi_mem buffer) {
  return allocate_host(buffer, &buffer->host);
}

static pi_result allocate_device(pi_mem mem) {
  const usm_request request = {.context = mem->context,
                               .device = home_of(mem->context),
                               .type = PI_MEM_TYPE_DEVICE,
                               .size = mem->size};
  return blocks_allocate(&request, &mem->pointer);
}

pi_result driver_memory_allocate(pi_mem buffer) {
  buffer->is_host_memory = uses_host_memory(buffer->context);
  TRY(buffer->is_host_memory ? allocate_host(buffer, &buffer->pointer) : allocate_device(buffer));
  buffer->is_owned = true;
  return PI_SUCCESS;
}

void driver_memory_free(pi_mem mem) {
  if (mem->kind == MEMORY_IMAGE)
    image_destroy(mem);
  else if (mem->is_owned)
    blocks_give(mem->context, mem->pointer);
  if (mem->host_is_owned)
    blocks_give(mem->context, mem->host);
}

pi_result driver_memory_describe(pi_context context, void *pointer, size_t *ret_size,
                                 bool *ret_is_host_memory) {
  usm_range range;
  TRY(driver_usm_describe(context, pointer, &range));
  REQUIRE(range.type != PI_MEM_TYPE_UNKNOWN, PI_ERROR_INVALID_MEM_OBJECT,
          "native_handle %p is no pointer to memory of the context", pointer);
  *ret_size = range.size - (size_t)((uintptr_t)pointer - range.base);
  *ret_is_host_memory = range.type != PI_MEM_TYPE_DEVICE;
  return PI_SUCCESS;
}
