/* Command queues and fences of the fake Level Zero driver. */
#include "stream.h"

#include <stdlib.h>

typedef struct fake_fence {
  fake_object head;
  fake_queue *queue;
  bool signalled;
} fake_fence;

ze_result_t fake_check_queue_desc(const fake_context *context, ze_device_handle_t device,
                                  const ze_command_queue_desc_t *desc, const char *function,
                                  fake_device **ret) {
  FAKE_TRY(fake_check_device(context, device, function, ret));
  FAKE_STRUCT(desc, COMMAND_QUEUE_DESC);
  FAKE_REQUIRE(desc->flags <= ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY &&
                   desc->mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS &&
                   desc->priority <= ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
               INVALID_ENUMERATION, "%s: flags 0x%x, mode %d, priority %d", function, desc->flags,
               (int)desc->mode, (int)desc->priority);
  const fake_group *group = fake_group_of(desc->ordinal);
  FAKE_REQUIRE(group && desc->index < group->queues, INVALID_ARGUMENT,
               "%s: no queue %u in a group %u", function, desc->index, desc->ordinal);
  FAKE_REQUIRE(desc->index == 0 || desc->flags == ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY,
               INVALID_ARGUMENT, "%s: index %u without ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY",
               function, desc->index);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueCreate(ze_context_handle_t handle, ze_device_handle_t deviceHandle,
                                 const ze_command_queue_desc_t *desc,
                                 ze_command_queue_handle_t *ret) {
  FAKE_ENTER(zeCommandQueueCreate);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  fake_device *device;
  FAKE_TRY(fake_check_queue_desc(context, deviceHandle, desc, "zeCommandQueueCreate", &device));
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeCommandQueueCreate: the place for the queue is NULL");
  fake_queue *queue = fake_new(FAKE_QUEUE, sizeof *queue, context, false);
  queue->device = device;
  queue->ordinal = desc->ordinal;
  queue->stream = fake_stream_new(context, device);
  queue->synchronous = desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  *ret = FAKE_HANDLE(ze_command_queue_handle_t, queue);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t handle) {
  FAKE_ENTER_ALONE(zeCommandQueueDestroy, handle);
  FAKE_FIND(fake_queue, queue, handle, QUEUE);
  FAKE_REQUIRE(queue->fences == 0, HANDLE_OBJECT_IN_USE,
               "zeCommandQueueDestroy: %u fences of the queue are not destroyed", queue->fences);
  FAKE_REQUIRE(fake_stream_is_idle(queue->stream), HANDLE_OBJECT_IN_USE,
               "zeCommandQueueDestroy: commands of the queue have not ended");
  fake_stream_end(queue->stream);
  fake_delete(queue);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_list(const fake_queue *queue, ze_command_list_handle_t handle,
                              fake_list **ret) {
  FAKE_FIND(fake_list, list, handle, LIST);
  FAKE_REQUIRE(!list->stream && list->closed, INVALID_ARGUMENT,
               "zeCommandQueueExecuteCommandLists: the list is not closed, or an immediate one");
  FAKE_REQUIRE(list->head.context == queue->head.context && list->device == queue->device,
               INVALID_ARGUMENT,
               "zeCommandQueueExecuteCommandLists: the list is of another context or device");
  FAKE_REQUIRE(list->ordinal == queue->ordinal, INVALID_COMMAND_LIST_TYPE,
               "zeCommandQueueExecuteCommandLists: a list of group %u in a queue of group %u",
               list->ordinal, queue->ordinal);
  FAKE_TRY(fake_check_unused(&list->head, "zeCommandQueueExecuteCommandLists"));
  for (const fake_command *i = list->first; i; i = i->next)
    FAKE_TRY(fake_command_check(i));
  *ret = list;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t signal_fence(void *data) {
  fake_lock();
  ((fake_fence *)data)->signalled = true;
  fake_unlock();
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_fence(const fake_queue *queue, ze_fence_handle_t handle,
                               fake_fence **ret) {
  *ret = NULL;
  if (!handle)
    return ZE_RESULT_SUCCESS;
  FAKE_FIND(fake_fence, fence, handle, FENCE);
  FAKE_REQUIRE(fence->queue == queue, INVALID_SYNCHRONIZATION_OBJECT,
               "zeCommandQueueExecuteCommandLists: the fence is of another queue");
  FAKE_REQUIRE(!fence->signalled && fence->head.pending == 0, INVALID_SYNCHRONIZATION_OBJECT,
               "zeCommandQueueExecuteCommandLists: the fence is signalled already, or in use");
  *ret = fence;
  return ZE_RESULT_SUCCESS;
}

static void submit_fence(fake_queue *queue, fake_fence *fence) {
  fake_command *command = fake_allocate(sizeof *command);
  command->order = FAKE_ORDER_FULL;
  command->work = (fake_work){.name = "a fence", .run = signal_fence, .data = fence};
  fake_stream_submit(queue->stream, command, &fence->head, true);
}

ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t handle, uint32_t count,
                                              ze_command_list_handle_t *lists,
                                              ze_fence_handle_t fenceHandle) {
  FAKE_ENTER(zeCommandQueueExecuteCommandLists);
  FAKE_FIND(fake_queue, queue, handle, QUEUE);
  FAKE_REQUIRE(lists, INVALID_NULL_POINTER, "zeCommandQueueExecuteCommandLists: no lists");
  FAKE_REQUIRE(count != 0, INVALID_SIZE, "zeCommandQueueExecuteCommandLists: 0 lists");
  if (queue->head.context->lost != ZE_RESULT_SUCCESS)
    return fake_deny(queue->head.context->lost,
                     "zeCommandQueueExecuteCommandLists: something failed in the context before");
  fake_fence *fence;
  FAKE_TRY(check_fence(queue, fenceHandle, &fence));
  fake_list *list;
  for (uint32_t i = 0; i < count; i++) {
    FAKE_TRY(check_list(queue, lists[i], &list));
    for (uint32_t k = 0; k < i; k++)
      FAKE_REQUIRE(lists[k] != lists[i], HANDLE_OBJECT_IN_USE,
                   "zeCommandQueueExecuteCommandLists: list %u is there twice", i);
  }
  for (uint32_t i = 0; i < count; i++) {
    list = fake_find(lists[i], FAKE_LIST);
    for (fake_command *k = list->first; k; k = k->next)
      fake_stream_submit(queue->stream, k, &list->head, false);
  }
  if (fence)
    submit_fence(queue, fence);
  return queue->synchronous ? fake_stream_wait(queue->stream, UINT64_MAX) : ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t handle, uint64_t timeout) {
  FAKE_ENTER(zeCommandQueueSynchronize);
  FAKE_FIND(fake_queue, queue, handle, QUEUE);
  return fake_stream_wait(queue->stream, timeout);
}

ze_result_t zeFenceCreate(ze_command_queue_handle_t handle, const ze_fence_desc_t *desc,
                          ze_fence_handle_t *ret) {
  FAKE_ENTER(zeFenceCreate);
  FAKE_FIND(fake_queue, queue, handle, QUEUE);
  FAKE_STRUCT(desc, FENCE_DESC);
  FAKE_REQUIRE(desc->flags <= ZE_FENCE_FLAG_SIGNALED, INVALID_ENUMERATION,
               "zeFenceCreate: unknown flags in 0x%x", desc->flags);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeFenceCreate: the place for the fence is NULL");
  fake_fence *fence = fake_new(FAKE_FENCE, sizeof *fence, queue->head.context, false);
  fence->queue = queue;
  fence->signalled = desc->flags != 0;
  queue->fences++;
  *ret = FAKE_HANDLE(ze_fence_handle_t, fence);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceDestroy(ze_fence_handle_t handle) {
  FAKE_ENTER_ALONE(zeFenceDestroy, handle);
  FAKE_FIND(fake_fence, fence, handle, FENCE);
  FAKE_TRY(fake_check_unused(&fence->head, "zeFenceDestroy"));
  fence->queue->fences--;
  fake_delete(fence);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t fence_status(const fake_fence *fence) {
  if (fence->signalled && fence->head.pending == 0)
    return ZE_RESULT_SUCCESS;
  const ze_result_t lost = fence->head.context->lost;
  return lost != ZE_RESULT_SUCCESS ? lost : ZE_RESULT_NOT_READY;
}

ze_result_t zeFenceHostSynchronize(ze_fence_handle_t handle, uint64_t timeout) {
  FAKE_ENTER(zeFenceHostSynchronize);
  FAKE_FIND(fake_fence, fence, handle, FENCE);
  const uint64_t deadline = fake_deadline(timeout);
  const fake_weak link = fake_weak_to(&fence->head);
  for (;;) {
    const ze_result_t result = fence_status(fence);
    if (result != ZE_RESULT_NOT_READY || timeout == 0)
      return result;
    const bool in_time = fake_wait_change(deadline);
    FAKE_REQUIRE(fake_weak_object(&link), INVALID_ARGUMENT,
                 "zeFenceHostSynchronize: the fence was destroyed meanwhile");
    if (!in_time)
      return fence_status(fence);
  }
}

ze_result_t zeFenceQueryStatus(ze_fence_handle_t handle) {
  FAKE_ENTER(zeFenceQueryStatus);
  FAKE_FIND(fake_fence, fence, handle, FENCE);
  return fence_status(fence);
}

ze_result_t zeFenceReset(ze_fence_handle_t handle) {
  FAKE_ENTER(zeFenceReset);
  FAKE_FIND(fake_fence, fence, handle, FENCE);
  FAKE_TRY(fake_check_unused(&fence->head, "zeFenceReset"));
  fence->signalled = false;
  return ZE_RESULT_SUCCESS;
}
