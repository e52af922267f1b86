/* UR's entries for queues. */
#include "../plugins/objects/queue.h"

#include "../plugins/objects/context.h"
#include "chain.h"
#include "checks.h"
#include "handles.h"
#include "reply.h"

/*
 * Converts flags to PI's, which are the same bits. The flag for events that use less power is a
 * hint and is ignored. Flags for CUDA's default stream are refused, because that stream belongs to
 * other users of CUDA in the process.
 */
static ur_result_t read_flags(ur_queue_flags_t flags, pi_queue_properties *ret) {
  const ur_queue_flags_t hints = UR_QUEUE_FLAG_LOW_POWER_EVENTS_SUPPORT_EXP;
  const ur_queue_flags_t streams =
      UR_QUEUE_FLAG_USE_DEFAULT_STREAM | UR_QUEUE_FLAG_SYNC_WITH_DEFAULT_STREAM;
  UR_REQUIRE_FLAGS(flags, FLAGS_UP_TO(UR_QUEUE_FLAG_LOW_POWER_EVENTS_SUPPORT_EXP));
  UR_REQUIRE(!(flags & streams), UR_RESULT_ERROR_INVALID_QUEUE_PROPERTIES,
             "flags is 0x%x, but queues have nothing to do with the default stream", flags);
  *ret = flags & ~hints;
  return UR_RESULT_SUCCESS;
}

/* Reads the flags and the index of one of the device's compute queues. Without properties the flags
 * are 0 and the index is QUEUE_ANY_INDEX. */
static ur_result_t read_properties(const ur_queue_properties_t *properties, uint32_t compute_queues,
                                   pi_queue_properties *flags, pi_uint32 *index) {
  *flags = 0;
  *index = QUEUE_ANY_INDEX;
  if (!properties)
    return UR_RESULT_SUCCESS;
  UR_PASS(read_flags(properties->flags, flags));
  const ur_queue_index_properties_t *chosen =
      chain_find(properties->pNext, UR_STRUCTURE_TYPE_QUEUE_INDEX_PROPERTIES);
  if (!chosen)
    return UR_RESULT_SUCCESS;
  const pi_queue_properties list[] = {PI_QUEUE_FLAGS, *flags, PI_QUEUE_COMPUTE_INDEX,
                                      chosen->computeIndex, 0};
  return face_result(queue_read_properties(list, compute_queues, flags, index));
}

ur_result_t urQueueCreate(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                          const ur_queue_properties_t *pProperties, ur_queue_handle_t *phQueue) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  UR_REQUIRE_POINTER(phQueue);
  pi_queue_properties flags;
  pi_uint32 index;
  UR_PASS(read_properties(pProperties, driver_device_compute_queues(device_of(hDevice)), &flags,
                          &index));
  pi_queue made;
  UR_TRY(queue_create(context_of(hContext), device_of(hDevice), flags, index, &made));
  *phQueue = queue_handle(made);
  return UR_RESULT_SUCCESS;
}

ur_result_t urQueueGetInfo(ur_queue_handle_t hQueue, ur_queue_info_t propName, size_t propSize,
                           void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_QUEUE(hQueue);
  UR_PASS(reply_check(&answer));
  const pi_queue queue = queue_of(hQueue);
  bool is_empty;
  switch ((int)propName) {
  case UR_QUEUE_INFO_CONTEXT:
    return reply_handle(&answer, queue->context);
  case UR_QUEUE_INFO_DEVICE:
    return reply_handle(&answer, queue->device);
  case UR_QUEUE_INFO_FLAGS:
    return reply_uint32(&answer, (uint32_t)queue->flags);
  case UR_QUEUE_INFO_REFERENCE_COUNT:
    return reply_uint32(&answer, object_references(&queue->handle));
  case UR_QUEUE_INFO_EMPTY:
    UR_TRY(driver_queue_is_empty(queue, &is_empty));
    return reply_bool(&answer, is_empty);
  case UR_QUEUE_INFO_SIZE:
  case UR_QUEUE_INFO_DEVICE_DEFAULT:
    UR_REQUIRE(false, UR_RESULT_ERROR_INVALID_QUEUE, QUEUE_NOT_ON_DEVICE);
  }
  return reply_unknown("ur_queue_info_t", propName);
}

