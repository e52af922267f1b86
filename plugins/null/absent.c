/*
 * What the driver has no entry for, and refuses: bindless images, interop, .. . An entry that
 * stands in another file is that one; a plugin of one's own without this file has the linker tell
 * which entries are missing.
 */
#include "../base/error.h"

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  __attribute__((weak)) pi_result name parameters {                                                \
    return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "the null driver has no %s", #name);         \
  }
#include <pi/pi_functions.def>
