/* Commands that read, write and copy parts of images. image_fill.c has the fills. */
#include "image_transfer.h"

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
