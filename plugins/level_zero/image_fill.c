/*
 * Fills of images. Level Zero has none: the colour is repeated in scratch memory, and copied from
 * there. The scratch memory goes when the device is done with it.
 */
#include "../objects/deferred_free.h"
#include "checks.h"
#include "image_transfer.h"
#include "usm.h"

#include <stdlib.h>
#include <string.h>

/* The scratch memory of a fill is as large as this at most, but for a longer row. */
enum { SCRATCH_BYTES = 1 << 20 };

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

/* How much of a box one scratch memory fills: whole slices, or rows of one. */
static image_box scratch_box(const image_box *box, size_t pixel_size) {
  const size_t rows = SCRATCH_BYTES / pixel_size / box->width;
  image_box part = {.width = box->width, .height = 1, .depth = 1};
  if (rows >= box->height) {
    part.height = box->height;
    part.depth = smaller(rows / box->height, box->depth);
  } else if (rows > 1) {
    part.height = rows;
  }
  return part;
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

pi_result piEnqueueMemImageFill(pi_queue queue, pi_mem image, const void *fill_color,
                                const size_t *origin, const size_t *region,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_POINTER(fill_color);
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_WAIT_LIST();
  PI_TRY(image_check(queue, image, "image"));
  const level_zero_image *self = image->driver.image;
  const size_t pixel_size = self->pixel.size;
  image_box box;
  PI_TRY(image_box_read(&self->shape, origin, region, &box));
  unsigned char pixel[IMAGE_PIXEL_MAX];
  image_pixel_encode(&self->pixel, fill_color, pixel);
  const image_box part = scratch_box(&box, pixel_size);
  const pi_context context = queue->context;
  scratch *scratch;
  PI_TRY(make_scratch(context, part.width * part.height * part.depth * pixel_size, pixel,
                      pixel_size, &scratch));

  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_FILL_IMAGE, num_events_in_wait_list,
                            event_wait_list, false, event);
  pi_result result = sink_begin(&sink, SINK_COPY);
  if (result == PI_SUCCESS) {
    result = append_fill(&sink, self, &box, &part, scratch->memory);
    result = sink_end(&sink, result);
  }
  deferred_free(context, &scratch->deferred, destroy_scratch);
  return result;
}
