/* The checks that the files of the plugin have in common. */
#ifndef PI_LEVEL_ZERO_CHECKS_H
#define PI_LEVEL_ZERO_CHECKS_H

#include "level_zero.h"

#include "../objects/arguments.h"
#include "../objects/handle_checks.h"

/*
 * A device that is one of the context's, or a part of one; context is a live handle, and context.h
 * is included.
 */
#define REQUIRE_DEVICE_OF(context, device)                                                         \
  do {                                                                                             \
    REQUIRE_DEVICE(device);                                                                        \
    PI_REQUIRE(context_has(context, device), PI_ERROR_INVALID_DEVICE,                              \
               #device " is not a device of " #context);                                           \
  } while (0)

#endif
