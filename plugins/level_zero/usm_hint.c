/* Prefetch and advice: hints about shared memory. */
#include "../objects/driver.h"
#include "blocks.h"
#include "queue.h"
#include "usm_advice.h"

static pi_result append_prefetch(sink *sink, const void *pointer, size_t size) {
  TRY(command_first_step(sink));
  ZE_TRY(CommandListAppendMemoryPrefetch, sink->command.list, pointer, size);
  return command_last_step(sink);
}

/* Prefetches to devices only. For the host there is nothing to do: memory moves there on access. */
pi_result driver_usm_prefetch(sink *sink, const void *pointer, size_t size, bool to_host) {
  TRY(sink_begin(sink, SINK_COMPUTE));
  if (size == 0 || to_host)
    return sink_end(sink, driver_marker(sink, false));
  return sink_end(sink, append_prefetch(sink, pointer, size));
}

static pi_result append_advice(sink *sink, const void *pointer, size_t size,
                               const ze_memory_advice_t *list, size_t count) {
  TRY(command_first_step(sink));
  for (size_t i = 0; i < count; i++)
    ZE_TRY(CommandListAppendMemAdvise, sink->command.list, sink->device->driver.device, pointer,
           size, list[i]);
  return command_last_step(sink);
}

/* Excludes memory from reuse after its free, because advice would apply to the next user, too. */
static pi_result spoil_block(pi_context context, const void *pointer) {
  usm_range range;
  TRY(driver_usm_describe(context, pointer, &range));
  if (range.type != PI_MEM_TYPE_UNKNOWN)
    blocks_spoil(context, range.base);
  return PI_SUCCESS;
}

pi_result driver_usm_advise(sink *sink, const void *pointer, size_t size, unsigned advice) {
  ze_memory_advice_t list[USM_ADVICE_MAX];
  const size_t count = usm_advice_list(advice, list);
  if (size && count)
    TRY(spoil_block(sink->context, pointer));
  TRY(sink_begin(sink, SINK_COMPUTE));
  return sink_end(sink, size && count ? append_advice(sink, pointer, size, list, count)
                                      : driver_marker(sink, false));
}
