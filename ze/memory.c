/* Entries for memory. */
#include "../plugins/objects/usm.h"

#include "ze.h"

typedef struct allocation {
  ze_context_handle_t context;
  ze_device_handle_t device;
  pi_usm_type type;
  size_t size, alignment;
} allocation;

static ze_result_t allocate(const allocation *allocation, void **ret) {
  ZE_REQUIRE_HANDLE(allocation->context, CONTEXT);
  if (allocation->device)
    ZE_REQUIRE_HANDLE(allocation->device, DEVICE);
  ZE_REQUIRE(ret, INVALID_NULL_POINTER, "pptr is NULL");
  ZE_REQUIRE(allocation->size, UNSUPPORTED_SIZE, "size is 0");
  ZE_REQUIRE(allocation->alignment <= UINT32_MAX &&
                 (allocation->alignment & (allocation->alignment - 1)) == 0,
             UNSUPPORTED_ALIGNMENT, "alignment is %zu, which is no power of two",
             allocation->alignment);
  const pi_context context = context_of(allocation->context);
  const pi_device device = allocation->device ? device_of(allocation->device) : NULL;
  ZE_REQUIRE(!device || context_has(context, device), INVALID_ARGUMENT,
             "hDevice is not a device of hContext");
  return ze_answer(usm_allocate(context, device, allocation->type, NULL, allocation->size,
                                (pi_uint32)allocation->alignment, ret));
}

ze_result_t zeMemAllocDevice(ze_context_handle_t hContext,
                             const ze_device_mem_alloc_desc_t *device_desc, size_t size,
                             size_t alignment, ze_device_handle_t hDevice, void **pptr) {
  ZE_REQUIRE_POINTER(device_desc);
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  return allocate(&(allocation){hContext, hDevice, PI_MEM_TYPE_DEVICE, size, alignment}, pptr);
}

ze_result_t zeMemAllocShared(ze_context_handle_t hContext,
                             const ze_device_mem_alloc_desc_t *device_desc,
                             const ze_host_mem_alloc_desc_t *host_desc, size_t size,
                             size_t alignment, ze_device_handle_t hDevice, void **pptr) {
  ZE_REQUIRE_POINTER(device_desc);
  ZE_REQUIRE_POINTER(host_desc);
  return allocate(&(allocation){hContext, hDevice, PI_MEM_TYPE_SHARED, size, alignment}, pptr);
}

ze_result_t zeMemAllocHost(ze_context_handle_t hContext, const ze_host_mem_alloc_desc_t *host_desc,
                           size_t size, size_t alignment, void **pptr) {
  ZE_REQUIRE_POINTER(host_desc);
  return allocate(&(allocation){hContext, NULL, PI_MEM_TYPE_HOST, size, alignment}, pptr);
}

ze_result_t zeMemFree(ze_context_handle_t hContext, void *ptr) {
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  ZE_REQUIRE_POINTER(ptr);
  return ze_answer(usm_free(context_of(hContext), ptr));
}

static ze_memory_type_t type_of(pi_usm_type type) {
  switch (type) {
  case PI_MEM_TYPE_HOST:
    return ZE_MEMORY_TYPE_HOST;
  case PI_MEM_TYPE_DEVICE:
    return ZE_MEMORY_TYPE_DEVICE;
  case PI_MEM_TYPE_SHARED:
    return ZE_MEMORY_TYPE_SHARED;
  case PI_MEM_TYPE_UNKNOWN:
    break;
  }
  return ZE_MEMORY_TYPE_UNKNOWN;
}

ze_result_t zeMemGetAllocProperties(ze_context_handle_t hContext, const void *ptr,
                                    ze_memory_allocation_properties_t *pMemAllocProperties,
                                    ze_device_handle_t *phDevice) {
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  ZE_REQUIRE_POINTER(ptr);
  ZE_REQUIRE_POINTER(pMemAllocProperties);
  usm_range range;
  ZE_TRY(usm_describe(context_of(hContext), ptr, &range));
  pMemAllocProperties->type = type_of(range.type);
  pMemAllocProperties->id = range.type == PI_MEM_TYPE_UNKNOWN ? 0 : (uint64_t)range.base;
  pMemAllocProperties->pageSize = 0;
  if (phDevice)
    *phDevice = range.device ? device_handle(range.device) : NULL;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAddressRange(ze_context_handle_t hContext, const void *ptr, void **pBase,
                                 size_t *pSize) {
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  ZE_REQUIRE_POINTER(ptr);
  usm_range range;
  ZE_TRY(usm_describe(context_of(hContext), ptr, &range));
  ZE_REQUIRE(range.type != PI_MEM_TYPE_UNKNOWN, INVALID_ARGUMENT,
             "ptr is in no memory of hContext");
  if (pBase)
    *pBase = (void *)range.base;
  if (pSize)
    *pSize = range.size;
  return ZE_RESULT_SUCCESS;
}
