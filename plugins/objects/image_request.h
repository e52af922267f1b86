/* What piextMemImageCopy is asked for, whatever the driver is. */
#ifndef PI_OBJECTS_IMAGE_REQUEST_H
#define PI_OBJECTS_IMAGE_REQUEST_H

#include "image_shape.h"

typedef struct image_request {
  const pi_image_desc *desc;
  image_pixel pixel;
  image_shape shape;
  size_t size[3]; /* of what is copied, in pixels; layers are z */
} image_request;

/*
 * Takes the copy's size from extent, for an image of that pixel and shape, which are in *request
 * already. Sizes that the image does not have may be 0; an array is copied with all its layers
 * unless depth says how many. PI_ERROR_INVALID_VALUE: a size is 0; flags is not one direction.
 */
pi_result image_request_read(pi_image_copy_flags flags, const pi_image_desc *desc,
                             pi_image_region extent, image_request *request);

/*
 * Where the copy begins in an image of whole pixels, and whether it lies in there:
 * PI_ERROR_INVALID_VALUE, with a sentence that begins with name. Offsets in sizes that the image
 * does not have are passed over, as the sizes are.
 */
pi_result image_request_part(const char *name, const image_request *request, pi_image_offset at,
                             const size_t whole[3], size_t ret[3]);

/* A part of an image in memory. */
typedef struct image_rows {
  size_t offset; /* of the part's first byte */
  size_t row_pitch, slice_pitch;
  size_t size; /* bytes of the whole image */
} image_rows;

/* The same for rows in memory that hold a whole image; a row_pitch of 0 is tightly packed. */
pi_result image_request_rows(const char *name, const image_request *request, pi_image_offset at,
                             const size_t whole[3], size_t row_pitch, image_rows *ret);

/* The host's side: extent is its whole image; sizes of 0 are those of what is copied. */
pi_result image_request_host(const char *name, const image_request *request, pi_image_offset at,
                             pi_image_region extent, image_rows *ret);

#endif
