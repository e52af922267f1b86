/*
 * Defines every PI entry as a weak function that fails, for entries that this driver does not have:
 * bindless images, interop, .. . A definition in another file replaces the one here. If you omit
 * this file from a plugin of your own, the linker reports which entries are missing.
 */
#include "../base/error.h"

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  __attribute__((weak)) pi_result name parameters {                                                \
    return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "the null driver has no %s", #name);         \
  }
#include <pi/pi_functions.def>
