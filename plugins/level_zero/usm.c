/*
 * Unified shared memory of the three kinds. The plugin keeps no list of allocations, because the
 * driver knows each pointer.
 */
#include "usm.h"

#include "../objects/driver.h"
#include "checks.h"
#include "newer.h"
#include "queue.h"

#include <stdio.h>

/*
 * Descriptor for an allocation above a device's usual limit. Drivers with the extension refuse the
 * size without it.
 */
typedef struct relaxed_limit {
  ze_relaxed_allocation_limits_exp_desc_t description;
  bool is_used;
} relaxed_limit;

static relaxed_limit limit_for(pi_context context, pi_device device, size_t size) {
  uint64_t limit = device ? device->driver.properties.maxMemAllocSize : UINT64_MAX;
  for (pi_uint32 i = 0; !device && i < context->root_count; i++)
    if (context->roots[i]->driver.properties.maxMemAllocSize < limit)
      limit = context->roots[i]->driver.properties.maxMemAllocSize;
  return (relaxed_limit){
      .description = {.stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
                      .flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE},
      .is_used = size > limit &&
                 platform_has_extension(context->platform, ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME),
  };
}

/* Returns the PI result of a driver's allocation of size bytes. */
static pi_result allocated(ze_result_t code, const char *call, size_t size) {
  if (code == ZE_RESULT_SUCCESS)
    return PI_SUCCESS;
  char text[80];
  snprintf(text, sizeof text, "%s of %zu bytes", call, size);
  return ze_result(code, text);
}

static ze_device_mem_alloc_desc_t device_description(unsigned flags, const relaxed_limit *limit) {
  return (ze_device_mem_alloc_desc_t){
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
      .pNext = limit->is_used ? &limit->description : NULL,
      .flags = flags & PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE
                   ? (ze_device_mem_alloc_flags_t)ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT
                   : 0,
  };
}

static ze_host_mem_alloc_desc_t host_description(unsigned flags, const relaxed_limit *limit) {
  ze_host_mem_alloc_flags_t bias = 0;
  if (flags & PI_MEM_ALLOC_WRTITE_COMBINED)
    bias |= ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED;
  if (flags & PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST)
    bias |= ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
  return (ze_host_mem_alloc_desc_t){
      .stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC,
      .pNext = limit && limit->is_used ? &limit->description : NULL,
      .flags = bias,
  };
}

static pi_result alloc_host(pi_context context, unsigned flags, size_t size, pi_uint32 alignment,
                            void **ret) {
  const relaxed_limit limit = limit_for(context, NULL, size);
  /* Initial placement is only for shared memory. */
  const ze_host_mem_alloc_desc_t description =
      host_description(flags & PI_MEM_ALLOC_WRTITE_COMBINED, &limit);
  void *pointer = NULL;
  TRY(allocated(ze.MemAllocHost(context->driver.context, &description, size, alignment, &pointer),
                "zeMemAllocHost", size));
  *ret = pointer;
  return PI_SUCCESS;
}

pi_result usm_alloc_host(pi_context context, size_t size, void **ret) {
  return alloc_host(context, 0, size, 0, ret);
}

void usm_free_host(pi_context context, void *memory) {
  if (memory)
    ze.MemFree(context->driver.context, memory);
}

/* Makes memory of one device resident on the context's other root devices, if they can reach it. */
static pi_result open_to_peers(pi_context context, pi_device device, void *pointer, size_t size) {
  for (pi_uint32 i = 0; context->driver.shares_device_memory && i < context->root_count; i++)
    if (context->roots[i] != device->root)
      ZE_TRY(ContextMakeMemoryResident, context->driver.context, context->roots[i]->driver.device,
             pointer, size);
  return PI_SUCCESS;
}

pi_result usm_alloc_device(pi_context context, pi_device device, unsigned flags, size_t size,
                           pi_uint32 alignment, void **ret) {
  const relaxed_limit limit = limit_for(context, device, size);
  const ze_device_mem_alloc_desc_t description =
      device_description(flags & ~(unsigned)PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE, &limit);
  void *pointer = NULL;
  TRY(allocated(ze.MemAllocDevice(context->driver.context, &description, size, alignment,
                                  device->driver.device, &pointer),
                "zeMemAllocDevice", size));
  const pi_result result = open_to_peers(context, device, pointer, size);
  if (result != PI_SUCCESS) {
    ze.MemFree(context->driver.context, pointer);
    return result;
  }
  *ret = pointer;
  return PI_SUCCESS;
}

