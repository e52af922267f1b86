/* Copies between an image and memory. */
#ifndef LEVEL_ZERO_IMAGE_TRANSFER_H
#define LEVEL_ZERO_IMAGE_TRANSFER_H

#include "image.h"
#include "queue.h"

/* memory is written if is_to_memory, else read. Layers of 1D images use its slice pitch. */
typedef struct image_transfer {
  pi_context context;
  image_part part;
  image_pitched memory;
  bool is_to_memory;
} image_transfer;

/* Translates a part for the driver, for which the layers of a 1D image are rows. */
ze_image_region_t image_region_of(const image_part *part);

/*
 * Appends the copy as the whole command of the sink: in one driver call if that can express the
 * pitches, else row by row. The caller has checked the image's part and the memory.
 */
pi_result image_transfer_append(sink *sink, const image_transfer *transfer);

/* Appends the copy without events, as a step of a command of several driver calls. */
pi_result image_transfer_steps(ze_command_list_handle_t list, const image_transfer *transfer);

/*
 * Copies memory to a part of an image that no command uses yet, and waits for the end. The image is
 * of the context's first root device. Passes on the driver's errors.
 */
pi_result image_transfer_now(pi_context context, const image_part *to, const image_pitched *from);

#endif
