/* UR's entries for unified shared memory (USM). Commands on it are in enqueue_usm.c. */
#include "../plugins/objects/usm.h"

#include "../plugins/objects/usm_command.h"
#include "../plugins/objects/usm_pool.h"
#include "chain.h"
#include "checks.h"
#include "handles.h"
#include "reply.h"

/* X(kind of UR's flags, UR's flag, PI's): each flag of UR has an equivalent in PI. */
#define ALLOCATION_FLAGS(X)                                                                        \
  X(device, UR_USM_DEVICE_MEM_FLAG_WRITE_COMBINED, PI_MEM_ALLOC_WRTITE_COMBINED)                   \
  X(device, UR_USM_DEVICE_MEM_FLAG_INITIAL_PLACEMENT, PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE)       \
  X(device, UR_USM_DEVICE_MEM_FLAG_DEVICE_READ_ONLY, PI_MEM_ALLOC_DEVICE_READ_ONLY)                \
  X(host, UR_USM_HOST_MEM_FLAG_INITIAL_PLACEMENT, PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST)

/* The requests of a description and its chain, in the form of PI's list of properties. */
typedef struct usm_wish {
  pi_usm_mem_properties list[5];
  pi_uint32 alignment;
} usm_wish;

static ur_result_t read_chain(const void *chain, usm_wish *ret) {
  const ur_usm_device_desc_t *device = chain_find(chain, UR_STRUCTURE_TYPE_USM_DEVICE_DESC);
  const ur_usm_host_desc_t *host = chain_find(chain, UR_STRUCTURE_TYPE_USM_HOST_DESC);
  const ur_usm_alloc_location_desc_t *location =
      chain_find(chain, UR_STRUCTURE_TYPE_USM_ALLOC_LOCATION_DESC);
  uint32_t device_flags = device ? device->flags : 0, host_flags = host ? host->flags : 0;
  pi_usm_mem_properties flags = 0;
#define ALLOCATION_FLAG(kind, ur, pi)                                                              \
  flags |= kind##_flags & (ur) ? (pi) : 0;                                                         \
  kind##_flags &= ~(uint32_t)(ur);
  ALLOCATION_FLAGS(ALLOCATION_FLAG)
#undef ALLOCATION_FLAG
  UR_REQUIRE(!device_flags && !host_flags, UR_RESULT_ERROR_INVALID_ENUMERATION,
             "flags of the %s have bits without a meaning: 0x%x", device_flags ? "device" : "host",
             device_flags ? device_flags : host_flags);
  pi_usm_mem_properties *next = ret->list;
  if (flags) {
    *next++ = PI_MEM_ALLOC_FLAGS;
    *next++ = flags;
  }
  if (location) {
    *next++ = PI_MEM_USM_ALLOC_BUFFER_LOCATION;
    *next++ = location->location;
  }
  *next = 0;
  return UR_RESULT_SUCCESS;
}

/* Reads a description. Its hints are only checked: they are advice that changes no result. */
static ur_result_t read_desc(const ur_usm_desc_t *desc, usm_wish *ret) {
  *ret = (usm_wish){{0}, 0};
  if (!desc)
    return UR_RESULT_SUCCESS;
  UR_REQUIRE_FLAGS(desc->hints, FLAGS_UP_TO(UR_USM_ADVICE_FLAG_CLEAR_NON_COHERENT_MEMORY));
  ret->alignment = desc->align;
  return read_chain(desc->pNext, ret);
}

/* UR's result of an allocation. UR has a separate code for wrong sizes of USM. */
static ur_result_t allocation_result(pi_result result) {
  return result == PI_ERROR_INVALID_BUFFER_SIZE ? UR_RESULT_ERROR_INVALID_USM_SIZE
                                                : face_result(result);
}

/* hDevice is NULL or was checked by the caller. */
static ur_result_t allocate_usm(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                pi_usm_type type, const ur_usm_desc_t *desc,
                                ur_usm_pool_handle_t pool, size_t size, void **ret) {
  usm_wish wish;
  UR_REQUIRE_POINTER(ret);
  UR_PASS(read_desc(desc, &wish));
  if (!pool)
    return allocation_result(usm_allocate(context_of(hContext), device_of(hDevice), type, wish.list,
                                          size, wish.alignment, ret));
  UR_REQUIRE_USM_POOL(pool);
  return allocation_result(usm_pool_allocate(usm_pool_of(pool), context_of(hContext),
                                             device_of(hDevice), type, wish.list, size,
                                             wish.alignment, ret));
}