static pi_result alloc_shared(pi_context context, pi_device device, unsigned flags, size_t size,
                              pi_uint32 alignment, void **ret) {
  const relaxed_limit limit = limit_for(context, device, size);
  const ze_device_mem_alloc_desc_t on_device = device_description(flags, &limit);
  const ze_host_mem_alloc_desc_t on_host = host_description(flags, NULL);
  void *pointer = NULL;
  TRY(allocated(ze.MemAllocShared(context->driver.context, &on_device, &on_host, size, alignment,
                                  device ? device->driver.device : NULL, &pointer),
                "zeMemAllocShared", size));
  *ret = pointer;
  return PI_SUCCESS;
}

/*
 * Accepts DEVICE_READ_ONLY and ignores it: Level Zero has no such flag, and the application's
 * promise does not change a program's results.
 */
pi_result driver_usm_allocate(pi_context context, pi_device device, pi_usm_type type,
                              pi_native_handle pool, unsigned flags, size_t size,
                              pi_uint32 alignment, void **ret) {
  (void)pool;
  return type == PI_MEM_TYPE_HOST ? alloc_host(context, flags, size, alignment, ret)
         : type == PI_MEM_TYPE_SHARED
             ? alloc_shared(context, device, flags, size, alignment, ret)
             : usm_alloc_device(context, device, flags, size, alignment, ret);
}

static pi_usm_type type_of(ze_memory_type_t type) {
  switch (type) {
  case ZE_MEMORY_TYPE_HOST:
    return PI_MEM_TYPE_HOST;
  case ZE_MEMORY_TYPE_DEVICE:
    return PI_MEM_TYPE_DEVICE;
  case ZE_MEMORY_TYPE_SHARED:
    return PI_MEM_TYPE_SHARED;
  default:
    return PI_MEM_TYPE_UNKNOWN;
  }
}

pi_result driver_usm_describe(pi_context context, const void *pointer, usm_range *ret) {
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES, .type = ZE_MEMORY_TYPE_UNKNOWN};
  ze_device_handle_t device = NULL;
  if (!pointer) {
    *ret = (usm_range){.type = PI_MEM_TYPE_UNKNOWN};
    return PI_SUCCESS;
  }
  ZE_TRY(MemGetAllocProperties, context->driver.context, pointer, &properties, &device);
  usm_range range = {.type = type_of(properties.type)};
  if (range.type != PI_MEM_TYPE_UNKNOWN) {
    void *base = NULL;
    ZE_TRY(MemGetAddressRange, context->driver.context, pointer, &base, &range.size);
    range.base = (uintptr_t)base;
    range.device =
        range.type == PI_MEM_TYPE_HOST || !device ? NULL : device_find((pi_native_handle)device);
  }
  *ret = range;
  return PI_SUCCESS;
}

pi_result driver_usm_reaches_pages(pi_device device, bool *ret) {
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  ZE_TRY(DeviceGetMemoryAccessProperties, device->driver.device, &access);
  *ret = (access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW) != 0;
  return PI_SUCCESS;
}

/* Waits for all queues first, because zeMemFree does not wait for commands that use the memory. */
pi_result driver_usm_free(pi_context context, pi_usm_type type, void *pointer) {
  (void)type;
  (void)queue_finish_all(context);
  ZE_TRY(MemFree, context->driver.context, pointer);
  return PI_SUCCESS;
}

/* ---- Imported memory of the application ---- */

pi_result driver_usm_require_import(pi_context context) {
  const level_zero_extensions *extensions = &context->platform->driver.extensions;
  if (!extensions->ImportExternalPointer || !extensions->ReleaseImportedPointer)
    return LEVEL_ZERO_UNSUPPORTED(
        "the driver has no zexDriverImportExternalPointer, by which memory is imported");
  return PI_SUCCESS;
}

static ze_driver_handle_t driver_of(pi_context context) {
  return newer_handle(NEWER_HANDLE_DRIVER, context->platform->driver.driver);
}

pi_result driver_usm_import(pi_context context, void *pointer, size_t size) {
  return ze_result(
      context->platform->driver.extensions.ImportExternalPointer(driver_of(context), pointer, size),
      "zexDriverImportExternalPointer");
}

pi_result driver_usm_release(pi_context context, void *pointer) {
  return ze_result(
      context->platform->driver.extensions.ReleaseImportedPointer(driver_of(context), pointer),
      "zexDriverReleaseImportedPointer");
}
