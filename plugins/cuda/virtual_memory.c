/*
 * Virtual memory. In CUDA it belongs to the process, not to a context, so access is granted to each
 * device of a PI context. CUDA maps physical memory only as a whole, and unmaps it or grants access
 * only for a whole mapping.
 */
#include "../objects/virtual_memory.h"

#include "context.h"

/* CUDA has these since 10.2, but a fake driver, or a library around the real one, may lack some. */
static bool has_functions(void) {
  return cu.MemGetAllocationGranularity && cu.MemAddressReserve && cu.MemAddressFree &&
         cu.MemCreate && cu.MemRelease && cu.MemMap && cu.MemUnmap && cu.MemSetAccess;
}

pi_result driver_device_maps_memory(pi_device device, bool *ret) {
  int value = 0;
  if (has_functions())
    CU_TRY(DeviceGetAttribute, &value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
           device->driver.ordinal);
  *ret = value != 0;
  return PI_SUCCESS;
}

static CUmemAllocationProp properties_of(pi_device device) {
  return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                               .location = cuda_location(device)};
}

pi_result driver_virtual_granularity(pi_device device, bool is_recommended, size_t *ret) {
  const CUmemAllocationProp properties = properties_of(device);
  CU_TRY(MemGetAllocationGranularity, ret, &properties,
         is_recommended ? CU_MEM_ALLOC_GRANULARITY_RECOMMENDED : CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  return PI_SUCCESS;
}

pi_result driver_virtual_reserve(pi_context context, const void *wish, size_t size, void **ret) {
  CUdeviceptr start = 0;
  TRY(cuda_enter(context));
  CU_TRY(MemAddressReserve, &start, size, 0, cu_pointer(wish), 0);
  *ret = (void *)(uintptr_t)start; // NOLINT(performance-no-int-to-ptr)
  return PI_SUCCESS;
}

pi_result driver_virtual_free(pi_context context, void *start, size_t size) {
  TRY(cuda_enter(context));
  CU_TRY(MemAddressFree, cu_pointer(start), size);
  return PI_SUCCESS;
}

pi_result driver_physical_create(physical_memory *memory) {
  const CUmemAllocationProp properties = properties_of(memory->device);
  TRY(cuda_enter_device(memory->context, memory->device));
  CU_TRY(MemCreate, &memory->driver.handle, memory->size, &properties, 0);
  return PI_SUCCESS;
}

void driver_physical_destroy(physical_memory *memory) {
  cu.MemRelease(memory->driver.handle);
}

pi_result driver_virtual_map(pi_context context, void *start, size_t size,
                             const physical_memory *memory, size_t offset, virtual_access access) {
  REQUIRE(offset == 0 && size == memory->size, PI_ERROR_UNSUPPORTED_FEATURE,
          "CUDA maps physical memory as a whole, all %zu bytes, not %zu from offset %zu on",
          memory->size, size, offset);
  TRY(cuda_enter(context));
  CU_TRY(MemMap, cu_pointer(start), size, offset, memory->driver.handle, 0);
  if (access == VIRTUAL_NO_ACCESS) /* CUDA's default after mapping */
    return PI_SUCCESS;
  const pi_result result = driver_virtual_set_access(context, start, size, access);
  if (result != PI_SUCCESS)
    cu.MemUnmap(cu_pointer(start), size);
  return result;
}

pi_result driver_virtual_unmap(pi_context context, void *start, size_t size) {
  TRY(cuda_enter(context));
  context_synchronize(context);
  CU_TRY(MemUnmap, cu_pointer(start), size);
  return PI_SUCCESS;
}

pi_result driver_virtual_set_access(pi_context context, void *start, size_t size,
                                    virtual_access access) {
  static const CUmemAccess_flags flags[] = {
      [VIRTUAL_NO_ACCESS] = CU_MEM_ACCESS_FLAGS_PROT_NONE,
      [VIRTUAL_READ_ONLY] = CU_MEM_ACCESS_FLAGS_PROT_READ,
      [VIRTUAL_READ_WRITE] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
  };
  pi_result result = PI_SUCCESS;
  pi_uint32 count = 0;
  TRY(cuda_enter(context));
  /* Succeeds if any device gets access: a device may be unable to access another one's memory. */
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    const CUmemAccessDesc description = {cuda_location(context->roots[i]), flags[access]};
    const pi_result one = CU_CALL(MemSetAccess, cu_pointer(start), size, &description, 1);
    count += one == PI_SUCCESS;
    if (result == PI_SUCCESS)
      result = one;
  }
  return count ? PI_SUCCESS : result;
}
