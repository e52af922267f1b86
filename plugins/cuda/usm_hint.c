/*
 * Prefetch and advice: hints about managed memory. Whatever they are about, the event is right:
 * where there is nothing to move or to advise, the command does nothing but keep its place.
 */
#include "checks.h"
#include "queue.h"
#include "usm.h"
#include "usm_advice.h"

/*
 * Whether pages of this memory move while host and device use it. Without concurrent access the
 * driver moves all of it at each launch, and refuses hints.
 */
static bool moves(pi_context context, const usm_range *range) {
  return range->type == PI_MEM_TYPE_SHARED &&
         cuda_attribute(context->devices[0], CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0) != 0;
}

pi_result piextUSMEnqueuePrefetch(pi_queue queue, const void *ptr, size_t size,
                                  pi_usm_migration_flags flags, pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  PI_REQUIRE(flags == 0, PI_ERROR_INVALID_VALUE, "flags is 0x%llx, PI has none with a meaning yet",
             (unsigned long long)flags);
  REQUIRE_WAIT_LIST();
  const pi_context context = queue->context;
  PI_TRY(cuda_enter(context));
  usm_range range;
  PI_TRY(usm_check("ptr", ptr, size, &range));

  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MIGRATE_MEM_OBJECTS, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  pi_result result = PI_SUCCESS;
  if (size != 0 && moves(context, &range))
    result = cu_result(cu.MemPrefetchAsync(cu_pointer(ptr), size,
                                           context->devices[0]->driver.ordinal, command.stream),
                       "cuMemPrefetchAsync");
  return queue_conclude(&command, result, false, event);
}

/*
 * The driver takes advice at once, not in a stream; it is about what follows, so the event has
 * nothing to wait for.
 */
pi_result piextUSMEnqueueMemAdvise(pi_queue queue, const void *ptr, size_t length,
                                   pi_mem_advice advice, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  usm_advice list[USM_ADVICE_MAX];
  size_t count;
  PI_TRY(usm_advice_read(advice, list, &count));
  const pi_context context = queue->context;
  PI_TRY(cuda_enter(context));
  usm_range range;
  PI_TRY(usm_check("ptr", ptr, length, &range));
  if (length == 0 || !moves(context, &range))
    count = 0;

  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MARKER, 0, NULL, event != NULL, &command));
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < count && result == PI_SUCCESS; i++)
    result = cu_result(
        cu.MemAdvise(cu_pointer(ptr), length, list[i].advice,
                     list[i].is_host ? CU_DEVICE_CPU : context->devices[0]->driver.ordinal),
        "cuMemAdvise");
  return queue_conclude(&command, result, false, event);
}
