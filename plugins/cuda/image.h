/* Images. An image is a CUDA array. Kernels read and write it by a surface. */
#ifndef CUDA_IMAGE_H
#define CUDA_IMAGE_H

#include "../objects/image.h"
#include "../objects/sink.h"
#include "image_shape.h"

/*
 * In a context of several devices, moves an image to the device of a command that has begun.
 * image_bring_part also sets the array of a part to that device's. image_surface_on returns the
 * image's surface on a device, which is 0 until the image first moves there.
 */
pi_result image_bring(const sink *sink, pi_mem image);
pi_result image_bring_part(const sink *sink, image_part *part);
uint64_t image_surface_on(pi_mem image, pi_device device);

/* Makes a surface for an array; the context is current. */
pi_result image_make_surface(CUarray array, uint64_t *ret);

#endif
