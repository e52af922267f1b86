/* The checks that the files of the plugin have in common. */
#ifndef PI_CUDA_CHECKS_H
#define PI_CUDA_CHECKS_H

#include "cuda.h"

#include "../objects/arguments.h"
#include "../objects/handle_checks.h"

/* A device that is the context's; context is a live handle, and context.h is included. */
#define REQUIRE_DEVICE_OF(context, device)                                                         \
  do {                                                                                             \
    REQUIRE_DEVICE(device);                                                                        \
    PI_REQUIRE((device) == (context)->device, PI_ERROR_INVALID_DEVICE,                             \
               #device " is not the device of " #context);                                         \
  } while (0)

#endif
