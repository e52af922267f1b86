/*
 * Entries for command lists, command queues and fences. A command queue is a queue of PI, and so is
 * an immediate command list: an application may use a SYCL runtime's queue as either. Any other
 * command list keeps its commands, which each execution puts into a queue one by one.
 */
#include "../plugins/checks/command_list.h"
#include "../plugins/objects/context.h"
#include "command.h"

#include <stdlib.h>

struct ze_command_list {
  object_head handle;
  pi_context context; /* a reference */
  pi_device device;
  pthread_mutex_t lock; /* guards the rest */
  bool is_closed;
  command_list commands; /* ze_command */
};

/* ---- Creation ---- */

/* Flags of later releases, for lists in order and for copies on other engines, are true or hints.*/
enum { LIST_FLAGS = 0x1f, QUEUE_FLAGS = 0x7 };

static ze_result_t check_place(ze_context_handle_t context, ze_device_handle_t device) {
  ZE_REQUIRE(context, INVALID_NULL_HANDLE, "hContext is NULL");
  ZE_REQUIRE(device, INVALID_NULL_HANDLE, "hDevice is NULL");
  ZE_REQUIRE_HANDLE(context, CONTEXT);
  ZE_REQUIRE_HANDLE(device, DEVICE);
  ZE_REQUIRE(context_has(context_of(context), device_of(device)), INVALID_ARGUMENT,
             "hDevice is not a device of hContext");
  return ZE_RESULT_SUCCESS;
}

/* Checks a description, and finds the flags of PI's queue. */
static ze_result_t read_queue(pi_device device, const ze_command_queue_desc_t *desc,
                              pi_queue_properties *ret) {
  ZE_REQUIRE(desc->flags <= QUEUE_FLAGS, INVALID_ENUMERATION,
             "desc->flags is 0x%x, which has unknown bits", desc->flags);
  ZE_REQUIRE((unsigned)desc->mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, INVALID_ENUMERATION,
             "desc->mode is %d", (int)desc->mode);
  ZE_REQUIRE((unsigned)desc->priority <= ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
             INVALID_ENUMERATION, "desc->priority is %d", (int)desc->priority);
  ZE_REQUIRE(desc->ordinal == 0, INVALID_ARGUMENT,
             "desc->ordinal is %u, and there is one group of queues", desc->ordinal);
  const pi_uint32 have = driver_device_compute_queues(device);
  ZE_REQUIRE(desc->index < (have ? have : 1), INVALID_ARGUMENT,
             "desc->index is %u, and the group has %u queues", desc->index, have);
  *ret = desc->priority == ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW
             ? PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW
         : desc->priority == ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH
             ? PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH
             : 0;
  return ZE_RESULT_SUCCESS;
}

/* Makes a queue in order. Its handle is recorded, because a SYCL runtime may get it. */
static ze_result_t make_queue(ze_context_handle_t context, ze_device_handle_t device,
                              const ze_command_queue_desc_t *desc, pi_queue *ret) {
  pi_queue_properties flags;
  pi_native_handle handle;
  int32_t kind;
  pi_queue queue;
  ZE_PASS(check_place(context, device));
  ZE_REQUIRE(desc, INVALID_NULL_POINTER, "desc is NULL");
  ZE_PASS(read_queue(device_of(device), desc, &flags));
  ZE_REQUIRE(ret, INVALID_NULL_POINTER, "the pointer to the new handle is NULL");
  ZE_TRY(queue_create(context_of(context), device_of(device), flags, desc->index, &queue));
  queue->is_synchronous = desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  const pi_result result = queue_native(queue, &handle, &kind);
  if (result == PI_SUCCESS)
    *ret = queue;
  else
    queue_release(queue);
  return ze_answer(result);
}

ze_result_t zeCommandQueueCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                 const ze_command_queue_desc_t *desc,
                                 ze_command_queue_handle_t *phCommandQueue) {
  return make_queue(hContext, hDevice, desc, (pi_queue *)(void *)phCommandQueue);
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                         const ze_command_queue_desc_t *altdesc,
                                         ze_command_list_handle_t *phCommandList) {
  return make_queue(hContext, hDevice, altdesc, (pi_queue *)(void *)phCommandList);
}

