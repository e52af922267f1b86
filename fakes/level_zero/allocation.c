/* Allocations of the fake Level Zero driver. */
#include "device.h"
#include "memory.h"

#include <unistd.h>

enum { PAGE = 4096 };

static bool is_relaxed(const void *chain) {
  const ze_relaxed_allocation_limits_exp_desc_t *relaxed =
      fake_next(chain, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC);
  return relaxed && (relaxed->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE) != 0 &&
         !fake_is_left_out(ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME);
}

static uint64_t size_limit(const fake_context *context, const fake_device *device,
                           const void *chain) {
  if (!device)
    device = context->device_count > 0 ? context->devices[0] : NULL;
  if (!device)
    return UINT64_MAX;
  return is_relaxed(chain) ? fake_device_memory(device) : fake_device_memory(device) / 2;
}

ze_result_t fake_memory_allocate(fake_context *context, ze_memory_type_t type, fake_device *device,
                                 const void *chain, size_t size, size_t alignment,
                                 const char *function, void **ret) {
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "%s: the place for the address is NULL", function);
  FAKE_REQUIRE(size != 0, UNSUPPORTED_SIZE, "%s: 0 bytes", function);
  FAKE_REQUIRE((alignment & (alignment - 1)) == 0 && alignment <= (1 << 21), UNSUPPORTED_ALIGNMENT,
               "%s: an alignment of %zu", function, alignment);
  FAKE_REQUIRE(size <= size_limit(context, device, chain), UNSUPPORTED_SIZE,
               "%s: %zu bytes are more than maxMemAllocSize", function, size);
  int import;
  bool export;
  FAKE_TRY(fake_external_check(chain, size, function, &import, &export));
  FAKE_REQUIRE(type == ZE_MEMORY_TYPE_DEVICE || (import < 0 && !export), UNSUPPORTED_ENUMERATION,
               "%s: only device memory is exported and imported", function);
  if (device && size > fake_environment.memory - device->root->memory_used) {
    if (import >= 0)
      close(import);
    return fake_deny(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
                     "%s: the device has no %zu bytes any more", function, size);
  }
  if (export)
    import = fake_memory_file((size + PAGE - 1) & ~(size_t)(PAGE - 1));
  fake_place *place = fake_place_take(type == ZE_MEMORY_TYPE_DEVICE, size, alignment, import, 0);
  if (!place) {
    if (import >= 0)
      close(import);
    return fake_deny(type == ZE_MEMORY_TYPE_HOST ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
                                                 : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
                     "%s: no address space for %zu bytes", function, size);
  }
  fake_memory *memory = fake_memory_new(FAKE_MEMORY, context, place, NULL, size, type, false);
  memory->device = device;
  if (device)
    device->root->memory_used += size;
  *ret = memory->base;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_device_desc(const ze_device_mem_alloc_desc_t *desc, const char *function) {
  FAKE_STRUCT(desc, DEVICE_MEM_ALLOC_DESC);
  FAKE_REQUIRE(desc->flags <= 7, INVALID_ENUMERATION, "%s: unknown flags in 0x%x", function,
               desc->flags);
  FAKE_REQUIRE(desc->ordinal == 0, INVALID_ARGUMENT, "%s: no memory of ordinal %u", function,
               desc->ordinal);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_host_desc(const ze_host_mem_alloc_desc_t *desc, const char *function) {
  FAKE_STRUCT(desc, HOST_MEM_ALLOC_DESC);
  FAKE_REQUIRE(desc->flags <= 0xf, INVALID_ENUMERATION, "%s: unknown flags in 0x%x", function,
               desc->flags);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemAllocDevice(ze_context_handle_t handle, const ze_device_mem_alloc_desc_t *desc,
                             size_t size, size_t alignment, ze_device_handle_t deviceHandle,
                             void **ret) {
  FAKE_ENTER(zeMemAllocDevice);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  fake_device *device;
  FAKE_TRY(fake_check_device(context, deviceHandle, "zeMemAllocDevice", &device));
  FAKE_TRY(check_device_desc(desc, "zeMemAllocDevice"));
  return fake_memory_allocate(context, ZE_MEMORY_TYPE_DEVICE, device, desc->pNext, size, alignment,
                              "zeMemAllocDevice", ret);
}

ze_result_t zeMemAllocHost(ze_context_handle_t handle, const ze_host_mem_alloc_desc_t *desc,
                           size_t size, size_t alignment, void **ret) {
  FAKE_ENTER(zeMemAllocHost);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_TRY(check_host_desc(desc, "zeMemAllocHost"));
  return fake_memory_allocate(context, ZE_MEMORY_TYPE_HOST, NULL, desc->pNext, size, alignment,
                              "zeMemAllocHost", ret);
}

ze_result_t zeMemAllocShared(ze_context_handle_t handle,
                             const ze_device_mem_alloc_desc_t *device_desc,
                             const ze_host_mem_alloc_desc_t *host_desc, size_t size,
                             size_t alignment, ze_device_handle_t deviceHandle, void **ret) {
  FAKE_ENTER(zeMemAllocShared);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  fake_device *device = NULL;
  if (deviceHandle)
    FAKE_TRY(fake_check_device(context, deviceHandle, "zeMemAllocShared", &device));
  FAKE_TRY(check_device_desc(device_desc, "zeMemAllocShared"));
  FAKE_TRY(check_host_desc(host_desc, "zeMemAllocShared"));
  return fake_memory_allocate(context, ZE_MEMORY_TYPE_SHARED, device, device_desc->pNext, size,
                              alignment, "zeMemAllocShared", ret);
}

/* Finds a context's allocation that starts at an address. */
static ze_result_t find_base(fake_context *context, const void *address, const char *function,
                             fake_memory **ret) {
  FAKE_REQUIRE(address, INVALID_NULL_POINTER, "%s: the address is NULL", function);
  fake_memory *memory = fake_memory_at(address);
  FAKE_REQUIRE(memory && memory->head.kind == FAKE_MEMORY && !memory->head.owned &&
                   !memory->freed && memory->base == address && memory->head.context == context,
               INVALID_ARGUMENT, "%s: no allocation of the context begins at %p", function,
               address);
  *ret = memory;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemFree(ze_context_handle_t handle, void *address) {
  FAKE_ENTER(zeMemFree);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  fake_memory *memory;
  FAKE_TRY(find_base(context, address, "zeMemFree", &memory));
  FAKE_REQUIRE(!memory->opened, INVALID_ARGUMENT,
               "zeMemFree: zeMemCloseIpcHandle ends what zeMemOpenIpcHandle gave");
  FAKE_TRY(fake_check_unused(&memory->head, "zeMemFree"));
  fake_memory_end(memory);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemFreeExt(ze_context_handle_t handle, const ze_memory_free_ext_desc_t *desc,
                         void *address) {
  FAKE_ENTER(zeMemFreeExt);
  if (fake_is_left_out(ZE_MEMORY_FREE_POLICIES_EXT_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                     "zeMemFreeExt: FAKE_ZE_WITHOUT has the extension");
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_STRUCT(desc, MEMORY_FREE_EXT_DESC);
  FAKE_REQUIRE(desc->freePolicy <= 3, INVALID_ENUMERATION, "zeMemFreeExt: unknown policies in 0x%x",
               desc->freePolicy);
  fake_memory *memory;
  FAKE_TRY(find_base(context, address, "zeMemFreeExt", &memory));
  FAKE_REQUIRE(!memory->opened, INVALID_ARGUMENT,
               "zeMemFreeExt: zeMemCloseIpcHandle ends what zeMemOpenIpcHandle gave");
  memory->freed = true;
  if (desc->freePolicy == ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE &&
      memory->head.pending != 0) {
    memory->deferred = true;
    return ZE_RESULT_SUCCESS;
  }
  fake_memory_wait(memory);
  fake_memory_end(memory);
  return ZE_RESULT_SUCCESS;
}

/* Returns the context's allocation at an address; NULL if there is none. */
static fake_memory *find_any(const fake_context *context, const void *address) {
  fake_memory *memory = fake_memory_at(address);
  return memory && memory->head.kind == FAKE_MEMORY && memory->head.context == context &&
                 !memory->freed
             ? memory
             : NULL;
}

static ze_result_t give_file(const fake_memory *memory, ze_memory_allocation_properties_t *ret) {
  ze_external_memory_export_fd_t *export =
      fake_next(ret->pNext, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD);
  if (!export)
    return ZE_RESULT_SUCCESS;
  FAKE_REQUIRE(memory && memory->place && memory->place->file >= 0, INVALID_ARGUMENT,
               "zeMemGetAllocProperties: the allocation was not made to be exported");
  const int file = dup(memory->place->file);
  if (file < 0)
    return fake_deny(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY,
                     "zeMemGetAllocProperties: no file descriptor");
  export->fd = file;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAllocProperties(ze_context_handle_t handle, const void *address,
                                    ze_memory_allocation_properties_t *properties,
                                    ze_device_handle_t *device) {
  FAKE_ENTER(zeMemGetAllocProperties);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_REQUIRE(address, INVALID_NULL_POINTER, "zeMemGetAllocProperties: the address is NULL");
  FAKE_STRUCT(properties, MEMORY_ALLOCATION_PROPERTIES);
  const fake_memory *memory = find_any(context, address);
  FAKE_TRY(give_file(memory, properties));
  properties->type = memory ? memory->type : ZE_MEMORY_TYPE_UNKNOWN;
  properties->id = memory ? memory->head.serial : 0;
  properties->pageSize = memory ? PAGE : 0;
  if (device)
    *device = memory && memory->device ? FAKE_HANDLE(ze_device_handle_t, memory->device) : NULL;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAddressRange(ze_context_handle_t handle, const void *address, void **base,
                                 size_t *size) {
  FAKE_ENTER(zeMemGetAddressRange);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_REQUIRE(address, INVALID_NULL_POINTER, "zeMemGetAddressRange: the address is NULL");
  const fake_memory *memory = find_any(context, address);
  /* Unknown addresses are no error, because programs query any address. */
  if (!memory)
    return fake_deny(ZE_RESULT_ERROR_UNKNOWN, "zeMemGetAddressRange: nothing is allocated at %p",
                     address);
  if (base)
    *base = memory->base;
  if (size)
    *size = memory->size;
  return ZE_RESULT_SUCCESS;
}
