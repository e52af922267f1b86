#include "transfer.h"

static void *pointer_of(uintptr_t address) {
  return (void *)address;
}

/* What a call of the driver waits for and signals. */
typedef struct events {
  ze_event_handle_t signal;
  uint32_t wait_count;
  ze_event_handle_t *waits;
} events;

static pi_result append_plain(const queue_command *command, const transfer *transfer, events with) {
  ZE_TRY(CommandListAppendMemoryCopy, command->list, pointer_of(transfer->to.start),
         pointer_of(transfer->from.start), transfer->width * transfer->height * transfer->depth,
         with.signal, with.wait_count, with.waits);
  return PI_SUCCESS;
}

/* Level Zero has 32 bits for sizes and distances of regions. */
static bool fits_side(const transfer_side *side) {
  return side->row <= UINT32_MAX && side->slice <= UINT32_MAX;
}

/* The bytes from the first one of a side to its last one. */
static size_t extent(const transfer *transfer, const transfer_side *side) {
  return (transfer->depth - 1) * side->slice + (transfer->height - 1) * side->row + transfer->width;
}

/*
 * Whether the sides lie in each other, like two columns of one table. They have no byte in common,
 * but a driver may look at no more than their first and last ones.
 */
static bool is_entangled(const transfer *transfer) {
  return transfer->from.start < transfer->to.start + extent(transfer, &transfer->to) &&
         transfer->to.start < transfer->from.start + extent(transfer, &transfer->from);
}

static bool fits_region(const transfer *transfer) {
  return !is_entangled(transfer) && transfer->width <= UINT32_MAX &&
         transfer->height <= UINT32_MAX && transfer->depth <= UINT32_MAX &&
         fits_side(&transfer->from) && fits_side(&transfer->to);
}

static pi_result append_region(const queue_command *command, const transfer *transfer,
                               events with) {
  const ze_copy_region_t region = {
      .width = (uint32_t)transfer->width,
      .height = (uint32_t)transfer->height,
      .depth = (uint32_t)transfer->depth,
  };
  ZE_TRY(CommandListAppendMemoryCopyRegion, command->list, pointer_of(transfer->to.start), &region,
         (uint32_t)transfer->to.row, (uint32_t)transfer->to.slice, pointer_of(transfer->from.start),
         &region, (uint32_t)transfer->from.row, (uint32_t)transfer->from.slice, with.signal,
         with.wait_count, with.waits);
  return PI_SUCCESS;
}

static pi_result append_rows(const queue_command *command, const transfer *transfer) {
  for (size_t z = 0; z < transfer->depth; z++)
    for (size_t y = 0; y < transfer->height; y++)
      ZE_TRY(CommandListAppendMemoryCopy, command->list,
             pointer_of(transfer->to.start + z * transfer->to.slice + y * transfer->to.row),
             pointer_of(transfer->from.start + z * transfer->from.slice + y * transfer->from.row),
             transfer->width, NULL, 0, NULL);
  return PI_SUCCESS;
}

static bool is_plain(const transfer *transfer) {
  return transfer_is_dense(transfer, &transfer->from) && transfer_is_dense(transfer, &transfer->to);
}

pi_result transfer_append_step(queue_command *command, const transfer *transfer) {
  const events none = {NULL, 0, NULL};
  if (is_plain(transfer))
    return append_plain(command, transfer, none);
  return fits_region(transfer) ? append_region(command, transfer, none)
                               : append_rows(command, transfer);
}

pi_result transfer_append(queue_command *command, const transfer *transfer) {
  const events own = {command->signal, command->wait_count, command->waits};
  command->is_single = transfer->width == 0 || is_plain(transfer) || fits_region(transfer);
  if (transfer->width == 0)
    return queue_marker(command, false);
  if (is_plain(transfer))
    return append_plain(command, transfer, own);
  if (fits_region(transfer))
    return append_region(command, transfer, own);
  PI_TRY(queue_first_step(command));
  PI_TRY(append_rows(command, transfer));
  return queue_last_step(command);
}