ur_result_t urQueueRetain(ur_queue_handle_t hQueue) {
  UR_REQUIRE_QUEUE(hQueue);
  queue_retain(queue_of(hQueue));
  return UR_RESULT_SUCCESS;
}

ur_result_t urQueueRelease(ur_queue_handle_t hQueue) {
  UR_REQUIRE_QUEUE(hQueue);
  queue_release(queue_of(hQueue));
  return UR_RESULT_SUCCESS;
}

ur_result_t urQueueFinish(ur_queue_handle_t hQueue) {
  UR_REQUIRE_QUEUE(hQueue);
  return face_result(queue_finish(queue_of(hQueue)));
}

ur_result_t urQueueFlush(ur_queue_handle_t hQueue) {
  UR_REQUIRE_QUEUE(hQueue);
  return face_result(driver_queue_flush(queue_of(hQueue)));
}

/* pDesc->pNativeData points to an int32_t that receives the kind of the handle. */
ur_result_t urQueueGetNativeHandle(ur_queue_handle_t hQueue, ur_queue_native_desc_t *pDesc,
                                   ur_native_handle_t *phNativeQueue) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(phNativeQueue);
  pi_native_handle native;
  int32_t kind;
  UR_TRY(queue_native(queue_of(hQueue), &native, &kind));
  if (pDesc && pDesc->pNativeData)
    *(int32_t *)pDesc->pNativeData = kind;
  *phNativeQueue = native;
  return UR_RESULT_SUCCESS;
}

/* The kind of a native handle, as urQueueGetNativeHandle reports it; 0 without a description. */
static int32_t read_kind(const ur_queue_native_properties_t *properties) {
  const ur_queue_native_desc_t *desc =
      properties ? chain_find(properties->pNext, UR_STRUCTURE_TYPE_QUEUE_NATIVE_DESC) : NULL;
  return desc && desc->pNativeData ? *(const int32_t *)desc->pNativeData : 0;
}

/* hDevice may be NULL if the context has only one device. */
ur_result_t urQueueCreateWithNativeHandle(ur_native_handle_t hNativeQueue,
                                          ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                          const ur_queue_native_properties_t *pProperties,
                                          ur_queue_handle_t *phQueue) {
  UR_REQUIRE(hNativeQueue, UR_RESULT_ERROR_INVALID_NULL_HANDLE, "hNativeQueue is 0");
  UR_REQUIRE_CONTEXT(hContext);
  const pi_context context = context_of(hContext);
  UR_REQUIRE(hDevice || context->device_count == 1, UR_RESULT_ERROR_INVALID_NULL_HANDLE,
             "hDevice is NULL, and the context has %u devices", context->device_count);
  if (!hDevice)
    hDevice = device_handle(context->devices[0]);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  UR_REQUIRE_POINTER(phQueue);
  const ur_queue_properties_t *wanted =
      pProperties ? chain_find(pProperties->pNext, UR_STRUCTURE_TYPE_QUEUE_PROPERTIES) : NULL;
  pi_queue_properties flags;
  pi_uint32 index;
  UR_PASS(
      read_properties(wanted, driver_device_compute_queues(device_of(hDevice)), &flags, &index));
  const native_queue native = {hNativeQueue, read_kind(pProperties),
                               pProperties && pProperties->isNativeHandleOwned};
  pi_queue made;
  UR_TRY(queue_adopt(context, device_of(hDevice), &native, flags, &made));
  *phQueue = queue_handle(made);
  return UR_RESULT_SUCCESS;
}
