/*
 * Fills of images. Level Zero has no such command, so the plugin fills scratch memory with the
 * colour and copies it to the image. The scratch memory is freed when the command has ended.
 */
#include "../objects/deferred_free.h"
#include "blocks.h"
#include "image_transfer.h"

#include <stdlib.h>
#include <string.h>

typedef struct scratch {
  deferred deferred;
  pi_context context; /* a reference */
  unsigned char *memory;
} scratch;

static void destroy_scratch(deferred *node) {
  scratch *self = OWNER_OF(node, scratch, deferred);
  const pi_context context = self->context;
  blocks_give(context, self->memory);
  free(self);
  context_release(context);
}

/* Makes scratch memory of size bytes, a multiple of pixel_size, and fills it with the pixel. */
static pi_result make_scratch(pi_context context, size_t size, const unsigned char *pixel,
                              size_t pixel_size, scratch **ret) {
  scratch *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "the fill of an image");
  void *memory = NULL;
  const usm_request request = {.context = context, .type = PI_MEM_TYPE_HOST, .size = size};
  const pi_result result = blocks_allocate(&request, &memory);
  if (result != PI_SUCCESS) {
    free(made);
    return result;
  }
  made->context = context;
  made->memory = memory;
  context_retain(context);
  memcpy(made->memory, pixel, pixel_size);
  for (size_t done = pixel_size; done < size;) {
    const size_t more = done < size - done ? done : size - done;
    memcpy(made->memory + done, made->memory, more);
    done += more;
  }
  *ret = made;
  return PI_SUCCESS;
}

static pi_result append_fill(sink *sink, const image_part *image, const image_box *part,
                             void *memory) {
  const size_t row = image->box.width * image->form->pixel.size;
  const image_pitched source = {
      .start = (uintptr_t)memory, .row_pitch = row, .slice_pitch = row * part->height};
  image_transfer piece = {sink->context, {image->image, image->form, {0}, NULL}, source, false};
  TRY(command_first_step(sink));
  while (image_fill_next(&image->box, part, &piece.part.box))
    TRY(image_transfer_steps(sink->command.list, &piece));
  return command_last_step(sink);
}

pi_result driver_image_fill(sink *sink, const image_part *image, const unsigned char *pixel) {
  const size_t pixel_size = image->form->pixel.size;
  const image_box part = image_fill_part(&image->box, pixel_size);
  scratch *scratch;
  TRY(make_scratch(sink->context, part.width * part.height * part.depth * pixel_size, pixel,
                   pixel_size, &scratch));
  pi_result result = sink_begin(sink, SINK_COPY);
  if (result == PI_SUCCESS)
    result = sink_end(sink, append_fill(sink, image, &part, scratch->memory));
  deferred_free(sink->context, &scratch->deferred, destroy_scratch);
  return result;
}
