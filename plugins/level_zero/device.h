/* Facts about drivers, which are PI's platforms, and about their devices. */
#ifndef LEVEL_ZERO_DEVICE_H
#define LEVEL_ZERO_DEVICE_H

#include "../objects/device.h"

/* Returns whether the driver lists an extension. name is one of the ZE_.._NAME. */
bool platform_has_extension(pi_platform platform, const char *name);

/* Returns the name of the vendor of the platform and its devices. */
const char *platform_vendor(pi_platform platform);

#endif
