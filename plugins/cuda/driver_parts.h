/* What the CUDA driver keeps in the objects of ../objects; see ../objects/driver.h. */
#ifndef PI_CUDA_DRIVER_PARTS_H
#define PI_CUDA_DRIVER_PARTS_H

#include "driver.h"

/* CUDA has no samplers: a kernel gets a number, see sampler_properties, and an image a texture. */
struct driver_sampler {
  pi_uint32 properties;
};

#endif
