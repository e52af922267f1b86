/*
 * Images: what a memory object that is an image has besides (memory.h). An image is a CUDA array,
 * and kernels get a surface, which reads and writes it.
 */
#ifndef PI_CUDA_IMAGE_H
#define PI_CUDA_IMAGE_H

#include "image_shape.h"
#include "memory.h"

typedef struct cuda_image {
  pi_image_format format;
  image_pixel pixel;
  image_shape shape;
  /* NULL for what describes a bindless image, whose memory is not the object's. */
  CUarray array;
  /* What a kernel gets as the argument: 64 bits by value. Of a bindless image its handle. */
  uint64_t surface;
} cuda_image;

/*
 * A memory object with one reference that holds a copy of *image; is_owned: the array goes with the
 * object. The surface of an image with an array always does. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result image_object_new(pi_context context, pi_mem_flags flags, const cuda_image *image,
                           bool is_owned, pi_mem *mem);

#endif
