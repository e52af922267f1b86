/*
 * In kernels of specpi-codegen an image argument of the SPIR-V is this structure, by value. A
 * sampler is 32 bits: bit 0 is set for normalised coordinates, bit 1 for the linear filter, and
 * bits 2 to 4 are the addressing mode: none, clamp to edge, clamp, repeat, mirrored repeat. The
 * device library also includes this file.
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
  image_argument_long surface;                     /* CUDA surface object */
  image_argument_int width, height, depth, layers; /* 1 for a dimension that the image lacks */
  image_argument_int type, order;                  /* channel type and order, OpenCL's numbers */
} image_argument;

#endif
