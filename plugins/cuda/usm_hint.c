/* Prefetch and advice: hints about managed memory. */
#include "blocks.h"
#include "queue.h"
#include "usm_advice.h"

/*
 * Returns whether the driver takes hints. It refuses them on a device without concurrent access to
 * managed memory, where it moves all of that at each launch. In a command buffer hints are ignored,
 * because CUDA's graphs have no node for them.
 */
static bool takes_hints(const sink *sink, size_t size) {
  return size != 0 && sink->queue &&
         cuda_attribute(sink->device, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0) != 0;
}

pi_result driver_usm_prefetch(sink *sink, const void *pointer, size_t size, bool to_host) {
  pi_result result = PI_SUCCESS;
  TRY(sink_begin(sink, SINK_COPY));
  if (takes_hints(sink, size))
    result = CU_CALL(MemPrefetchAsync, cu_pointer(pointer), size,
                     to_host ? CU_DEVICE_CPU : sink->device->driver.ordinal, sink->command.stream);
  return sink_end(sink, result);
}

/* Excludes memory from reuse after its free, because advice would apply to the next user, too. */
static void spoil_block(pi_context context, const void *pointer) {
  CUdeviceptr base;
  if (cu.MemGetAddressRange(&base, NULL, cu_pointer(pointer)) == CUDA_SUCCESS)
    blocks_spoil(context, base);
}

/*
 * Gives advice in this call: CUDA does not enqueue it in a stream. That is early enough, because
 * advice is about later commands.
 */
pi_result driver_usm_advise(sink *sink, const void *pointer, size_t size, unsigned advice) {
  usm_advice list[USM_ADVICE_MAX];
  const size_t count = takes_hints(sink, size) ? usm_advice_list(advice, list) : 0;
  pi_result result = PI_SUCCESS;
  TRY(sink_begin(sink, SINK_COPY));
  if (count)
    spoil_block(sink->context, pointer);
  for (size_t i = 0; i < count && result == PI_SUCCESS; i++)
    result = CU_CALL(MemAdvise, cu_pointer(pointer), size, list[i].advice,
                     list[i].is_host ? CU_DEVICE_CPU : sink->device->driver.ordinal);
  return sink_end(sink, result);
}
