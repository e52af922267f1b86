/* The plugin itself: its table, the last error, what belongs to no object. */
#include "checks.h"

#include "../../pi/backend_option.h"
#include "../../pi/table.h"

#include <string.h>

static const pi_function_table functions = {
#define PI_FUNCTION(name, since, parameters, arguments) .name = name,
#include <pi/pi_functions.def>
};

__attribute__((visibility("default"))) pi_result piPluginInit(pi_plugin *plugin_info) {
  return pi_table_fill(plugin_info, "libpi_level_zero.so", &functions);
}

pi_result ze_error(ze_result_t code, const char *call) {
  static const struct {
    ze_result_t ze;
    pi_result pi;
    const char *name;
  } results[] = {
#define LEVEL_ZERO_RESULT(ze, pi) {ZE_RESULT_##ze, pi, "ZE_RESULT_" #ze},
      LEVEL_ZERO_RESULTS(LEVEL_ZERO_RESULT)
#undef LEVEL_ZERO_RESULT
  };
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    if (results[i].ze == code)
      return pi_error(results[i].pi, "%s failed: %s (0x%x)", call, results[i].name, (unsigned)code);
  return pi_error(PI_ERROR_UNKNOWN, "%s failed: unknown error 0x%x", call, (unsigned)code);
}

pi_result piPluginGetLastError(char **message) {
  REQUIRE_POINTER(message);
  const char *text;
  const pi_result code = pi_error_last(&text);
  /* PI's type lacks the const; nobody may write here, and libsycl only copies. */
  memcpy(message, &text, sizeof *message);
  return code;
}

/*
 * What a runtime's optimisation level means to the driver's compiler: options of piProgramBuild
 * and the others that take build options.
 */
pi_result piPluginGetBackendOption(pi_platform platform, const char *frontend_option,
                                   const char **backend_option) {
  static const pi_backend_option options[] = {
      {"", ""},
      {"-O0", "-ze-opt-disable"},
      {"-O1", "-ze-opt-level=2"},
      {"-O2", "-ze-opt-level=2"},
      {"-O3", "-ze-opt-level=2"},
      {"-ftarget-compile-fast", "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'"},
  };
  REQUIRE_PLATFORM(platform);
  return pi_backend_option_find(options, sizeof options / sizeof options[0], "Level Zero",
                                frontend_option, backend_option);
}

pi_result piextPluginGetOpaqueData(void *opaque_data_param, void **opaque_data_return) {
  (void)opaque_data_param;
  (void)opaque_data_return;
  return LEVEL_ZERO_UNSUPPORTED("opaque data belongs to the ESIMD emulator, Level Zero has none");
}

/* The loader stays loaded: the application may use it, see driver.c. */
pi_result piTearDown(void *plugin_parameter) {
  (void)plugin_parameter;
  return PI_SUCCESS;
}
