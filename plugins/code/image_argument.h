/*
 * A kernel argument of specpi-codegen for an image of the SPIR-V: such a structure, by value. A
 * sampler becomes 32 bits: bit 0 is set for normalised coordinates, bit 1 for the linear filter,
 * and bits 2 to 4 are the addressing mode: none, clamp to edge, clamp, repeat, mirrored repeat. The
 * device library includes this file, too.
 */
#ifndef CODE_IMAGE_ARGUMENT_H
#define CODE_IMAGE_ARGUMENT_H

#ifdef __OPENCL_C_VERSION__
typedef ulong image_argument_long;
typedef uint image_argument_int;
#else
#include <stdint.h>
typedef uint64_t image_argument_long;
typedef uint32_t image_argument_int;
#endif

typedef struct image_argument {
  image_argument_long surface;                     /* CUDA's */
  image_argument_int width, height, depth, layers; /* 1 where there is no such size */
  image_argument_int type, order;                  /* of channels, as OpenCL numbers them */
} image_argument;

#endif
