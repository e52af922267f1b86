/* Native handles of memory objects: pointers, of buffers. Images are in image.c. */
#include "checks.h"
#include "event_pool.h"
#include "memory.h"

/* With the lock. */
static void take_out(struct event_pools *pools, pi_mem mem) {
  pi_mem *link = &pools->given;
  while (*link && *link != mem)
    link = &(*link)->next_given;
  if (*link)
    *link = mem->next_given;
}

/* To the front: of several with one pointer the latest counts. */
void memory_note_given(pi_mem mem) {
  struct event_pools *pools = mem->context->driver.events;
  pthread_mutex_lock(&pools->given_lock);
  if (mem->is_given)
    take_out(pools, mem);
  mem->is_given = true;
  mem->next_given = pools->given;
  pools->given = mem;
  pthread_mutex_unlock(&pools->given_lock);
}

void memory_forget_native(pi_mem mem) {
  struct event_pools *pools = mem->context->driver.events;
  pthread_mutex_lock(&pools->given_lock);
  if (mem->is_given)
    take_out(pools, mem);
  pthread_mutex_unlock(&pools->given_lock);
}

pi_mem memory_find_given(pi_context context, const void *pointer, bool is_owned) {
  struct event_pools *pools = context->driver.events;
  pthread_mutex_lock(&pools->given_lock);
  pi_mem found = pools->given;
  while (found && (found->pointer != pointer || !pi_handle_is(&found->handle, PI_HANDLE_MEM)))
    found = found->next_given;
  if (found && !is_owned)
    memory_retain(found);
  pthread_mutex_unlock(&pools->given_lock);
  return found;
}

/* A pointer that every device of the context reaches; of an image what image_native_handle gives.
 */
pi_result piextMemGetNativeHandle(pi_mem mem, pi_device device, pi_native_handle *native_handle) {
  REQUIRE_MEM(mem);
  REQUIRE_POINTER(native_handle);
  if (device)
    REQUIRE_DEVICE_OF(mem->context, device);
  if (mem->kind == MEMORY_IMAGE)
    return image_native_handle(mem, native_handle);
  memory_note_given(mem);
  *native_handle = (pi_native_handle)(uintptr_t)mem->pointer;
  return PI_SUCCESS;
}

/* How many bytes the driver knows of from a pointer on, and whose memory that is. */
static pi_result examine(pi_context context, const void *pointer, size_t *size,
                         ze_memory_type_t *type) {
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES,
  };
  ze_device_handle_t device;
  ZE_TRY(MemGetAllocProperties, context->driver.context, pointer, &properties, &device);
  PI_REQUIRE(properties.type != ZE_MEMORY_TYPE_UNKNOWN, PI_ERROR_INVALID_MEM_OBJECT,
             "native_handle %p is no pointer to memory of the context", pointer);
  void *base;
  size_t all;
  ZE_TRY(MemGetAddressRange, context->driver.context, pointer, &base, &all);
  *size = all - (size_t)((const char *)pointer - (char *)base);
  *type = properties.type;
  return PI_SUCCESS;
}

/*
 * A pointer to memory of any kind; the buffer reaches to the end of its allocation. With
 * own_native_handle that is freed with the buffer, so the pointer is its start. A pointer that
 * piextMemGetNativeHandle gave stays that object's: then the reference to that object is what is
 * handed over, or taken.
 */
pi_result piextMemCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                         bool own_native_handle, pi_mem *mem) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_MEM_OBJECT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(mem);
  void *pointer = (void *)(uintptr_t)native_handle;
  size_t size;
  ze_memory_type_t type;
  PI_TRY(examine(context, pointer, &size, &type));
  pi_mem made;
  PI_TRY(memory_create(context, MEMORY_BUFFER, PI_MEM_FLAGS_ACCESS_RW, size, &made));
  made->pointer = pointer;
  made->is_host_memory = type != ZE_MEMORY_TYPE_DEVICE;
  made->origin_of_native = memory_find_given(context, pointer, own_native_handle);
  made->is_owned = own_native_handle && !made->origin_of_native;
  if (made->origin_of_native)
    made->size = made->origin_of_native->size;
  *mem = made;
  return PI_SUCCESS;
}
