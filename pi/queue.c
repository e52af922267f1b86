/* PI's entries for queues. */
#include "../plugins/objects/queue.h"

#include "../plugins/objects/context.h"
#include "../plugins/objects/handle_checks.h"

pi_result piQueueCreate(pi_context context, pi_device device, pi_queue_properties properties,
                        pi_queue *queue) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(queue);
  return queue_create(context, device, properties, QUEUE_ANY_INDEX, queue);
}

pi_result piextQueueCreate(pi_context context, pi_device device, pi_queue_properties *properties,
                           pi_queue *queue) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(properties);
  REQUIRE_POINTER(queue);
  pi_queue_properties flags;
  pi_uint32 index;
  TRY(queue_read_properties(properties, driver_device_compute_queues(device), &flags, &index));
  return queue_create(context, device, flags, index, queue);
}

pi_result piQueueGetInfo(pi_queue queue, pi_queue_info param_name, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_QUEUE(queue);
  TRY(answer_check(&answer));
  return queue_answer(queue, &answer, param_name);
}

pi_result piQueueFinish(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  return queue_finish(queue);
}

pi_result piQueueFlush(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  return driver_queue_flush(queue);
}

pi_result piQueueRetain(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  queue_retain(queue);
  return PI_SUCCESS;
}

pi_result piQueueRelease(pi_queue queue) {
  REQUIRE_QUEUE(queue);
  queue_release(queue);
  return PI_SUCCESS;
}

pi_result piextQueueGetNativeHandle(pi_queue queue, pi_native_handle *native_handle,
                                    int32_t *native_handle_desc) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(native_handle);
  int32_t unused;
  return queue_native(queue, native_handle, native_handle_desc ? native_handle_desc : &unused);
}

/* Makes a queue around a native one; device may be NULL if the context has only one device. */
pi_result piextQueueCreateWithNativeHandle(pi_native_handle native_handle,
                                           int32_t native_handle_desc, pi_context context,
                                           pi_device device, bool plugin_owns_native_handle,
                                           pi_queue_properties *properties, pi_queue *queue) {
  REQUIRE(native_handle, PI_ERROR_INVALID_QUEUE, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE(device || context->device_count == 1, PI_ERROR_INVALID_DEVICE,
          "device is NULL, and the context has %u of them", context->device_count);
  if (!device)
    device = context->devices[0];
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(queue);
  pi_queue_properties flags;
  pi_uint32 index;
  TRY(queue_read_properties(properties, driver_device_compute_queues(device), &flags, &index));
  const native_queue native = {native_handle, native_handle_desc, plugin_owns_native_handle};
  return queue_adopt(context, device, &native, flags, queue);
}
