/* Copies between an image and memory. */
#ifndef PI_LEVEL_ZERO_IMAGE_TRANSFER_H
#define PI_LEVEL_ZERO_IMAGE_TRANSFER_H

#include "image.h"
#include "queue.h"

/*
 * A part of an image, and memory with rows and slices. The pitches are in bytes, and at least a row
 * and the rows of a slice; layers of 1D images have the slices' pitch.
 */
typedef struct image_transfer {
  const level_zero_image *image;
  image_box box;
  void *memory; /* its first byte, which is only read unless is_to_memory */
  size_t row_pitch, slice_pitch;
  bool is_to_memory;
} image_transfer;

/* The part as the driver counts: layers of 1D images are rows. */
ze_image_region_t image_region_of(const image_shape *shape, const image_box *box);

/*
 * Appends the copy as the command that was begun: by one call of the driver where that can express
 * the pitches, else row by row. The caller has checked both sides and concludes the command as one
 * of several driver calls.
 */
pi_result image_transfer_append(sink *sink, const image_transfer *transfer);

/* The driver's calls alone, without events: for commands of more than this copy. */
pi_result image_transfer_steps(ze_command_list_handle_t list, const image_transfer *transfer);

/* The same at once, for an image that nobody else knows yet. Fails as the driver does. */
pi_result image_transfer_now(pi_context context, const image_transfer *transfer);

#endif
