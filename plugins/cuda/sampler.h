/*
 * Samplers in CUDA. A kernel's argument is driver.properties, in the layout of DPC++'s device
 * library for PTX: bit 0 is set for normalised coordinates, bit 1 for the linear filter, and bits 2
 * to 4 are the addressing mode.
 */
#ifndef CUDA_SAMPLER_H
#define CUDA_SAMPLER_H

#include "../objects/sampler.h"
#include "cuda.h"

/*
 * X(PI_SAMPLER_ADDRESSING_MODE_.., CU_TR_ADDRESS_MODE_..). In a kernel's argument a mode is its
 * index in this list. With NONE the application promises that no coordinate is outside the image.
 */
#define SAMPLER_ADDRESSING_MODES(X)                                                                \
  X(NONE, CLAMP)                                                                                   \
  X(CLAMP_TO_EDGE, CLAMP)                                                                          \
  X(CLAMP, BORDER)                                                                                 \
  X(REPEAT, WRAP)                                                                                  \
  X(MIRRORED_REPEAT, MIRROR)

/*
 * Returns a texture description with the sampler's state. has_y and has_z tell which axes the image
 * has; an axis that it lacks keeps the driver's default mode, as CUDA requires. as_integers: pixels
 * are read as integers.
 */
CUDA_TEXTURE_DESC sampler_texture(pi_sampler sampler, bool has_y, bool has_z, bool as_integers);

#endif
