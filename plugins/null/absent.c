/*
 * Entries that the driver lacks, and refuses: bindless images, interop, .. . An entry that another
 * file defines replaces the one here. In a plugin of your own without this file the linker reports
 * which entries are missing.
 */
#include "../base/error.h"

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  __attribute__((weak)) pi_result name parameters {                                                \
    return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "the null driver has no %s", #name);         \
  }
#include <pi/pi_functions.def>
