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
  PI_TRY(pi_table_fill(plugin_info, "libpi_cuda.so", &functions));
  cuda_load();
  return PI_SUCCESS;
}

pi_result cu_error(CUresult code, const char *call) {
  static const struct {
    CUresult cuda;
    pi_result pi;
  } results[] = {
#define CUDA_RESULT(cuda, pi) {CUDA_ERROR_##cuda, pi},
      CUDA_RESULTS(CUDA_RESULT)
#undef CUDA_RESULT
  };
  const char *name = NULL;
  const char *text = NULL;
  if (cu.GetErrorName(code, &name) != CUDA_SUCCESS || !name)
    name = "unknown error";
  if (cu.GetErrorString(code, &text) != CUDA_SUCCESS || !text)
    text = "the driver has no text for it";
  pi_result result = PI_ERROR_UNKNOWN;
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    if (results[i].cuda == code)
      result = results[i].pi;
  return pi_error(result, "%s failed: %s (%d), %s", call, name, (int)code, text);
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
      {"", ""},       {"-O0", "-O0"}, {"-O1", "-O1"},
      {"-O2", "-O2"}, {"-O3", "-O3"}, {"-ftarget-compile-fast", "-O1"},
  };
  REQUIRE_PLATFORM(platform);
  return pi_backend_option_find(options, sizeof options / sizeof options[0], "CUDA",
                                frontend_option, backend_option);
}

pi_result piextPluginGetOpaqueData(void *opaque_data_param, void **opaque_data_return) {
  (void)opaque_data_param;
  (void)opaque_data_return;
  return CUDA_UNSUPPORTED("opaque data belongs to the ESIMD emulator, CUDA has none");
}

/* The driver stays loaded: the application may use it, see driver.c. */
pi_result piTearDown(void *plugin_parameter) {
  (void)plugin_parameter;
  return PI_SUCCESS;
}
