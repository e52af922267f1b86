/* What the Level Zero driver keeps in the objects of ../objects; see ../objects/driver.h. */
#ifndef PI_LEVEL_ZERO_DRIVER_PARTS_H
#define PI_LEVEL_ZERO_DRIVER_PARTS_H

#include "driver.h"

/*
 * Level Zero's samplers are a root device's, so there is one for each of the context. Bindless ones
 * have none: there the sampler is a part of the image.
 */
struct driver_sampler {
  bool is_bindless;
  pi_uint32 count;               /* the context's roots, or 0 */
  ze_sampler_handle_t *samplers; /* by context_root */
};

#endif
