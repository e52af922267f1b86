#include "image_transfer.h"

/* The events of a driver call; all 0 if the call has none. */
typedef struct call_events {
  ze_event_handle_t signal;
  uint32_t wait_count;
  ze_event_handle_t *waits;
} call_events;

ze_image_region_t image_region_of(const image_part *part) {
  const image_box *box = &part->box;
  const bool swapped = image_has_layers_as_rows(&part->form->shape);
  return (ze_image_region_t){
      .originX = (uint32_t)box->x,
      .originY = (uint32_t)(swapped ? box->z : box->y),
      .originZ = (uint32_t)(swapped ? 0 : box->z),
      .width = (uint32_t)box->width,
      .height = (uint32_t)(swapped ? box->depth : box->height),
      .depth = (uint32_t)(swapped ? 1 : box->depth),
  };
}

static size_t row_size(const image_transfer *transfer) {
  return transfer->part.box.width * transfer->part.form->pixel.size;
}

/* Returns whether memory has no gaps, so that every driver can copy it in one call. */
static bool is_dense(const image_transfer *transfer) {
  const image_box *box = &transfer->part.box;
  const image_pitched *memory = &transfer->memory;
  return (box->height == 1 || memory->row_pitch == row_size(transfer)) &&
         (box->depth == 1 || memory->slice_pitch == row_size(transfer) * box->height);
}

/*
 * Returns whether one call can copy memory with gaps. That needs the newer call, and excludes
 * layers of 1D images, because the call's specification leaves open which pitch they have.
 */
static bool is_pitched(const image_transfer *transfer) {
  const image_pitched *memory = &transfer->memory;
  return transfer->part.form->shape.has_height && memory->row_pitch <= UINT32_MAX &&
         memory->slice_pitch <= UINT32_MAX && ze.CommandListAppendImageCopyToMemoryExt &&
         ze.CommandListAppendImageCopyFromMemoryExt &&
         platform_has_extension(transfer->context->platform, ZE_IMAGE_COPY_EXT_NAME);
}

static pi_result append_dense(ze_command_list_handle_t list, const image_transfer *transfer,
                              const call_events *events) {
  const ze_image_region_t region = image_region_of(&transfer->part);
  void *const memory = (void *)transfer->memory.start;
  if (transfer->is_to_memory)
    ZE_TRY(CommandListAppendImageCopyToMemory, list, memory, transfer->part.image, &region,
           events->signal, events->wait_count, events->waits);
  else
    ZE_TRY(CommandListAppendImageCopyFromMemory, list, transfer->part.image, memory, &region,
           events->signal, events->wait_count, events->waits);
  return PI_SUCCESS;
}

/* Passes a slice pitch of 0 for an image that has no slices. */
static pi_result append_pitched(ze_command_list_handle_t list, const image_transfer *transfer,
                                const call_events *events) {
  const image_shape *shape = &transfer->part.form->shape;
  const ze_image_region_t region = image_region_of(&transfer->part);
  void *const memory = (void *)transfer->memory.start;
  const uint32_t row = (uint32_t)transfer->memory.row_pitch;
  const uint32_t slice =
      shape->has_depth || shape->is_layered ? (uint32_t)transfer->memory.slice_pitch : 0;
  if (transfer->is_to_memory)
    ZE_TRY(CommandListAppendImageCopyToMemoryExt, list, memory, transfer->part.image, &region, row,
           slice, events->signal, events->wait_count, events->waits);
  else
    ZE_TRY(CommandListAppendImageCopyFromMemoryExt, list, transfer->part.image, memory, &region,
           row, slice, events->signal, events->wait_count, events->waits);
  return PI_SUCCESS;
}

static pi_result append_rows(ze_command_list_handle_t list, const image_transfer *transfer) {
  const call_events none = {0};
  const image_box *box = &transfer->part.box;
  const image_pitched *memory = &transfer->memory;
  image_transfer row = *transfer;
  row.part.box.height = row.part.box.depth = 1;
  for (size_t z = 0; z < box->depth; z++)
    for (size_t y = 0; y < box->height; y++) {
      row.part.box.y = box->y + y;
      row.part.box.z = box->z + z;
      row.memory.start = memory->start + z * memory->slice_pitch + y * memory->row_pitch;
      TRY(append_dense(list, &row, &none));
    }
  return PI_SUCCESS;
}

pi_result image_transfer_steps(ze_command_list_handle_t list, const image_transfer *transfer) {
  const call_events none = {0};
  return is_dense(transfer)     ? append_dense(list, transfer, &none)
         : is_pitched(transfer) ? append_pitched(list, transfer, &none)
                                : append_rows(list, transfer);
}

pi_result image_transfer_append(sink *sink, const image_transfer *transfer) {
  const call_events events = {sink->command.signal, sink->command.wait_count, sink->command.waits};
  if (is_dense(transfer))
    return append_dense(sink->command.list, transfer, &events);
  if (is_pitched(transfer))
    return append_pitched(sink->command.list, transfer, &events);
  TRY(command_first_step(sink));
  TRY(append_rows(sink->command.list, transfer));
  return command_last_step(sink);
}

pi_result image_transfer_now(pi_context context, const image_part *to, const image_pitched *from) {
  const image_transfer transfer = {context, *to, *from, false};
  const pi_device device = context->roots[0];
  const ze_command_queue_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = device->driver.compute_group,
      .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
  };
  ze_command_list_handle_t list = NULL;
  ZE_TRY(CommandListCreateImmediate, context->driver.context, device->driver.device, &description,
         &list);
  const pi_result result = image_transfer_steps(list, &transfer);
  ze.CommandListDestroy(list);
  return result;
}

/* ---- Commands; image_fill.c has the fills ---- */

pi_result driver_image_transfer(sink *sink, const image_part *image, const image_pitched *memory,
                                bool is_to_memory) {
  const image_transfer transfer = {sink->context, *image, *memory, is_to_memory};
  TRY(sink_begin(sink, SINK_COPY));
  return sink_end(sink, image_transfer_append(sink, &transfer));
}

pi_result driver_image_copy(sink *sink, const image_part *to, const image_part *from) {
  const ze_image_region_t read = image_region_of(from), written = image_region_of(to);
  const struct driver_command *command = &sink->command;
  TRY(sink_begin(sink, SINK_COPY));
  return sink_end(sink,
                  ZE_CALL(CommandListAppendImageCopyRegion, command->list, to->image, from->image,
                          &written, &read, command->signal, command->wait_count, command->waits));
}