ze_result_t zeCommandListCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                const ze_command_list_desc_t *desc,
                                ze_command_list_handle_t *phCommandList) {
  ZE_PASS(check_place(hContext, hDevice));
  ZE_REQUIRE_POINTER(desc);
  ZE_REQUIRE_POINTER(phCommandList);
  ZE_REQUIRE(desc->flags <= LIST_FLAGS, INVALID_ENUMERATION,
             "desc->flags is 0x%x, which has unknown bits", desc->flags);
  ZE_REQUIRE(desc->commandQueueGroupOrdinal == 0, INVALID_ARGUMENT,
             "desc->commandQueueGroupOrdinal is %u, and there is one group of queues",
             desc->commandQueueGroupOrdinal);
  ze_command_list *list = calloc(1, sizeof *list);
  ZE_REQUIRE(list, OUT_OF_HOST_MEMORY, "no memory for a command list");
  object_init(&list->handle, OBJECT_LIST);
  pthread_mutex_init(&list->lock, NULL);
  list->context = context_of(hContext);
  context_retain(list->context);
  list->device = device_of(hDevice);
  *phCommandList = list_handle(list);
  return ZE_RESULT_SUCCESS;
}

/* ---- The end ---- */

ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t hCommandQueue) {
  ZE_REQUIRE_HANDLE(hCommandQueue, QUEUE);
  queue_release(queue_of(hCommandQueue));
  return ZE_RESULT_SUCCESS;
}

/* The caller holds the lock, or the list is at its end. */
static void drop_commands(ze_command_list *list) {
  ze_command *commands = list->commands.items;
  for (size_t i = 0; i < list->commands.count; i++)
    command_drop(&commands[i]);
  list->commands.count = 0;
}

static pi_queue immediate_of(ze_command_list_handle_t handle) {
  return (pi_queue)(void *)handle;
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t hCommandList) {
  ZE_REQUIRE_LIST(hCommandList);
  if (ZE_IS(hCommandList, QUEUE)) {
    queue_release(immediate_of(hCommandList));
    return ZE_RESULT_SUCCESS;
  }
  ze_command_list *list = list_of(hCommandList);
  if (!object_release(&list->handle))
    return ZE_RESULT_SUCCESS;
  drop_commands(list);
  free(list->commands.items);
  context_release(list->context);
  pthread_mutex_destroy(&list->lock);
  free(list);
  return ZE_RESULT_SUCCESS;
}

/* ---- Commands ---- */

void list_place(ze_command_list_handle_t handle, pi_context *context, pi_device *device) {
  const bool is_queue = ZE_IS(handle, QUEUE);
  *context = is_queue ? immediate_of(handle)->context : list_of(handle)->context;
  *device = is_queue ? immediate_of(handle)->device : list_of(handle)->device;
}

/* The caller holds the lock. */
static ze_result_t keep(ze_command_list *list, const ze_command *command) {
  ze_command kept;
  ZE_REQUIRE(!list->is_closed, INVALID_ARGUMENT,
             "hCommandList is closed: zeCommandListReset makes it take commands again");
  ZE_PASS(command_keep(command, &kept));
  const pi_result result = command_list_add(&list->commands, &kept, sizeof kept);
  if (result != PI_SUCCESS)
    command_drop(&kept);
  return ze_answer(result);
}

ze_result_t list_append(ze_command_list_handle_t handle, const ze_command *command) {
  ZE_PASS(command_check(command));
  if (ZE_IS(handle, QUEUE)) {
    const pi_queue queue = immediate_of(handle);
    return command_run(command, queue, queue->is_synchronous);
  }
  ze_command_list *const list = list_of(handle);
  pthread_mutex_lock(&list->lock);
  const ze_result_t result = keep(list, command);
  pthread_mutex_unlock(&list->lock);
  return result;
}

