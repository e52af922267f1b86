/* Facts that Level Zero reports about its drivers, which are PI's platforms, and their devices. */
#ifndef LEVEL_ZERO_DEVICE_H
#define LEVEL_ZERO_DEVICE_H

#include "../objects/device.h"

/* Returns whether the driver lists an extension, ZE_..._NAME. */
bool platform_has_extension(pi_platform platform, const char *name);

/* The vendor that the platform and its devices name. */
const char *platform_vendor(pi_platform platform);

#endif
