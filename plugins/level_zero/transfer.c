#include "transfer.h"

static void *pointer_of(uintptr_t address) {
  return (void *)address;
}

/* The events that a call of the driver waits for and signals. */
typedef struct events {
  ze_event_handle_t signal;
  uint32_t wait_count;
  ze_event_handle_t *waits;
} events;

static pi_result append_plain(const sink *sink, const transfer *transfer, events with) {
  ZE_TRY(CommandListAppendMemoryCopy, sink->command.list, pointer_of(transfer->to.start),
         pointer_of(transfer->from.start), transfer->width * transfer->height * transfer->depth,
         with.signal, with.wait_count, with.waits);
  return PI_SUCCESS;
}

/* Returns whether the pitches fit Level Zero's regions, which have 32 bits for each. */
static bool fits_side(const transfer_side *side) {
  return side->row <= UINT32_MAX && side->slice <= UINT32_MAX;
}

/* Returns the bytes from the start of a side to its end, with all gaps. */
static size_t extent(const transfer *transfer, const transfer_side *side) {
  return (transfer->depth - 1) * side->slice + (transfer->height - 1) * side->row + transfer->width;
}

/*
 * Returns whether the sides interleave, like two columns of one table. They share no byte, but a
 * driver that compares only their first and last bytes may take them for overlapping.
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

static pi_result append_region(const sink *sink, const transfer *transfer, events with) {
  const ze_copy_region_t region = {
      .width = (uint32_t)transfer->width,
      .height = (uint32_t)transfer->height,
      .depth = (uint32_t)transfer->depth,
  };
  ZE_TRY(CommandListAppendMemoryCopyRegion, sink->command.list, pointer_of(transfer->to.start),
         &region, (uint32_t)transfer->to.row, (uint32_t)transfer->to.slice,
         pointer_of(transfer->from.start), &region, (uint32_t)transfer->from.row,
         (uint32_t)transfer->from.slice, with.signal, with.wait_count, with.waits);
  return PI_SUCCESS;
}

static pi_result append_rows(const sink *sink, const transfer *transfer) {
  for (size_t z = 0; z < transfer->depth; z++)
    for (size_t y = 0; y < transfer->height; y++)
      ZE_TRY(CommandListAppendMemoryCopy, sink->command.list,
             pointer_of(transfer->to.start + z * transfer->to.slice + y * transfer->to.row),
             pointer_of(transfer->from.start + z * transfer->from.slice + y * transfer->from.row),
             transfer->width, NULL, 0, NULL);
  return PI_SUCCESS;
}

pi_result transfer_append_step(sink *sink, const transfer *transfer) {
  const events none = {NULL, 0, NULL};
  if (transfer_is_plain(transfer))
    return append_plain(sink, transfer, none);
  return fits_region(transfer) ? append_region(sink, transfer, none) : append_rows(sink, transfer);
}

pi_result driver_copy(sink *sink, const transfer *transfer, copy_host host) {
  (void)host; /* Level Zero copies the application's memory without preparation. */
  TRY(sink_begin(sink, transfer->width ? SINK_COPY : SINK_COMPUTE));
  return sink_end(sink, transfer_append(sink, transfer));
}

pi_result transfer_append(sink *sink, const transfer *transfer) {
  const events own = {sink->command.signal, sink->command.wait_count, sink->command.waits};
  if (transfer->width == 0)
    return driver_marker(sink, false);
  if (transfer_is_plain(transfer))
    return append_plain(sink, transfer, own);
  if (fits_region(transfer))
    return append_region(sink, transfer, own);
  TRY(command_first_step(sink));
  TRY(append_rows(sink, transfer));
  return command_last_step(sink);
}
