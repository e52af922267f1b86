/* Reads PI's descriptions of images and of parts of images, for all drivers. */
#ifndef OBJECTS_IMAGE_SHAPE_H
#define OBJECTS_IMAGE_SHAPE_H

#include "../base/info.h"
#include "image_format.h"

#include <stddef.h>
#include <stdint.h>

/* X(name after PI_MEM_TYPE_, has height, has depth, has layers) */
#define IMAGE_SHAPES(X)                                                                            \
  X(IMAGE1D, false, false, false)                                                                  \
  X(IMAGE2D, true, false, false)                                                                   \
  X(IMAGE3D, true, true, false)                                                                    \
  X(IMAGE1D_ARRAY, false, false, true)                                                             \
  X(IMAGE2D_ARRAY, true, false, true)                                                              \
  X(IMAGE_CUBEMAP, true, false, true)

/* Fails because a backend has no images of this type, or because PI has no such type. */
pi_result image_refuse_type(pi_mem_type type, const char *backend) __attribute__((cold));

/* An image's sizes in pixels. A size that its type lacks is 1. */
typedef struct image_shape {
  pi_mem_type type;
  size_t width, height;
  size_t depth; /* or number of layers; 6 for a cube map */
  bool has_height, has_depth, is_layered;
  size_t size; /* bytes of all pixels, tightly packed */
} image_shape;

/*
 * Reads the sizes of a description. Ignores sizes that its type lacks. backend is for messages.
 *
 * PI_ERROR_INVALID_IMAGE_DESCRIPTOR: desc is NULL, a type is unknown, a size is 0, a cube map does
 * not have 6 squares, or num_samples is above 1. PI_ERROR_INVALID_IMAGE_SIZE: more than PTRDIFF_MAX
 * bytes. PI_ERROR_UNSUPPORTED_FEATURE: the image would use a buffer's memory.
 */
pi_result image_shape_of(const pi_image_desc *desc, const char *backend, const image_pixel *pixel,
                         image_shape *ret);

/*
 * Checks that a shape's width, height, and depth or layers are within limits. Ignores the limits of
 * sizes that its type lacks. PI_ERROR_INVALID_IMAGE_SIZE with a message.
 */
pi_result image_shape_limit(const image_shape *shape, size_t width, size_t height, size_t depth);

/* Returns the shape of a level of a mip-map whose level 0 has this shape. */
image_shape image_shape_of_level(const image_shape *shape, unsigned level);

/* Returns the largest number of levels that a mip-map of this shape can have. */
unsigned image_level_limit(const image_shape *shape);

/* An image's format, as PI's value and as memory layout, and its sizes. */
typedef struct image_form {
  pi_image_format format;
  image_pixel pixel;
  image_shape shape;
} image_form;

/* Answers a pi_image_info as in OpenCL: a size that the image lacks is 0. */
pi_result image_answer(const info_answer *answer, pi_image_info query, const image_form *form);

/* A part of an image, as drivers describe it: z is a layer, also for arrays of 1D images. */
typedef struct image_box {
  size_t x, y, z; /* in pixels, rows, and slices or layers */
  size_t width, height, depth;
} image_box;

typedef struct image_part {
  void *image; /* the driver's object */
  const image_form *form;
  image_box box;
  struct pi_mem_object *mem; /* PI's memory object, or NULL */
} image_part;

/* Memory that holds a part of an image. The pitches are at least the size of a row or slice. */
typedef struct image_pitched {
  uintptr_t start;
  size_t size; /* in bytes, from the first to the last one */
  size_t row_pitch, slice_pitch;
  bool is_usm; /* USM of the driver, not the application's own memory */
} image_pitched;

/* Returns whether PI's regions of this image have layers as y, as for an array of 1D images. */
static inline bool image_has_layers_as_rows(const image_shape *shape) {
  return shape->type == PI_MEM_TYPE_IMAGE1D_ARRAY;
}

/*
 * Checks that a region of PI lies in the image, and converts it to a box. PI_ERROR_INVALID_VALUE:
 * the region is empty or exceeds the image.
 */
pi_result image_box_read(const image_shape *shape, const size_t origin[3], const size_t region[3],
                         image_box *ret);

/* Calls image_box_read for PI's structures, which are not NULL. */
pi_result image_region_read(const image_shape *shape, pi_image_offset origin,
                            pi_image_region region, image_box *ret);

/* Returns whether two boxes of the same size have a pixel in common. */
bool image_boxes_overlap(const image_box *one, const image_box *other);

/* Returns the size of the pieces for which scratch memory is enough: slices, or rows of a slice. */
image_box image_fill_part(const image_box *box, size_t pixel_size);

/*
 * Advances piece to the next piece of a box, which has the size of part or less. piece is all zeros
 * at first. Returns false if no piece is left.
 */
bool image_fill_next(const image_box *box, const image_box *part, image_box *piece);

/* Size of a copy, not 0: bytes of a row, rows, and slices or layers. */
typedef struct image_extent {
  size_t width, height, depth;
} image_extent;

static inline image_extent image_extent_of(const image_form *form, const image_box *box) {
  return (image_extent){box->width * form->pixel.size, box->height, box->depth};
}

/*
 * Replaces pitches of 0 by those of tightly packed memory. *ret_size receives the number of bytes
 * from the first to the last one. Fails with code if a pitch is too small for extent, or if the
 * memory would exceed the address space.
 */
pi_result image_pitches(pi_result code, const image_extent *extent, size_t *row_pitch,
                        size_t *slice_pitch, size_t *ret_size);

#endif
