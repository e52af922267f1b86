/* The plugin itself: its table, the last error, what belongs to no object. */
#include "checks.h"

#include "../../pi/backend_option.h"
#include "../../pi/table.h"
#include "../base/names.h"

#include <string.h>

static const pi_function_table functions = {
#define PI_FUNCTION(name, since, parameters, arguments) .name = name,
#include <pi/pi_functions.def>
};

__attribute__((visibility("default"))) pi_result piPluginInit(pi_plugin *plugin_info) {
  PI_TRY(pi_table_fill(plugin_info, "libpi_opencl.so", &functions));
  opencl_load();
  return PI_SUCCESS;
}

pi_result cl_error(cl_int code, const char *call) {
  const char *name = code == CL_INVALID_SPEC_ID ? "CL_INVALID_SPEC_ID" : pi_name("pi_result", code);
  const bool known = *name != '?';
  return pi_error(known ? (pi_result)code : PI_ERROR_UNKNOWN, "%s failed: %s (%d)", call, name,
                  code);
}

pi_result cl_answered(const pi_answer *answer, cl_int code, const char *call, size_t size,
                      size_t needed) {
  if (code == CL_INVALID_VALUE && answer->value)
    PI_REQUIRE(answer->size >= needed, PI_ERROR_INVALID_VALUE,
               "param_value_size is %zu, the answer has %zu bytes", answer->size, needed);
  PI_TRY(cl_result(code, call));
  if (answer->size_ret)
    *answer->size_ret = size;
  return PI_SUCCESS;
}

pi_result piPluginGetLastError(char **message) {
  REQUIRE_POINTER(message);
  const char *text;
  const pi_result code = pi_error_last(&text);
  /* PI's type lacks the const; nobody may write here, and libsycl only copies. */
  memcpy(message, &text, sizeof *message);
  return code;
}

pi_result piPluginGetBackendOption(pi_platform platform, const char *frontend_option,
                                   const char **backend_option) {
  static const pi_backend_option options[] = {
      {"", ""},
      {"-O0", "-cl-opt-disable"},
      {"-O1", ""},
      {"-O2", ""},
      {"-O3", ""},
      {"-ftarget-compile-fast", "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'"},
  };
  REQUIRE_PLATFORM(platform);
  return pi_backend_option_find(options, sizeof options / sizeof options[0], "OpenCL",
                                frontend_option, backend_option);
}

pi_result piextPluginGetOpaqueData(void *opaque_data_param, void **opaque_data_return) {
  (void)opaque_data_param;
  (void)opaque_data_return;
  return OPENCL_UNSUPPORTED("opaque data belongs to the ESIMD emulator, OpenCL has none");
}

/* The driver stays loaded: other plugins and the application may use it, see driver.c. */
pi_result piTearDown(void *plugin_parameter) {
  (void)plugin_parameter;
  return PI_SUCCESS;
}
