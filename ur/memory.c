/* UR's entries for buffers and for all memory objects. Commands are in enqueue_buffer.c. */
#include "../plugins/objects/memory.h"

#include "../plugins/checks/arguments.h"
#include "../plugins/objects/driver.h"
#include "chain.h"
#include "checks.h"
#include "handles.h"
#include "mem_flags.h"
#include "reply.h"

/*
 * Refuses structures that choose channels or a location, because buffers have one kind of memory.
 */
static ur_result_t check_chain(const ur_buffer_properties_t *properties) {
  const void *chain = properties ? properties->pNext : NULL;
  UR_REQUIRE(!chain_find(chain, UR_STRUCTURE_TYPE_BUFFER_CHANNEL_PROPERTIES),
             UR_RESULT_ERROR_UNSUPPORTED_FEATURE, "%s has no channels for a buffer", driver_name);
  UR_REQUIRE(!chain_find(chain, UR_STRUCTURE_TYPE_BUFFER_ALLOC_LOCATION_PROPERTIES),
             UR_RESULT_ERROR_UNSUPPORTED_FEATURE, "%s has one location for buffers", driver_name);
  return UR_RESULT_SUCCESS;
}

ur_result_t urMemBufferCreate(ur_context_handle_t hContext, ur_mem_flags_t flags, size_t size,
                              const ur_buffer_properties_t *pProperties,
                              ur_mem_handle_t *phBuffer) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(phBuffer);
  void *const host = pProperties ? pProperties->pHost : NULL;
  pi_mem_flags read;
  UR_PASS(mem_flags_read(flags, &read));
  UR_TRY(check_mem_flags(read, host));
  UR_PASS(check_chain(pProperties));
  pi_mem made;
  UR_TRY(memory_create_buffer(context_of(hContext), read, size, host, &made));
  *phBuffer = mem_handle(made);
  return UR_RESULT_SUCCESS;
}

ur_result_t urMemBufferPartition(ur_mem_handle_t hBuffer, ur_mem_flags_t flags,
                                 ur_buffer_create_type_t bufferCreateType,
                                 const ur_buffer_region_t *pRegion, ur_mem_handle_t *phMem) {
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pRegion);
  UR_REQUIRE_POINTER(phMem);
  UR_REQUIRE(bufferCreateType == UR_BUFFER_CREATE_TYPE_REGION, UR_RESULT_ERROR_INVALID_ENUMERATION,
             "bufferCreateType is 0x%x, not UR_BUFFER_CREATE_TYPE_REGION", bufferCreateType);
  pi_mem_flags read;
  UR_PASS(mem_flags_read(flags, &read));
  UR_TRY(check_sub_buffer(read, PI_BUFFER_CREATE_TYPE_REGION));
  const pi_buffer_region_struct region = {pRegion->origin, pRegion->size};
  const size_t whole = mem_of(hBuffer)->size;
  UR_REQUIRE(region.origin <= whole && region.size <= whole - region.origin,
             UR_RESULT_ERROR_INVALID_BUFFER_SIZE,
             "%zu bytes from %zu on are not all inside of a buffer of %zu", region.size,
             region.origin, whole);
  pi_mem made;
  UR_TRY(memory_create_part(mem_of(hBuffer), read, &region, &made));
  *phMem = mem_handle(made);
  return UR_RESULT_SUCCESS;
}

ur_result_t urMemGetInfo(ur_mem_handle_t hMemory, ur_mem_info_t propName, size_t propSize,
                         void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_MEM(hMemory);
  UR_PASS(reply_check(&answer));
  const pi_mem mem = mem_of(hMemory);
  switch ((int)propName) {
  case UR_MEM_INFO_SIZE:
    return reply_size(&answer, mem->size);
  case UR_MEM_INFO_CONTEXT:
    return reply_handle(&answer, mem->context);
  case UR_MEM_INFO_REFERENCE_COUNT:
    return reply_uint32(&answer, object_references(&mem->handle));
  }
  return reply_unknown("ur_mem_info_t", propName);
}

ur_result_t urMemRetain(ur_mem_handle_t hMem) {
  UR_REQUIRE_MEM(hMem);
  memory_retain(mem_of(hMem));
  return UR_RESULT_SUCCESS;
}

ur_result_t urMemRelease(ur_mem_handle_t hMem) {
  UR_REQUIRE_MEM(hMem);
  memory_release(mem_of(hMem));
  return UR_RESULT_SUCCESS;
}

/* hDevice may be NULL, because a buffer has one allocation for all devices of its context. */
ur_result_t urMemGetNativeHandle(ur_mem_handle_t hMem, ur_device_handle_t hDevice,
                                 ur_native_handle_t *phNativeMem) {
  UR_REQUIRE_MEM(hMem);
  UR_REQUIRE_POINTER(phNativeMem);
  if (hDevice)
    UR_REQUIRE_DEVICE_OF(mem_of(hMem)->context, hDevice);
  return face_result(memory_native(mem_of(hMem), phNativeMem));
}

ur_result_t urMemBufferCreateWithNativeHandle(ur_native_handle_t hNativeMem,
                                              ur_context_handle_t hContext,
                                              const ur_mem_native_properties_t *pProperties,
                                              ur_mem_handle_t *phMem) {
  UR_REQUIRE(hNativeMem, UR_RESULT_ERROR_INVALID_NULL_HANDLE, "hNativeMem is 0");
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(phMem);
  pi_mem made;
  UR_TRY(memory_adopt(context_of(hContext), hNativeMem,
                      pProperties && pProperties->isNativeHandleOwned, &made));
  *phMem = mem_handle(made);
  return UR_RESULT_SUCCESS;
}
