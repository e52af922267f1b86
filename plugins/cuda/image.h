/* Images. An image is a CUDA array, and kernels get a surface, which reads and writes it. */
#ifndef CUDA_IMAGE_H
#define CUDA_IMAGE_H

#include "../objects/image.h"
#include "image_shape.h"

/* A surface over an array; the context is current. */
pi_result image_make_surface(CUarray array, uint64_t *ret);

#endif
