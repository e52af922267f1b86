/* Command lists of the fake Level Zero driver. */
#include "stream.h"

#include <stdlib.h>

static fake_list *new_list(fake_context *context, fake_device *device, uint32_t ordinal) {
  fake_list *list = fake_new(FAKE_LIST, sizeof *list, context, false);
  list->device = device;
  list->ordinal = ordinal;
  list->last = &list->first;
  return list;
}

ze_result_t zeCommandListCreate(ze_context_handle_t handle, ze_device_handle_t deviceHandle,
                                const ze_command_list_desc_t *desc, ze_command_list_handle_t *ret) {
  FAKE_ENTER(zeCommandListCreate);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  fake_device *device;
  FAKE_TRY(fake_check_device(context, deviceHandle, "zeCommandListCreate", &device));
  FAKE_STRUCT(desc, COMMAND_LIST_DESC);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeCommandListCreate: the place for the list is NULL");
  FAKE_REQUIRE(desc->flags <= 7, INVALID_ENUMERATION, "zeCommandListCreate: unknown flags in 0x%x",
               desc->flags);
  FAKE_REQUIRE(fake_group_of(desc->commandQueueGroupOrdinal), INVALID_ARGUMENT,
               "zeCommandListCreate: no queue group %u", desc->commandQueueGroupOrdinal);
  fake_list *list = new_list(context, device, desc->commandQueueGroupOrdinal);
  *ret = FAKE_HANDLE(ze_command_list_handle_t, list);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t handle,
                                         ze_device_handle_t deviceHandle,
                                         const ze_command_queue_desc_t *desc,
                                         ze_command_list_handle_t *ret) {
  FAKE_ENTER(zeCommandListCreateImmediate);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  fake_device *device;
  FAKE_TRY(
      fake_check_queue_desc(context, deviceHandle, desc, "zeCommandListCreateImmediate", &device));
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER,
               "zeCommandListCreateImmediate: the place for the list is NULL");
  fake_list *list = new_list(context, device, desc->ordinal);
  list->stream = fake_stream_new(context, device);
  list->synchronous = desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  *ret = FAKE_HANDLE(ze_command_list_handle_t, list);
  return ZE_RESULT_SUCCESS;
}

