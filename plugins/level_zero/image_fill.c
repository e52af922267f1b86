/*
 * Fills of images. Level Zero has none: the colour is repeated in scratch memory, and copied from
 * there. The scratch memory goes when the device is done with it.
 */
#include "../objects/deferred_free.h"
#include "image_transfer.h"
#include "usm.h"

#include <stdlib.h>
#include <string.h>

typedef struct scratch {
  deferred deferred;
  pi_context context; /* a reference */
  unsigned char *memory;
} scratch;

static void destroy_scratch(deferred *node) {
  scratch *self = DEFERRED_OWNER(node, scratch, deferred);
  const pi_context context = self->context;
  usm_free_host(context, self->memory);
  free(self);
  context_release(context);
}

/* size bytes, a multiple of the pixel's, full of it. */
static pi_result make_scratch(pi_context context, size_t size, const unsigned char *pixel,
                              size_t pixel_size, scratch **ret) {
  scratch *made = calloc(1, sizeof *made);
  PI_REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the fill of an image");
  void *memory = NULL;
  const pi_result result = usm_alloc_host(context, size, &memory);
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

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Copies the scratch memory to every part of the box. */
static pi_result spread(ze_command_list_handle_t list, const level_zero_image *image,
                        const image_box *box, const image_box *part, void *memory) {
  const size_t row = box->width * image->pixel.size;
  for (size_t z = 0; z < box->depth; z += part->depth)
    for (size_t y = 0; y < box->height; y += part->height) {
      const size_t height = smaller(part->height, box->height - y);
      const image_transfer piece = {.image = image,
                                    .box = {box->x, box->y + y, box->z + z, box->width, height,
                                            smaller(part->depth, box->depth - z)},
                                    .memory = memory,
                                    .row_pitch = row,
                                    .slice_pitch = row * height};
      PI_TRY(image_transfer_steps(list, &piece));
    }
  return PI_SUCCESS;
}

static pi_result append_fill(sink *sink, const level_zero_image *image, const image_box *box,
                             const image_box *part, void *memory) {
  PI_TRY(command_first_step(sink));
  PI_TRY(spread(sink->command.list, image, box, part, memory));
  return command_last_step(sink);
}

pi_result driver_image_fill(sink *sink, pi_mem image, const image_box *box,
                            const unsigned char *pixel) {
  const level_zero_image *self = image->driver.image;
  const size_t pixel_size = self->pixel.size;
  const image_box part = image_fill_part(box, pixel_size);
  scratch *scratch;
  PI_TRY(make_scratch(sink->context, part.width * part.height * part.depth * pixel_size, pixel,
                      pixel_size, &scratch));
  pi_result result = sink_begin(sink, SINK_COPY);
  if (result == PI_SUCCESS)
    result = sink_end(sink, append_fill(sink, self, box, &part, scratch->memory));
  deferred_free(sink->context, &scratch->deferred, destroy_scratch);
  return result;
}
