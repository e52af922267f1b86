/* The lanes of a queue, with the choice of their engines. */
#include "queue.h"
#include "settings.h"

#include <stdatomic.h>

/* The initial batch size in commands. */
enum { FIRST_BATCH = 8 };

static ze_command_queue_desc_t describe_queue(pi_queue queue, const queue_lane *lane) {
  return (ze_command_queue_desc_t){
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = lane->group,
      .index = lane->index,
      .flags = lane->is_explicit ? ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY : 0,
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      .priority = queue->driver.priority,
  };
}

/* Chooses a lane's copy engine; queues take turns with the engines. */
static void choose_copy_engine(pi_device device, queue_lane *lane) {
  static atomic_uint turn;
  const unsigned number = atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed);
  if (device->driver.copy_group != DEVICE_NO_GROUP) {
    lane->group = device->driver.copy_group;
    lane->index = device->driver.copy_queues ? number % device->driver.copy_queues : 0;
  } else {
    lane->group = device->driver.link_group;
    lane->index = device->driver.link_queues ? number % device->driver.link_queues : 0;
  }
  lane->is_explicit = lane->index != 0;
  lane->fill_pattern_size = device->driver.copy_fill_pattern_size;
}

static void choose_engine(pi_queue queue, queue_engine engine, queue_lane *lane) {
  if (engine == QUEUE_COPY) {
    choose_copy_engine(queue->device, lane);
    return;
  }
  lane->group = queue->device->driver.compute_group;
  lane->index = queue->driver.compute_index;
  lane->is_explicit = queue->driver.has_compute_index || lane->index != 0;
  lane->fill_pattern_size = queue->device->driver.fill_pattern_size;
}

/* Makes the lane's immediate list, or a command queue for batches if the queue gathers commands or
 * the driver has no immediate lists. */
static pi_result make_list_or_queue(pi_queue queue, queue_lane *lane) {
  const ze_command_queue_desc_t description = describe_queue(queue, lane);
  const ze_context_handle_t context = queue->context->driver.context;
  const ze_device_handle_t device = queue->device->driver.device;
  if (queue->driver.is_immediate) {
    const ze_result_t code =
        ze.CommandListCreateImmediate(context, device, &description, &lane->immediate);
    if (code != ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
      return ze_result(code, "zeCommandListCreateImmediate");
    lane->immediate = NULL;
  }
  ZE_TRY(CommandQueueCreate, context, device, &description, &lane->queue);
  return PI_SUCCESS;
}

pi_result queue_lane_get(pi_queue queue, queue_engine engine, queue_lane **ret) {
  queue_lane *lane = &queue->driver.lanes[engine];
  if (__builtin_expect(!lane->is_made, 0)) {
    choose_engine(queue, engine, lane);
    TRY(make_list_or_queue(queue, lane));
    lane->is_made = true;
    lane->is_owned = true;
  }
  if (!lane->executed_end) {
    const unsigned fixed = level_zero_get_settings()->batch_size;
    lane->executed_end = &lane->executed;
    lane->batch_size = fixed ? fixed : FIRST_BATCH;
  }
  *ret = lane;
  return PI_SUCCESS;
}

void queue_lane_wait(const queue_lane *lane) {
  if (lane->queue)
    ze.CommandQueueSynchronize(lane->queue, UINT64_MAX);
  else if (lane->immediate && ze.CommandListHostSynchronize)
    ze.CommandListHostSynchronize(lane->immediate, UINT64_MAX);
}

/*
 * All commands have signalled their events by now, but the driver may not yet have recorded that
 * the list is idle, so this waits for it.
 */
void queue_lane_destroy(queue_lane *lane) {
  if (!lane->is_made)
    return;
  queue_lane_wait(lane);
  queue_batches_destroy(lane);
  if (!lane->is_owned)
    return;
  if (lane->queue)
    ze.CommandQueueDestroy(lane->queue);
  else
    ze.CommandListDestroy(lane->immediate);
}

pi_result queue_lane_list(pi_queue queue, queue_lane *lane, ze_command_list_handle_t *list) {
  if (lane->immediate) {
    *list = lane->immediate;
    return PI_SUCCESS;
  }
  if (!lane->open)
    TRY(queue_batch_open(queue, lane));
  *list = lane->open->list;
  return PI_SUCCESS;
}

pi_result queue_lane_add(pi_queue queue, queue_lane *lane, pi_event event) {
  queue_batch *batch = lane->open;
  if (!batch)
    return PI_SUCCESS;
  event->driver.lane = lane;
  event->driver.batch = batch->number;
  *batch->events_end = event;
  batch->events_end = &event->driver.next_in_batch;
  batch->count++;
  return batch->count < lane->batch_size ? PI_SUCCESS : queue_batch_execute(queue, lane, true);
}
