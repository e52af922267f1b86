/* Sizes of images and of parts of them by PI's descriptions, whatever the driver is. */
#ifndef OBJECTS_IMAGE_SHAPE_H
#define OBJECTS_IMAGE_SHAPE_H

#include "../base/info.h"
#include "image_format.h"

#include <stddef.h>
#include <stdint.h>

/* X(PI_MEM_TYPE_.., whether it has a height, a depth, layers) */
#define IMAGE_SHAPES(X)                                                                            \
  X(IMAGE1D, false, false, false)                                                                  \
  X(IMAGE2D, true, false, false)                                                                   \
  X(IMAGE3D, true, true, false)                                                                    \
  X(IMAGE1D_ARRAY, false, false, true)                                                             \
  X(IMAGE2D_ARRAY, true, false, true)                                                              \
  X(IMAGE_CUBEMAP, true, false, true)

/* The failure for a type that a backend has no images of: PI_ERROR_INVALID_IMAGE_DESCRIPTOR, .. */
pi_result image_refuse_type(pi_mem_type type, const char *backend) __attribute__((cold));

/* An image's sizes in pixels; those that it does not have are 1. */
typedef struct image_shape {
  pi_mem_type type;
  size_t width, height;
  size_t depth; /* or layers; 6 for a cube map */
  bool has_height, has_depth, is_layered;
  size_t size; /* bytes of all pixels, one after the other */
} image_shape;

/*
 * Reads the sizes of a description, without those that its type does not have. backend is for
 * messages.
 *
 * PI_ERROR_INVALID_IMAGE_DESCRIPTOR: NULL, an unknown type, a size of 0, a cube map that is none,
 * num_samples above 1. PI_ERROR_INVALID_IMAGE_SIZE: larger than memory can be.
 * PI_ERROR_UNSUPPORTED_FEATURE: an image made of a buffer.
 */
pi_result image_shape_of(const pi_image_desc *desc, const char *backend, const image_pixel *pixel,
                         image_shape *ret);

/*
 * Checks that a shape's width, height and third size are at most those. A size that the type does
 * not have is 1, and any limit will do. PI_ERROR_INVALID_IMAGE_SIZE with a message.
 */
pi_result image_shape_limit(const image_shape *shape, size_t width, size_t height, size_t depth);

/* The shape of a level of a mip-map whose largest level has this shape. */
image_shape image_shape_of_level(const image_shape *shape, unsigned level);

/* The most levels of a mip-map of this shape. */
unsigned image_level_limit(const image_shape *shape);

/* An image's content, the layout of its pixels in memory, and their number. */
typedef struct image_form {
  pi_image_format format;
  image_pixel pixel;
  image_shape shape;
} image_form;

/* The answer to a pi_image_info, as in OpenCL: sizes that the image does not have are 0. */
pi_result image_answer(const info_answer *answer, pi_image_info query, const image_form *form);

/* A part of an image in drivers' terms: layers of every kind of array are z. */
typedef struct image_box {
  size_t x, y, z; /* pixels, rows, slices or layers */
  size_t width, height, depth;
} image_box;

/* The same with the image, the driver's object; mem: its memory object, or NULL. */
typedef struct image_part {
  void *image;
  const image_form *form;
  image_box box;
  struct pi_mem_object *mem;
} image_part;

/* Memory that holds a part of an image. Each pitch is at least a row, or the rows of a slice. */
typedef struct image_pitched {
  uintptr_t start;
  size_t size; /* from the first byte to the last one */
  size_t row_pitch, slice_pitch;
  bool is_usm; /* the driver knows it; else it is the application's own */
} image_pitched;

/* PI counts the layers of an array of 1D images as rows. */
static inline bool image_has_layers_as_rows(const image_shape *shape) {
  return shape->type == PI_MEM_TYPE_IMAGE1D_ARRAY;
}

/*
 * Checks that a region of PI's lies in the image, and returns its place. PI_ERROR_INVALID_VALUE: it
 * is empty, or leaves the image.
 */
pi_result image_box_read(const image_shape *shape, const size_t origin[3], const size_t region[3],
                         image_box *ret);

/* The same for PI's structures, which are not NULL. */
pi_result image_region_read(const image_shape *shape, pi_image_offset origin,
                            pi_image_region region, image_box *ret);

/* Returns whether two parts of the same size have a pixel in common. */
bool image_boxes_overlap(const image_box *one, const image_box *other);

/* The part of a box that one scratch memory fills at a time: slices, or rows of one. */
image_box image_fill_part(const image_box *box, size_t pixel_size);

/* The next piece of a box, all 0 before the first one: a part, or the rest. false: none is left. */
bool image_fill_next(const image_box *box, const image_box *part, image_box *piece);

/* Size of a copy: bytes, rows, slices or layers; none is 0. */
typedef struct image_extent {
  size_t width, height, depth;
} image_extent;

static inline image_extent image_extent_of(const image_form *form, const image_box *box) {
  return (image_extent){box->width * form->pixel.size, box->height, box->depth};
}

/*
 * Completes the pitches of memory that holds extent: 0 is tightly packed. *ret_size receives the
 * bytes from the first to the last one. Fails with code if a pitch is too small for its content, or
 * too large for any memory.
 */
pi_result image_pitches(pi_result code, const image_extent *extent, size_t *row_pitch,
                        size_t *slice_pitch, size_t *ret_size);

#endif
