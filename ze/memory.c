/* Entries for memory. */
#include "../plugins/objects/virtual_memory.h"

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

/* Frees as zeMemFree does, which waits for the commands: so both policies have their effect. */
ze_result_t zeMemFreeExt(ze_context_handle_t hContext,
                         const ze_memory_free_ext_desc_t *pMemFreeDesc, void *ptr) {
  ZE_REQUIRE_POINTER(pMemFreeDesc);
  ZE_REQUIRE(pMemFreeDesc->freePolicy <=
                 (ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE << 1) - 1,
             INVALID_ENUMERATION, "pMemFreeDesc->freePolicy is 0x%x, which has unknown bits",
             pMemFreeDesc->freePolicy);
  return zeMemFree(hContext, ptr);
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

/* ---- Residency: allocations are always resident ---- */

static ze_result_t check_resident(ze_context_handle_t context, ze_device_handle_t device,
                                  const void *pointer, size_t size) {
  usm_range range;
  ZE_REQUIRE_HANDLE(context, CONTEXT);
  ZE_REQUIRE_HANDLE(device, DEVICE);
  ZE_REQUIRE(pointer, INVALID_NULL_POINTER, "ptr is NULL");
  ZE_REQUIRE(context_has(context_of(context), device_of(device)), INVALID_ARGUMENT,
             "hDevice is not a device of hContext");
  return ze_answer(
      usm_check_reached(context_of(context), device_of(device), "ptr", pointer, size, &range));
}

ze_result_t zeContextMakeMemoryResident(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                        void *ptr, size_t size) {
  return check_resident(hContext, hDevice, ptr, size);
}

/* Frees no memory of the device: eviction allows that, and does not require it. */
ze_result_t zeContextEvictMemory(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                 void *ptr, size_t size) {
  return check_resident(hContext, hDevice, ptr, size);
}

/* ---- Virtual memory ---- */

static ze_result_t check_range(ze_context_handle_t context, const void *pointer, size_t size) {
  size_t page;
  ZE_REQUIRE_HANDLE(context, CONTEXT);
  ZE_REQUIRE(pointer, INVALID_NULL_POINTER, "ptr is NULL");
  ZE_TRY(virtual_granularity(context_of(context), NULL, false, &page));
  ZE_REQUIRE(size && size % page == 0, UNSUPPORTED_SIZE, "size is %zu, and a page has %zu bytes",
             size, page);
  ZE_REQUIRE((uintptr_t)pointer % page == 0, UNSUPPORTED_ALIGNMENT,
             "ptr is %p, and a page has %zu bytes", pointer, page);
  return ZE_RESULT_SUCCESS;
}

/* X(Level Zero's name, the driver's) */
#define ACCESSES(X)                                                                                \
  X(NONE, NO_ACCESS)                                                                               \
  X(READWRITE, READ_WRITE)                                                                         \
  X(READONLY, READ_ONLY)

static ze_result_t read_access(ze_memory_access_attribute_t access, virtual_access *ret) {
  switch (access) {
#define ACCESS_READ(ze, ours)                                                                      \
  case ZE_MEMORY_ACCESS_ATTRIBUTE_##ze:                                                            \
    *ret = VIRTUAL_##ours;                                                                         \
    return ZE_RESULT_SUCCESS;
    ACCESSES(ACCESS_READ)
#undef ACCESS_READ
  case ZE_MEMORY_ACCESS_ATTRIBUTE_FORCE_UINT32:
    break;
  }
  ZE_REQUIRE(false, INVALID_ENUMERATION, "access is %d", (int)access);
}

static ze_memory_access_attribute_t access_of(virtual_access access) {
  switch (access) {
#define ACCESS_WRITE(ze, ours)                                                                     \
  case VIRTUAL_##ours:                                                                             \
    return ZE_MEMORY_ACCESS_ATTRIBUTE_##ze;
    ACCESSES(ACCESS_WRITE)
#undef ACCESS_WRITE
  }
  return ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
}

ze_result_t zeVirtualMemQueryPageSize(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                      size_t size, size_t *pagesize) {
  size_t page;
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE(size, UNSUPPORTED_SIZE, "size is 0");
  ZE_REQUIRE_POINTER(pagesize);
  ZE_REQUIRE(context_has(context_of(hContext), device_of(hDevice)), INVALID_ARGUMENT,
             "hDevice is not a device of hContext");
  ZE_TRY(virtual_granularity(context_of(hContext), device_of(hDevice), false, &page));
  *pagesize = page;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemReserve(ze_context_handle_t hContext, const void *pStart, size_t size,
                                void **pptr) {
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  ZE_REQUIRE(size, UNSUPPORTED_SIZE, "size is 0");
  ZE_REQUIRE_POINTER(pptr);
  return ze_answer(virtual_reserve(context_of(hContext), pStart, size, pptr));
}

/* Frees a whole reservation without mappings. */
ze_result_t zeVirtualMemFree(ze_context_handle_t hContext, const void *ptr, size_t size) {
  ZE_PASS(check_range(hContext, ptr, size));
  return ze_answer(virtual_free(context_of(hContext), ptr, size));
}

ze_result_t zePhysicalMemCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                ze_physical_mem_desc_t *desc,
                                ze_physical_mem_handle_t *phPhysicalMemory) {
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(desc);
  ZE_REQUIRE_POINTER(phPhysicalMemory);
  ZE_REQUIRE(desc->flags <= 1, INVALID_ENUMERATION, "desc->flags is 0x%x, which has unknown bits",
             desc->flags);
  ZE_REQUIRE(desc->size, UNSUPPORTED_SIZE, "desc->size is 0");
  ZE_REQUIRE(context_has(context_of(hContext), device_of(hDevice)), INVALID_ARGUMENT,
             "hDevice is not a device of hContext");
  physical_memory *made;
  ZE_TRY(physical_memory_create(context_of(hContext), device_of(hDevice), desc->size, 0, &made));
  *phPhysicalMemory = physical_handle(made);
  return ZE_RESULT_SUCCESS;
}

/* The memory stays until it is not mapped any more. */
ze_result_t zePhysicalMemDestroy(ze_context_handle_t hContext,
                                 ze_physical_mem_handle_t hPhysicalMemory) {
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  ZE_REQUIRE_HANDLE(hPhysicalMemory, PHYSICAL_MEM);
  physical_memory_release(physical_of(hPhysicalMemory));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemMap(ze_context_handle_t hContext, const void *ptr, size_t size,
                            ze_physical_mem_handle_t hPhysicalMemory, size_t offset,
                            ze_memory_access_attribute_t access) {
  virtual_access read;
  ZE_REQUIRE_HANDLE(hPhysicalMemory, PHYSICAL_MEM);
  ZE_PASS(check_range(hContext, ptr, size));
  ZE_PASS(read_access(access, &read));
  return ze_answer(
      virtual_map(context_of(hContext), ptr, size, physical_of(hPhysicalMemory), offset, read));
}

ze_result_t zeVirtualMemUnmap(ze_context_handle_t hContext, const void *ptr, size_t size) {
  ZE_PASS(check_range(hContext, ptr, size));
  return ze_answer(virtual_unmap(context_of(hContext), ptr, size));
}

ze_result_t zeVirtualMemSetAccessAttribute(ze_context_handle_t hContext, const void *ptr,
                                           size_t size, ze_memory_access_attribute_t access) {
  virtual_access read;
  ZE_PASS(check_range(hContext, ptr, size));
  ZE_PASS(read_access(access, &read));
  return ze_answer(virtual_set_access(context_of(hContext), ptr, size, read));
}

/* The range has one access as a whole, or there is an error. */
ze_result_t zeVirtualMemGetAccessAttribute(ze_context_handle_t hContext, const void *ptr,
                                           size_t size, ze_memory_access_attribute_t *access,
                                           size_t *outSize) {
  virtual_access found;
  ZE_PASS(check_range(hContext, ptr, size));
  ZE_REQUIRE_POINTER(access);
  ZE_REQUIRE_POINTER(outSize);
  ZE_TRY(virtual_get_access(context_of(hContext), ptr, size, &found));
  *access = access_of(found);
  *outSize = size;
  return ZE_RESULT_SUCCESS;
}
