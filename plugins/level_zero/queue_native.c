/* Native handles of queues: immediate command lists, and command queues. */
#include "event_pool.h"
#include "queue.h"

/* The values of native_handle_desc. */
enum { NATIVE_QUEUE = 0, NATIVE_LIST = 1 };

/*
 * Returns the native handle of the lane for kernels. Submits the gathered commands first, so that
 * the application's own commands come after them. From now on an in-order queue also keeps its
 * commands in order with the application's.
 */
pi_result driver_queue_native(pi_queue queue, pi_native_handle *ret, int32_t *desc) {
  TRY(driver_queue_flush(queue));
  queue_lane *lane = &queue->driver.lanes[QUEUE_COMPUTE];
  atomic_store_explicit(&lane->is_given_out, true, memory_order_relaxed);
  atomic_store_explicit(&queue->context->driver.gave_queue, true, memory_order_release);
  *ret = lane->immediate ? (pi_native_handle)(uintptr_t)lane->immediate
                         : (pi_native_handle)(uintptr_t)lane->queue;
  *desc = lane->immediate ? NATIVE_LIST : NATIVE_QUEUE;
  return PI_SUCCESS;
}

/*
 * Makes the lane for kernels around a native handle. If the handle came from another PI queue
 * (origin), both queues use the same list and therefore share the lock. The application also has
 * the handle, so is_given_out is set.
 */
static void adopt_lane(pi_queue made, const void *handle, bool is_list, bool is_owned) {
  queue_lane *lane = &made->driver.lanes[QUEUE_COMPUTE];
  lane->is_made = true;
  lane->is_owned = is_owned && !made->origin;
  atomic_init(&lane->is_given_out, true);
  atomic_store_explicit(&made->context->driver.gave_queue, true, memory_order_release);
  lane->group = made->device->driver.compute_group;
  lane->fill_pattern_size = made->device->driver.fill_pattern_size;
  if (is_list)
    lane->immediate = (ze_command_list_handle_t)(uintptr_t)handle;
  else
    lane->queue = (ze_command_queue_handle_t)(uintptr_t)handle;
  made->driver.is_immediate = is_list;
  made->driver.copy_lane = QUEUE_COMPUTE;
  if (made->origin)
    made->driver.lock = made->origin->driver.lock;
}

/*
 * Makes a queue around a ze_command_queue_handle_t or an immediate ze_command_list_handle_t. The
 * caller must pass one of the device's group for kernels, because this version of Level Zero does
 * not report the group or device of a handle.
 */
pi_result driver_queue_adopt(pi_queue queue, const native_queue *native) {
  const void *handle = (const void *)(uintptr_t)native->handle;
  const bool is_list = native->desc == NATIVE_LIST;
  queue_prepare(queue);
  REQUIRE(is_list || native->desc == NATIVE_QUEUE, PI_ERROR_INVALID_VALUE,
          "native_handle_desc is %d, neither %d, a command queue, nor %d, an immediate list",
          native->desc, NATIVE_QUEUE, NATIVE_LIST);
  adopt_lane(queue, handle, is_list, native->is_owned);
  queue_publish(queue);
  return PI_SUCCESS;
}
