/* Commands that read, write and copy parts of images. Fills are in image_fill.c. */
#include "image_transfer.h"
#include "usm.h"

pi_result driver_image_transfer(sink *sink, pi_mem image, const image_box *part,
                                const image_pitched *memory, bool is_to_memory) {
  void *pointer = (void *)memory->start;
  usm_range range;
  PI_TRY(usm_check(sink->context, "ptr", pointer, memory->size, &range));
  const image_transfer transfer = {.image = image->driver.image,
                                   .box = *part,
                                   .memory = pointer,
                                   .row_pitch = memory->row_pitch,
                                   .slice_pitch = memory->slice_pitch,
                                   .is_to_memory = is_to_memory};
  PI_TRY(sink_begin(sink, SINK_COPY));
  return sink_end(sink, image_transfer_append(sink, &transfer));
}

pi_result driver_image_copy(sink *sink, pi_mem to, const image_box *there, pi_mem from,
                            const image_box *here) {
  const level_zero_image *source = from->driver.image, *target = to->driver.image;
  const ze_image_region_t read = image_region_of(&source->shape, here);
  const ze_image_region_t written = image_region_of(&target->shape, there);
  const struct driver_command *command = &sink->command;
  PI_TRY(sink_begin(sink, SINK_COPY));
  return sink_end(sink, ze_result(ze.CommandListAppendImageCopyRegion(
                                      command->list, target->image, source->image, &written, &read,
                                      command->signal, command->wait_count, command->waits),
                                  "zeCommandListAppendImageCopyRegion"));
}
