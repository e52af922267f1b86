/*
 * Commands on parts of images. Each function is a whole command: it checks the arguments, begins
 * the sink and ends it. PI_ERROR_INVALID_MEM_OBJECT: the object is a buffer, or describes a
 * bindless image; PI_ERROR_INVALID_CONTEXT, PI_ERROR_INVALID_DEVICE: the image's context or device
 * is not the sink's; PI_ERROR_INVALID_VALUE: the part leaves the image. Otherwise the errors of
 * sink_begin and of the driver.
 */
#ifndef OBJECTS_IMAGE_COMMAND_H
#define OBJECTS_IMAGE_COMMAND_H

#include "../checks/image_shape.h"

typedef struct sink sink;

/* Copy between an image and memory. PI_ERROR_INVALID_VALUE: a pitch is too small. */
pi_result image_read(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                     size_t row_pitch, size_t slice_pitch, void *pointer);
pi_result image_write(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                      size_t row_pitch, size_t slice_pitch, const void *pointer);

/* Copies. PI_ERROR_IMAGE_FORMAT_MISMATCH; PI_ERROR_MEM_COPY_OVERLAP: the parts overlap. */
pi_result image_copy(sink *sink, pi_mem from, pi_image_offset from_origin, pi_mem to,
                     pi_image_offset to_origin, pi_image_region region);

/* Fills with a colour of four channels, as piEnqueueMemImageFill. */
pi_result image_fill(sink *sink, pi_mem image, const void *colour, const size_t *origin,
                     const size_t *region);

/* Returns PI_ERROR_MEM_COPY_OVERLAP if two parts of one image overlap. */
pi_result image_check_overlap(const image_part *to, const image_part *from);

#endif
