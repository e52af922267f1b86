/* Images. An image is a CUDA array, and kernels get a surface, which reads and writes it. */
#ifndef CUDA_IMAGE_H
#define CUDA_IMAGE_H

#include "../objects/image.h"
#include "../objects/sink.h"
#include "image_shape.h"

/*
 * In a context of several devices: brings an image, or a part, to the device of a command that has
 * begun; the part's array becomes the device's. Afterwards the image has its surface there; before
 * that it may be 0.
 */
pi_result image_bring(const sink *sink, pi_mem image);
pi_result image_bring_part(const sink *sink, image_part *part);
uint64_t image_surface_on(pi_mem image, pi_device device);

/* A surface over an array; the context is current. */
pi_result image_make_surface(CUarray array, uint64_t *ret);

#endif
