/* UR's entries for contexts. */
#include "../plugins/objects/context.h"

#include "handles.h"
#include "reply.h"

/*
 * Checks that no device of a list is NULL. The object functions check that the devices are alive.
 */
static ur_result_t check_devices(uint32_t count, const ur_device_handle_t *devices) {
  for (uint32_t i = 0; i < count; i++)
    UR_REQUIRE(devices[i], UR_RESULT_ERROR_INVALID_NULL_HANDLE, "phDevices[%u] is NULL", i);
  return UR_RESULT_SUCCESS;
}

ur_result_t urContextCreate(uint32_t DeviceCount, const ur_device_handle_t *phDevices,
                            const ur_context_properties_t *pProperties,
                            ur_context_handle_t *phContext) {
  UR_REQUIRE_POINTER(phDevices);
  UR_REQUIRE_POINTER(phContext);
  UR_REQUIRE(DeviceCount != 0, UR_RESULT_ERROR_INVALID_SIZE, "DeviceCount is 0");
  UR_PASS(check_devices(DeviceCount, phDevices));
  if (pProperties)
    UR_REQUIRE_FLAGS(pProperties->flags, UR_CONTEXT_FLAG_TBD);
  pi_context made;
  UR_TRY(context_create(DeviceCount, devices_of(phDevices), NULL, &made));
  *phContext = context_handle(made);
  return UR_RESULT_SUCCESS;
}

ur_result_t urContextRetain(ur_context_handle_t hContext) {
  UR_REQUIRE_CONTEXT(hContext);
  context_retain(context_of(hContext));
  return UR_RESULT_SUCCESS;
}

ur_result_t urContextRelease(ur_context_handle_t hContext) {
  UR_REQUIRE_CONTEXT(hContext);
  context_release(context_of(hContext));
  return UR_RESULT_SUCCESS;
}

ur_result_t urContextSetExtendedDeleter(ur_context_handle_t hContext,
                                        ur_context_extended_deleter_t pfnDeleter, void *pUserData) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pfnDeleter);
  return face_result(context_add_deleter(context_of(hContext), pfnDeleter, pUserData));
}

/* Converts an answer of PI, which is 8 bytes of bits or a pi_bool of 4 bytes. */
static ur_result_t reply_as_pi(pi_context context, pi_context_info query, bool is_flag,
                               const info_answer *answer) {
  pi_uint64 value = 0;
  UR_TRY(context_answer(context, query, &(info_answer){sizeof value, &value, NULL}));
  return is_flag ? reply_bool(answer, value != 0) : reply_uint32(answer, (uint32_t)value);
}

/*
 * X(query, PI's query, whether the answer is a flag). UR has one query for fills with any pattern
 * and fills with a byte; its answer holds for both.
 */
#define CONTEXT_QUERIES(X)                                                                         \
  X(NUM_DEVICES, CONTEXT_INFO_NUM_DEVICES, false)                                                  \
  X(REFERENCE_COUNT, CONTEXT_INFO_REFERENCE_COUNT, false)                                          \
  X(USM_MEMCPY2D_SUPPORT, EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT, true)                      \
  X(USM_FILL2D_SUPPORT, EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT, true)                          \
  X(ATOMIC_MEMORY_ORDER_CAPABILITIES, EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, false)    \
  X(ATOMIC_MEMORY_SCOPE_CAPABILITIES, EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, false)    \
  X(ATOMIC_FENCE_ORDER_CAPABILITIES, EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, false)      \
  X(ATOMIC_FENCE_SCOPE_CAPABILITIES, EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, false)

ur_result_t urContextGetInfo(ur_context_handle_t hContext, ur_context_info_t propName,
                             size_t propSize, void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_CONTEXT(hContext);
  UR_PASS(reply_check(&answer));
  const pi_context context = context_of(hContext);
  // NOLINTBEGIN(bugprone-branch-clone): rows of a list may have the same answer
  switch ((int)propName) {
#define QUERY_CASE(query, pi, is_flag)                                                             \
  case UR_CONTEXT_INFO_##query:                                                                    \
    return reply_as_pi(context, PI_##pi, is_flag, &answer);
    CONTEXT_QUERIES(QUERY_CASE)
#undef QUERY_CASE
  case UR_CONTEXT_INFO_DEVICES:
    return reply_bytes(&answer, context->devices,
                       context->device_count * sizeof context->devices[0]);
  }
  // NOLINTEND(bugprone-branch-clone)
  return reply_unknown("ur_context_info_t", propName);
}

/* The native handle is valid as long as the context. Takes no reference to the context. */
ur_result_t urContextGetNativeHandle(ur_context_handle_t hContext,
                                     ur_native_handle_t *phNativeContext) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(phNativeContext);
  return face_result(context_native(context_of(hContext), phNativeContext));
}

ur_result_t urContextCreateWithNativeHandle(ur_native_handle_t hNativeContext,
                                            ur_adapter_handle_t hAdapter, uint32_t numDevices,
                                            const ur_device_handle_t *phDevices,
                                            const ur_context_native_properties_t *pProperties,
                                            ur_context_handle_t *phContext) {
  UR_REQUIRE(hNativeContext, UR_RESULT_ERROR_INVALID_NULL_HANDLE, "hNativeContext is 0");
  UR_REQUIRE_ADAPTER(hAdapter);
  UR_REQUIRE_POINTER(phContext);
  UR_REQUIRE(numDevices == 0 || phDevices, UR_RESULT_ERROR_INVALID_NULL_POINTER,
             "phDevices is NULL and numDevices is %u", numDevices);
  UR_PASS(check_devices(numDevices, phDevices));
  UR_TRY(platforms_open());
  pi_context made;
  UR_TRY(context_adopt(hNativeContext, numDevices, devices_of(phDevices),
                       pProperties && pProperties->isNativeHandleOwned, &made));
  *phContext = context_handle(made);
  return UR_RESULT_SUCCESS;
}