/* Closes a list; an immediate one is always open. */
ze_result_t zeCommandListClose(ze_command_list_handle_t hCommandList) {
  ZE_REQUIRE_LIST(hCommandList);
  if (ZE_IS(hCommandList, QUEUE))
    return ZE_RESULT_SUCCESS;
  ze_command_list *const list = list_of(hCommandList);
  pthread_mutex_lock(&list->lock);
  list->is_closed = true;
  pthread_mutex_unlock(&list->lock);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListReset(ze_command_list_handle_t hCommandList) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE(ZE_IS(hCommandList, LIST), INVALID_COMMAND_LIST_TYPE,
             "hCommandList is immediate, and keeps no commands");
  ze_command_list *const list = list_of(hCommandList);
  pthread_mutex_lock(&list->lock);
  drop_commands(list);
  list->is_closed = false;
  pthread_mutex_unlock(&list->lock);
  return ZE_RESULT_SUCCESS;
}

/* ---- Execution ---- */

static ze_result_t check_list(pi_queue queue, uint32_t index, ze_command_list_handle_t handle) {
  ZE_REQUIRE(handle, INVALID_NULL_HANDLE, "phCommandLists[%u] is NULL", index);
  ZE_REQUIRE(!ZE_IS(handle, QUEUE), INVALID_COMMAND_LIST_TYPE,
             "phCommandLists[%u] is immediate, and its commands are executed already", index);
  ZE_REQUIRE(ZE_IS(handle, LIST), INVALID_ARGUMENT, "phCommandLists[%u] is not a live handle",
             index);
  ze_command_list *const list = list_of(handle);
  ZE_REQUIRE(list->device == queue->device && list->context->native == queue->context->native,
             INVALID_ARGUMENT, "phCommandLists[%u] is of another device or context than the queue",
             index);
  pthread_mutex_lock(&list->lock);
  const bool is_closed = list->is_closed;
  pthread_mutex_unlock(&list->lock);
  ZE_REQUIRE(is_closed, INVALID_ARGUMENT, "phCommandLists[%u] is not closed", index);
  return ZE_RESULT_SUCCESS;
}

/* Checks all events first, because an application may have destroyed one since. */
static ze_result_t execute_commands(pi_queue queue, const command_list *list) {
  const ze_command *commands = list->items;
  for (size_t i = 0; i < list->count; i++)
    ZE_PASS(command_check(&commands[i]));
  for (size_t i = 0; i < list->count; i++)
    ZE_PASS(command_run(&commands[i], queue, false));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t execute_list(pi_queue queue, ze_command_list *list) {
  pthread_mutex_lock(&list->lock);
  const ze_result_t result = execute_commands(queue, &list->commands);
  pthread_mutex_unlock(&list->lock);
  return result;
}

/* Enqueues a marker whose end signals the fence. */
static ze_result_t signal_fence(pi_queue queue, ze_signal *fence) {
  pi_event event;
  sink sink = sink_of_queue(queue, (pi_command_type)UR_COMMAND_EVENTS_WAIT, 0, NULL, false, &event);
  ZE_TRY(marker_enqueue(&sink, true));
  signal_by_command(fence, event, queue);
  event_release(event);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t execute_lists(pi_queue queue, uint32_t count,
                                 const ze_command_list_handle_t *lists, ze_signal *fence) {
  for (uint32_t i = 0; i < count; i++)
    ZE_PASS(execute_list(queue, list_of(lists[i])));
  return fence ? signal_fence(queue, fence) : ZE_RESULT_SUCCESS;
}

/* If a command fails, those before it are executed, and the fence is not signaled. */
ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t hCommandQueue,
                                              uint32_t numCommandLists,
                                              ze_command_list_handle_t *phCommandLists,
                                              ze_fence_handle_t hFence) {
  ZE_REQUIRE_HANDLE(hCommandQueue, QUEUE);
  ZE_REQUIRE_POINTER(phCommandLists);
  ZE_REQUIRE(numCommandLists, INVALID_SIZE, "numCommandLists is 0");
  ZE_REQUIRE(!hFence || ZE_IS(hFence, FENCE), INVALID_SYNCHRONIZATION_OBJECT,
             "hFence is not a live handle");
  const pi_queue queue = queue_of(hCommandQueue);
  for (uint32_t i = 0; i < numCommandLists; i++)
    ZE_PASS(check_list(queue, i, phCommandLists[i]));
  pthread_mutex_lock(&queue->lists);
  const ze_result_t result =
      execute_lists(queue, numCommandLists, phCommandLists, fence_of(hFence));
  pthread_mutex_unlock(&queue->lists);
  return result == ZE_RESULT_SUCCESS && queue->is_synchronous ? ze_answer(queue_finish(queue))
                                                              : result;
}

static ze_result_t ask_queue(void *object) {
  bool is_empty;
  ZE_TRY(driver_queue_is_empty(object, &is_empty));
  return is_empty ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

static ze_result_t wait_for_queue(pi_queue queue, uint64_t timeout) {
  return timeout == UINT64_MAX ? ze_answer(queue_finish(queue))
                               : signal_poll(ask_queue, queue, timeout);
}

ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t hCommandQueue, uint64_t timeout) {
  ZE_REQUIRE_HANDLE(hCommandQueue, QUEUE);
  return wait_for_queue(queue_of(hCommandQueue), timeout);
}

ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t hCommandList, uint64_t timeout) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE(ZE_IS(hCommandList, QUEUE), INVALID_ARGUMENT,
             "hCommandList is not immediate: the queue that executes it can be waited for");
  return wait_for_queue(immediate_of(hCommandList), timeout);
}

