/* Unified shared memory of the three kinds. */
#include "usm.h"

#include "../objects/driver.h"
#include "blocks.h"
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

size_t usm_largest(pi_context context, pi_device device) {
  uint64_t limit = device ? device->driver.properties.maxMemAllocSize : UINT64_MAX;
  for (pi_uint32 i = 0; !device && i < context->root_count; i++)
    if (context->roots[i]->driver.properties.maxMemAllocSize < limit)
      limit = context->roots[i]->driver.properties.maxMemAllocSize;
  return limit;
}

static relaxed_limit limit_for(const usm_request *request) {
  const pi_context context = request->context;
  return (relaxed_limit){
      .description = {.stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
                      .flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE},
      .is_used = request->size > usm_largest(context, request->device) &&
                 platform_has_extension(context->platform, ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME),
  };
}

/* The flags that change an allocation: initial placement is only for shared memory. */
static unsigned flags_of(const usm_request *request) {
  const unsigned combined = PI_MEM_ALLOC_WRTITE_COMBINED;
  return request->flags &
         (request->type == PI_MEM_TYPE_DEVICE ? 0
          : request->type == PI_MEM_TYPE_HOST ? combined
                                              : combined | PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE |
                                                    PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST);
}

bool usm_has_flags(const usm_request *request) {
  return flags_of(request) != 0;
}

static ze_device_mem_alloc_desc_t device_description(const usm_request *request,
                                                     const relaxed_limit *limit) {
  return (ze_device_mem_alloc_desc_t){
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
      .pNext = limit->is_used ? &limit->description : NULL,
      .flags = flags_of(request) & PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE
                   ? (ze_device_mem_alloc_flags_t)ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT
                   : 0,
  };
}

static ze_host_mem_alloc_desc_t host_description(const usm_request *request,
                                                 const relaxed_limit *limit) {
  const unsigned flags = flags_of(request);
  ze_host_mem_alloc_flags_t bias = 0;
  if (flags & PI_MEM_ALLOC_WRTITE_COMBINED)
    bias |= ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED;
  if (flags & PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST)
    bias |= ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
  return (ze_host_mem_alloc_desc_t){
      .stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC,
      .pNext = request->type == PI_MEM_TYPE_HOST && limit->is_used ? &limit->description : NULL,
      .flags = bias,
  };
}

/* Calls the driver once; *call is the function's name. */
static ze_result_t take_memory(const usm_request *request, const char **call, void **ret) {
  const relaxed_limit limit = limit_for(request);
  const ze_device_mem_alloc_desc_t on_device = device_description(request, &limit);
  const ze_host_mem_alloc_desc_t on_host = host_description(request, &limit);
  const ze_context_handle_t context = request->context->driver.context;
  const ze_device_handle_t device = request->device ? request->device->driver.device : NULL;
  switch (request->type) {
  case PI_MEM_TYPE_HOST:
    *call = "zeMemAllocHost";
    return ze.MemAllocHost(context, &on_host, request->size, request->alignment, ret);
  case PI_MEM_TYPE_SHARED:
    *call = "zeMemAllocShared";
    return ze.MemAllocShared(context, &on_device, &on_host, request->size, request->alignment,
                             device, ret);
  default:
    *call = "zeMemAllocDevice";
    return ze.MemAllocDevice(context, &on_device, request->size, request->alignment, device, ret);
  }
}

static bool is_shortage(ze_result_t code) {
  return code == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY || code == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* Makes memory of one device resident on the context's other root devices, if they can reach it. */
static pi_result open_to_peers(const usm_request *request, void *pointer) {
  const pi_context context = request->context;
  if (request->type != PI_MEM_TYPE_DEVICE || !context->driver.shares_device_memory)
    return PI_SUCCESS;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    if (context->roots[i] != request->device->root)
      ZE_TRY(ContextMakeMemoryResident, context->driver.context, context->roots[i]->driver.device,
             pointer, request->size);
  return PI_SUCCESS;
}

pi_result usm_take(const usm_request *request, void **ret) {
  const char *call;
  void *pointer = NULL;
  ze_result_t code = take_memory(request, &call, &pointer);
  while (is_shortage(code) && blocks_trim(request->context))
    code = take_memory(request, &call, &pointer);
  if (code != ZE_RESULT_SUCCESS) {
    char text[80];
    snprintf(text, sizeof text, "%s of %zu bytes", call, request->size);
    return ze_result(code, text);
  }
  const pi_result result = open_to_peers(request, pointer);
  if (result != PI_SUCCESS) {
    ze.MemFree(request->context->driver.context, pointer);
    return result;
  }
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
  const usm_request request = {context, device, type, flags, size, alignment};
  return blocks_allocate(&request, ret);
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

/* The driver knows all allocations but the idle blocks of pools, for which it knows the size of the
 * block, not the one that the application asked for. */
pi_result driver_usm_describe(pi_context context, const void *pointer, usm_range *ret) {
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES, .type = ZE_MEMORY_TYPE_UNKNOWN};
  ze_device_handle_t device = NULL;
  if (!pointer) {
    *ret = (usm_range){.type = PI_MEM_TYPE_UNKNOWN};
    return PI_SUCCESS;
  }
  if (blocks_describe(context, (uintptr_t)pointer, ret))
    return PI_SUCCESS;
  ZE_TRY(MemGetAllocProperties, context->driver.context, pointer, &properties, &device);
  usm_range range = {.type = type_of(properties.type)};
  if (range.type != PI_MEM_TYPE_UNKNOWN) {
    void *base = NULL;
    ZE_TRY(MemGetAddressRange, context->driver.context, pointer, &base, &range.size);
    if (blocks_describe(context, (uintptr_t)base, ret))
      return PI_SUCCESS;
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

/* Waits for all queues before zeMemFree, which does not wait for commands that use the memory. */
pi_result driver_usm_free(pi_context context, pi_usm_type type, void *pointer) {
  (void)type;
  usm_range range;
  if (blocks_free(context, pointer, false))
    return PI_SUCCESS;
  REQUIRE(!blocks_describe(context, (uintptr_t)pointer, &range), PI_ERROR_INVALID_VALUE,
          "ptr is no USM allocation of the context: another thread has freed it");
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
