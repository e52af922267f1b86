/*
 * Commands on parts of images. Each function is the whole command: it checks, begins the sink and
 * ends it. PI_ERROR_INVALID_MEM_OBJECT: a buffer, or the description of a bindless image;
 * PI_ERROR_INVALID_CONTEXT, PI_ERROR_INVALID_DEVICE: another one than the sink's.
 * PI_ERROR_INVALID_VALUE: the part leaves the image. Otherwise the errors of sink_begin and of the
 * driver.
 */
#ifndef OBJECTS_IMAGE_COMMAND_H
#define OBJECTS_IMAGE_COMMAND_H

#include "../checks/image_shape.h"
#include "sink.h"

/* Copy between an image and memory. PI_ERROR_INVALID_VALUE: a pitch is too small. */
pi_result image_read(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                     size_t row_pitch, size_t slice_pitch, void *pointer);
pi_result image_write(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                      size_t row_pitch, size_t slice_pitch, const void *pointer);

/* PI_ERROR_IMAGE_FORMAT_MISMATCH; PI_ERROR_MEM_COPY_OVERLAP: parts of one image that overlap. */
pi_result image_copy(sink *sink, pi_mem from, pi_image_offset from_origin, pi_mem to,
                     pi_image_offset to_origin, pi_image_region region);

/* colour: four channels, as in piEnqueueMemImageFill. */
pi_result image_fill(sink *sink, pi_mem image, const void *colour, const size_t *origin,
                     const size_t *region);

/* Checks a copy. PI_ERROR_MEM_COPY_OVERLAP. */
pi_result image_check_overlap(const image_part *to, const image_part *from);

#endif
