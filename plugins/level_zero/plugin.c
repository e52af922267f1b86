/* The plugin's name, its compiler options, and the translation of the driver's errors. */
#include "level_zero.h"

#include "../objects/driver.h"

const char driver_name[] = "Level Zero";
const char driver_file[] = "libpi_level_zero.so";

const compiler_option driver_options[] = {
    {"", ""},
    {"-O0", "-ze-opt-disable"},
    {"-O1", "-ze-opt-level=2"},
    {"-O2", "-ze-opt-level=2"},
    {"-O3", "-ze-opt-level=2"},
    {"-ftarget-compile-fast", INTEL_FAST_COMPILE},
};
const size_t driver_option_count = sizeof driver_options / sizeof driver_options[0];

pi_result ze_error(ze_result_t code, const char *call) {
  static const struct {
    ze_result_t ze;
    pi_result pi;
    const char *name;
  } results[] = {
#define LEVEL_ZERO_RESULT(ze, pi, way) {ZE_RESULT_##ze, pi, "ZE_RESULT_" #ze},
      LEVEL_ZERO_RESULTS(LEVEL_ZERO_RESULT)
#undef LEVEL_ZERO_RESULT
  };
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    if (results[i].ze == code)
      return plugin_error(results[i].pi, "%s failed: %s (0x%x)", call, results[i].name,
                          (unsigned)code);
  return plugin_error(PI_ERROR_UNKNOWN, "%s failed: unknown error 0x%x", call, (unsigned)code);
}
