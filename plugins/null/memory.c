/* Memory of the process, for all kinds of memory: the host and all devices can access it. */
#include "../objects/memory.h"

#include "../base/error.h"
#include "../objects/driver.h"
#include "../objects/usm.h"
#include "fail.h"

#include <stdlib.h>

typedef struct null_allocation {
  struct null_allocation *next;
  pi_context context;
  pi_device device; /* NULL for host memory, and for shared memory without a device */
  pi_usm_type type; /* PI_MEM_TYPE_UNKNOWN if there is no allocation */
  void *base;
  size_t size;
} null_allocation;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static null_allocation *allocations;

static pi_result allocate_memory(pi_context context, pi_device device, pi_usm_type type,
                                 size_t size, size_t alignment, void **ret) {
  const size_t least = alignment < 64 ? 64 : alignment;
  TRY(null_may(NULL_ALLOCATION));
  null_allocation *made = malloc(sizeof *made);
  void *base = aligned_alloc(least, (size + least - 1) & ~(least - 1));
  if (!made || !base) {
    free(made);
    free(base);
    return plugin_error(PI_ERROR_OUT_OF_RESOURCES, "no memory for %zu bytes", size);
  }
  pthread_mutex_lock(&lock);
  *made = (null_allocation){allocations, context, device, type, base, size};
  allocations = made;
  pthread_mutex_unlock(&lock);
  *ret = base;
  return PI_SUCCESS;
}

static void free_memory(pi_context context, const void *pointer) {
  pthread_mutex_lock(&lock);
  null_allocation **link = &allocations;
  while (*link && ((*link)->base != pointer || (*link)->context != context))
    link = &(*link)->next;
  null_allocation *found = *link;
  if (found)
    *link = found->next;
  pthread_mutex_unlock(&lock);
  if (found)
    free(found->base);
  free(found);
}

/* Finds the allocation of a context that contains a pointer. */
static null_allocation find_allocation(pi_context context, const void *pointer) {
  null_allocation found = {.type = PI_MEM_TYPE_UNKNOWN};
  pthread_mutex_lock(&lock);
  for (const null_allocation *allocation = allocations; allocation; allocation = allocation->next)
    if (allocation->context == context &&
        (uintptr_t)pointer - (uintptr_t)allocation->base < allocation->size)
      found = *allocation;
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- Buffers ---- */

pi_result driver_memory_allocate(pi_mem buffer) {
  TRY(allocate_memory(buffer->context, buffer->context->devices[0], PI_MEM_TYPE_DEVICE,
                      buffer->size, 0, &buffer->pointer));
  buffer->is_owned = buffer->is_host_memory = true;
  return PI_SUCCESS;
}

pi_result driver_memory_allocate_host(pi_mem buffer) {
  return allocate_memory(buffer->context, NULL, PI_MEM_TYPE_HOST, buffer->size, 0, &buffer->host);
}

void driver_memory_free(pi_mem mem) {
  if (mem->is_owned)
    free_memory(mem->context, mem->pointer);
  if (mem->host_is_owned)
    free_memory(mem->context, mem->host);
}

pi_result driver_memory_describe(pi_context context, void *pointer, size_t *ret_size,
                                 bool *ret_is_host_memory) {
  const null_allocation found = find_allocation(context, pointer);
  REQUIRE(found.type != PI_MEM_TYPE_UNKNOWN, PI_ERROR_INVALID_MEM_OBJECT,
          "%p is no memory of the context", pointer);
  *ret_size = found.size - (size_t)((char *)pointer - (char *)found.base);
  *ret_is_host_memory = true;
  return PI_SUCCESS;
}

/* ---- Unified shared memory ---- */

pi_result driver_usm_describe(pi_context context, const void *pointer, usm_range *ret) {
  const null_allocation found = find_allocation(context, pointer);
  *ret = (usm_range){.type = found.type,
                     .base = (uintptr_t)found.base,
                     .size = found.size,
                     .device = found.device};
  return PI_SUCCESS;
}

pi_result driver_usm_allocate(pi_context context, pi_device device, pi_usm_type type,
                              pi_native_handle pool, unsigned flags, size_t size,
                              pi_uint32 alignment, void **ret) {
  return allocate_memory(context, device, type, size, alignment, ret);
}

pi_result driver_usm_allocate_rows(pi_context context, pi_device device, unsigned flags,
                                   size_t width, size_t height, unsigned element_size, void **ret,
                                   size_t *ret_pitch) {
  *ret_pitch = width;
  return allocate_memory(context, device, PI_MEM_TYPE_DEVICE, width * height, 0, ret);
}

pi_result driver_usm_free(pi_context context, pi_usm_type type, void *pointer) {
  free_memory(context, pointer);
  return PI_SUCCESS;
}