ur_result_t urUSMHostAlloc(ur_context_handle_t hContext, const ur_usm_desc_t *pUSMDesc,
                           ur_usm_pool_handle_t pool, size_t size, void **ppMem) {
  UR_REQUIRE_CONTEXT(hContext);
  return allocate_usm(hContext, NULL, PI_MEM_TYPE_HOST, pUSMDesc, pool, size, ppMem);
}

ur_result_t urUSMDeviceAlloc(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                             const ur_usm_desc_t *pUSMDesc, ur_usm_pool_handle_t pool, size_t size,
                             void **ppMem) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  return allocate_usm(hContext, hDevice, PI_MEM_TYPE_DEVICE, pUSMDesc, pool, size, ppMem);
}

/* hDevice may be NULL: the memory then belongs to no particular device. */
ur_result_t urUSMSharedAlloc(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                             const ur_usm_desc_t *pUSMDesc, ur_usm_pool_handle_t pool, size_t size,
                             void **ppMem) {
  UR_REQUIRE_CONTEXT(hContext);
  if (hDevice)
    UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  return allocate_usm(hContext, hDevice, PI_MEM_TYPE_SHARED, pUSMDesc, pool, size, ppMem);
}

/* Ignores the pool: the driver allocates the rows, because it chooses the pitch. */
ur_result_t urUSMPitchedAllocExp(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                 const ur_usm_desc_t *pUSMDesc, ur_usm_pool_handle_t pool,
                                 size_t widthInBytes, size_t height, size_t elementSizeBytes,
                                 void **ppMem, size_t *pResultPitch) {
  usm_wish wish;
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  UR_REQUIRE_POINTER(ppMem);
  UR_REQUIRE_POINTER(pResultPitch);
  UR_REQUIRE(!pool, UR_RESULT_ERROR_UNSUPPORTED_FEATURE, "pools have no memory in rows");
  UR_REQUIRE(elementSizeBytes <= UINT32_MAX, UR_RESULT_ERROR_INVALID_VALUE,
             "elementSizeBytes is %zu", elementSizeBytes);
  UR_PASS(read_desc(pUSMDesc, &wish));
  return allocation_result(usm_allocate_rows(context_of(hContext), device_of(hDevice), wish.list,
                                             widthInBytes, height, (unsigned)elementSizeBytes,
                                             ppMem, pResultPitch));
}

ur_result_t urUSMFree(ur_context_handle_t hContext, void *pMem) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pMem);
  return face_result(usm_pool_free(context_of(hContext), pMem));
}

/* UR's kinds of memory are PI's, but counted from 0. */
ur_result_t urUSMGetMemAllocInfo(ur_context_handle_t hContext, const void *pMem,
                                 ur_usm_alloc_info_t propName, size_t propSize, void *pPropValue,
                                 size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pMem);
  UR_PASS(reply_check(&answer));
  usm_range range;
  UR_TRY(usm_describe(context_of(hContext), pMem, &range));
  switch ((int)propName) {
  case UR_USM_ALLOC_INFO_TYPE:
    return reply_uint32(&answer, (uint32_t)range.type - PI_MEM_TYPE_UNKNOWN);
  case UR_USM_ALLOC_INFO_BASE_PTR:
    return reply_size(&answer, range.base);
  case UR_USM_ALLOC_INFO_SIZE:
    return reply_size(&answer, range.size);
  case UR_USM_ALLOC_INFO_DEVICE:
    return reply_handle(&answer, range.device);
  case UR_USM_ALLOC_INFO_POOL:
    return reply_handle(&answer, usm_pool_find(context_of(hContext), range.base));
  }
  return reply_unknown("ur_usm_alloc_info_t", propName);
}

ur_result_t urUSMImportExp(ur_context_handle_t hContext, void *pMem, size_t size) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pMem);
  return face_result(usm_import(context_of(hContext), pMem, size));
}

ur_result_t urUSMReleaseExp(ur_context_handle_t hContext, void *pMem) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pMem);
  return face_result(usm_release(context_of(hContext), pMem));
}

ur_result_t urUSMContextMemcpyExp(ur_context_handle_t hContext, void *pDst, const void *pSrc,
                                  size_t size) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pDst);
  UR_REQUIRE_POINTER(pSrc);
  return face_result(usm_copy_now(context_of(hContext), pDst, pSrc, size));
}
