/* The stubs for entries that a plugin leaves empty. */
#include "plugin.h"

#include "error.h"

/* The stubs use none of their parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static pi_result unsupported(const char *name) {
  error_set(SPECPI_SUCCESS, "the plugin has no %s", name);
  return PI_ERROR_UNSUPPORTED_FEATURE;
}

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  static pi_result stub_##name parameters { return unsupported(#name); }
#include <pi/pi_functions.def>

const pi_function_table plugin_unsupported = {
#define PI_FUNCTION(name, since, parameters, arguments) .name = stub_##name,
#include <pi/pi_functions.def>
};
