/*
 * Entries that are not implemented: they return UR_RESULT_ERROR_UNSUPPORTED_FEATURE. There is a
 * weak definition for every entry, which an implementation in another file replaces.
 */
#include "result.h"

#include "../plugins/objects/driver.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define UR_FUNCTION(table, function, name, p2025_0, p2025_1, p2025_2, p2025_3, p2026_0, p2026_1,   \
                    p2026_2, parameters, arguments)                                                \
  __attribute__((weak)) ur_result_t name parameters {                                              \
    return face_error(UR_RESULT_ERROR_UNSUPPORTED_FEATURE, "%s is not supported by %s", #function, \
                      driver_name);                                                                \
  }
#include <ur/ur_functions.def>