/* ---- Fences ---- */

/* A fence is a signal with a queue, to which it has a reference. */
typedef struct fence {
  ze_signal signal;
  pi_queue queue;
} fence;

ze_result_t zeFenceCreate(ze_command_queue_handle_t hCommandQueue, const ze_fence_desc_t *desc,
                          ze_fence_handle_t *phFence) {
  ZE_REQUIRE_HANDLE(hCommandQueue, QUEUE);
  ZE_REQUIRE_POINTER(desc);
  ZE_REQUIRE_POINTER(phFence);
  ZE_REQUIRE(desc->flags <= ZE_FENCE_FLAG_SIGNALED, INVALID_ENUMERATION,
             "desc->flags is 0x%x, which has unknown bits", desc->flags);
  fence *made = malloc(sizeof *made);
  ZE_REQUIRE(made, OUT_OF_HOST_MEMORY, "no memory for a fence");
  made->queue = queue_of(hCommandQueue);
  queue_retain(made->queue);
  signal_open(&made->signal, OBJECT_FENCE, made->queue->context, false);
  made->signal.is_set = desc->flags & ZE_FENCE_FLAG_SIGNALED;
  *phFence = fence_handle(&made->signal);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceDestroy(ze_fence_handle_t hFence) {
  ZE_REQUIRE_HANDLE(hFence, FENCE);
  fence *const owner = OWNER_OF(fence_of(hFence), fence, signal);
  if (!object_release(&owner->signal.handle))
    return ZE_RESULT_SUCCESS;
  signal_close(&owner->signal);
  queue_release(owner->queue);
  free(owner);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceHostSynchronize(ze_fence_handle_t hFence, uint64_t timeout) {
  ZE_REQUIRE_HANDLE(hFence, FENCE);
  return signal_wait(fence_of(hFence), timeout);
}

ze_result_t zeFenceQueryStatus(ze_fence_handle_t hFence) {
  ZE_REQUIRE_HANDLE(hFence, FENCE);
  return signal_status(fence_of(hFence));
}

ze_result_t zeFenceReset(ze_fence_handle_t hFence) {
  ZE_REQUIRE_HANDLE(hFence, FENCE);
  signal_reset(fence_of(hFence));
  return ZE_RESULT_SUCCESS;
}
