/*
 * Prefetch and advice: hints about shared memory. Whatever they are about, the event is right:
 * where there is nothing to move or to advise, the command does nothing but keep its place.
 */
#include "usm_hint.h"
#include "checks.h"
#include "queue.h"
#include "usm.h"

pi_result usm_hint_prefetch(pi_context context, const void *pointer, size_t size, usm_hint *ret) {
  usm_range range;
  PI_TRY(usm_check(context, "ptr", pointer, size, &range));
  *ret = (usm_hint){.pointer = pointer,
                    .size = size,
                    .is_prefetch = size != 0 && range.type == PI_MEM_TYPE_SHARED};
  return PI_SUCCESS;
}

pi_result usm_hint_advise(pi_context context, const void *pointer, size_t size,
                          pi_mem_advice advice, usm_hint *ret) {
  usm_hint hint = {.pointer = pointer, .size = size};
  PI_TRY(usm_advice_read(advice, hint.advice, &hint.advice_count));
  usm_range range;
  PI_TRY(usm_check(context, "ptr", pointer, size, &range));
  if (size == 0 || range.type != PI_MEM_TYPE_SHARED)
    hint.advice_count = 0;
  *ret = hint;
  return PI_SUCCESS;
}

static pi_result append_hint(const queue_command *command, const usm_hint *hint) {
  if (hint->is_prefetch)
    ZE_TRY(CommandListAppendMemoryPrefetch, command->list, hint->pointer, hint->size);
  for (size_t i = 0; i < hint->advice_count; i++)
    ZE_TRY(CommandListAppendMemAdvise, command->list, command->queue->device->driver.device,
           hint->pointer, hint->size, hint->advice[i]);
  return PI_SUCCESS;
}

static pi_result append_steps(queue_command *command, const usm_hint *hint) {
  PI_TRY(queue_first_step(command));
  PI_TRY(append_hint(command, hint));
  return queue_last_step(command);
}

pi_result usm_hint_append(queue_command *command, const usm_hint *hint) {
  command->is_single = !hint->is_prefetch && hint->advice_count == 0;
  return command->is_single ? queue_marker(command, false) : append_steps(command, hint);
}

static pi_result enqueue(pi_queue queue, pi_command_type type, const usm_hint *hint,
                         pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                         pi_event *event) {
  queue_command command;
  PI_TRY(queue_begin(queue, type, QUEUE_COMPUTE, num_events_in_wait_list, event_wait_list,
                     event != NULL, &command));
  return queue_conclude_started(&command, usm_hint_append(&command, hint), false, event);
}

pi_result piextUSMEnqueuePrefetch(pi_queue queue, const void *ptr, size_t size,
                                  pi_usm_migration_flags flags, pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  PI_REQUIRE(flags == 0, PI_ERROR_INVALID_VALUE, "flags is 0x%llx, PI has none with a meaning yet",
             (unsigned long long)flags);
  REQUIRE_WAIT_LIST();
  usm_hint hint;
  PI_TRY(usm_hint_prefetch(queue->context, ptr, size, &hint));
  return enqueue(queue, PI_COMMAND_TYPE_MIGRATE_MEM_OBJECTS, &hint, num_events_in_wait_list,
                 event_wait_list, event);
}

pi_result piextUSMEnqueueMemAdvise(pi_queue queue, const void *ptr, size_t length,
                                   pi_mem_advice advice, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  usm_hint hint;
  PI_TRY(usm_hint_advise(queue->context, ptr, length, advice, &hint));
  return enqueue(queue, PI_COMMAND_TYPE_MARKER, &hint, 0, NULL, event);
}
