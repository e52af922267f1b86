/* What a memory object that is an image has besides (memory.h). */
#ifndef PI_CUDA_IMAGE_H
#define PI_CUDA_IMAGE_H

#include "memory.h"

typedef struct cuda_image {
  pi_image_format format;
  pi_image_desc desc;
  CUarray array;
  CUsurfObject surface; /* what a kernel gets as the argument */
} cuda_image;

/* The sampler as a kernel's argument: its properties as a number. */
pi_uint32 sampler_properties(pi_sampler sampler);

#endif
