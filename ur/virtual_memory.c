/* UR's entries for virtual memory: addresses, physical memory and mappings. */
#include "../plugins/objects/virtual_memory.h"

#include "checks.h"
#include "handles.h"
#include "mem_flags.h"
#include "reply.h"
#include "table.h"

/* X(UR's flag, the objects' access): flags of access. Without any flag there is no access. */
#define ACCESS_FLAGS(X)                                                                            \
  X(NONE, VIRTUAL_NO_ACCESS)                                                                       \
  X(READ_WRITE, VIRTUAL_READ_WRITE)                                                                \
  X(READ_ONLY, VIRTUAL_READ_ONLY)

static ur_result_t read_access(ur_virtual_mem_access_flags_t flags, virtual_access *ret) {
  UR_REQUIRE_FLAGS(flags, FLAGS_UP_TO(UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY));
  UR_REQUIRE_ONE_ACCESS(flags, flags);
  *ret = VIRTUAL_NO_ACCESS;
#define ACCESS_FLAG(flag, access)                                                                  \
  if (flags == UR_VIRTUAL_MEM_ACCESS_FLAG_##flag)                                                  \
    *ret = access;
  ACCESS_FLAGS(ACCESS_FLAG)
#undef ACCESS_FLAG
  return UR_RESULT_SUCCESS;
}

static uint32_t access_flag(virtual_access access) {
#define ACCESS_FLAG(flag, value)                                                                   \
  if (access == (value))                                                                           \
    return UR_VIRTUAL_MEM_ACCESS_FLAG_##flag;
  ACCESS_FLAGS(ACCESS_FLAG)
#undef ACCESS_FLAG
  return 0;
}

/* UR's result. UR has a separate code for sizes that are not multiples of the granularity. */
static ur_result_t memory_result(pi_result result) {
  return result == PI_ERROR_INVALID_BUFFER_SIZE ? UR_RESULT_ERROR_INVALID_SIZE
                                                : face_result(result);
}

/* ---- Physical memory ---- */

/*
 * Ignores the flag for sharing memory with other processes. The entry that makes a handle for them
 * reports that this is not supported.
 */
ur_result_t urPhysicalMemCreate(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                size_t size, const ur_physical_mem_properties_t *pProperties,
                                ur_physical_mem_handle_t *phPhysicalMem) {
  const ur_physical_mem_flags_t flags = pProperties ? pProperties->flags : 0;
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  UR_REQUIRE_POINTER(phPhysicalMem);
  UR_REQUIRE_FLAGS(flags, FLAGS_UP_TO(UR_PHYSICAL_MEM_FLAG_ENABLE_IPC));
  physical_memory *made;
  UR_PASS(memory_result(
      physical_memory_create(context_of(hContext), device_of(hDevice), size, flags, &made)));
  *phPhysicalMem = physical_mem_handle(made);
  return UR_RESULT_SUCCESS;
}

ur_result_t urPhysicalMemRetain(ur_physical_mem_handle_t hPhysicalMem) {
  UR_REQUIRE_PHYSICAL_MEM(hPhysicalMem);
  physical_memory_retain(physical_mem_of(hPhysicalMem));
  return UR_RESULT_SUCCESS;
}

ur_result_t urPhysicalMemRelease(ur_physical_mem_handle_t hPhysicalMem) {
  UR_REQUIRE_PHYSICAL_MEM(hPhysicalMem);
  physical_memory_release(physical_mem_of(hPhysicalMem));
  return UR_RESULT_SUCCESS;
}

/* Answers with the properties. Releases have different numbers for the structure's type. */
static ur_result_t reply_properties(const info_answer *answer, const physical_memory *memory) {
  const ur_physical_mem_properties_t properties = {
      .stype = table_release() < UR_RELEASE_2025_3
                   ? UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES_2025_0
                   : UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES,
      .flags = memory->flags};
  return reply_bytes(answer, &properties, sizeof properties);
}

ur_result_t urPhysicalMemGetInfo(ur_physical_mem_handle_t hPhysicalMem,
                                 ur_physical_mem_info_t propName, size_t propSize, void *pPropValue,
                                 size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_PHYSICAL_MEM(hPhysicalMem);
  UR_PASS(reply_check(&answer));
  const physical_memory *memory = physical_mem_of(hPhysicalMem);
  switch ((int)propName) {
  case UR_PHYSICAL_MEM_INFO_CONTEXT:
    return reply_handle(&answer, memory->context);
  case UR_PHYSICAL_MEM_INFO_DEVICE:
    return reply_handle(&answer, memory->device);
  case UR_PHYSICAL_MEM_INFO_SIZE:
    return reply_size(&answer, memory->size);
  case UR_PHYSICAL_MEM_INFO_PROPERTIES:
    return reply_properties(&answer, memory);
  case UR_PHYSICAL_MEM_INFO_REFERENCE_COUNT:
    return reply_uint32(&answer, object_references(&memory->handle));
  }
  return reply_unknown("ur_physical_mem_info_t", propName);
}

/* ---- Addresses ---- */

/* Answers with the granularity for a device; NULL: for all devices of the context. */
static ur_result_t reply_granularity(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                     ur_virtual_mem_granularity_info_t query,
                                     const info_answer *answer) {
  size_t unit = 0;
  UR_REQUIRE_CONTEXT(hContext);
  if (hDevice)
    UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  UR_PASS(reply_check(answer));
  if (query != UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM &&
      query != UR_VIRTUAL_MEM_GRANULARITY_INFO_RECOMMENDED)
    return reply_unknown("ur_virtual_mem_granularity_info_t", query);
  UR_TRY(virtual_granularity(context_of(hContext), device_of(hDevice),
                             query == UR_VIRTUAL_MEM_GRANULARITY_INFO_RECOMMENDED, &unit));
  return reply_size(answer, unit);
}

ur_result_t urVirtualMemGranularityGetInfo_2025_0(ur_context_handle_t hContext,
                                                  ur_device_handle_t hDevice,
                                                  ur_virtual_mem_granularity_info_t propName,
                                                  size_t propSize, void *pPropValue,
                                                  size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  return reply_granularity(hContext, hDevice, propName, &answer);
}

/* Ignores the size, because the granularity is the same for all sizes. */
ur_result_t urVirtualMemGranularityGetInfo(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                           size_t allocationSize,
                                           ur_virtual_mem_granularity_info_t propName,
                                           size_t propSize, void *pPropValue,
                                           size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  (void)allocationSize;
  return reply_granularity(hContext, hDevice, propName, &answer);
}

ur_result_t urVirtualMemReserve(ur_context_handle_t hContext, const void *pStart, size_t size,
                                void **ppStart) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(ppStart);
  return memory_result(virtual_reserve(context_of(hContext), pStart, size, ppStart));
}