static void forget_commands(fake_list *list) {
  while (list->first) {
    fake_command *command = list->first;
    list->first = command->next;
    fake_command_free(command);
  }
  list->last = &list->first;
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t handle) {
  FAKE_ENTER_ALONE(zeCommandListDestroy, handle);
  FAKE_FIND(fake_list, list, handle, LIST);
  FAKE_TRY(fake_check_unused(&list->head, "zeCommandListDestroy"));
  forget_commands(list);
  if (list->stream)
    fake_stream_end(list->stream);
  fake_delete(list);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListClose(ze_command_list_handle_t handle) {
  FAKE_ENTER_ALONE(zeCommandListClose, handle);
  FAKE_FIND(fake_list, list, handle, LIST);
  FAKE_REQUIRE(!list->stream, INVALID_ARGUMENT,
               "zeCommandListClose: immediate lists are never closed");
  FAKE_REQUIRE(!list->closed, INVALID_ARGUMENT, "zeCommandListClose: the list is closed already");
  list->closed = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListReset(ze_command_list_handle_t handle) {
  FAKE_ENTER_ALONE(zeCommandListReset, handle);
  FAKE_FIND(fake_list, list, handle, LIST);
  FAKE_REQUIRE(!list->stream, INVALID_ARGUMENT,
               "zeCommandListReset: immediate lists are never reset");
  FAKE_TRY(fake_check_unused(&list->head, "zeCommandListReset"));
  forget_commands(list);
  list->closed = false;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t handle, uint64_t timeout) {
  FAKE_ENTER(zeCommandListHostSynchronize);
  FAKE_FIND(fake_list, list, handle, LIST);
  FAKE_REQUIRE(list->stream, INVALID_ARGUMENT,
               "zeCommandListHostSynchronize: this is no immediate list");
  return fake_stream_wait(list->stream, timeout);
}

ze_result_t fake_list_find(ze_command_list_handle_t handle, fake_engine engine,
                           const char *function, fake_list **ret) {
  FAKE_REQUIRE(handle, INVALID_NULL_HANDLE, "%s: the list is NULL", function);
  fake_list *list = fake_find(handle, FAKE_LIST);
  FAKE_REQUIRE(list, INVALID_ARGUMENT, "%s: no live command list is %p", function, (void *)handle);
  FAKE_REQUIRE(!list->closed, INVALID_ARGUMENT, "%s: the list is closed", function);
  const ze_command_queue_group_property_flags_t needed =
      engine == FAKE_ENGINE_COMPUTE ? ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE
                                    : ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
  FAKE_REQUIRE((fake_group_of(list->ordinal)->flags & needed) != 0, INVALID_COMMAND_LIST_TYPE,
               "%s: queues of group %u cannot do it", function, list->ordinal);
  if (list->head.context->lost != ZE_RESULT_SUCCESS)
    return fake_deny(list->head.context->lost, "%s: something failed in the context before",
                     function);
  *ret = list;
  return ZE_RESULT_SUCCESS;
}

fake_context *fake_list_context(const fake_list *list) {
  return list->head.context;
}

fake_device *fake_list_device(const fake_list *list) {
  return list->device;
}

static void link_to(fake_command *command, const fake_object *object) {
  command->links[command->link_count++] = fake_weak_to(object);
}

static ze_result_t link_events(fake_list *list, fake_command *command,
                               const fake_append_options *options) {
  const char *function = command->work.name;
  FAKE_REQUIRE(options->waits || options->wait_count == 0, INVALID_SIZE,
               "%s: %u events to wait for at NULL", function, options->wait_count);
  fake_event *event;
  for (uint32_t i = 0; i < options->wait_count; i++) {
    FAKE_TRY(fake_event_find(list, options->waits[i], function, &event));
    command->waits[command->wait_count++] = fake_weak_to(&event->head);
    link_to(command, &event->head);
  }
  if (!options->signal)
    return ZE_RESULT_SUCCESS;
  FAKE_TRY(fake_event_find(list, options->signal, function, &event));
  for (uint32_t i = 0; i < options->wait_count; i++)
    FAKE_REQUIRE(options->waits[i] != options->signal, INVALID_SYNCHRONIZATION_OBJECT,
                 "%s: the command waits for the event that it signals", function);
  command->signals = true;
  command->signal = fake_weak_to(&event->head);
  link_to(command, &event->head);
  return ZE_RESULT_SUCCESS;
}

ze_result_t fake_append_ordered(fake_list *list, const fake_work *work,
                                const fake_append_options *options) {
  fake_command *command = fake_allocate(sizeof *command);
  command->order = options->order;
  command->work = *work;
  command->work.uses = NULL;
  command->links =
      fake_allocate((work->use_count + options->wait_count + 1) * sizeof *command->links);
  command->waits = fake_allocate(options->wait_count * sizeof *command->waits);
  for (size_t i = 0; i < work->use_count; i++)
    if (work->uses[i])
      link_to(command, work->uses[i]);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (work->cooperative && (fake_group_of(list->ordinal)->flags &
                            ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS) == 0)
    result =
        fake_refuse(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
                    "%s: queues of group %u run no cooperative kernels", work->name, list->ordinal);
  if (result == ZE_RESULT_SUCCESS)
    result = link_events(list, command, options);
  if (result != ZE_RESULT_SUCCESS) {
    fake_command_free(command);
    return result;
  }
  if (!list->stream) {
    *list->last = command;
    list->last = &command->next;
    return ZE_RESULT_SUCCESS;
  }
  fake_stream_submit(list->stream, command, &list->head, true);
  return list->synchronous ? fake_stream_wait(list->stream, UINT64_MAX) : ZE_RESULT_SUCCESS;
}

ze_result_t fake_append(fake_list *list, const fake_work *work, ze_event_handle_t signal,
                        uint32_t wait_count, ze_event_handle_t *waits) {
  const fake_append_options options = {.signal = signal, .wait_count = wait_count, .waits = waits};
  return fake_append_ordered(list, work, &options);
}
