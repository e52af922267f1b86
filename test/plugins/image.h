/* Functions of the cases about images that one backend's own cases use too. */
#ifndef SPECPI_TEST_PLUGINS_IMAGE_H
#define SPECPI_TEST_PLUGINS_IMAGE_H

#include "world.h"

#include "../../plugins/checks/image_format.h"

/* A shape in PI's sizes: the layers of 1D images are rows. */
typedef struct shape {
  pi_mem_type type;
  size_t width, height, depth;
} shape;

extern const shape shapes[];
size_t shape_count(void);

extern const pi_image_format rgba32;
extern pi_event const untouched;

pi_image_desc describe(pi_mem_type type, size_t width, size_t height, size_t depth);
pi_mem new_image(const pi_image_format *format, const pi_image_desc *desc);
pi_mem new_shape(const pi_image_format *format, const shape *shape);
/* Expects that the driver has no such images of a format. */
void refused_by_the_driver(const pi_image_format *format, pi_mem_flags flags);

struct pi_image_offset_struct at(size_t x, size_t y, size_t z);
struct pi_image_region_struct sized(size_t width, size_t height, size_t depth);

/* Blocking, in w.queue. */
pi_result try_write(pi_mem image, struct pi_image_offset_struct from,
                    struct pi_image_region_struct size, size_t row, size_t slice,
                    const void *bytes);
pi_result try_read(pi_mem image, struct pi_image_offset_struct from,
                   struct pi_image_region_struct size, size_t row, size_t slice, void *bytes);

/* Fills the inner part of a new image with a colour, and expects the rest untouched. */
void fill_and_check(const pi_image_format *format, const shape *shape, const void *color);

/* Expects an image's answer to a query. */
void expect_size(pi_mem image, pi_image_info query, size_t want);

#endif