ur_result_t urVirtualMemFree(ur_context_handle_t hContext, const void *pStart, size_t size) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pStart);
  return memory_result(virtual_free(context_of(hContext), pStart, size));
}

/* ---- Mappings ---- */

ur_result_t urVirtualMemMap(ur_context_handle_t hContext, const void *pStart, size_t size,
                            ur_physical_mem_handle_t hPhysicalMem, size_t offset,
                            ur_virtual_mem_access_flags_t flags) {
  virtual_access access;
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pStart);
  UR_REQUIRE_PHYSICAL_MEM(hPhysicalMem);
  UR_PASS(read_access(flags, &access));
  return memory_result(virtual_map(context_of(hContext), pStart, size,
                                   physical_mem_of(hPhysicalMem), offset, access));
}

ur_result_t urVirtualMemUnmap(ur_context_handle_t hContext, const void *pStart, size_t size) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pStart);
  return memory_result(virtual_unmap(context_of(hContext), pStart, size));
}

ur_result_t urVirtualMemSetAccess(ur_context_handle_t hContext, const void *pStart, size_t size,
                                  ur_virtual_mem_access_flags_t flags) {
  virtual_access access;
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pStart);
  UR_PASS(read_access(flags, &access));
  return memory_result(virtual_set_access(context_of(hContext), pStart, size, access));
}

ur_result_t urVirtualMemGetInfo(ur_context_handle_t hContext, const void *pStart, size_t size,
                                ur_virtual_mem_info_t propName, size_t propSize, void *pPropValue,
                                size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  virtual_access access;
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pStart);
  UR_PASS(reply_check(&answer));
  if (propName != UR_VIRTUAL_MEM_INFO_ACCESS_MODE)
    return reply_unknown("ur_virtual_mem_info_t", propName);
  UR_PASS(memory_result(virtual_get_access(context_of(hContext), pStart, size, &access)));
  return reply_uint32(&answer, access_flag(access));
}
