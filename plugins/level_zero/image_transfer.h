/* Copies between an image and memory. */
#ifndef LEVEL_ZERO_IMAGE_TRANSFER_H
#define LEVEL_ZERO_IMAGE_TRANSFER_H

#include "image.h"
#include "queue.h"

/* memory is only read unless is_to_memory; layers of 1D images have its slices' pitch. */
typedef struct image_transfer {
  pi_context context;
  image_part part;
  image_pitched memory;
  bool is_to_memory;
} image_transfer;

/* The part as the driver counts: layers of 1D images are rows. */
ze_image_region_t image_region_of(const image_part *part);

/*
 * Appends the copy as the command that was begun: by one call of the driver where that can express
 * the pitches, else row by row. The caller has checked both sides and concludes the command as one
 * of several driver calls.
 */
pi_result image_transfer_append(sink *sink, const image_transfer *transfer);

/* The driver's calls alone, without events: for commands of more than this copy. */
pi_result image_transfer_steps(ze_command_list_handle_t list, const image_transfer *transfer);

/*
 * Fills a part of an image that nobody else knows yet, of the context's first root device, and
 * waits for the end. Fails as the driver does.
 */
pi_result image_transfer_now(pi_context context, const image_part *to, const image_pitched *from);

#endif
